"""Links of Markdown files that lead nowhere, as GitHub resolves them."""

import re
from collections.abc import Iterator, Mapping

LINK = re.compile(r"(?<!\\)\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)")


def anchors(text: str) -> list[str]:
    """What a fragment can name."""
    return re.findall(r'<a id="([^"]*)"></a>', text)


def dead_links(files: Mapping[str, str]) -> Iterator[str]:
    """`file -> target` for each link between these files whose file or anchor is not there."""
    for name, text in files.items():
        if name.endswith(".md"):
            for file, anchor in LINK.findall(re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
                target = files.get(file or name)
                if target is None or (anchor and anchor not in anchors(target)):
                    yield f"{name} -> {file}#{anchor}"
