"""XML written element by element: whatever is put in stays text."""

from __future__ import annotations

import re
from hashlib import sha256
from xml.etree.ElementTree import Element, SubElement, indent, tostring

# What XML cannot hold, however it is written.
_UNHELD = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def inside(parent: Element, name: str, text: str = "", /, **attributes: str) -> Element:
    """A new element in another; an underscore at the end of an attribute's name is left out."""
    held = {key.rstrip("_"): _held(value) for key, value in attributes.items()}
    made = SubElement(parent, name, held)
    if text:
        made.text = _held(text)
    return made


def document(root: Element) -> str:
    """A file of XML."""
    indent(root)
    body = tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def identifier(*words: str) -> str:
    """A name for something, of letters and digits alone, which is the same for the same words."""
    return f"w{sha256(chr(0).join(words).encode()).hexdigest()[:32]}"


def _held(text: str) -> str:
    return _UNHELD.sub("\ufffd", text)
