// What a motion keeps, as text or JSON.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/json_text.h"
#include "out/out.h"
#include "out/text.h"

static const char* word(expr_truth x)
{
  return x == EXPR_YES ? "yes" : x == EXPR_NO ? "no" : "unknown";
}

// ---- JSON ---------------------------------------------------------------------------------------

// null where the dimension is not known
static json_t* number(int value, const geom_count* c)
{
  return c->dimension < 0 ? json_null() : json_integer(value);
}

static json_t* space(const geom_count* c)
{
  json_t *o = json_object(), *gap = json_array();
  out_json_set(o, "dimension", number(c->dimension, c));
  out_json_set(o, "certain", json_boolean(c->sure));
  out_json_push(gap, out_json_real(c->kept));
  out_json_push(gap, out_json_real(c->dropped));
  out_json_set(o, "gap", gap);
  return o;
}

// how many of them symmetries keep; where not all are known, how many shifts do
static void set_kept(json_t* o, const geom_structure* r, int kept, const geom_count* shifted)
{
  out_json_set(o, "kept_by_symmetries", kept < 0 ? json_null() : json_integer(kept));
  if (r->shifts && shifted->dimension > 0) out_json_set(o, "kept_by_shifts", space(shifted));
}

static char* text_of(const geom_structure* r, expr e)
{
  base_text text = {0};
  expr_print(r->s->pool, &text, e);
  return base_text_take(&text);
}

static json_t* formula(const geom_structure* r, expr e)
{
  char* text = text_of(r, e);
  json_t* o = out_json_string(text);
  free(text);
  return o;
}

// members that are known in formulas
static json_t* basis(const geom_structure* r, int count, const geom_closed* of)
{
  json_t* list = json_array();
  for (int i = 0; i < count; i++) out_json_push(list, formula(r, of[i].value));
  return list;
}

static json_t* fields(const geom_structure* r)
{
  const mech_system* s = r->s;
  json_t* list = json_array();
  for (int k = 0; k < r->closed_symmetries; k++) {
    const geom_closed* x = &r->symmetry[k];
    json_t *o = json_object(), *field = json_object();
    for (int i = 0; i < s->n; i++)
      if (x->field[i] != s->zero[0])
        out_json_set(field, s->model->coord[i].name, formula(r, x->field[i]));
    out_json_set(o, "field", field);
    out_json_set(o, "momentum", formula(r, x->value));
    out_json_set(o, "momentum_rate",
                 x->lost == EXPR_NONE ? out_json_string("0") : formula(r, x->lost));
    out_json_push(list, o);
  }
  return list;
}

static void write_json(const geom_structure* r, base_text* out)
{
  json_t *o = json_object(), *linear = space(&r->linear), *quadratic = space(&r->quadratic),
         *measure = json_object();
  out_json_set(o, "positions", json_integer(r->n));
  out_json_set(o, "velocities", json_integer(r->l));
  out_json_set(o, "hidden_position_constraints", json_integer(r->hidden));
  out_json_set(o, "holonomic", json_boolean(r->holonomic));
  out_json_set(o, "symmetries", number(r->symmetries.dimension, &r->symmetries));
  out_json_set(o, "symmetry_fields", fields(r));
  out_json_set(linear, "basis", basis(r, r->closed_linear, r->linear_of));
  out_json_set(quadratic, "basis", basis(r, r->closed_quadratic, r->quadratic_of));
  set_kept(linear, r, r->linear_kept, &r->linear_shifted);
  set_kept(quadratic, r, r->quadratic_kept, &r->quadratic_shifted);
  out_json_set(o, "linear_integrals", linear);
  out_json_set(quadratic, "beyond_products",
               number(r->quadratic.dimension - r->products, &r->quadratic));
  out_json_set(o, "quadratic_integrals", quadratic);
  out_json_set(measure, "exists", out_json_string(word(r->measure)));
  out_json_set(measure, "why", out_json_string(r->measure_why));
  if (r->density != EXPR_NONE) {
    json_t* speeds = json_array();
    for (int i = 0; i < r->speeds; i++)
      out_json_push(speeds, out_json_string(r->s->model->coord[r->speed[i]].name));
    out_json_set(measure, "density", formula(r, r->density));
    out_json_set(measure, "density_power_of_det_S", out_json_real(r->power));
    out_json_set(measure, "velocities", speeds);
    out_json_set(measure, "reducing_multiplier", json_boolean(r->multiplier));
  }
  out_json_set(o, "measure", measure);
  out_json_print(out, o, true);
}

// ---- text ---------------------------------------------------------------------------------------

static void write_count(const char* what, const geom_count* c, base_text* out)
{
  if (c->dimension < 0) {
    base_text_printf(out, "%-22s not known: their equations take too long to follow\n", what);
    return;
  }
  base_text_printf(out, "%-22s %s%d", what, c->sure ? "" : "at most ", c->dimension);
  if (isfinite(c->kept))
    base_text_printf(out, "   (singular values from %.1g on, none from %.1g down)", c->kept,
                     c->dropped);
  base_text_add(out, "\n");
}

static void write_kept(const geom_structure* r, int kept, const geom_count* shifted, base_text* out)
{
  if (r->symmetries.dimension > 0 && kept >= 0)
    base_text_printf(out, "%-22s %d\n", "  kept by symmetries", kept);
  if (r->shifts && shifted->dimension > 0) write_count("  kept by shifts", shifted, out);
}

enum { WIDTH = 100 };

