# The two main commands are `make demo` and `make test`. `make help` lists the others.
SWIFT ?= swift
CORPUS ?=
# Enables the tests that compare with SpatiaLite and PROJ.
TRAITS = --traits SpatiaLite
# Runs the tests that scripts/swift-build has built.
TEST = $(SWIFT) test --skip-build $(TRAITS)
# The release build. On Linux the Swift runtime is linked into the tool: it starts in half the time
# and does not need Swift to be installed. On macOS the runtime is part of the system.
RELEASE ?= -c release --product roqua $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
BINARIES = $(eval BINARIES := $(shell $(SWIFT) build $(RELEASE) --show-bin-path))$(BINARIES)
# The prefix of `make install`; DESTDIR is prepended.
PREFIX ?= /usr/local
export PREFIX DESTDIR SWIFT
# The folder for packages.
PACKAGES = .build/packages
# The duration of each fuzzer in seconds.
SECONDS ?= 60
# The fuzzers to run; all if there are none.
FUZZERS ?=
# The number of times that an import is killed.
KILLS ?= 1000
# The divisor for the counts of the other attacks.
SAMPLE ?= 1
# Of a corpus fed into recordings, one file in so many is read.
SHARE ?= 1
# The sanitizers of `make sanitize`.
SANITIZERS ?= thread address
# The Swift files whose style is checked.
STYLED = Package.swift Sources Tests Fuzz/Package.swift Fuzz/Sources Benchmarks Examples

.PHONY: help example doc-examples docs demo test build install uninstall deb static extension \
  install-extension uninstall-extension test-install test-pages test-tiles test-pictures \
  test-photos test-sql test-exports test-serve test-sync test-push test-live test-live-corpus \
  bench-live lint format conformance fuzz sanitize attack torture instructions dependencies \
  checkers clean

help: ## List the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 22

demo: dependencies
demo: ## Install what is missing, build, import the sample tracks and show what they explored
	@RELEASE="$(RELEASE)" scripts/demo

test: build ## Install what is missing, build the tool for release and run all tests
	scripts/swift-build --build-tests $(TRAITS)
	ROQUA_TEST_TOOL="$(BINARIES)/roqua" $(TEST)

# With ROQUA_BUILT=1 the tool is built, and the programs for checks are installed, as in the later
# stages of .ci/run.
build: dependencies ## Build the tool for release: .build/release/roqua
	$(if $(filter 1,$(ROQUA_BUILT)),,scripts/swift-build $(RELEASE))

install: build ## Install the tool, its manual pages and completions: make install PREFIX=/usr/local
	@scripts/install "$(BINARIES)/roqua"

uninstall: ## Remove what make install installed: make uninstall PREFIX=/usr/local
	@scripts/install --uninstall

deb: build ## Build a Debian package into .build/packages
	@scripts/deb "$(BINARIES)/roqua" $(PACKAGES)

static: build ## Build a tool for every Linux, without any library, into .build/packages
	@scripts/static "$(BINARIES)" $(PACKAGES)

extension: dependencies ## Build Roqua's functions as an extension for SQLite into .build/packages
	@scripts/extension $(PACKAGES)

install-extension: extension ## Install the extension for SQLite into PREFIX/lib
	@scripts/install-extension $(PACKAGES)

uninstall-extension: ## Remove what make install-extension installed
	@scripts/install-extension --uninstall

test-install: export DEB_LEVEL = 1
test-install: checkers static deb
test-install: ## Check installation, manual pages, completions and packages by using them
	@scripts/test-install "$(BINARIES)/roqua"
	@scripts/test-static $(PACKAGES) "$(BINARIES)/roqua"
	@scripts/test-deb $(PACKAGES)

test-pages: checkers build ## Check map pages in Chromium and Firefox
	@scripts/test-pages "$(BINARIES)/roqua"

test-tiles: checkers build ## Check map tiles with GDAL, tippecanoe, pmtiles and MapLibre
	@scripts/test-tiles "$(BINARIES)/roqua"

test-pictures: checkers build ## Check pictures with programs that read PNG, WebP and SVG
	@scripts/test-pictures "$(BINARIES)/roqua"

test-exports: checkers build
test-exports: ## Check exports with GDAL, SpatiaLite, DuckDB, pyarrow and other programs
	@scripts/test-exports "$(BINARIES)/roqua"

