// Stages behind the public door that ask more of a model than its motion: stability, branches,
// geometry, what a motion keeps, chaos, linear models, forces of a motion, kinematics, pictures.
#include "made.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char* pick_style(fuzz_choices* c)
{
  static const char* const styles[] = {"text", "json", "latex", "csv"};
  return FUZZ_WORD(c, styles);
}

// a name of the model, or one that may be none
static const char* pick_name(fuzz_choices* c, const fuzz_made* m)
{
  static const char* const names[] = {"x", "y", "p", "k", "energy", "period", "nothing", "x'"};
  const int coords = zw_model_coords(m->model), params = zw_model_params(m->model);
  const int k = fuzz_pick(c, coords + params + 2);
  if (k < params) return zw_model_param_name(m->model, k);
  if (k < params + coords) return zw_model_coord(m->model, k - params);
  return FUZZ_WORD(c, names);
}

// "p=0..1", or nearly
static void put_range(fuzz_choices* c, const fuzz_made* m, base_text* out)
{
  static const char* const ranges[] = {"0..1",     "1..0",   "-1..1", "1",
                                       "0..1e300", "nan..1", "..",    ""};
  base_text_printf(out, "%s=%s", pick_name(c, m), FUZZ_WORD(c, ranges));
  fuzz_show(out->at);
}

// equations of a state, mostly none
static const char* put_state(fuzz_choices* c, base_text* out)
{
  if (!fuzz_rarely(c, 4)) return NULL;
  fuzz_equations(c, out);
  fuzz_show(out->at);
  return out->at;
}

void fuzz_feed_stability(fuzz_choices* c)
{
  static const double periods[] = {0, 1, 6.28, -1, 1e9, NAN};
  fuzz_made m = fuzz_make(c);
  base_text state = {0}, over = {0};
  if (m.system) {
    zw_stability_options o = zw_stability_defaults();
    o.state = put_state(c, &state);
    if (fuzz_rarely(c, 3)) o.period = periods[fuzz_pick(c, 6)];
    o.orbit = fuzz_rarely(c, 6);
    o.all = fuzz_rarely(c, 6);
    if (fuzz_rarely(c, 3)) put_range(c, &m, &over);
    if (over.n) o.over = over.at;
    o.points = 3;
    fuzz_drop(zw_stability(m.system, &o, pick_style(c), m.notes), &m);
  }
  base_text_free(&state);
  base_text_free(&over);
  fuzz_unmake(&m);
}

void fuzz_feed_continue(fuzz_choices* c)
{
  fuzz_made m = fuzz_make(c);
  base_text state = {0}, over = {0}, second = {0};
  if (m.system) {
    zw_continue_options o = zw_continue_defaults();
    o.state = put_state(c, &state);
    put_range(c, &m, &over);
    o.over = over.at;
    if (fuzz_rarely(c, 4)) put_range(c, &m, &second);
    if (second.n) o.second = second.at;
    if (fuzz_rarely(c, 4)) o.period = 1 + fuzz_pick(c, 6);
    o.orbit = fuzz_rarely(c, 6);
    o.all = fuzz_rarely(c, 4);
    o.points = 2 + fuzz_pick(c, 8);
    fuzz_drop(zw_continue(m.system, &o, pick_style(c), m.notes), &m);
  }
  base_text_free(&state);
  base_text_free(&over);
  base_text_free(&second);
  fuzz_unmake(&m);
}

void fuzz_feed_geometry(fuzz_choices* c)
{
  fuzz_made m = fuzz_make(c);
  base_text at = {0}, region = {0};
  if (m.system) {
    zw_geometry_options o = zw_geometry_defaults();
    o.at = put_state(c, &at);
    if (fuzz_rarely(c, 4)) put_range(c, &m, &region);
    if (region.n) o.region = region.at;
    o.embed = fuzz_rarely(c, 8);
    fuzz_drop(zw_geometry(m.system, &o, pick_style(c), m.notes), &m);
  }
  base_text_free(&at);
  base_text_free(&region);
  fuzz_unmake(&m);
}

void fuzz_feed_structure(fuzz_choices* c)
{
  fuzz_made m = fuzz_make(c);
  base_text at = {0};
  if (m.system) {
    zw_structure_options o = zw_structure_defaults();
    o.at = put_state(c, &at);
    fuzz_drop(zw_structure(m.system, &o, pick_style(c), m.notes), &m);
  }
  base_text_free(&at);
  fuzz_unmake(&m);
}

void fuzz_feed_chaos(fuzz_choices* c)
{
  // without an end it goes on until the exponents are known, or for many steps
  static const double ends[] = {0.5, 2, 0.05, 0, -1, 1e-300, 5};
  fuzz_made m = fuzz_make(c);
  base_text state = {0}, section = {0};
  if (m.system) {
    zw_chaos_options o = zw_chaos_defaults();
    o.state = put_state(c, &state);
    o.until = ends[fuzz_pick(c, 7)];
    if (fuzz_rarely(c, 3)) o.tolerance = 1e-5;
    if (fuzz_rarely(c, 3)) base_text_printf(&section, "%s = %d", pick_name(c, &m), fuzz_pick(c, 3));
    if (section.n) o.section = section.at;
    if (fuzz_rarely(c, 3)) o.manifolds = 1;
    fuzz_drop(zw_chaos(m.system, &o, pick_style(c), m.notes), &m);
  }
  base_text_free(&state);
  base_text_free(&section);
  fuzz_unmake(&m);
}

