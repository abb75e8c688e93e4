// What the library says of runs that are not to be trusted.
#include <string.h>

#include "check.h"
#include "zwang/zwang.h"

// steps pass over the wall at x = 1, and energy is missing behind it
static const char steep[] = "param h = 10\n"
                            "coord x\n"
                            "kinetic x'^2/2\n"
                            "potential h*tanh(1e9*(x - 1))\n"
                            "initial x' = 1\n"
                            "event there: x = 2 stop\n"
                            "run 0 .. 3\n";

// Runs the model with h as given; its status, and what speaks against it, must be these.
static void check_run(const char* set, zw_status status, bool doubt)
{
  zw_notes* notes = zw_notes_new();
  zw_model* m = zw_model_read_text("steep.zw", steep, strlen(steep), &set, 1, notes);
  zw_system* s = m ? zw_derive(m, notes) : NULL;
  zw_run_options o = zw_run_defaults();
  o.method = "dop853";
  zw_track* t = s ? zw_run(s, &o, notes) : NULL;
  CHECK(t != NULL);
  if (t) {
    CHECK_INT(zw_track_status(t), status);
    CHECK((*zw_track_doubt(t) != 0) == doubt);
    CHECK(zw_track_rows(t) > 1);
    // it came as far as the event, trusted or not
    CHECK(strstr(zw_track_reason(t), "there"));
  }
  zw_track_free(t);
  zw_system_free(s);
  zw_model_free(m);
  zw_notes_free(notes);
}

TEST(a_run_with_energy_missing_is_doubtful_and_keeps_its_rows)
{
  check_run("h=0", ZW_STOPPED, false);
  check_run("h=10", ZW_DOUBTFUL, true);
  CHECK(strstr(zw_status_text(ZW_DOUBTFUL), "trusted"));
}
