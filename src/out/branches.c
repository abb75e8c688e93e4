// Branches of motions over a param: special points as text, all points as CSV.
#include "out/branches.h"
#include "out/csv.h"
#include "out/number.h"
#include "out/out.h"
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

// how squares of amplitudes grow with the param, from a Hopf point on
static void put_squares(const out_branches* b, const study_special* x, base_text* out)
{
  const model* m = b->model;
  bool first = true;
  for (int i = 0; i < m->places && x->square; i++) {
    if (x->at->ignorable[i]) continue;
    base_text_add(out, first ? "  squares of amplitudes per " : ", ");
    if (first) out_text_plain(out, b->name);
    if (first) base_text_add(out, ": ");
    first = false;
    out_text_plain(out, m->coord[i].name);
    put_number(out, " ", x->square[i] * b->scale, 10);
  }
}

static void put_special(const out_branches* b, const study_special* x, base_text* out)
{
  base_text_printf(out, "    %-8s ", x->kind);
  out_text_plain(out, b->name);
  put_number(out, " = ", x->value / b->scale, 12);
  const bool degenerate = x->criticality && !strcmp(x->criticality, "degenerate");
  if (x->form) base_text_printf(out, !strcmp(x->kind, "fold") ? "  motions %s" : "  %s", x->form);
  if (x->criticality) base_text_printf(out, degenerate ? "  %s" : "  %scritical", x->criticality);
  if (x->im > 0 && !strcmp(x->kind, "hopf")) put_number(out, "  frequency ", x->im, 12);
  if (isfinite(x->l1) && !degenerate) put_number(out, "  l1 = ", x->l1, 10);
  if (isfinite(x->growth)) put_number(out, "  growth ", x->growth * b->scale, 10);
  if (isfinite(x->a) && !degenerate) put_number(out, "  a = ", x->a, 10);
  if (x->at) out_branches_put_state(b->model, x->at, out);
  if (x->at) put_squares(b, x, out);
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
  out_part* part;
  const int count = out_branches_parts(b->model, p, &part);
  for (int i = 0; i < count; i++) {
    const double wide = fabs(part[i].to - part[i].from), at = fmax(fabs(part[i].to), wide);
    const int digits = wide < 1e-4 * at && part[i].last - part[i].first < 2 ? 12 : 6;
    base_text_printf(out, "    %-9s", study_stability_word(part[i].verdict));
    put_number(out, " from ", part[i].from / b->scale, digits);
    const char* word = " to ";
    for (int k = part[i].first + 1; k < part[i].last; k++) {
      const double turn = turn_at(b, p, k);
      if (!isfinite(turn)) continue;
      put_number(out, word, turn / b->scale, 6);
      word = " and back to ";
    }
    put_number(out, word, part[i].to / b->scale, digits);
    base_text_add(out, "\n");
  }
  free(part);
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
  } styles[] = {{"text", put_text}, {"json", out_branches_json}, {"csv", put_csv}};
  for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
    if (strcmp(style, styles[i].name) != 0) continue;
    if (b) styles[i].put(b, out);
    return true;
  }
  return false;
}
