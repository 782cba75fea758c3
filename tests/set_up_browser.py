"""Sees to it that the tests have a Chromium, and fonts for Chinese. `make test` runs this first.

A Chromium on the PATH is taken as it is; else, for root on Debian, apt-get installs one; else Playwright
downloads its own. Where none of this works it says how to get one and fails: tests are never skipped.
Debian's headless shell comes first. It is the same engine and has no windows: a whole Chromium draws an
address bar for each page that nobody sees, and takes nearly twice the processor time.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DOWNLOAD_SECONDS = 600
DRIVER = (sys.executable, "-m", "playwright", "--version")
DRIVER_ADVICE = (
    "Playwright, which drives the browser in the tests, does not start here: it needs the library libatomic."
    " On Debian and Ubuntu install it with: sudo apt-get install libatomic1"
)
BROWSER_ADVICE = (
    "No Chromium was found for the browser tests, Playwright could not download one, and it could not be"
    " installed either. Install one and see that it is on the PATH; on Debian and Ubuntu with:"
    " sudo apt-get install chromium fonts-noto-cjk"
)


def main() -> int:
    """Sets up; returns the exit code."""
    if not (starts(*DRIVER) or (install("libatomic1") and starts(*DRIVER))):
        sys.stderr.write(f"{DRIVER_ADVICE}\n")
        return 1
    if not (find_browser() or installed_browser(SHELL) or download() or installed_browser("chromium")):
        sys.stderr.write(f"{BROWSER_ADVICE}\n")
        return 1
    if not has_chinese_fonts() and not install("fonts-noto-cjk"):
        sys.stderr.write("No font for Chinese is installed: Chinese text in pages will show as boxes.\n")
    return 0


def find_browser() -> str | None:
    """The path of a Chromium that starts here: one on the PATH, else Playwright's own."""
    found = (path for path in map(shutil.which, NAMES) if path and starts(path, "--version"))
    return next(found, None) or own_browser()


def installed_browser(package: str) -> str | None:
    """The path of a Chromium, if installing this package of Debian's brought one."""
    return find_browser() if install(package) else None


def own_browser() -> str | None:
    """The path of the Chromium that Playwright downloaded, if it did and it starts here."""
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if starts(path, "--version") else None


def starts(*command: str) -> bool:
    """Whether a program is there with all the libraries that it needs, told by asking for its version."""
    try:
        return subprocess.run(command, capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def download() -> str | None:
    """Lets Playwright download its Chromium; its path if that worked and it starts here."""
    say("Downloading a Chromium for the browser tests ...")
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    return own_browser() if succeeds(command, seconds=DOWNLOAD_SECONDS) else None


def has_chinese_fonts() -> bool:
    """Whether a font for Chinese is installed."""
    lister = shutil.which("fc-list")
    found = lister and subprocess.run([lister, ":lang=zh"], capture_output=True, text=True).stdout
    return bool(found and found.strip())


def install(package: str) -> bool:
    """Installs a package of Debian's, if this is root on such a system; says whether it did."""
    if os.geteuid() != 0 or not shutil.which("apt-get") or not Path("/etc/debian_version").exists():
        return False
    say(f"Installing {package} for the browser tests ...")
    options = ["install", "-y", "-q", "--no-install-recommends", package]
    return succeeds(["apt-get", "update", "-q"]) and succeeds(["apt-get", *options])


def succeeds(command: Sequence[str], *, seconds: float | None = None) -> bool:
    """Runs a command, whose output is shown only where it fails."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, env=environment)
    except (OSError, subprocess.TimeoutExpired) as error:
        say(f"{' '.join(command)}: {error}")
        return False
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines() or ["it said nothing"]
        reason = next((line for line in lines if line.startswith(("Error", "E:"))), lines[-1])
        say(f"{' '.join(command)} failed: {reason}")
    return done.returncode == 0


def say(text: str) -> None:
    """Tells the person at the terminal."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
