// What stability says: the steady or periodic motion, its eigenvalues or multipliers, the verdict.
#include "out/stability.h"

#include "out/text.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// C q + c in the names of the coordinates, of one coordinate
char* out_stability_field(const study_stability* r, int i)
{
  base_text t = {0};
  // a turn found by shooting is known to the root of rounding along what leaves the motion alone
  const double size = (r->period > 0 ? 1e-6 : 1e-12) * (1 + fabs(r->v[i]));
  if (fabs(r->c[i]) > size) base_text_printf(&t, "%.12g", r->c[i]);
  for (int j = 0; j < r->n; j++) {
    const double x = r->C[i * r->n + j];
    if (fabs(x) <= size) continue;
    if (t.n) base_text_add(&t, x < 0 ? " - " : " + ");
    const double shown = t.n ? fabs(x) : x;
    if (fabs(shown - 1) > 1e-12) base_text_printf(&t, "%.12g*", shown);
    base_text_add(&t, r->model->coord[j].name);
  }
  if (!t.n) base_text_add(&t, "0");
  return base_text_take(&t);
}

const out_swing_figure out_swing[out_swings] = {{"least", offsetof(study_swing, least)},
                                                {"most", offsetof(study_swing, most)},
                                                {"mean", offsetof(study_swing, mean)},
                                                {"amplitude", offsetof(study_swing, amplitude)},
                                                {"lag", offsetof(study_swing, lag)}};

double out_swing_of(const study_swing* s, int figure)
{
  return *(const double*)((const char*)s + out_swing[figure].at);
}

static void number(base_text* out, double x)
{
  base_text t = {0};
  out_text_number(&t, x, 12);
  base_text_printf(out, "  %18s", t.at);
  base_text_free(&t);
}

static int names_width(const study_stability* r)
{
  int width = 10;
  for (int i = 0; i < r->n; i++) {
    const int columns = out_text_columns(r->model->coord[i].name);
    width = columns > width ? columns : width;
  }
  return width;
}

static void write_state(const study_stability* r, base_text* out)
{
  const int width = names_width(r);
  base_text_add(out, "\n  ");
  out_text_pad(out, "coordinate", width);
  base_text_printf(out, "  %18s  %18s\n", "position", "velocity");
  for (int i = 0; i < r->n; i++) {
    const bool state = i >= r->model->places;
    base_text_add(out, "  ");
    out_text_pad(out, r->model->coord[i].name, width);
    number(out, state ? r->v[i] : r->q[i]);
    if (state) base_text_add(out, "  a state\n");
    if (state) continue;
    number(out, r->v[i]);
    base_text_add(out, r->ignorable[i] ? "  ignorable\n" : "\n");
  }
}

// the coordinates that take part most, each by its share
static void write_shape(const study_stability* r, int k, base_text* out)
{
  double most = 0;
  const double *re = r->shape_re + k * 2 * r->n, *im = r->shape_im + k * 2 * r->n;
  // of a state that is its speed
  const int places = r->model->places;
  for (int i = 0; i < places; i++) most = fmax(most, hypot(re[i], im[i]));
  for (int i = places; i < r->n; i++) most = fmax(most, hypot(re[r->n + i], im[r->n + i]));
  for (int i = 0; i < r->n && most > 0; i++) {
    const int at = i < places ? i : r->n + i;
    const double share = hypot(re[at], im[at]) / most;
    if (share < 0.01) continue;
    base_text_add(out, "  ");
    out_text_plain(out, r->model->coord[i].name);
    base_text_printf(out, " %.2g", share);
  }
}

static void write_values(const study_stability* r, base_text* out)
{
  const bool floquet = r->period > 0;
  const int count = floquet ? r->multipliers : r->count;
  const double *re = floquet ? r->multiplier_re : r->re, *im = floquet ? r->multiplier_im : r->im;
  if (count)
    base_text_printf(out, "\n  %18s  %18s  %s\n", floquet ? "multiplier" : "eigenvalue",
                     "imaginary", floquet ? "modulus" : "share of the coordinates");
  for (int i = 0; i < count; i++) {
    base_text_add(out, "");
    number(out, re[i]);
    number(out, im[i]);
    if (floquet)
      base_text_printf(out, "  %.10g", hypot(re[i], im[i]));
    else
      write_shape(r, i, out);
    base_text_add(out, "\n");
  }
  if (!floquet && r->family && r->C)
    base_text_printf(out, "  and %d of shifts along the family of such motions\n", r->family);
  else if (!floquet && r->family)
    base_text_printf(out, "  and %d zero%s: the steady motion is one of a family\n", r->family,
                     r->family > 1 ? "s" : "");
}

