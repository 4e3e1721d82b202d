"""The zip that Canvas imports: the quiz, how it is held, its pictures, and a list of them."""

from __future__ import annotations

from io import BytesIO
from xml.etree.ElementTree import Element
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from workings.courses.bank import Bank
from workings.courses.markup import document, identifier, inside
from workings.courses.prompt import Picture
from workings.courses.settings import ASSIGNMENT, QUIZ

_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_PACKAGE = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
_METADATA = "http://www.imsglobal.org/xsd/imsmd_v1p2"
_CANVAS = "http://canvas.instructure.com/xsd/cccv1p0"
_RESOURCE = "associatedcontent/imscc_xmlv1p1/learning-application-resource"
_TIME = (1980, 1, 1, 0, 0, 0)  # of every file in the zip: the same quiz is the same bytes


def packed(bank: Bank, own: str, quiz: Element, points: float, pictures: dict[str, Picture]) -> bytes:
    """The zip of a quiz whose identifier is `own`."""
    return _zipped({
        "imsmanifest.xml": _manifest(own, bank, pictures),
        f"{own}/assessment_meta.xml": _settings(own, bank, points),
        f"{own}/{own}.xml": document(quiz),
        **{f"images/{name}": one.data for name, one in sorted(pictures.items())},
    })  # fmt: skip


def address(picture: Picture) -> str:
    """Where a question finds a picture."""
    return f"%24IMS-CC-FILEBASE%24/images/{picture.name}"


def rooted(name: str, space: str, schema: str) -> Element:
    """The outermost element of a file, with its schema."""
    return Element(name, {"xmlns": space, "xmlns:xsi": _XSI, "xsi:schemaLocation": f"{space} {schema}"})


def _settings(own: str, bank: Bank, points: float) -> str:
    """How the quiz is held: nothing is published before the instructor says so."""
    root = rooted("quiz", _CANVAS, "https://canvas.instructure.com/xsd/cccv1p0.xsd")
    root.set("identifier", own)
    put = {"{title}": bank.title, "{points}": f"{points:.1f}", "{quiz}": own}
    for name, text in QUIZ.items():
        inside(root, name, put.get(text, text))
    assignment = inside(root, "assignment", identifier=identifier("assignment", bank.name, bank.title))
    for name, text in ASSIGNMENT.items():
        inside(assignment, name, put.get(text, text))
    inside(inside(assignment, "post_policy"), "post_manually", "false")
    inside(root, "assignment_group_identifierref", identifier("group", bank.name, bank.title))
    inside(root, "assignment_overrides")
    return document(root)


def _manifest(own: str, bank: Bank, pictures: dict[str, Picture]) -> str:
    """What is in the zip."""
    root = Element("manifest", {"identifier": identifier("manifest", bank.name, bank.title),
                   "xmlns": _PACKAGE, "xmlns:imsmd": _METADATA, "xmlns:xsi": _XSI})  # fmt: skip
    metadata = inside(root, "metadata")
    inside(metadata, "schema", "IMS Content")
    inside(metadata, "schemaversion", "1.1.3")
    general = inside(inside(metadata, "imsmd:lom"), "imsmd:general")
    inside(inside(general, "imsmd:title"), "imsmd:string", bank.title)
    inside(root, "organizations")
    resources = inside(root, "resources")
    settings = identifier("settings", bank.name, bank.title)
    quiz = inside(resources, "resource", identifier=own, type="imsqti_xmlv1p2")
    inside(quiz, "file", href=f"{own}/{own}.xml")
    inside(quiz, "dependency", identifierref=settings)
    _resource(resources, settings, _RESOURCE, f"{own}/assessment_meta.xml")
    for name in sorted(pictures):
        _resource(resources, identifier("image", name), "webcontent", f"images/{name}")
    return document(root)


def _resource(resources: Element, own: str, kind: str, file: str) -> None:
    made = inside(resources, "resource", identifier=own, type=kind, href=file)
    inside(made, "file", href=file)


def _zipped(files: dict[str, str | bytes]) -> bytes:
    stream = BytesIO()
    with ZipFile(stream, "w", compression=ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = ZipInfo(name, _TIME)
            info.compress_type = ZIP_DEFLATED
            archive.writestr(info, content)
    return stream.getvalue()
