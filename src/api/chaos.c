// Exponents of a motion, and its points on a section.
#include "api/api.h"

#include <float.h>
#include <math.h>

enum { chaos_cookie = 0x6368 };
static const double usual_tolerance = 1e-9, fine_tolerance = 1e-12; // of motions; of manifolds

static const api_member chaos_members[] = {
    API_MEMBER(API_DOUBLE, zw_chaos_options, tolerance, 0, 1),
    API_MEMBER(API_INT, zw_chaos_options, manifolds, 0, 1),
    API_MEMBER(API_DOUBLE, zw_chaos_options, period, 0, DBL_MAX)};
static const api_options chaos_options = {
    "zw_chaos_defaults", chaos_cookie, offsetof(zw_chaos_options, cookie),
    sizeof chaos_members / sizeof *chaos_members, chaos_members};

zw_chaos_options zw_chaos_defaults(void)
{
  return (zw_chaos_options){.until = NAN, .cookie = chaos_cookie};
}

// "x = 0" is a surface, "t = 2*pi" a time between points
static bool read_section(zw_system* s, const char* text, study_chaos_options* o, base_notes* notes)
{
  if (!text) return true;
  model* m = s->model;
  model_initial* f = NULL;
  const int count = model_equations(m, "--section", text, notes, &f);
  if (count < 0) return false;
  if (count != 1) {
    base_error(notes, BASE_NOWHERE,
               "--section %s: expected one equation, as \"x = 0\" or \"t = 1\"", text);
    return false;
  }
  if (f->coord != MODEL_TIME) {
    o->section = f->f;
    return true;
  }
  expr* symbol = base_alloc(sizeof(expr) * (size_t)(m->params + 1));
  double* value = base_alloc(sizeof(double) * (size_t)(m->params + 1));
  for (int i = 0; i < m->params; i++) {
    symbol[i] = m->param[i].symbol;
    value[i] = m->param[i].number;
  }
  o->every = expr_value(m->pool, f->value, m->params, symbol, value);
  free(symbol);
  free(value);
  if (o->every > 0 && isfinite(o->every)) return true;
  base_error(notes, BASE_NOWHERE, "--section %s: the time between points must be above zero", text);
  return false;
}

static bool is_sound(const zw_chaos_options* o, const char* style, base_notes* notes)
{
  if (!out_chaos_write(NULL, style, NULL)) {
    base_error(notes, BASE_NOWHERE, "there is no format `%s`", style);
    base_help(notes, "the formats are text and json");
    return false;
  }
  if (o->manifolds && o->section) {
    base_error(notes, BASE_NOWHERE,
               "--manifolds: points at multiples of the period are taken, no --section");
    return false;
  }
  if (o->manifolds && !isnan(o->until) && !(o->until > 0)) {
    base_error(notes, BASE_NOWHERE,
               "--manifolds: the time they are followed over, --until, must "
               "be above zero");
    return false;
  }
  if (!o->manifolds && o->period > 0) {
    base_error(notes, BASE_NOWHERE, "--period is that of a motion whose --manifolds are wanted");
    return false;
  }
  if ((o->out || o->plot) && !o->section && !o->manifolds) {
    base_error(notes, BASE_NOWHERE, "a table or picture of points needs a section");
    base_help(notes,
              "write --section \"x = 0\", or --section \"t = 2*pi\" for points at multiples of "
              "a time");
    return false;
  }
  return !o->plot || out_plot_check(o->plot, notes) == 0;
}

static char* manifolds(zw_system* s, const zw_chaos_options* o, const study_chaos_options* with,
                       const char* style, base_notes* notes)
{
  const study_manifold_options m = {.period = o->period,
                                    .until = with->until,
                                    .tolerance = o->tolerance > 0 ? o->tolerance : fine_tolerance,
                                    .given = with->given,
                                    .state = with->state};
  study_manifolds* r = study_manifolds_find(s->system, &m, notes);
  if (!r) return NULL;
  base_text text = {0};
  const bool saved = (!o->out || out_manifolds_save(r, o->out, notes) == 0) &&
                     (!o->plot || out_manifolds_plot(r, o->plot, notes) == 0);
  if (saved) out_manifolds_write(r, style, &text);
  study_manifolds_free(r);
  return saved ? api_hand_out_text(base_text_take(&text)) : NULL;
}

char* zw_chaos(zw_system* s, const zw_chaos_options* o, const char* style, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_FIT(o, chaos_options), API_HAS(style));
  base_notes* n = notes->notes;
  if (!is_sound(o, style, n)) return NULL;
  model_initial* given = NULL;
  study_chaos_options with = {.until = isnan(o->until) ? INFINITY : o->until,
                              .tolerance = o->tolerance > 0 ? o->tolerance : usual_tolerance};
  if (o->state) with.given = model_equations(s->model, "--state", o->state, n, &given);
  with.state = o->state ? given : NULL;
  if (with.given < 0 || !read_section(s, o->section, &with, n)) return NULL;
  if (o->manifolds) return manifolds(s, o, &with, style, n);
  study_chaos* r = study_chaos_find(s->system, &with, n);
  if (!r) return NULL;
  base_text text = {0};
  const bool saved = (!o->out || out_chaos_save(r, o->out, n) == 0) &&
                     (!o->plot || out_chaos_plot(r, o->plot, n) == 0);
  if (saved) out_chaos_write(r, style, &text);
  study_chaos_free(r);
  return saved ? api_hand_out_text(base_text_take(&text)) : NULL;
}
