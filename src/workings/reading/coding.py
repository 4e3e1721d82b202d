"""How the bytes of a text say what they are: editors on Windows write UTF-16, or UTF-8 with a mark."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE


def coding_of(data: bytes) -> str:
    """The name of the coding by which bytes become text; it leaves a byte order mark out."""
    return "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
