// What stability says: the steady or periodic motion, its eigenvalues or multipliers, the verdict.
#include "out/json_text.h"
#include "out/out.h"
#include "out/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static const char* velocity_name(const model* m, int i, base_text* name)
{
  base_text_free(name);
  base_text_printf(name, "%s'", m->coord[i].name);
  return name->at;
}

static json_t* state_of(const sim_stability* r)
{
  const model* m = r->model;
  json_t* o = json_object();
  base_text name = {0};
  for (int i = 0; i < r->n; i++) out_json_set(o, m->coord[i].name, out_json_real(r->q[i]));
  for (int i = 0; i < r->n; i++)
    out_json_set(o, velocity_name(m, i, &name), out_json_real(r->v[i]));
  base_text_free(&name);
  return o;
}

// the coordinates of each mode; velocities follow as eigenvalue times coordinate
static json_t* modes_of(const sim_stability* r)
{
  json_t* list = json_array();
  for (int k = 0; k < r->count; k++) {
    json_t* one = json_object();
    for (int i = 0; i < r->n; i++) {
      const int at = k * 2 * r->n + i;
      out_json_set(one, r->model->coord[i].name, pairs(1, r->shape_re + at, r->shape_im + at));
    }
    out_json_push(list, one);
  }
  return list;
}

// C q + c in the names of the coordinates, of one coordinate
static char* field_text(const sim_stability* r, int i)
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

// the speeds of a motion that is carried along, or where a turn puts the coordinates
static json_t* carried_of(const sim_stability* r, bool turn)
{
  json_t* o = json_object();
  base_text name = {0};
  for (int i = 0; i < r->n; i++) {
    char* text = field_text(r, i);
    const char* of = turn ? r->model->coord[i].name : velocity_name(r->model, i, &name);
    out_json_set(o, of, out_json_string(text));
    free(text);
  }
  base_text_free(&name);
  return o;
}

