"""The catalogue as a static site: a folder of pages that open from the file system.

Every page is a document, made of blocks like a report's, in a frame that all pages share. `place` says
what a page is; `entry`, `chapter`, `symbols`, `presets`, `rules`, `counting` (programs), `guides` and
`told` (reports) make them, `frame` writes them, `build` all of them with the index that searches them.
"""