void fuzz_feed_linearise(fuzz_choices* c)
{
  fuzz_made m = fuzz_make(c);
  base_text state = {0}, inputs = {0}, outputs = {0};
  if (m.system) {
    zw_linearise_options o = zw_linearise_defaults();
    o.state = put_state(c, &state);
    o.where = fuzz_pick(c, 4);
    for (int n = fuzz_pick(c, 3); n > 0; n--)
      base_text_printf(&inputs, "%s%s", pick_name(c, &m), n > 1 ? "," : "");
    for (int n = fuzz_pick(c, 3); n > 0; n--)
      base_text_printf(&outputs, "%s%s", pick_name(c, &m), n > 1 ? "," : "");
    if (inputs.n) o.inputs = inputs.at;
    if (outputs.n) o.outputs = outputs.at;
    o.symbolic = fuzz_rarely(c, 4);
    fuzz_drop(zw_linearise(m.system, &o, pick_style(c), m.notes), &m);
  }
  base_text_free(&state);
  base_text_free(&inputs);
  base_text_free(&outputs);
  fuzz_unmake(&m);
}

// ---- tables of a motion -------------------------------------------------------------------------

static void put_table(fuzz_choices* c, const fuzz_made* m, base_text* out)
{
  static const char* const cells[] = {"0", "1", "0.5", "-2", "", "nan", "1e308", "x", "\"", "1,2"};
  const int columns = zw_model_coords(m->model);
  base_text_add(out, fuzz_rarely(c, 8) ? "time" : "t");
  for (int k = 0; k < columns && !fuzz_rarely(c, 8); k++)
    base_text_printf(out, ",%s%s", zw_model_coord(m->model, k), fuzz_rarely(c, 4) ? "'" : "");
  base_text_add(out, "\n");
  for (int row = 0, rows = fuzz_pick(c, 8); row < rows; row++) {
    base_text_printf(out, "%g", fuzz_rarely(c, 8) ? -1.0 : 0.1 * row);
    for (int k = 0; k < columns; k++)
      if (fuzz_rarely(c, 6))
        base_text_printf(out, ",%s", FUZZ_WORD(c, cells));
      else
        base_text_printf(out, ",%g", 0.1 * fuzz_pick(c, 20));
    base_text_add(out, "\n");
  }
  if (fuzz_rarely(c, 8)) fuzz_spoil(c, out);
  fuzz_show(out->at);
}

void fuzz_feed_inverse(fuzz_choices* c)
{
  fuzz_made m = fuzz_make(c);
  if (m.system) {
    base_text table = {0};
    char path[64];
    snprintf(path, sizeof path, "/tmp/fuzz-%d-motion.csv", (int)getpid());
    put_table(c, &m, &table);
    FILE* f = fopen(path, "w");
    FUZZ_HOLDS(f && fwrite(table.at, 1, table.n, f) == table.n);
    fclose(f);
    const char* along = fuzz_rarely(c, 3) ? pick_name(c, &m) : NULL;
    fuzz_drop(zw_inverse(m.system, path, along, pick_style(c), m.notes), &m);
    unlink(path);
    base_text_free(&table);
  }
  fuzz_unmake(&m);
}

// ---- kinematics and pictures --------------------------------------------------------------------

enum { MOST_STEPS = 150 };

static bool has_steps(void* context, const zw_progress* p)
{
  (void)context;
  return p->steps < MOST_STEPS;
}

void fuzz_feed_move(fuzz_choices* c)
{
  static const char* const ways[] = {"x=0..1", "y=sin(t)", "x=t^2", "k=0..1",
                                     "=",      "x=1/t",    "x=0..x"};
  base_text text = {0};
  fuzz_model(c, &text);
  fuzz_show(text.at);
  const char* drives[] = {FUZZ_WORD(c, ways), FUZZ_WORD(c, ways)};
  fuzz_made m = {.notes = zw_notes_new()};
  m.model = zw_mechanism_read_text("fuzz.zw", text.at, text.n, NULL, 0, drives, fuzz_pick(c, 3),
                                   fuzz_rarely(c, 3) ? NAN : 0.5, m.notes);
  FUZZ_HOLDS(m.model || zw_notes_errors(m.notes));
  if (m.model) m.system = zw_derive(m.model, m.notes);
  FUZZ_HOLDS(m.system || zw_notes_errors(m.notes));
  if (m.system && fuzz_rarely(c, 3)) {
    fuzz_drop(zw_assemblies(m.system, pick_style(c), m.notes), &m);
  } else if (m.system) {
    zw_run_options o = zw_run_defaults();
    o.points = 2 + fuzz_pick(c, 8);
    o.progress = has_steps;
    zw_track* t = zw_run(m.system, &o, m.notes);
    FUZZ_HOLDS(t || zw_notes_errors(m.notes));
    zw_track_free(t);
  }
  base_text_free(&text);
  fuzz_unmake(&m);
}

// what a page holds, live or not: the page itself is a frame around it
void fuzz_feed_view(fuzz_choices* c)
{
  fuzz_made m = fuzz_make(c);
  if (m.system) {
    zw_run_options o = zw_run_defaults();
    o.until = 0.2;
    o.points = 3;
    o.scene = true;
    o.progress = has_steps;
    zw_track* t = zw_run(m.system, &o, m.notes);
    FUZZ_HOLDS(t || zw_notes_errors(m.notes));
    const zw_track* one = t;
    const zw_runs runs = {.track = &one, .count = 1};
    zw_view_options v = zw_view_defaults();
    v.live = fuzz_pick(c, 2);
    if (fuzz_rarely(c, 4)) v.form = "maggi";
    if (t) fuzz_drop(zw_view_json(&runs, &v, fuzz_pick(c, 2), m.notes), &m);
    zw_track_free(t);
  }
  fuzz_unmake(&m);
}
