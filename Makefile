# run, test, check, docs, links, bench, reproduce, golden, answers, soak, screenshots, texts, latex, plotly, release, try. Needs Python 3.11 or later; the rest is installed into .venv.
PYTHON ?= python3
PY = .venv/bin/python
ARGS ?=
# of tests; their pages wait now and then, so that two cores carry three
WORKERS ?= 3
LOCKED = -c constraints.txt
# pyspark comes as source; its jars are packed as they are, and packing them again takes a minute
STORED = --config-settings=--build-option=--compression=stored

# an environment that forbids byte code has every process of the tests compile the whole app anew
test soak: export PYTHONDONTWRITEBYTECODE =
# algebra's threads wait for each other by turning, which takes the processor from other tests
test: export OPENBLAS_NUM_THREADS = 1

.PHONY: run test check types docs links bench reproduce golden answers soak screenshots texts latex plotly release try clean
.DELETE_ON_ERROR:

run: .venv/.run
	$(PY) -m sdcg_explorer app $(ARGS)

test: .venv/.dev
	$(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

check: .venv/.dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(MAKE) --no-print-directory -j 2 --output-sync=target types docs

types: .venv/.dev
	$(PY) -m pyright

# the site, read afresh, so that every link and heading is looked at again; a broken one is an error
docs: .venv/.dev
	$(PY) -m sphinx -E -W --keep-going -n -q -b html docs docs/_build/html $(ARGS)

links: .venv/.dev
	$(PY) -m docs.links $(ARGS)

bench: .venv/.dev
	$(PY) -m benchmarks $(ARGS)

reproduce: .venv/.dev
	$(PY) -m benchmarks.published $(ARGS)

golden: .venv/.dev
	$(PY) -m tests.golden

answers: .venv/.dev
	$(PY) -m tests.answers

soak: .venv/.dev
	SDCG_THOROUGH=5 $(PY) -m pytest -n auto --dist loadfile \
		tests/answers tests/unit tests/command_line tests/app/test_hand_made.py tests/app/test_pages.py \
		tests/browser/test_figures.py tests/browser/test_live_curves.py tests/browser/test_pages.py
	$(PY) -m benchmarks soak $(ARGS)

latex: .venv/.dev
	$(PY) -m benchmarks.latex $(ARGS)

# the drawing library that reports carry, of the installed Plotly's version, from its npm package
plotly: .venv/.dev
	$(PY) -m docs.plotly_js

screenshots: .venv/.dev
	$(PY) -m docs.screenshots $(ARGS)

# every text of the app and of the command line: of the first sample, or of ARGS="FILE ..."
texts: .venv/.dev
	$(PY) -m docs.texts $(ARGS)

# wheel and sdist of the last commit, built twice: equal bytes, or an error. Times and owners are levelled
release: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)
release: .venv/.dev
	rm -rf dist build/release
	set -e; umask 022; for copy in one two; do \
		mkdir -p build/release/$$copy/dist; cd build/release/$$copy; git -C $(CURDIR) archive HEAD | tar x; \
		$(CURDIR)/$(PY) -c 'from setuptools import build_meta; build_meta.build_sdist("dist")' >build.log; \
		sdist=$$(echo dist/*.tar.gz); mkdir level; tar xzf $$sdist -C level; \
		tar c -C level --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$$SOURCE_DATE_EPOCH . | gzip -n >$$sdist; \
		$(CURDIR)/$(PY) -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist level/*; \
		cd dist; sha256sum * >SHA256SUMS; cd $(CURDIR); \
	done
	diff -r build/release/one/dist build/release/two/dist
	mv build/release/one/dist dist
	cat dist/SHA256SUMS

# the page without a server: a folder for any web server; tests/browser opens it where it is there
try: .venv/.dev
	$(PY) -m docs.try.build build/try
	$(PY) -m pytest -q tests/browser/test_in_the_browser.py

clean:
	rm -rf .venv build docs/_build dist

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Python 3.11 or later is needed: install it, or name it: make PYTHON=python3.12"; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "Python's venv is needed: install python3-venv (Debian, Ubuntu)"; exit 2; }
	$(PYTHON) -m venv --clear .venv

.venv/.run: pyproject.toml constraints.txt | .venv/bin/python
	$(PY) -m pip install --quiet --disable-pip-version-check $(LOCKED) -e '.[scale]'
	@touch $@

.venv/.dev: pyproject.toml constraints.txt | .venv/bin/python
	$(PY) -m pip install --quiet --disable-pip-version-check $(LOCKED) $(STORED) pyspark
	$(PY) -m pip install --quiet --disable-pip-version-check $(LOCKED) -e '.[dev,docs,scale,cluster]'
	@touch $@ .venv/.run

