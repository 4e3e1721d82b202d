"""A page of HTML as somebody opens it from a folder: what it says, asks for and shows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

DESK, PHONE = (1280, 900), (390, 844)
UNFOLD = "document.querySelectorAll('details:not(.copy)').forEach((one) => { one.open = true; })"


@dataclass
class Opened:
    """A page, and every message and request that it made."""

    page: Page
    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@contextmanager
def opened(
    browser: Browser,
    path: Path,
    size: tuple[int, int] = DESK,
    *,
    dark: bool = False,
    scripts: bool = True,
) -> Iterator[Opened]:
    """A page opened from the file system, without a network, with everything unfolded."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light",
        java_script_enabled=scripts, offline=True,
    )  # fmt: skip
    if scripts:
        context.clock.install()  # so that a busy machine cannot be too late for what a test waits for
    found = Opened(context.new_page())

    def dismissed(dialog: Dialog) -> None:
        found.messages.append(dialog.message)
        dialog.dismiss()

    found.page.on("console", lambda message: found.messages.append(message.text))
    found.page.on("pageerror", lambda error: found.messages.append(str(error)))
    found.page.on("dialog", dismissed)
    found.page.on("request", lambda request: found.requests.append(request.url))
    found.page.goto(path.as_uri())
    if scripts:
        found.page.evaluate(UNFOLD)
    try:
        yield found
    finally:
        context.close()
