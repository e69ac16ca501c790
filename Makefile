# Two commands matter: `make serve` runs Rollcall, `make test` runs its tests; `make check` is the quick half of them.
# All set up what they need in .venv first; the second time that takes no time.

PYTHON ?= python3
BIN := .venv/bin
ARGS ?=

# Compiled modules are kept, whatever the surroundings say: else each server and each worker of a test run compiles them all.
unexport PYTHONDONTWRITEBYTECODE

# Lint, then types beside tests: all is told, and make fails where one of them did. $(1): the arguments of the tests.
define checked
$(BIN)/ruff format --check .
$(BIN)/ruff check .
@$(BIN)/mypy >.venv/types.txt 2>&1 & types=$$!; \
$(BIN)/pytest $(1); tests=$$?; \
wait $$types; types=$$?; cat .venv/types.txt; \
exit $$((tests > types ? tests : types))
endef

.PHONY: serve check test bench soak check-reader retrain dist site docs cluster cluster-down clean

serve: .venv/serve.stamp
	@exec $(BIN)/rollcall serve $(ARGS)

# Format, lint, types and the tests of single parts: no browser, no killed server, no training.
check: .venv/test.stamp
	$(call checked,-q --numprocesses auto --dist worksteal -m 'not slow and not browser and not whole' $(ARGS))

# Everything: on all cores, then browsers on all cores, then one by one what wants the machine for itself. With ARGS, what they
# name, one after the other.
test: .venv/test.stamp
ifeq ($(strip $(ARGS)),)
	$(call checked,--numprocesses auto --dist worksteal -m 'not slow and not alone and not browser')
	$(BIN)/pytest --numprocesses auto --dist worksteal -m 'browser and not slow and not alone' tests/web/hosts/phone tests/browser
	$(BIN)/pytest -m 'alone and not slow'
else
	$(call checked,$(ARGS))
endif

bench: .venv/test.stamp
	$(BIN)/pytest benchmarks $(ARGS)

soak: .venv/test.stamp
	$(BIN)/pytest -m slow $(ARGS)

# The reader on strangers' photos, beside earlier readers; fails where it has fallen behind. ARGS: names of sets (datasets/docs/detector.md).
check-reader: .venv/test.stamp
	@$(BIN)/python -m datasets.measuring.reader_check ../shared/photos/val $(ARGS)

# Teaches the reader what tables corrected; ARGS as `rollcall workshop train corrections --help` says (CONTRIBUTING.md).
retrain: .venv/train.stamp
	@$(BIN)/rollcall workshop train $(if $(SETTINGS),--settings $(SETTINGS)) corrections $(ARGS)

# The files of a release in out/dist, of the last commit (CONTRIBUTING.md, "Release").
dist:
	@$(PYTHON) deploy/release/build.py $(ARGS)

# The public site in out/site: Rollcall for a phone alone, beside it the documents and the downloads (docs/phone-alone.md). It
# needs node, npm and the network. RELEASE: a folder of files, or their list as JSON; REPOSITORY: the address of the source.
site:
	@for tool in node npm; do command -v $$tool >/dev/null || { echo "make site needs $$tool, which is not installed: install Node.js 18 or newer with npm; on Debian and Ubuntu: sudo apt install nodejs npm" >&2; exit 2; }; done
	@$(MAKE) --no-print-directory .venv/docs.stamp
	@$(BIN)/python -m web.hosts.phone.site.build $(ARGS)
	@$(BIN)/python -m web.hosts.phone.site.download out/site/download $(if $(RELEASE),--release $(RELEASE)) --repository "$(REPOSITORY)"
	@$(BIN)/python docs/make_site.py out/docs out/site/docs

# These documents as a site in out/docs/site (docs/make_site.py).
docs: .venv/docs.stamp
	@$(BIN)/python docs/make_site.py

# A proxy, two servers, two readers and PostgreSQL on this machine, and their end (docs/hosting.md).
cluster: .venv/cluster.stamp
	@$(BIN)/python deploy/cluster.py up $(ARGS)

cluster-down:
	@$(BIN)/python deploy/cluster.py down $(ARGS)

# The environment is made anew where it is missing, or where its folder or its Python is no longer the one that it was made
# for: its programs would not start. Packages are looked at again when what they are made of changes.
# Byte code is left to the first import: compiling all of it would add 50 MB, most of it never used.
IDENTITY := $(BIN)/python -c 'import sys; print(sys.prefix, sys.implementation.cache_tag)'
ifneq ($(shell $(IDENTITY) 2>&1 || :),$(shell cat .venv/made-for 2>/dev/null))
.PHONY: .venv/made-for
endif

.venv/made-for:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 10) <= sys.version_info < (3, 15))' || { echo "Rollcall needs Python 3.10 to 3.14; name one with: make serve PYTHON=python3.12" >&2; exit 2; }
	@rm -rf .venv
	@$(PYTHON) -m venv .venv || { echo "Python's venv is missing; on Debian, Ubuntu and Raspberry Pi OS: sudo apt install python3-venv" >&2; rm -rf .venv; exit 2; }
	@$(IDENTITY) >$@

LOCALES = root $(shell sed -n 's/^\([a-z]\{1,\}\) *\([A-Z]*\).*/\1 \1_\2/p' web/texts/languages.txt)

.venv/serve.stamp: pyproject.toml constraints.txt web/texts/languages.txt .venv/made-for
	$(BIN)/python -m pip install --no-compile --disable-pip-version-check --constraint constraints.txt --editable '.[home]'
	@# Of Babel's names of days and months, only those of the pages' languages: 29 MB less. A new language fetches its own.
	-@test ! -e $@ || $(BIN)/python -m pip install --no-compile -qq --constraint constraints.txt --force-reinstall --no-deps babel
	@find .venv -type f -path '*/babel/locale-data/*' $(LOCALES:%=! -name '%.dat') -delete
	@touch $@

.venv/test.stamp: pyproject.toml constraints.txt .venv/made-for
	$(BIN)/python -m pip install --no-compile --disable-pip-version-check --constraint constraints.txt --editable '.[test,home]'
	@touch $@ .venv/serve.stamp

.venv/train.stamp: pyproject.toml constraints.txt .venv/made-for
	$(BIN)/python -m pip install --no-compile --disable-pip-version-check --constraint constraints.txt --editable '.[train]'
	@touch $@ .venv/serve.stamp

.venv/docs.stamp: pyproject.toml constraints.txt .venv/made-for
	$(BIN)/python -m pip install --no-compile --disable-pip-version-check --constraint constraints.txt --editable '.[docs]'
	@touch $@

.venv/cluster.stamp: pyproject.toml constraints.txt .venv/made-for
	$(BIN)/python -m pip install --no-compile --disable-pip-version-check --constraint constraints.txt --editable '.[cluster]'
	@touch $@ .venv/serve.stamp

clean:
	rm -rf .venv build *.egg-info .pytest_cache .mypy_cache .ruff_cache
