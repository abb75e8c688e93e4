// Branches of motions over a param as JSON, a point a line: hundreds of points, each of them a few
// numbers, are written straight into the text, with the fewest digits that read back equal.
#include "out/branches.h"
#include "out/json_text.h"
#include "out/number.h"
#include "out/stability.h"

#include <math.h>
#include <stdlib.h>

// Names are quoted once.
typedef struct writer
{
  const out_branches* b;
  base_text* out;
  base_text* name; // of coordinates, then of velocities: `"x": `
} writer;

static void put(const writer* w, const char* text)
{
  base_text_add(w->out, text);
}

static void put_real(const writer* w, const char* before, double x)
{
  put(w, before);
  if (isfinite(x))
    out_number_add(w->out, x);
  else
    put(w, "null");
}

static void put_count(const writer* w, const char* before, int n)
{
  base_text_printf(w->out, "%s%d", before, n);
}

static void put_string(const writer* w, const char* before, const char* text)
{
  put(w, before);
  if (text)
    out_json_quote(text, w->out);
  else
    put(w, "null");
}

static void put_named(const writer* w, int name, bool first, double x)
{
  if (!first) put(w, ", ");
  base_text_addn(w->out, w->name[name].at, w->name[name].n);
  put_real(w, "", x);
}

static void put_state(const writer* w, const study_stability* r)
{
  const int places = w->b->model->places;
  put(w, "{");
  for (int i = 0; i < places; i++) put_named(w, i, i == 0, r->q[i]);
  for (int i = 0; i < r->n; i++) put_named(w, places + i, places + i == 0, r->v[i]);
  put(w, "}");
}

// the rows of study_swing that are told of each coordinate along a periodic motion
static void put_swings(const writer* w, const study_stability* r)
{
  for (int k = 0; k < out_swings; k++) {
    bool first = true;
    put_string(w, ", ", out_swing[k].name);
    put(w, r->swing ? ": {" : ": null");
    for (int i = 0; r->swing && i < w->b->model->places; i++) {
      if (r->ignorable[i]) continue;
      put_named(w, i, first, out_swing_of(&r->swing[i], k));
      first = false;
    }
    if (r->swing) put(w, "}");
  }
}

static void put_pairs(const writer* w, int n, const double* re, const double* im)
{
  put(w, "[");
  for (int i = 0; i < n; i++) {
    put_real(w, i ? ", [" : "[", re[i]);
    put_real(w, ", ", im[i]);
    put(w, "]");
  }
  put(w, "]");
}

// value of the param and motion, without braces
static void put_motion(const writer* w, double value, const study_stability* r)
{
  const bool orbit = r && r->period > 0;
  put_real(w, "\"p\": ", value / w->b->scale);
  put(w, ", \"state\": ");
  if (r)
    put_state(w, r);
  else
    put(w, "null");
  put_real(w, ", \"period\": ", orbit ? r->period : NAN);
  if (!r) return;
  if (orbit) put_swings(w, r);
  put(w, r->verdict == STUDY_MARGINAL ? ", \"stable\": null"
         : r->verdict == STUDY_STABLE ? ", \"stable\": true"
                                      : ", \"stable\": false");
  put(w, orbit ? ", \"multipliers\": " : ", \"eigenvalues\": ");
  if (orbit)
    put_pairs(w, r->multipliers, r->multiplier_re, r->multiplier_im);
  else
    put_pairs(w, r->count, r->re, r->im);
}

static void put_squares(const writer* w, const study_special* x)
{
  bool first = true;
  put(w, x->at && x->square ? ", \"squares\": {" : ", \"squares\": null");
  for (int i = 0; x->at && x->square && i < w->b->model->places; i++) {
    if (x->at->ignorable[i]) continue;
    put_named(w, i, first, x->square[i] * w->b->scale);
    first = false;
  }
  if (x->at && x->square) put(w, "}");
}

static void put_special(const writer* w, const study_special* x)
{
  put_string(w, "{\"kind\": ", x->kind);
  put(w, ", ");
  put_motion(w, x->value, x->at);
  if (x->at && x->at->period > 0) {
    put(w, ", \"at_least\": ");
    out_json_print(w->out, out_stability_extremes(x->at, false), false);
    put(w, ", \"at_most\": ");
    out_json_print(w->out, out_stability_extremes(x->at, true), false);
  }
  if (x->at && x->at->hybrid) {
    put_real(w, ", \"t\": ", x->at->t);
    put(w, ", \"happenings\": ");
    out_json_print(w->out, out_stability_happenings(x->at), false);
  }
  put_string(w, ", \"form\": ", x->form);
  put_string(w, ", \"criticality\": ", x->criticality);
  put_real(w, ", \"l1\": ", x->l1);
  put_real(w, ", \"a\": ", x->a);
  put_real(w, ", \"imaginary\": ", x->im);
  put_real(w, ", \"growth\": ", x->growth * w->b->scale);
  put_squares(w, x);
  put_count(w, ", \"unstable_before\": ", x->before);
  put_count(w, ", \"unstable_behind\": ", x->behind);
  put(w, "}");
}