static void write_formula(const geom_structure* r, const char* label, expr e, base_text* out)
{
  char* text = text_of(r, e);
  base_text_printf(out, "  %-4s = ", label);
  out_text_wrap(out, text, 9, 11, WIDTH);
  base_text_add(out, "\n");
  free(text);
}

// "-y d/dx + x d/dy"
static void write_field(const geom_structure* r, const geom_closed* x, int number, base_text* out)
{
  const mech_system* s = r->s;
  base_text words = {0};
  for (int i = 0; i < s->n; i++) {
    if (x->field[i] == s->zero[0]) continue;
    char* text = text_of(r, x->field[i]);
    const bool one = !strcmp(text, "1"), minus = !strcmp(text, "-1"),
               sum = expr_kind_of(s->pool, x->field[i]) == EXPR_SUM;
    base_text_printf(&words, "%s%s%s%s%sd/d%s", words.n ? " + " : "", sum ? "(" : "",
                     one     ? ""
                     : minus ? "-"
                             : text,
                     sum ? ")" : "", one || minus ? "" : " ", s->model->coord[i].name);
    free(text);
  }
  base_text_printf(out, "  X%-3d = ", number);
  out_text_wrap(out, words.at ? words.at : "0", 9, 11, WIDTH);
  base_text_add(out, "\n");
  base_text_free(&words);
  if (r->holonomic) return;
  // the momentum equation
  char *momentum = text_of(r, x->value), *rate = x->lost == EXPR_NONE ? NULL : text_of(r, x->lost);
  base_text line = {0};
  base_text_printf(&line, "d/dt (%s) = %s", momentum, rate ? rate : "0");
  base_text_add(out, "         ");
  out_text_wrap(out, line.at, 9, 11, WIDTH);
  base_text_add(out, "\n");
  base_text_free(&line);
  free(momentum);
  free(rate);
}

static void write_integrals(const geom_structure* r, const char* letter, int count,
                            const geom_closed* of, int all, base_text* out)
{
  char label[16];
  for (int i = 0; i < count; i++) {
    snprintf(label, sizeof label, "%s%d", letter, i + 1);
    write_formula(r, label, of[i].value, out);
    if (of[i].fitted) base_text_add(out, "         (at these values of the params)\n");
  }
  if (count && count < all)
    base_text_printf(out, "  %d more %s no formula\n", all - count,
                     all - count == 1 ? "has" : "have");
}

// "sin(th)*det(S)^(1/2)"; `power` of det S
static char* density_text(const geom_structure* r, double power)
{
  base_text words = {0};
  const bool one = r->density == expr_int(r->s->pool, 1);
  if (!one || power == 0) expr_print(r->s->pool, &words, r->density);
  if (power != 0) base_text_printf(&words, "%sdet(S)", words.n ? "*" : "");
  if (power != 0 && power != 1)
    base_text_printf(&words, power == floor(power) && power > 0 ? "^%g" : "^(%g)", power);
  return base_text_take(&words);
}

static void write_density(const geom_structure* r, base_text* out)
{
  const model* m = r->s->model;
  char *density = density_text(r, r->power), *base = density_text(r, r->power - 1);
  base_text_printf(out, "  density %s in the coordinates and", density);
  for (int i = 0; i < r->speeds; i++)
    base_text_printf(out, "%s %s'", i ? "," : "", m->coord[r->speed[i]].name);
  if (strstr(density, "det(S)")) base_text_add(out, "; S the matrix of T in these velocities");
  base_text_add(out, "\n");
  if (r->multiplier)
    base_text_printf(out,
                     "%-22s %s: in the time dtau = N dt the motion of these two coordinates is "
                     "Hamiltonian (Chaplygin)\n",
                     "reducing multiplier N", base);
  free(density);
  free(base);
}

static void write_text(const geom_structure* r, base_text* out)
{
  const model* m = r->s->model;
  out_text_plain(out, m->title[0] ? m->title : "model without a title");
  base_text_printf(out, ": %d dimension%s of positions, %d of velocities, %s\n", r->n,
                   r->n == 1 ? "" : "s", r->l, r->holonomic ? "holonomic" : "nonholonomic");
  if (r->hidden)
    base_text_printf(out, "%d hidden position constraint%s: integrals are counted for each value\n",
                     r->hidden, r->hidden == 1 ? "" : "s");
  base_text_add(out, "\n");
  write_count("symmetries", &r->symmetries, out);
  for (int i = 0; i < r->closed_symmetries; i++) write_field(r, &r->symmetry[i], i + 1, out);
  write_count("linear integrals", &r->linear, out);
  write_kept(r, r->linear_kept, &r->linear_shifted, out);
  write_integrals(r, "F", r->closed_linear, r->linear_of, r->linear.dimension, out);
  write_count("quadratic integrals", &r->quadratic, out);
  base_text_printf(out, "%-22s %d\n", "  products of linear", r->products);
  write_kept(r, r->quadratic_kept, &r->quadratic_shifted, out);
  write_integrals(r, "G", r->closed_quadratic, r->quadratic_of,
                  r->quadratic.dimension - r->products, out);
  base_text_printf(out, "%-22s %s: %s\n", "invariant measure", word(r->measure), r->measure_why);
  if (r->density != EXPR_NONE) write_density(r, out);
}

bool out_structure_write(const geom_structure* r, const char* style, base_text* out)
{
  const bool json = !strcmp(style, "json");
  if (!json && strcmp(style, "text") != 0) return false;
  if (r && json) write_json(r, out);
  if (r && !json) write_text(r, out);
  return true;
}
