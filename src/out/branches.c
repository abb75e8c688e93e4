// Branches of motions over a param: special points as text, all points as JSON or CSV.
#include "out/branches.h"
#include "out/csv.h"
#include "out/json_text.h"
#include "out/number.h"
#include "out/out.h"
#include "out/stability.h"
#include "out/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* velocity_name(const model* m, int i)
{
  return expr_name(m->pool, m->coord[i].v);
}

// ---- text ---------------------------------------------------------------------------------------

static void put_number(base_text* out, const char* before, double x, int digits)
{
  base_text_add(out, before);
  out_text_number(out, x, digits);
}

void out_branches_put_state(const model* m, const study_stability* r, base_text* out)
{
  for (int i = 0; i < m->places; i++) {
    if (r->ignorable[i]) continue;
    base_text_add(out, "  ");
    out_text_plain(out, m->coord[i].name);
    put_number(out, " = ", r->q[i], 10);
  }
}

static void put_special(const out_branches* b, const study_special* x, base_text* out)
{
  base_text_printf(out, "    %-9s", x->kind);
  out_text_plain(out, b->name);
  put_number(out, " = ", x->value / b->scale, 12);
  const bool degenerate = x->criticality && !strcmp(x->criticality, "degenerate");
  if (x->form) base_text_printf(out, !strcmp(x->kind, "fold") ? "  motions %s" : "  %s", x->form);
  if (x->criticality) base_text_printf(out, degenerate ? "  %s" : "  %scritical", x->criticality);
  if (x->im > 0 && !strcmp(x->kind, "hopf")) put_number(out, "  frequency ", x->im, 12);
  if (isfinite(x->l1) && !degenerate) put_number(out, "  l1 = ", x->l1, 10);
  if (isfinite(x->a) && !degenerate) put_number(out, "  a = ", x->a, 10);
  if (x->at) out_branches_put_state(b->model, x->at, out);
  base_text_add(out, "\n");
}

// where the param turns about point i, from the special points there if there is one; else nan
static double turn_at(const out_branches* b, const study_path* p, int i)
{
  const double *v = p->value, in = v[i] - v[i - 1], out = v[i + 1] - v[i];
  const double reach = fmax(fabs(in), fabs(out)), least = 1e-9 * fabs(b->to - b->from) * b->scale;
  if (!(in * out < 0) || !(reach > least)) return NAN;
  double value = v[i];
  for (int k = 0; k < p->specials; k++) {
    const double x = p->special[k].value - v[i];
    if (x * in > 0 && fabs(x) < reach && (!strcmp(p->special[k].kind, "fold") || value == v[i]))
      value = p->special[k].value;
  }
  return value;
}

static void put_parts(const out_branches* b, const study_path* p, base_text* out)
{
  int from = 0;
  for (int i = 1; i <= p->points; i++) {
    if (i < p->points && p->point[i]->verdict == p->point[from]->verdict) continue;
    base_text_printf(out, "    %-9s", study_stability_word(p->point[from]->verdict));
    put_number(out, " from ", p->value[from] / b->scale, 6);
    const char* word = " to ";
    for (int k = from + 1; k < i - 1; k++) {
      const double turn = turn_at(b, p, k);
      if (!isfinite(turn)) continue;
      put_number(out, word, turn / b->scale, 6);
      word = " and back to ";
    }
    put_number(out, word, p->value[i - 1] / b->scale, 6);
    base_text_add(out, "\n");
    from = i;
  }
}

static void put_text(const out_branches* b, base_text* out)
{
  const study_branches* all = b->branches;
  base_text_printf(out, "%d branch%s over ", all->count, all->count == 1 ? "" : "es");
  out_text_plain(out, b->name);
  put_number(out, " from ", b->from, 12);
  put_number(out, " to ", b->to, 12);
  base_text_add(out, "\n");
  for (int i = 0; i < all->count; i++) {
    const study_path* p = &all->path[i];
    base_text_printf(out, "\n  %d: %s, %d points", i + 1, p->kind, p->points);
    if (p->from >= 0) {
      base_text_printf(out, ", leaves %d at ", p->from + 1);
      out_text_number(out, p->from_value / b->scale, 12);
    }
    base_text_add(out, "\n");
    for (int k = 0; k < p->specials; k++) put_special(b, &p->special[k], out);
    put_parts(b, p, out);
    for (int k = 0; k < 2; k++) {
      put_number(out, k ? "    ends at " : "    begins at ",
                 p->value[k ? p->points - 1 : 0] / b->scale, 12);
      base_text_printf(out, ": %s\n", p->ends[k]);
    }
  }
  if (all->more) base_text_add(out, "\n  there are more branches than were followed\n");
  if (b->other) out_loci_text(b, out);
}

// ---- JSON ---------------------------------------------------------------------------------------

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

json_t* out_branches_state(const model* m, const study_stability* r)
{
  json_t* o = json_object();
  for (int i = 0; i < m->places; i++) out_json_set(o, m->coord[i].name, out_json_real(r->q[i]));
  for (int i = 0; i < r->n; i++) out_json_set(o, velocity_name(m, i), out_json_real(r->v[i]));
  return o;
}

// of each coordinate along a periodic motion
static json_t* greatest(const model* m, const study_stability* r)
{
  json_t* o = json_object();
  for (int i = 0; i < m->places; i++)
    if (!r->ignorable[i]) out_json_set(o, m->coord[i].name, out_json_real(r->most[i]));
  return o;
}

