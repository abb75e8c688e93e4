// libFuzzer on the whole line through the public door: any bytes become equations, a state and a
// short run, or errors, never a crash, a leak or a hang.
#include "zwang/zwang.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n);

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// a run is right to take long; this one has a second
static bool in_time(void* context, const zw_progress* p)
{
  (void)p;
  return now() < *(const double*)context;
}

// every form in every style
static void print(zw_system* s, zw_notes* notes)
{
  static const char *const forms[] = {"lagrange", "maggi"}, *const styles[] = {"text", "latex", "c",
                                                                               "json"};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    for (size_t k = 0; k < sizeof styles / sizeof *styles; k++)
      zw_text_free(zw_equations(s, forms[i], styles[k], notes));
  zw_text_free(zw_check(s, "text", notes));
}

static void evaluate(zw_system* s, zw_notes* notes)
{
  zw_point* p = zw_eval(s, NULL, NULL, notes);
  if (p) zw_text_free(zw_point_text(p, "text", true));
  zw_point_free(p);
}

static void run(zw_system* s, zw_notes* notes)
{
  double end = now() + 1;
  zw_run_options o = zw_run_defaults();
  o.until = 0.5;
  o.points = 5;
  o.progress = in_time;
  o.progress_context = &end;
  zw_track* t = zw_run(s, &o, notes);
  if (!t && zw_notes_errors(notes) == 0) abort();
  if (t) zw_text_free(zw_track_summary(t));
  zw_track_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n)
{
  zw_notes* notes = zw_notes_new();
  zw_model* m = zw_model_read_text("fuzz.zw", (const char*)bytes, n, NULL, 0, notes);
  zw_system* s = m ? zw_derive(m, notes) : NULL;
  if (s) {
    print(s, notes);
    evaluate(s, notes);
    run(s, notes);
  }
  zw_system_free(s);
  zw_model_free(m);
  zw_notes_free(notes);
  return 0;
}
