// The table of stages.
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

// Work of an input that is still no finding: some hundred times the mean, a few seconds at most.
const fuzz_stage fuzz_stages[] = {
    {"parse", 1000000000, 300000, 6000, true, fuzz_feed_parse},
    {"expression", 1000000000, 100000, 10000, false, fuzz_feed_expression},
    {"model", 300000000, 2000000, 2000, true, fuzz_feed_model},
    {"algebra", 1000000000, 2000000, 20000, false, fuzz_feed_algebra},
    {"derive", 3000000000, 20000000, 200, true, fuzz_feed_derive},
    {"start", 3000000000, 10000000, 300, true, fuzz_feed_start},
    {"whole", 5000000000, 20000000, 300, true, fuzz_feed_whole},
    {"sweep", 30000000, 300000, 5000, false, fuzz_feed_sweep},
    {"journal", 30000000, 300000, 1500, false, fuzz_feed_journal},
    {"command", 30000000, 300000, 10000, false, fuzz_feed_command},
    {"mesh", 30000000, 300000, 1500, false, fuzz_feed_mesh},
    {"kept", 1000000000, 3000000, 500, false, fuzz_feed_kept},
    {"format", 1000000000, 600000, 3000, true, fuzz_feed_format},
    {"editor", 1000000000, 4000000, 500, true, fuzz_feed_editor},
    {"stability", 10000000000, 30000000, 40, true, fuzz_feed_stability},
    {"geometry", 60000000000, 30000000, 10, true, fuzz_feed_geometry},
    {"continue", 10000000000, 30000000, 40, true, fuzz_feed_continue},
    {"structure", 60000000000, 30000000, 10, true, fuzz_feed_structure},
    {"chaos", 10000000000, 30000000, 60, true, fuzz_feed_chaos},
    {"linearise", 10000000000, 30000000, 100, true, fuzz_feed_linearise},
    {"inverse", 3000000000, 20000000, 100, true, fuzz_feed_inverse},
    {"move", 10000000000, 30000000, 60, true, fuzz_feed_move},
    {"view", 5000000000, 30000000, 60, true, fuzz_feed_view},
    {0},
};

bool fuzz_shown;

void fuzz_show(const char* text)
{
  if (fuzz_shown) printf("%s\n", text);
  if (fuzz_shown) fflush(stdout);
}

_Noreturn void fuzz_broken(const char* file, int line, const char* what)
{
  fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
  abort();
}
