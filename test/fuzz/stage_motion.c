// Stages behind the public door: equations, a state, a whole run.
#include "made.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* pick_form(fuzz_choices* c)
{
  static const char* const forms[] = {"lagrange", "maggi",    "hamel",     "kane",    "gauss",
                                      "appell",   "tzenov",   "nielsen",   "bychkov", "udwadia",
                                      "voronets", "hamilton", "chaplygin", "none"};
  return FUZZ_WORD(c, forms);
}

static const char* pick_style(fuzz_choices* c)
{
  static const char* const styles[] = {"text", "json", "latex", "c"};
  return FUZZ_WORD(c, styles);
}

void fuzz_feed_derive(fuzz_choices* c)
{
  fuzz_made m = fuzz_make(c);
  if (m.system) {
    const char *form = pick_form(c), *style = pick_style(c);
    switch (fuzz_pick(c, 8)) {
    case 6:
      fuzz_drop(zw_functions(m.system, "T,V,T',T'',S,R,g,gamma", style, m.notes), &m);
      break;
    case 7:
      fuzz_drop(zw_forms(m.system, style, m.notes), &m);
      break;
    default:
      fuzz_drop(zw_equations(m.system, form, style, m.notes), &m);
    }
  }
  fuzz_unmake(&m);
}

void fuzz_feed_start(fuzz_choices* c)
{
  fuzz_made m = fuzz_make(c);
  base_text state = {0};
  const bool given = fuzz_rarely(c, 3);
  if (given) fuzz_equations(c, &state);
  if (given) fuzz_show(state.at);
  if (m.system) {
    const char* form = fuzz_rarely(c, 4) ? pick_form(c) : NULL;
    zw_point* p = zw_eval(m.system, form, state.at, m.notes);
    FUZZ_HOLDS(p || zw_notes_errors(m.notes));
    if (p && fuzz_rarely(c, 8)) (void)!zw_point_release(p, "C0", m.notes);
    if (p) zw_text_free(zw_point_text(p, fuzz_pick(c, 2) ? "json" : "text", fuzz_pick(c, 2)));
    zw_point_free(p);
  }
  base_text_free(&state);
  fuzz_unmake(&m);
}

// ---- runs ---------------------------------------------------------------------------------------

// a run is right to take long; these have so many steps
enum { MOST_STEPS = 150 };

static bool has_steps(void* context, const zw_progress* p)
{
  (void)context;
  return p->steps < MOST_STEPS;
}

static void check_column(const zw_track* t, const char* name)
{
  const int k = zw_track_column(t, name);
  for (int i = 0; i < zw_track_rows(t) && k >= 0; i++)
    FUZZ_HOLDS(isfinite(zw_track_value(t, i, k)));
}

// a motion without numbers is never handed out as if it were one; an output may have none
static void check_numbers(const zw_track* t, const zw_model* m)
{
  if (zw_track_status(t) != ZW_OK) return;
  check_column(t, "t");
  for (int k = 0; k < zw_model_coords(m); k++) {
    base_text speed = {0};
    base_text_printf(&speed, "%s'", zw_model_coord(m, k));
    check_column(t, zw_model_coord(m, k));
    check_column(t, speed.at); // a state has none
    base_text_free(&speed);
  }
}

static void look_at(fuzz_choices* c, const fuzz_made* m)
{
  bool fine;
  zw_stability_options o = zw_stability_defaults();
  switch (fuzz_pick(c, 32)) {
  case 29:
    fuzz_drop(zw_check(m->system, "json", m->notes), m);
    return;
  case 30:
    fuzz_drop(zw_verify(m->system, 3, "text", &fine, m->notes), m);
    return;
  case 31:
    fuzz_drop(zw_stability(m->system, &o, "text", m->notes), m);
    return;
  }
}

void fuzz_feed_whole(fuzz_choices* c)
{
  static const double ends[] = {0.5, NAN, 0.05, 0, -1, 1e-300, 1e9};
  fuzz_made m = fuzz_make(c);
  if (m.system) {
    zw_run_options o = zw_run_defaults();
    o.until = ends[fuzz_pick(c, 7)];
    o.points = 2 + fuzz_pick(c, 8);
    o.curves = fuzz_pick(c, 2);
    if (fuzz_rarely(c, 4)) o.method = zw_method_name(fuzz_pick(c, 7));
    if (fuzz_rarely(c, 8)) o.tolerance = 1e-6;
    o.progress = has_steps;
    zw_track* t = zw_run(m.system, &o, m.notes);
    FUZZ_HOLDS(t || zw_notes_errors(m.notes));
    if (t) {
      check_numbers(t, m.model);
      zw_text_free(zw_track_summary(t));
      look_at(c, &m);
    }
    zw_track_free(t);
  }
  fuzz_unmake(&m);
}