// "stable" and "unstable" as they are said of one value alone
static void write_becomes(const study_critical* c, bool periodic, base_text* out)
{
  const char* becomes = study_critical_becomes(c);
  if (c->rising || (becomes && !strcmp(becomes, "stable")))
    base_text_printf(out, "becomes %s, ", becomes);
  else
    base_text_printf(out, "%s, ",
                     periodic ? "multipliers come back to the unit circle"
                              : "eigenvalues leave the right half plane");
  if (!c->rising && becomes && strcmp(becomes, "stable") != 0)
    base_text_printf(out, "%s above, ", becomes);
}

static void write_critical(const out_stability* s, const study_critical* c, base_text* out)
{
  out_text_plain(out, s->over);
  base_text_printf(out, " = %.12g: ", c->value);
  const bool fold = !strncmp(c->kind, "fold", 4);
  if (!fold && (!c->before || c->im > 0 || c->rising)) write_becomes(c, s->at->period > 0, out);
  base_text_add(out, c->kind);
  if (c->im > 0)
    base_text_printf(out, s->at->period > 0 ? ", argument %.10g" : ", imaginary part %.10g", c->im);
  if (c->before)
    base_text_printf(out, ", from %d steady motion%s to %d", c->before, c->before > 1 ? "s" : "",
                     c->after);
  base_text_add(out, "\n");
}

static void write_scan(const out_stability* s, base_text* out)
{
  base_text_add(out, "\n  over ");
  out_text_plain(out, s->over);
  base_text_printf(out, " from %.10g to %.10g\n", s->scan->value[0],
                   s->scan->value[s->scan->points - 1]);
  for (int i = 0; i < s->scan->criticals; i++) {
    base_text_add(out, "    ");
    write_critical(s, &s->scan->critical[i], out);
  }
  if (!s->scan->criticals) base_text_add(out, "    no critical value\n");
  int missing = 0;
  for (int i = 0; i < s->scan->points; i++) missing += !s->scan->point[i];
  if (missing)
    base_text_printf(out, "    no such motion at %d of %d values\n", missing, s->scan->points);
}

static void write_chart(const out_stability* s, base_text* out)
{
  for (int i = 0; i < s->rows; i++) {
    base_text_add(out, i ? "" : "\n");
    base_text_add(out, "  ");
    out_text_plain(out, s->second);
    base_text_printf(out, " = %.10g\n", s->row_at[i]);
    for (int k = 0; s->row[i] && k < s->row[i]->criticals; k++) {
      base_text_add(out, "    ");
      write_critical(s, &s->row[i]->critical[k], out);
    }
    if (s->row[i] && !s->row[i]->criticals) base_text_add(out, "    no critical value\n");
  }
}

// further steady motions
static void write_others(const study_stability* r, base_text* out)
{
  base_text_printf(out, "\n  %d further steady motion%s found from other starts\n", r->others,
                   r->others > 1 ? "s" : "");
  for (int k = 0; k < r->others; k++) {
    const study_stability* x = r->other[k];
    base_text_printf(out, "    %s at", study_stability_word(x->verdict));
    for (int i = 0; i < r->n; i++) {
      if (r->ignorable[i]) continue;
      base_text_add(out, " ");
      out_text_plain(out, r->model->coord[i].name);
      base_text_printf(out, " = %.10g", fabs(x->q[i]) < 1e-12 ? 0 : x->q[i]);
    }
    base_text_add(out, ": ");
    out_text_plain(out, x->why);
    base_text_add(out, "\n");
  }
}

// a relative equilibrium: the field whose flow the motion is
static void write_carried(const study_stability* r, base_text* out)
{
  const bool turn = r->period > 0;
  base_text_add(out, turn ? "  comes back after a turn by a symmetry of the equations:"
                          : "  carried along by a symmetry of the equations:");
  for (int i = 0, first = 1; i < r->model->places; i++) {
    char* text = out_stability_field(r, i);
    if (strcmp(text, "0") != 0 && (!turn || strcmp(text, r->model->coord[i].name) != 0)) {
      base_text_add(out, first ? " " : ", ");
      out_text_plain(out, r->model->coord[i].name);
      base_text_add(out, turn ? " -> " : "' = ");
      out_text_plain(out, text);
      first = 0;
    }
    free(text);
  }
  base_text_add(out, "\n");
}

