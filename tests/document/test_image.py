"""Pictures from files: with words for who does not see them, looked at before they are printed."""

import struct
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import pytest
from documents import Options, build_text, latex_of, refusal

PNG = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00" + (
    b"\xff\xc0\x00\x0b\x08\x00\x02\x00\x03\x01\x01\x11\x00\xff\xd9"
)
SVG = b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>'


def image(name: str = "mesh.png", options: str = ":alternative: A mesh of 4 & 16 <devices>\n") -> str:
    return f"```{{image}} {name}\n{options}```\n"


def test_a_picture_is_in_the_page_and_a_file_beside_markdown_and_latex(tmp_path: Path) -> None:
    (tmp_path / "mesh.png").write_bytes(PNG)
    text = (
        image(options=":alternative: A [mesh] & <x>\n:caption: The mesh\n:width: 50\n")
        + "See {ref}`mesh`.\n"
    )
    made: dict[str, Any] = build_text(
        tmp_path, text, options=Options(formats=("md", "tex", "html", "ipynb", "typ"))
    )
    assert made["mesh.png"] == PNG
    assert r"![A \[mesh\] & \<x\>](mesh.png)" in made["report.md"]
    assert "**Figure 1.** The mesh" in made["report.md"]
    assert r"\includegraphics[width=0.5\linewidth]{mesh.png}" in made["report.tex"]
    address = f"data:image/png;base64,{b64encode(PNG).decode()}"
    assert f'<img src="{address}" alt="A [mesh] &amp; &lt;x&gt;" width="50%">' in made["report.html"]
    assert address in made["report.ipynb"]
    assert 'alt: "A [mesh] & <x>"' in made["report.typ"]


def test_a_drawing_stays_an_image_in_which_nothing_runs(tmp_path: Path) -> None:
    (tmp_path / "mesh.svg").write_bytes(SVG)
    made: dict[str, Any] = build_text(
        tmp_path, image("mesh.svg"), options=Options(formats=("md", "html", "typ"))
    )
    assert "data:image/svg+xml;base64," in made["report.html"]
    assert "<rect/>" not in made["report.html"]
    assert made["mesh.svg"] == SVG
    with pytest.raises(ValueError, match=r"mesh\.svg: LaTeX output cannot hold an SVG"):
        latex_of(tmp_path, image("mesh.svg"))


def test_a_picture_of_a_folder_keeps_its_place(tmp_path: Path) -> None:
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "a.jpg").write_bytes(JPEG)
    made: dict[str, Any] = build_text(tmp_path, image("img/a.jpg"), options=Options(formats=("md",)))
    assert made["img/a.jpg"] == JPEG


def big(side: int) -> bytes:
    return PNG[:16] + struct.pack(">II", side, 1) + PNG[24:]


WRONG = (
    ("mesh.png", "", PNG, ":alternative: found nothing, expected words"),
    ("../mesh.png", None, PNG, "expected a PNG, JPEG or SVG file in the folder"),
    ("/etc/passwd", None, PNG, "expected a PNG, JPEG or SVG file in the folder"),
    ("mesh.gif", None, PNG, "expected a PNG, JPEG or SVG file in the folder"),
    ("none.png", None, PNG, "No such file"),
    ("mesh.png", None, b"GIF89a", "found no PNG in it"),
    ("mesh.jpg", None, PNG, "found no JPEG in it"),
    ("mesh.png", None, big(100_000), "found 100000 × 1 pixels"),
    ("mesh.png", None, PNG + bytes(2_000_001), "found more than 2,000,000 bytes"),
    ("mesh.svg", None, b"<html/>", "found no <svg> in it"),
    ("mesh.svg", None, b"\xff\xfe", "found no UTF-8 text"),
    ("mesh.svg", None, SVG.replace(b"<rect/>", b"<script>1</script>"), "found '<script'"),
    ("mesh.svg", None, SVG.replace(b"<rect/>", b"<rect onload='x'/>"), "found 'onload='"),
    ("mesh.svg", None, SVG.replace(b"<rect/>", b"<image href='file:///etc/passwd'/>"), "found \"href="),
    ("mesh.svg", None, SVG.replace(b"<rect/>", b"<image xlink:href='http://a.b/c.png'/>"), "href="),
    ("mesh.svg", None, SVG.replace(b"<svg", b'<!DOCTYPE svg [<!ENTITY a "b">]><svg', 1), "found"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "options", "data", "problem"), WRONG)
def test_what_is_no_plain_picture_is_refused(
    tmp_path: Path, name: str, options: str | None, data: bytes, problem: str
) -> None:
    if name.startswith("mesh"):
        (tmp_path / name).write_bytes(data)
    said = refusal(tmp_path, image(name) if options is None else image(name, options))
    assert said.startswith(f"page.md:5: {{image}} {name}: ")
    assert problem in said


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "a.png").write_bytes(PNG)
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "mesh.png").symlink_to(tmp_path / "secret" / "a.png")
    assert "it leads out of the folder" in refusal(tmp_path / "work", image())