test-photos: checkers build ## Propose positions of photos, and read with exiftool what is written
	@scripts/test-photos "$(BINARIES)/roqua"

test-sql: checkers build extension ## Run the commands of docs/sql.md in the programs that they name
	@scripts/test-sql "$(BINARIES)/roqua" $(PACKAGES)

test-serve: checkers build ## Send what phones send to roqua serve, load it, kill it and attack it
	@scripts/test-serve "$(BINARIES)/roqua"

test-sync: checkers build
test-sync: ## Sync through Syncthing and WebDAV, open every file with age, and kill syncs
	@scripts/test-sync "$(BINARIES)/roqua"

test-push: checkers build
test-push: ## Push to a throw-away PostgreSQL server, with kills and losses; ask it questions
	@if command -v psql >/dev/null; then \
	  scripts/test-questions --only "plain tables" && scripts/test-push "$(BINARIES)/roqua"; \
	else echo "PostgreSQL is missing: pushes were NOT TESTED"; fi

test-live: checkers build
test-live: ## Record a real gpsd, a TCP server and a serial device, with kills and losses
	@scripts/test-live "$(BINARIES)/roqua" $(if $(CORPUS),"$(CORPUS)" $(SHARE))

test-live-corpus: dependencies
test-live-corpus: ## Compare live with imported files: make test-live-corpus CORPUS=path SHARE=1
	@scripts/test-live-corpus "$(CORPUS)" "$(SHARE)"

bench-live: dependencies ## Measure fixes a second through a live session, in memory and durable
	@$(SWIFT) run -c release --package-path Benchmarks live-benchmark

lint: ## Check the style of Swift files, floors, public types, unsafe code, names and columns
	$(SWIFT) format lint --strict --recursive $(STYLED)
	@scripts/floors --test
	@scripts/floors
	@scripts/public --test
	@scripts/public
	@scripts/unsafe --test
	@scripts/unsafe
	@scripts/command-names
	@scripts/columns --test
	@scripts/columns

format: ## Bring all Swift files into style
	$(SWIFT) format --in-place --recursive $(STYLED)

example: dependencies ## Build and run the example app on the sample tracks
	@scripts/example

doc-examples: dependencies ## Compile every Swift example of the documentation
	@scripts/doc-examples --test
	@scripts/doc-examples

docs: dependencies ## Build the documentation of the libraries into .build/docs, without a warning
	@scripts/docs

conformance: build ## Check the tool against a corpus of real files: make conformance CORPUS=path
	@scripts/conformance "$(CORPUS)"

fuzz: dependencies ## Run fuzzers, each for a minute: make fuzz SECONDS=60 [FUZZERS="gpx fit"]
	@scripts/fuzz "$(SECONDS)" $(FUZZERS)

instructions: build ## Check how many instructions the hot paths take (needs valgrind)
	@scripts/instructions

sanitize: dependencies
sanitize: ## Run the tests of faults and threads under the thread and the address sanitizer
	@scripts/sanitize $(SANITIZERS)

attack: build ## Attack stores with kills, links and forged files: make attack KILLS=1000 SAMPLE=1
	@scripts/torture --kills "$(KILLS)" --seconds "$(SECONDS)" --sample "$(SAMPLE)"

torture: test attack fuzz sanitize test-pages test-serve
torture: ## Run everything that takes hours: all tests, attacks, fuzzers and sanitizers
	@scripts/test-pages "$(BINARIES)/roqua" --whole
	@scripts/test-serve "$(BINARIES)/roqua" --whole --kills 50 --seconds 60
	@scripts/test-sync "$(BINARIES)/roqua" --rounds 60 --kills "$(KILLS)"
	@scripts/test-questions
	@scripts/test-push "$(BINARIES)/roqua" --kills 100
	ROQUA_HISTORIES=10000 $(TEST) --filter StoreSyncTests.HistoryTests
	ROQUA_WHOLE_SAMPLES=1 $(TEST) --filter 'ReplayTests|PictureCellsTests'
	@scripts/test-live-corpus "$(or $(CORPUS),../shared/corpus)"

dependencies:
	@scripts/install-dependencies

checkers:
	@$(if $(filter 1,$(ROQUA_BUILT)),,scripts/install-checkers)

clean: ## Remove everything that was built
	rm -rf .build .build-docs Examples/DocExamples
