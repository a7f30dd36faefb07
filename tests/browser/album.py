"""Take screenshots of pages at several window sizes and in several colour schemes."""

from pathlib import Path

from playwright.sync_api import Page

LOOKS = {"dark": ("dark", "none"), "light": ("light", "none"), "forced": ("dark", "active")}
SCREENS = [(320, 568), (390, 844), (844, 390), (1024, 768), (1440, 900)]
STILL = """() => {
    const at = performance.now();
    performance.now = () => at;
    const date = Date.now();
    Date.now = () => date;
}"""


class Album:
    """Saves screenshots to a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def take(self, page: Page, name: str, *, whole: bool = False) -> None:
        """Save a screenshot of the viewport, or of the full page if `whole`."""
        shot = page.screenshot(animations="disabled", full_page=whole)
        file = self.folder / f"{name.replace('/', '_').replace(' ', '-')}.png"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(shot)

    def take_sizes(
        self, page: Page, name: str, sizes: list[tuple[int, int]], look: str, *, whole: bool = False
    ) -> None:
        """Save a screenshot at each of these window sizes, in one colour scheme."""
        scheme, forced = LOOKS[look]
        page.emulate_media(color_scheme=scheme, forced_colors=forced, reduced_motion="reduce")  # type: ignore[arg-type]
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            self.take(page, f"{name} {width}x{height} {look}", whole=whole)