static void set_motion(const out_branches* b, double value, const study_stability* r, json_t* o)
{
  out_json_set(o, "p", out_json_real(value / b->scale));
  out_json_set(o, "state", r ? out_branches_state(b->model, r) : json_null());
  out_json_set(o, "period", r && r->period > 0 ? out_json_real(r->period) : json_null());
  if (!r) return;
  if (r->period > 0) out_json_set(o, "most", r->most ? greatest(b->model, r) : json_null());
  const bool known = r->verdict != STUDY_MARGINAL;
  out_json_set(o, "stable", known ? json_boolean(r->verdict == STUDY_STABLE) : json_null());
  if (r->period > 0)
    out_json_set(o, "multipliers", pairs(r->multipliers, r->multiplier_re, r->multiplier_im));
  else
    out_json_set(o, "eigenvalues", pairs(r->count, r->re, r->im));
}

static json_t* special_of(const out_branches* b, const study_special* x)
{
  json_t* o = json_object();
  out_json_set(o, "kind", out_json_string(x->kind));
  set_motion(b, x->value, x->at, o);
  if (x->at && x->at->hybrid) out_json_set(o, "happenings", out_stability_happenings(x->at));
  out_json_set(o, "form", x->form ? out_json_string(x->form) : json_null());
  out_json_set(o, "criticality", x->criticality ? out_json_string(x->criticality) : json_null());
  out_json_set(o, "l1", out_json_real(x->l1));
  out_json_set(o, "a", out_json_real(x->a));
  out_json_set(o, "imaginary", out_json_real(x->im));
  out_json_set(o, "unstable_before", json_integer(x->before));
  out_json_set(o, "unstable_behind", json_integer(x->behind));
  return o;
}

static json_t* path_of(const out_branches* b, const study_path* p)
{
  json_t *o = json_object(), *points = json_array(), *specials = json_array(), *ends = json_array();
  for (int i = 0; i < p->points; i++) {
    json_t* one = json_object();
    set_motion(b, p->value[i], p->point[i], one);
    out_json_push(points, one);
  }
  for (int i = 0; i < p->specials; i++) out_json_push(specials, special_of(b, &p->special[i]));
  for (int i = 0; i < 2; i++) out_json_push(ends, out_json_string(p->ends[i]));
  out_json_set(o, "kind", out_json_string(p->kind));
  out_json_set(o, "points", points);
  out_json_set(o, "special", specials);
  out_json_set(o, "ends", ends);
  out_json_set(o, "start", json_integer(p->start));
  if (p->from >= 0) {
    out_json_set(o, "leaves", json_integer(p->from));
    out_json_set(o, "leaves_at", out_json_real(p->from_value / b->scale));
  }
  return o;
}

static void put_json(const out_branches* b, base_text* out)
{
  json_t *o = json_object(), *list = json_array();
  for (int i = 0; i < b->branches->count; i++)
    out_json_push(list, path_of(b, &b->branches->path[i]));
  out_json_set(o, "title", out_json_string(b->model->title));
  out_json_set(o, "param", out_json_string(b->name));
  out_json_set(o, "branches", list);
  out_json_set(o, "more", json_boolean(b->branches->more));
  if (b->other) out_json_set(o, "and", out_json_string(b->other));
  if (b->other) out_json_set(o, "curves", out_loci_json(b));
  out_json_print(out, o, true);
}

// ---- CSV ----------------------------------------------------------------------------------------

static void put_row(const out_branches* b, int branch, double value, const char* special,
                    const study_stability* r, base_text* out)
{
  base_text_printf(out, "%d,%s,", branch + 1, special);
  out_number_add(out, value / b->scale);
  out_numbers_add(out, b->model->places, r->q);
  out_numbers_add(out, r->n, r->v);
  base_text_add(out, ",");
  if (r->period > 0) out_number_add(out, r->period);
  base_text_printf(out, ",%s", study_stability_word(r->verdict));
  const int count = r->period > 0 ? r->multipliers : r->count;
  for (int i = 0; i < count; i++)
    out_numbers_add(out, 2,
                    (double[]){r->period > 0 ? r->multiplier_re[i] : r->re[i],
                               r->period > 0 ? r->multiplier_im[i] : r->im[i]});
  base_text_add(out, "\n");
}

// special points stand behind the points of their branch, with their kind
static void put_csv(const out_branches* b, base_text* out)
{
  const model* m = b->model;
  if (b->other) {
    out_loci_csv(b, out);
    return;
  }
  base_text_add(out, "branch,special,");
  out_csv_field(out, b->name);
  base_text_add(out, ",");
  for (int i = 0; i < m->places; i++) {
    out_csv_field(out, m->coord[i].name);
    base_text_add(out, ",");
  }
  for (int i = 0; i < m->coords; i++) {
    out_csv_field(out, velocity_name(m, i));
    base_text_add(out, ",");
  }
  base_text_add(out, "period,verdict,re,im,...\n");
  for (int i = 0; i < b->branches->count; i++) {
    const study_path* p = &b->branches->path[i];
    for (int k = 0; k < p->points; k++) put_row(b, i, p->value[k], "", p->point[k], out);
    for (int k = 0; k < p->specials; k++)
      if (p->special[k].at)
        put_row(b, i, p->special[k].value, p->special[k].kind, p->special[k].at, out);
  }
}

bool out_branches_write(const out_branches* b, const char* style, base_text* out)
{
  static const struct
  {
    const char* name;
    void (*put)(const out_branches*, base_text*);
  } styles[] = {{"text", put_text}, {"json", put_json}, {"csv", put_csv}};
  for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
    if (strcmp(style, styles[i].name) != 0) continue;
    if (b) styles[i].put(b, out);
    return true;
  }
  return false;
}