static json_t* chetaev_of(const sim_stability* r)
{
  const sim_chetaev* c = &r->chetaev;
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

static json_t* scan_of(const out_stability* s)
{
  json_t *o = json_object(), *values = json_array(), *spectra = json_array(),
         *verdicts = json_array(), *criticals = json_array();
  for (int i = 0; i < s->scan->points; i++) {
    const sim_stability* r = s->scan->point[i];
    out_json_push(values, out_json_real(s->scan->value[i]));
    out_json_push(spectra, !r ? json_null()
                           : r->period > 0
                               ? pairs(r->multipliers, r->multiplier_re, r->multiplier_im)
                               : pairs(r->count, r->re, r->im));
    out_json_push(verdicts, r ? out_json_string(sim_stability_word(r->verdict)) : json_null());
  }
  for (int i = 0; i < s->scan->criticals; i++) {
    json_t* one = json_object();
    out_json_set(one, "value", out_json_real(s->scan->critical[i].value));
    out_json_set(one, "imaginary", out_json_real(s->scan->critical[i].im));
    out_json_set(one, "becomes",
                 out_json_string(s->scan->critical[i].rising ? "unstable" : "stable"));
    out_json_set(one, "kind", out_json_string(s->scan->critical[i].kind));
    out_json_push(criticals, one);
  }
  out_json_set(o, "name", out_json_string(s->over));
  out_json_set(o, "values", values);
  out_json_set(o, "eigenvalues", spectra);
  out_json_set(o, "verdicts", verdicts);
  out_json_set(o, "critical", criticals);
  return o;
}

static void write_json(const out_stability* s, base_text* out)
{
  const sim_stability* r = s->at;
  json_t *o = json_object(), *ignorable = json_array();
  for (int i = 0; i < r->n; i++)
    if (r->ignorable[i]) out_json_push(ignorable, out_json_string(r->model->coord[i].name));
  out_json_set(o, "title", out_json_string(r->model->title));
  out_json_set(o, "steady", state_of(r));
  out_json_set(o, "ignorable", ignorable);
  out_json_set(o, "eigenvalues", pairs(r->count, r->re, r->im));
  out_json_set(o, "multipliers", pairs(r->multipliers, r->multiplier_re, r->multiplier_im));
  out_json_set(o, "verdict", out_json_string(sim_stability_word(r->verdict)));
  out_json_set(o, "why", out_json_string(r->why));
  if (r->remark) out_json_set(o, "remark", out_json_string(r->remark));
  out_json_set(o, "dimension", json_integer(r->dimension));
  if (r->period > 0) {
    out_json_set(o, "period", out_json_real(r->period));
    out_json_set(o, "closure", out_json_real(r->closure));
    out_json_set(o, "symplectic", out_json_real(r->symplectic));
    if (r->C) out_json_set(o, "turn", carried_of(r, true));
    if (r->chetaev.fits) out_json_set(o, "chetaev", chetaev_of(r));
  } else {
    out_json_set(o, "zeros", json_integer(r->family));
    if (r->C) out_json_set(o, "carried", carried_of(r, false));
    out_json_set(o, "modes", modes_of(r));
  }
  if (s->over) out_json_set(o, "over", scan_of(s));
  out_json_print(out, o, true);
}

// ---- text ---------------------------------------------------------------------------------------

static void number(base_text* out, double x)
{
  base_text t = {0};
  out_text_number(&t, x, 12);
  base_text_printf(out, "  %18s", t.at);
  base_text_free(&t);
}

static void write_state(const sim_stability* r, base_text* out)
{
  int width = 10;
  for (int i = 0; i < r->n; i++) {
    const int columns = out_text_columns(r->model->coord[i].name);
    width = columns > width ? columns : width;
  }
  base_text_add(out, "\n  ");
  out_text_pad(out, "coordinate", width);
  base_text_printf(out, "  %18s  %18s\n", "position", "velocity");
  for (int i = 0; i < r->n; i++) {
    base_text_add(out, "  ");
    out_text_pad(out, r->model->coord[i].name, width);
    number(out, r->q[i]);
    number(out, r->v[i]);
    base_text_add(out, r->ignorable[i] ? "  ignorable\n" : "\n");
  }
}

// the coordinates that take part most, each by its share
static void write_shape(const sim_stability* r, int k, base_text* out)
{
  double most = 0;
  const double *re = r->shape_re + k * 2 * r->n, *im = r->shape_im + k * 2 * r->n;
  for (int i = 0; i < r->n; i++) most = fmax(most, hypot(re[i], im[i]));
  for (int i = 0; i < r->n && most > 0; i++) {
    const double share = hypot(re[i], im[i]) / most;
    if (share < 0.01) continue;
    base_text_add(out, "  ");
    out_text_plain(out, r->model->coord[i].name);
    base_text_printf(out, " %.2g", share);
  }
}

static void write_values(const sim_stability* r, base_text* out)
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

static void write_scan(const out_stability* s, base_text* out)
{
  base_text_add(out, "\n  over ");
  out_text_plain(out, s->over);
  base_text_printf(out, " from %.10g to %.10g\n", s->scan->value[0],
                   s->scan->value[s->scan->points - 1]);
  for (int i = 0; i < s->scan->criticals; i++) {
    base_text_add(out, "    ");
    out_text_plain(out, s->over);
    base_text_printf(out, " = %.12g: becomes %s, ", s->scan->critical[i].value,
                     s->scan->critical[i].rising ? "unstable" : "stable");
    base_text_add(out, s->scan->critical[i].kind);
    if (s->scan->critical[i].im > 0)
      base_text_printf(out, s->at->period > 0 ? ", argument %.10g" : ", imaginary part %.10g",
                       s->scan->critical[i].im);
    base_text_add(out, "\n");
  }
  if (!s->scan->criticals) base_text_add(out, "    no critical value\n");
  int missing = 0;
  for (int i = 0; i < s->scan->points; i++) missing += !s->scan->point[i];
  if (missing)
    base_text_printf(out, "    no such motion at %d of %d values\n", missing, s->scan->points);
}

// a relative equilibrium: the field whose flow the motion is
static void write_carried(const sim_stability* r, base_text* out)
{
  const bool turn = r->period > 0;
  base_text_add(out, turn ? "  comes back after a turn by a symmetry of the equations:"
                          : "  carried along by a symmetry of the equations:");
  for (int i = 0, first = 1; i < r->n; i++) {
    char* text = field_text(r, i);
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

static void write_chetaev(const sim_stability* r, base_text* out)
{
  const sim_chetaev* c = &r->chetaev;
  base_text_add(out, "  Chetaev's criterion in the plane of ");
  out_text_plain(out, r->model->coord[c->pair[0]].name);
  base_text_add(out, ", ");
  out_text_plain(out, r->model->coord[c->pair[1]].name);
  base_text_printf(out, ", z'' = %.10g J z' + b(t) z, least b %.10g: (%.10g)^2 - 4 b = %.10g%s\n",
                   c->gyro, c->least, c->gyro, c->value,
                   c->speaks ? " < 0, unstable" : ", it is silent");
}

static void write_text(const out_stability* s, base_text* out)
{
  const sim_stability* r = s->at;
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
  write_values(r, out);
  base_text_printf(out, "\n  %s: ", sim_stability_word(r->verdict));
  out_text_plain(out, r->why);
  base_text_add(out, "\n");
  if (r->remark) {
    base_text_add(out, "  ");
    out_text_plain(out, r->remark);
    base_text_add(out, "\n");
  }
  if (r->chetaev.fits) write_chetaev(r, out);
  if (s->over) write_scan(s, out);
}

void out_stability_write(const out_stability* s, bool json, base_text* out)
{
  if (json)
    write_json(s, out);
  else
    write_text(s, out);
}
