// What stability says, for programs.
#include "out/json_text.h"
#include "out/out.h"
#include "out/stability.h"

#include <math.h>
#include <stdlib.h>

static json_t* pairs(int n, const double* re, const double* im)
{
  json_t* list = json_array();
  for (int i = 0; i < n; i++) {
    json_t* one = json_array();
    out_json_push(one, out_json_real(re[i]));
    out_json_push(one, out_json_real(im[i]));
    out_json_push(list, one);
  }
  return list;
}

static const char* velocity_name(const model* m, int i)
{
  return expr_name(m->pool, m->coord[i].v);
}

static json_t* state_of(const study_stability* r)
{
  const model* m = r->model;
  json_t* o = json_object();
  for (int i = 0; i < m->places; i++) out_json_set(o, m->coord[i].name, out_json_real(r->q[i]));
  for (int i = 0; i < r->n; i++) out_json_set(o, velocity_name(m, i), out_json_real(r->v[i]));
  return o;
}

// the coordinates of each mode; velocities follow as eigenvalue times coordinate
static json_t* modes_of(const study_stability* r)
{
  json_t* list = json_array();
  for (int k = 0; k < r->count; k++) {
    json_t* one = json_object();
    for (int i = 0; i < r->n; i++) {
      const int at = k * 2 * r->n + (i < r->model->places ? i : r->n + i);
      out_json_set(one, r->model->coord[i].name, pairs(1, r->shape_re + at, r->shape_im + at));
    }
    out_json_push(list, one);
  }
  return list;
}

// the speeds of a motion that is carried along, or where a turn puts the coordinates
static json_t* carried_of(const study_stability* r, bool turn)
{
  json_t* o = json_object();
  for (int i = 0; i < r->model->places; i++) {
    char* text = out_stability_field(r, i);
    const char* of = turn ? r->model->coord[i].name : velocity_name(r->model, i);
    out_json_set(o, of, out_json_string(text));
    free(text);
  }
  return o;
}

static json_t* chetaev_of(const study_stability* r)
{
  const study_chetaev* c = &r->chetaev;
  json_t *o = json_object(), *pair = json_array();
  for (int i = 0; i < 2; i++)
    out_json_push(pair, out_json_string(r->model->coord[c->pair[i]].name));
  out_json_set(o, "plane", pair);
  out_json_set(o, "gyroscopic", out_json_real(c->gyro));
  out_json_set(o, "least", out_json_real(c->least));
  out_json_set(o, "value", out_json_real(c->value));
  out_json_set(o, "speaks", json_boolean(c->speaks));
  out_json_set(o, "verdict", c->speaks ? out_json_string("unstable") : json_null());
  return o;
}

static json_t* critical_of(const study_critical* c)
{
  json_t* one = json_object();
  out_json_set(one, "value", out_json_real(c->value));
  out_json_set(one, "imaginary", out_json_real(c->im));
  const char* becomes = study_critical_becomes(c);
  out_json_set(one, "becomes", becomes ? out_json_string(becomes) : json_null());
  out_json_set(one, "kind", out_json_string(c->kind));
  if (c->before) {
    out_json_set(one, "before", json_integer(c->before));
    out_json_set(one, "after", json_integer(c->after));
  }
  return one;
}

static json_t* word_of(const study_stability* r)
{
  return r ? out_json_string(study_stability_word(r->verdict)) : json_null();
}

// further steady motions, each with its verdict
static json_t* others_of(const study_stability* r)
{
  json_t* list = json_array();
  for (int k = 0; r && k < r->others; k++) {
    json_t* one = json_object();
    const study_stability* x = r->other[k];
    out_json_set(one, "steady", state_of(x));
    out_json_set(one, "eigenvalues", pairs(x->count, x->re, x->im));
    out_json_set(one, "verdict", word_of(x));
    out_json_set(one, "why", out_json_string(x->why));
    out_json_push(list, one);
  }
  return list;
}

static void add_criticals(const study_scan* scan, json_t* o)
{
  json_t *verdicts = json_array(), *criticals = json_array();
  for (int i = 0; i < scan->points; i++) out_json_push(verdicts, word_of(scan->point[i]));
  for (int i = 0; i < scan->criticals; i++)
    out_json_push(criticals, critical_of(&scan->critical[i]));
  out_json_set(o, "verdicts", verdicts);
  out_json_set(o, "critical", criticals);
}

static json_t* values_of(const study_scan* scan)
{
  json_t* values = json_array();
  for (int i = 0; i < scan->points; i++) out_json_push(values, out_json_real(scan->value[i]));
  return values;
}

static bool has_others(const study_scan* s)
{
  for (int i = 0; i < s->points; i++)
    if (s->point[i] && s->point[i]->others) return true;
  return false;
}

