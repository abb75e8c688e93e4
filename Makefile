# Front door: `make help` lists what it does. Everything behind it is Meson (see meson.build).
B ?= build
PREFIX ?= /usr/local
FUZZ_TIME ?= 60
SOAK_MINUTES ?= 30
CORPUS ?= $(B)/corpus

all: $(B)/build.ninja ## build the program, build/zwang, and the libraries
	@ninja -C $(B) --quiet

# the program alone, without what only tests and measurements are made of
program: $(B)/build.ninja
	@ninja -C $(B) --quiet zwang

run: program ## the skater benchmark for its three moments; tables and picture in out/
	@tools/run_skater.sh $(B)/zwang out

gallery: all ## a page from all models with a picture each, in out/gallery
	@python3 tools/gallery.py $(B)/zwang models out/gallery

papers: all ## the numbers and chapters of the five papers; fails where one of them moves
	@python3 test/papers/run.py $(B)/zwang . > $(B)/papers.log || { grep -B3 '^not ok' $(B)/papers.log; false; }
	@python3 tools/doc_examples.py $(B)/zwang . docs/papers > $(B)/chapters.log || { grep -B9 '^not ok' $(B)/chapters.log; false; }
	@tail -qn1 $(B)/papers.log $(B)/chapters.log
	@python3 test/papers/count.py . > $(B)/count.log || { grep -v '^ok' $(B)/count.log; false; }
	@tail -n1 $(B)/count.log

pictures: all ## draw the pictures of README and docs anew
	@tools/pictures.sh $(B)/zwang

test: $(B)/tests.ready ## every test; closes with: N passed, N failed, N skipped
	@$(MAKE) --no-print-directory all
	@rm -f $(B)/meson-logs/testlog.json
	@meson test -C $(B) --quiet --no-rebuild || true
	@python3 tools/tally.py $(B)/meson-logs/testlog.json

live: ## zwang as WebAssembly, for browsers: build-live/zwang.wasm; installs emscripten the first time
	@tools/live/build.sh $(B)-live

live-test: program live ## every model of the gallery in WebAssembly beside the program, digit by digit; live pages in a browser
	@node --experimental-wasm-relaxed-simd web/test/live.mjs $(B)/zwang . $(B)-live --all
	@python3 tools/web.py pages . $(B)/zwang $(B)-live

site: program live ## the site in out/site: front page, playground, gallery, docs, papers; opens from disk, needs no network
	@python3 tools/site.py $(B)/zwang . out/site $(B)-live

python: all ## the Python package with the library built here, tested, also in fresh environments; pip install ./python installs it
	@for p in python3 /usr/bin/python3; do $$p -c 'import numpy' 2> /dev/null && break; done; $$p python/tests/run.py $(B)/libzwang.so && $$p python/tests/run.py $(B)/libzwang.so notebooks
	@/usr/bin/python3 python/tests/fresh.py $(B)/libzwang.so

gauges: all ## unions, rows, scales, default options, digits in full; shows what changed and writes the lists anew
	@python3 test/unions/unions.py $(B)/zwang --all --renew
	@python3 test/gallery/rows.py $(B)/zwang . --renew
	@python3 test/gallery/scales.py $(B)/zwang . --all --renew
	@python3 test/gallery/defaults.py $(B)/zwang . --renew
	@python3 tools/reference.py $(B)/zwang . --renew
	@[ ! -x $(B)/src/certify/referee ] || python3 test/gallery/referee.py $(B)/zwang $(B)/src/certify/referee . --renew

soak-faults: all ## 2,000 allocations and 500 writes that fail, through the library
	@ZWANG_FAULTS="2000 500 $${SEED:-1}" $(B)/test/test_faults

san: export ASAN_OPTIONS = exitcode=99
san: export UBSAN_OPTIONS = exitcode=99:print_stacktrace=1
san: ## the same tests under address and undefined-behaviour checks
	@$(MAKE) --no-print-directory test B=$(B)-san SETUP="-Db_sanitize=address,undefined -Db_lundef=false"

# native code is not seen by the checker, hence the second time; it wants addresses as they were
threads: ## sixteen threads with their own models, eight that share a program, under the thread checker
	@$(MAKE) --no-print-directory $(B)-threads/build.ninja B=$(B)-threads SETUP="-Db_sanitize=thread -Db_lundef=false -Doptimization=1"
	@ninja -C $(B)-threads --quiet test/test_api
	@ZWANG_SOURCE="$$PWD" setarch -R $(B)-threads/test/test_api thread
	@ZWANG_SOURCE="$$PWD" ZWANG_CODE=interp setarch -R $(B)-threads/test/test_api thread

fuzz: $(B)-fuzz/test/fuzz/fuzz ## feed every stage with inputs by grammar and by chance for FUZZ_TIME=60 s each
	@tools/fuzz.sh $(B)-fuzz $(FUZZ_TIME) $(CORPUS)

soak: soak-fuzz soak-differ soak-lost soak-faults ## hours of what make test only draws from; CORPUS=build/corpus keeps inputs that reach something new

# found by what they reach, then many, then under address and undefined-behaviour checks
soak-fuzz: all $(B)-fuzz/test/fuzz/fuzz $(B)-fuzz-fast/test/fuzz/fuzz $(B)-fuzz-checked/test/fuzz/fuzz
	@tools/fuzz.sh $(B)-fuzz $(FUZZ_TIME) $(CORPUS)
	@tools/fuzz.sh $(B)-fuzz-fast $(FUZZ_TIME) $(CORPUS)
	@tools/fuzz.sh $(B)-fuzz-checked $(FUZZ_TIME) $(CORPUS)
	@ZWANG_TAPES=200000 $(B)/test/test_code > $(B)/tapes.log || { grep -A5 '^not ok' $(B)/tapes.log; false; }