static void write_chetaev(const study_stability* r, base_text* out)
{
  const study_chetaev* c = &r->chetaev;
  base_text_add(out, "  Chetaev's criterion in the plane of ");
  out_text_plain(out, r->model->coord[c->pair[0]].name);
  base_text_add(out, ", ");
  out_text_plain(out, r->model->coord[c->pair[1]].name);
  base_text_printf(out, ", z'' = %.10g J z' + b(t) z, least b %.10g: (%.10g)^2 - 4 b = %.10g%s\n",
                   c->gyro, c->least, c->gyro, c->value,
                   c->speaks ? " < 0, unstable" : ", it is silent");
}

// the states on both sides of what happens along a periodic motion
static void write_happenings(const study_stability* r, base_text* out)
{
  base_text_printf(out, "\n  along it, from t = %.10g on", r->t);
  if (!r->happenings) base_text_add(out, ", there is no event and no impact");
  base_text_add(out, "\n");
  for (int k = 0; k < r->happenings; k++) {
    const study_happening* h = &r->happening[k];
    base_text_printf(out, "    after %.12g: ", h->t);
    out_text_plain(out, h->name);
    for (int side = 0; side < 2; side++) {
      const double* x = side ? h->after : h->before;
      if (!x) continue;
      base_text_add(out, side ? "\n      behind it " : "\n      before it ");
      for (int i = 0; i < 2 * r->n; i++) {
        if (i < r->n && i >= r->model->places) continue;
        base_text_add(out, i ? ", " : "");
        out_text_plain(out, i < r->n ? r->model->coord[i].name
                                     : expr_name(r->model->pool, r->model->coord[i - r->n].v));
        base_text_printf(out, " = %.12g", x[i]);
      }
    }
    base_text_add(out, "\n");
  }
}

// how far coordinates swing along a periodic motion
static void write_swings(const study_stability* r, base_text* out)
{
  const int width = names_width(r);
  bool any = false;
  for (int i = 0; i < r->model->places; i++) any = any || !r->ignorable[i];
  if (!any) return;
  base_text_add(out, "\n  ");
  out_text_pad(out, "coordinate", width);
  for (int k = 0; k < out_swings; k++) base_text_printf(out, "  %18s", out_swing[k].name);
  base_text_add(out, "\n");
  for (int i = 0; i < r->model->places; i++) {
    if (r->ignorable[i]) continue;
    base_text_add(out, "  ");
    out_text_pad(out, r->model->coord[i].name, width);
    for (int k = 0; k < out_swings; k++) number(out, out_swing_of(&r->swing[i], k));
    base_text_add(out, "\n");
  }
}

static void write_text(const out_stability* s, base_text* out)
{
  const study_stability* r = s->at;
  out_text_plain(out, r->model->title[0] ? r->model->title : "stability");
  if (r->period > 0)
    base_text_printf(out, "\n  periodic motion%s, period %.12g%s, closed to %.1e\n",
                     r->moved ? " next to the initial state" : "", r->period,
                     r->own_period ? " (that of the equations)" : "", r->closure);
  else
    base_text_printf(out, "\n  steady motion%s\n",
                     r->moved ? " next to the initial state" : ", the initial state itself");
  if (r->C) write_carried(r, out);
  write_state(r, out);
  if (r->period > 0 && r->swing) write_swings(r, out);
  write_values(r, out);
  if (r->hybrid) write_happenings(r, out);
  base_text_printf(out, "\n  %s: ", study_stability_word(r->verdict));
  out_text_plain(out, r->why);
  base_text_add(out, "\n");
  if (r->remark) {
    base_text_add(out, "  ");
    out_text_plain(out, r->remark);
    base_text_add(out, "\n");
  }
  if (r->chetaev.fits) write_chetaev(r, out);
  if (r->others) write_others(r, out);
  if (s->over) write_scan(s, out);
  if (s->second) write_chart(s, out);
}

void out_stability_write(const out_stability* s, bool json, base_text* out)
{
  if (json)
    out_stability_json(s, out);
  else
    write_text(s, out);
}