static json_t* scan_of(const out_stability* s)
{
  json_t *o = json_object(), *spectra = json_array(), *states = json_array(), *all = json_array();
  for (int i = 0; i < s->scan->points; i++) {
    const study_stability* r = s->scan->point[i];
    out_json_push(spectra, !r ? json_null()
                           : r->period > 0
                               ? pairs(r->multipliers, r->multiplier_re, r->multiplier_im)
                               : pairs(r->count, r->re, r->im));
    out_json_push(states, r ? state_of(r) : json_null());
    out_json_push(all, others_of(r));
  }
  out_json_set(o, "name", out_json_string(s->over));
  out_json_set(o, "values", values_of(s->scan));
  out_json_set(o, "eigenvalues", spectra);
  out_json_set(o, "steady", states);
  if (has_others(s->scan))
    out_json_set(o, "others", all);
  else
    json_decref(all);
  add_criticals(s->scan, o);
  return o;
}

static json_t* chart_of(const out_stability* s)
{
  json_t *o = json_object(), *rows = json_array();
  for (int i = 0; i < s->rows; i++) {
    if (!s->row[i]) continue;
    json_t* row = json_object();
    out_json_set(row, "value", out_json_real(s->row_at[i]));
    out_json_set(row, "values", values_of(s->row[i]));
    add_criticals(s->row[i], row);
    out_json_push(rows, row);
  }
  out_json_set(o, "first", out_json_string(s->over));
  out_json_set(o, "second", out_json_string(s->second));
  out_json_set(o, "rows", rows);
  return o;
}

static json_t* side_of(const study_stability* r, const double* x)
{
  if (!x) return json_null();
  study_stability there = *r;
  there.q = (double*)(uintptr_t)x;
  there.v = there.q + r->n;
  return state_of(&there);
}

json_t* out_stability_happenings(const study_stability* r)
{
  json_t* list = json_array();
  for (int k = 0; k < r->happenings; k++) {
    json_t* one = json_object();
    out_json_set(one, "name", out_json_string(r->happening[k].name));
    out_json_set(one, "t", out_json_real(r->happening[k].t));
    out_json_set(one, "before", side_of(r, r->happening[k].before));
    out_json_set(one, "after", side_of(r, r->happening[k].after));
    out_json_push(list, one);
  }
  return list;
}

// one figure of each coordinate along a periodic motion
static json_t* swings_of(const study_stability* r, int k)
{
  if (!r->swing) return json_null();
  json_t* o = json_object();
  for (int i = 0; i < r->model->places; i++)
    if (!r->ignorable[i])
      out_json_set(o, r->model->coord[i].name, out_json_real(out_swing_of(&r->swing[i], k)));
  return o;
}

json_t* out_stability_extremes(const study_stability* r, bool most)
{
  if (!r->swing) return json_null();
  json_t* o = json_object();
  for (int i = 0; i < r->model->places; i++)
    if (!r->ignorable[i])
      out_json_set(o, r->model->coord[i].name,
                   side_of(r, most ? r->swing[i].at_most : r->swing[i].at_least));
  return o;
}

void out_stability_json(const out_stability* s, base_text* out)
{
  const study_stability* r = s->at;
  json_t *o = json_object(), *ignorable = json_array();
  for (int i = 0; i < r->model->places; i++)
    if (r->ignorable[i]) out_json_push(ignorable, out_json_string(r->model->coord[i].name));
  out_json_set(o, "title", out_json_string(r->model->title));
  out_json_set(o, "steady", state_of(r));
  out_json_set(o, "ignorable", ignorable);
  out_json_set(o, "eigenvalues", pairs(r->count, r->re, r->im));
  out_json_set(o, "multipliers", pairs(r->multipliers, r->multiplier_re, r->multiplier_im));
  out_json_set(o, "verdict", out_json_string(study_stability_word(r->verdict)));
  out_json_set(o, "why", out_json_string(r->why));
  if (r->remark) out_json_set(o, "remark", out_json_string(r->remark));
  out_json_set(o, "dimension", json_integer(r->dimension));
  if (r->period > 0) {
    out_json_set(o, "period", out_json_real(r->period));
    out_json_set(o, "closure", out_json_real(r->closure));
    out_json_set(o, "symplectic", out_json_real(r->symplectic));
    for (int k = 0; k < out_swings; k++) out_json_set(o, out_swing[k].name, swings_of(r, k));
    out_json_set(o, "at_least", out_stability_extremes(r, false));
    out_json_set(o, "at_most", out_stability_extremes(r, true));
    if (r->C) out_json_set(o, "turn", carried_of(r, true));
    if (r->hybrid) out_json_set(o, "t", out_json_real(r->t));
    if (r->hybrid) out_json_set(o, "happenings", out_stability_happenings(r));
    if (r->chetaev.fits) out_json_set(o, "chetaev", chetaev_of(r));
  } else {
    out_json_set(o, "zeros", json_integer(r->family));
    if (r->C) out_json_set(o, "carried", carried_of(r, false));
    out_json_set(o, "modes", modes_of(r));
  }
  if (r->others) out_json_set(o, "others", others_of(r));
  if (s->over) out_json_set(o, "over", scan_of(s));
  if (s->second) out_json_set(o, "chart", chart_of(s));
  out_json_print(out, o, true);
}
