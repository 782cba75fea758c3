"""The environment that `make` sets up with the system's Python."""

import os
import shutil
import subprocess
import sys

import pytest

from memsite.embedded.folder import PROJECT

SCRIPT = "memsite/embedded/virtualenv.py"
RUN = f"import sys, runpy; {{}}; runpy.run_path('{SCRIPT}', run_name='__main__')"
# As a Python whose distribution left out the part that makes environments, and as an old one.
WITHOUT_ENSUREPIP = RUN.format("sys.modules['ensurepip'] = None")
TOO_OLD = RUN.format("sys.version_info = (3, 9, 2)")


@pytest.fixture
def project(tmp_path):
    """A project that needs nothing, so that nothing has to be downloaded."""
    (tmp_path / SCRIPT).parent.mkdir(parents=True)
    shutil.copy(PROJECT / SCRIPT, tmp_path / SCRIPT)
    (tmp_path / "requirements.txt").write_text("# nothing\n")
    (tmp_path / "requirements-dev.txt").write_text("-r requirements.txt\n")
    return tmp_path


def run(project, *arguments):
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))}
    # The Python below this environment, as a newcomer would have it.
    python = os.path.realpath(sys.executable)
    return subprocess.run(
        [python, *(arguments or [SCRIPT])], cwd=project, env=bare, capture_output=True, text=True
    )


def test_it_makes_an_environment_and_later_leaves_it_as_it_is(project):
    first = run(project)
    assert first.returncode == 0, first.stderr
    assert "Installing what memsite needs" in first.stdout
    assert (project / ".venv" / "bin" / "python").exists()
    assert run(project).stdout == ""


def test_it_installs_again_when_what_is_needed_has_changed(project):
    run(project)
    (project / "requirements.txt").write_text("# nothing more\n")
    assert "Installing what memsite needs" in run(project).stdout


def test_an_environment_that_was_cut_off_while_it_was_made_is_made_anew(project):
    (project / ".venv" / "bin").mkdir(parents=True)
    (project / ".venv" / "bin" / "python").symlink_to("/nonexistent")
    done = run(project)
    assert done.returncode == 0, done.stderr
    assert (project / ".venv" / "bin" / "pip").exists()


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (WITHOUT_ENSUREPIP, "apt-get install python3-venv"),
        (TOO_OLD, "memsite needs Python 3.11 or newer"),
    ],
)
def test_a_python_that_does_not_do_is_told_in_a_sentence(project, code, sentence):
    done = run(project, "-c", code)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_what_cannot_be_installed_is_told_after_what_pip_said(project):
    (project / "requirements.txt").write_text("./no-such-package\n")
    done = run(project)
    assert done.returncode == 1
    assert "pip could not install requirements.txt" in done.stderr
    assert "Traceback" not in done.stderr