// what stands before element i of a list whose elements have a line each, and behind the last
static const char* line(int i, int indent)
{
  static const char* const first[] = {"\n    ", "\n        "};
  static const char* const next[] = {",\n    ", ",\n        "};
  return (i ? next : first)[indent];
}

static void put_ends(const writer* w, const char* const ends[2])
{
  put_string(w, "\"ends\": [", ends[0]);
  put_string(w, ", ", ends[1]);
  put(w, "]");
}

static void put_path(const writer* w, const study_path* p)
{
  put_string(w, "{\n      \"kind\": ", p->kind);
  put(w, ",\n      \"points\": [");
  for (int i = 0; i < p->points; i++) {
    put(w, line(i, 1));
    put(w, "{");
    put_motion(w, p->value[i], p->point[i]);
    put(w, "}");
  }
  put(w, "\n      ],\n      \"special\": [");
  for (int i = 0; i < p->specials; i++) {
    put(w, line(i, 1));
    put_special(w, &p->special[i]);
  }
  put(w, p->specials ? "\n      ],\n      " : "],\n      ");
  put_ends(w, p->ends);
  put_count(w, ",\n      \"start\": ", p->start);
  if (p->from >= 0) {
    put_count(w, ",\n      \"leaves\": ", p->from);
    put_real(w, ",\n      \"leaves_at\": ", p->from_value / w->b->scale);
  }
  put(w, "\n    }");
}

// a place of a curve in two params, without braces
static void put_place(const writer* w, double p, double q, const study_stability* r)
{
  put_real(w, "\"p\": ", p / w->b->scale);
  put_real(w, ", \"and\": ", q / w->b->other_scale);
  put(w, ", \"state\": ");
  put_state(w, r);
  put_real(w, ", \"period\": ", r->period > 0 ? r->period : NAN);
}

static void put_locus(const writer* w, const study_locus* x)
{
  put_string(w, "{\n      \"kind\": ", x->kind);
  put_count(w, ",\n      \"branch\": ", x->branch);
  put(w, ",\n      \"points\": [");
  for (int k = 0; k < x->points; k++) {
    put(w, line(k, 1));
    put(w, "{");
    put_place(w, x->a[k], x->b[k], x->point[k]);
    put(w, "}");
  }
  put(w, "\n      ],\n      \"special\": [");
  for (int k = 0; k < x->specials; k++) {
    put(w, line(k, 1));
    put(w, "{");
    put_place(w, x->special[k].a, x->special[k].b, x->special[k].at);
    put_string(w, ", \"kind\": ", x->special[k].kind);
    put_real(w, ", \"a\": ", x->special[k].form[0]);
    put_real(w, ", \"b\": ", x->special[k].form[1]);
    put(w, "}");
  }
  put(w, x->specials ? "\n      ],\n      " : "],\n      ");
  put_ends(w, x->ends);
  put(w, "\n    }");
}

void out_branches_json(const out_branches* b, base_text* out)
{
  const model* m = b->model;
  const int names = m->places + m->coords;
  writer w = {b, out, base_alloc(sizeof *w.name * (size_t)(names + 1))};
  for (int i = 0; i < names; i++) {
    const bool place = i < m->places;
    out_json_quote(place ? m->coord[i].name : expr_name(m->pool, m->coord[i - m->places].v),
                   &w.name[i]);
    base_text_add(&w.name[i], ": ");
  }
  put_string(&w, "{\n  \"title\": ", m->title);
  put_string(&w, ",\n  \"param\": ", b->name);
  put(&w, ",\n  \"branches\": [");
  for (int i = 0; i < b->branches->count; i++) {
    put(&w, line(i, 0));
    put_path(&w, &b->branches->path[i]);
  }
  put(&w, "\n  ],\n  \"more\": ");
  put(&w, b->branches->more ? "true" : "false");
  if (b->other) {
    put_string(&w, ",\n  \"and\": ", b->other);
    put(&w, ",\n  \"curves\": [");
    for (int i = 0; i < b->branches->loci; i++) {
      put(&w, line(i, 0));
      put_locus(&w, &b->branches->locus[i]);
    }
    put(&w, b->branches->loci ? "\n  ]" : "]");
  }
  put(&w, "\n}\n");
  for (int i = 0; i < names; i++) base_text_free(&w.name[i]);
  free(w.name);
}
