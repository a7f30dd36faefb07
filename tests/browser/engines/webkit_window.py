#!/usr/bin/python3
"""Bare WebKitGTK window for WebKitWebDriver: `webkit_window.py FOLDER LANGUAGES`.

Runs under the system's Python, which has GTK. MiniBrowser's toolbar would force a width of at least 447 px. Console
output goes to FOLDER/console, downloads to FOLDER/downloads once they are complete.
"""

import os
import signal
import sys
from pathlib import Path

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2  # noqa: E402

PRINTERS_MARGIN_MM = 6.35  # a quarter of an inch, Safari's default


def main() -> None:
    """Run until the driver closes the session."""
    folder = Path(sys.argv[1])
    console = os.open(folder / "console", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for stream in (sys.stdout, sys.stderr):  # which one the console is written to depends on the version
        os.dup2(console, stream.fileno())
    kept = WebKit2.WebsiteDataManager(base_data_directory=str(folder), base_cache_directory=str(folder))
    context = WebKit2.WebContext(website_data_manager=kept)
    context.set_automation_allowed(True)
    if languages := sys.argv[2:]:
        context.set_preferred_languages(languages)
    (folder / "downloads").mkdir()
    context.connect("download-started", lambda _, download: keep(download, folder))
    context.connect("automation-started", lambda _, session: session.connect("create-web-view", create, context))
    Gtk.Settings.get_default().set_property("gtk-enable-animations", False)  # prefers-reduced-motion
    Gtk.main()


def keep(download: WebKit2.Download, folder: Path) -> None:
    """Save a download; move it to FOLDER/downloads once complete."""

    def decide(_: WebKit2.Download, name: str) -> bool:
        download.set_destination((folder / name).as_uri())
        download.connect("finished", lambda _: (folder / name).rename(folder / "downloads" / name))
        return True

    download.connect("decide-destination", decide)


def print_to(folder: Path, view: WebKit2.WebView, margin_mm: float) -> bool:
    """Print the page to a PDF in the downloads folder.

    `window.print` has no effect under automation. Like Safari before 18.2, WebKitGTK ignores @page margins.
    """
    printing = WebKit2.PrintOperation(web_view=view)
    paper = Gtk.PageSetup()
    for set_margin in (paper.set_top_margin, paper.set_right_margin, paper.set_bottom_margin, paper.set_left_margin):
        set_margin(margin_mm, Gtk.Unit.MM)
    printing.set_page_setup(paper)
    where = Gtk.PrintSettings()
    where.set_printer("Print to File")
    where.set(Gtk.PRINT_SETTINGS_OUTPUT_FILE_FORMAT, "pdf")
    where.set(Gtk.PRINT_SETTINGS_OUTPUT_URI, (folder / "printed.pdf").as_uri())
    printing.set_print_settings(where)
    printing.connect("finished", lambda _: (folder / "printed.pdf").rename(folder / "downloads" / "printed.pdf"))
    printing.connect("failed", lambda _, error: print("CONSOLE ERROR printing:", error.message, flush=True))
    printing.print_()
    return True


def create(_: WebKit2.AutomationSession, context: WebKit2.WebContext) -> WebKit2.WebView:
    """Open the window requested by the driver and focus it.

    There is no window manager to do that.
    """
    folder = Path(sys.argv[1])
    settings = WebKit2.Settings(enable_write_console_messages_to_stdout=True)
    view = WebKit2.WebView(is_controlled_by_automation=True, web_context=context, settings=settings)
    (folder / "pid").write_text(str(os.getpid()))
    for command, margin_mm in ((signal.SIGUSR1, 0), (signal.SIGUSR2, PRINTERS_MARGIN_MM)):
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, command, print_to, folder, view, margin_mm)
    window = Gtk.Window()
    window.set_default_size(390, 844)
    window.add(view)
    window.connect("destroy", lambda _: Gtk.main_quit())
    window.connect("map-event", lambda shown, _: shown.get_window().focus(0))
    window.show_all()
    view.grab_focus()
    return view


if __name__ == "__main__":
    main()
