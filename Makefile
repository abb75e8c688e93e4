# Front door: `make help` lists what it does. Everything behind it is Meson (see meson.build).
B ?= build
PREFIX ?= /usr/local
FUZZ_TIME ?= 60

all: $(B)/build.ninja ## build the program, build/zwang, and the libraries
	@ninja -C $(B) --quiet

run: all ## the skater benchmark for its three moments; tables and picture in out/
	@tools/run_skater.sh $(B)/zwang out

gallery: all ## a page from all models with a picture each, in out/gallery
	@python3 tools/gallery.py $(B)/zwang models out/gallery

pictures: all ## draw the pictures of README and docs anew
	@tools/pictures.sh $(B)/zwang

test: all ## every test; closes with: N passed, N failed, N skipped
	@rm -f $(B)/meson-logs/testlog.json
	@meson test -C $(B) --quiet --no-rebuild || true
	@python3 tools/tally.py $(B)/meson-logs/testlog.json

gauges: all ## unions, rows, scales, default options, digits in full; shows what changed and writes the lists anew
	@python3 test/unions/unions.py $(B)/zwang --all --renew
	@python3 test/gallery/rows.py $(B)/zwang . --renew
	@python3 test/gallery/scales.py $(B)/zwang . --all --renew
	@python3 test/gallery/defaults.py $(B)/zwang . --renew
	@[ ! -x $(B)/src/certify/referee ] || python3 test/gallery/referee.py $(B)/zwang $(B)/src/certify/referee . --renew

soak-faults: all ## 2,000 allocations and 500 writes that fail, through the library
	@ZWANG_FAULTS="2000 500 $${SEED:-1}" $(B)/test/test_faults

san: export ASAN_OPTIONS = exitcode=99
san: export UBSAN_OPTIONS = exitcode=99:print_stacktrace=1
san: ## the same tests under address and undefined-behaviour checks
	@$(MAKE) --no-print-directory test B=$(B)-san SETUP="-Db_sanitize=address,undefined -Db_lundef=false"

fuzz: ## feed the front end with broken models for FUZZ_TIME=60 s each
	@CC=clang $(MAKE) --no-print-directory all B=$(B)-fuzz \
	  SETUP="-Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false"
	@tools/fuzz.sh $(B)-fuzz $(FUZZ_TIME)

bench: all ## time zwang beside hand-written C and other programs
	@bench/setup.sh
	@meson setup --reconfigure $(B) > /dev/null
	@meson test -C $(B) --benchmark --verbose

format: ## clang-format over all C files
	@clang-format -i $$(find src include test bench -name '*.[ch]')

install: all ## PREFIX=/usr/local, DESTDIR= for packagers
	@meson configure $(B) "-Dprefix=$(PREFIX)"
	@meson install -C $(B)

clean: ## remove what was built
	@rm -rf $(B) $(B)-san $(B)-fuzz

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

setup: ## packages that are missing, by name; done once before the first build
	@tools/setup.sh
	@tools/setup_web.sh

# once: what cannot be had is not asked for again by each make
$(B)/build.ninja:
	@$(MAKE) --no-print-directory setup
	@meson setup $(B) $(SETUP)

.PHONY: all run gallery pictures test gauges soak-faults san fuzz bench format install clean help setup