# random systems in several coordinates, by all methods and doors, from seeds of the time of day on
soak-differ: all
	@python3 tools/differ/differ.py $(B)/zwang $(B)/libzwang.so --minutes $(SOAK_MINUTES) --methods 6 --report $(B)/differ.txt

# 1,000 kills of runs and sweeps, 500 damaged files, full disks
soak-lost: all
	@python3 test/cli/lost.py $(B)/zwang . --all --seed $$(date +%s)

# the fuzzers to be taken to another machine: build-kit/run.sh
fuzz-kit: $(B)-fuzz/test/fuzz/fuzz $(B)-fuzz-fast/test/fuzz/fuzz $(B)-fuzz-checked/test/fuzz/fuzz
	@tools/fuzz_kit.sh $(B)-kit $(CORPUS) guided=$(B)-fuzz fast=$(B)-fuzz-fast checked=$(B)-fuzz-checked

$(B)-fuzz/test/fuzz/fuzz: FORCE
	@$(MAKE) --no-print-directory $(B)-fuzz/build.ninja B=$(B)-fuzz SETUP="-Dfuzz=places"
	@ninja -C $(B)-fuzz --quiet test/fuzz/fuzz

$(B)-fuzz-fast/test/fuzz/fuzz: FORCE
	@$(MAKE) --no-print-directory $(B)-fuzz-fast/build.ninja B=$(B)-fuzz-fast SETUP="-Dfuzz=calls"
	@ninja -C $(B)-fuzz-fast --quiet test/fuzz/fuzz

$(B)-fuzz-checked/test/fuzz/fuzz: FORCE
	@$(MAKE) --no-print-directory $(B)-fuzz-checked/build.ninja B=$(B)-fuzz-checked SETUP="-Dfuzz=calls -Db_sanitize=address,undefined -Db_lundef=false"
	@ninja -C $(B)-fuzz-checked --quiet test/fuzz/fuzz

FORCE:

bench: all ## time zwang beside hand-written C and other programs
	@bench/setup.sh
	@meson setup --reconfigure $(B) > /dev/null
	@meson test -C $(B) --benchmark --verbose

format: ## clang-format over all C files
	@clang-format -i $$(find src include test bench -name '*.[ch]')

install: all ## PREFIX=/usr/local, DESTDIR= for packagers
	@meson configure $(B) "-Dprefix=$(PREFIX)"
	@meson install -C $(B)
	@[ ! -e $(B)-live/live.html ] || install -Dm644 $(B)-live/live.html "$(DESTDIR)$(PREFIX)/share/zwang/live.html"

VERSION = $(shell awk -F "'" 'NR == 1 { print $$6 }' meson.build)

dist: ## the source of this version as a tarball, $(B)-dist/zwang-VERSION.tar.gz
	@mkdir -p $(B)-dist
	@git archive --prefix=zwang-$(VERSION)/ -o $(B)-dist/zwang-$(VERSION).tar.gz HEAD
	@ls $(B)-dist/zwang-$(VERSION).tar.gz

fresh: ## README's commands on a bare Debian in a folder of its own (as root); then from the tarball, then the packages
	@tools/fresh.sh
	@$(MAKE) --no-print-directory dist && tools/fresh.sh --from $(B)-dist/zwang-$(VERSION).tar.gz
	@$(MAKE) --no-print-directory deb && tools/fresh.sh --deb $(B)-dist

abi: ## what programs linked to the library rely on, against the last release; fails where the version does not say so
	@python3 tools/abi.py .

release: abi threads gauges fresh ## all that a version has to show before it is given out

# made from the tarball, in a folder without a blank in its path: debhelper takes none
deb: dist ## Debian packages of this version, in $(B)-dist; lintian looks at them
	@tools/setup.sh --only debhelper:"no packages" dh-python:"no packages" lintian:"packages are not checked"
	@work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && tar xf $(B)-dist/zwang-$(VERSION).tar.gz -C "$$work" && \
	cd "$$work/zwang-$(VERSION)" && { dpkg-buildpackage -us -uc > ../build.log 2>&1 || { tail -20 ../build.log; false; }; } && \
	cd .. && lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs zwang_$(VERSION)_*.changes && \
	cp *.deb *.dsc *.tar.xz *.changes *.buildinfo "$(CURDIR)/$(B)-dist" && ls *.deb

clean: ## remove what was built
	@rm -rf $(B) $(B)-san $(B)-fuzz $(B)-fuzz-fast $(B)-fuzz-checked $(B)-kit $(B)-dist $(B)-live $(B)-threads

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

setup: ## packages that building needs and are missing, by name; done once before the first build
	@tools/setup.sh

# once, too: what only tests need; they are chosen by what there is
$(B)/tests.ready: $(B)/build.ninja
	@tools/setup.sh --tests
	@tools/setup_web.sh
	@meson setup --reconfigure $(B) > /dev/null
	@touch $@

# once: what cannot be had is not asked for again by each make
$(B)/build.ninja:
	@$(MAKE) --no-print-directory setup
	@meson setup $(B) $(SETUP)

.PHONY: all program run gallery papers pictures live live-test site test gauges soak-faults san threads fuzz soak soak-fuzz soak-differ soak-lost fuzz-kit FORCE bench format install dist deb abi fresh release clean help setup
