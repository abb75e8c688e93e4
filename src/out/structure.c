// What a motion keeps, as text or JSON.
#include <math.h>
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

// members that are known in formulas, `linear` or quadratic: momenta of coordinates on which
// nothing depends, where there are no constraints; the energy
static json_t* basis(const geom_structure* r, bool linear)
{
  const mech_system* s = r->s;
  expr_pool* p = s->pool;
  json_t* list = json_array();
  if (!r->kept || r->speedy) return list;
  for (int i = 0; i < s->n; i++) {
    const expr momentum = expr_diff(p, s->model->T, s->v[i]);
    if (linear ? s->m > 0 || expr_has(p, s->H, s->q[i]) : i > 0) continue;
    base_text text = {0};
    expr_print(p, &text, linear ? momentum : s->H);
    out_json_push(list, out_json_string(text.at));
    base_text_free(&text);
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
  out_json_set(linear, "basis", basis(r, true));
  out_json_set(quadratic, "basis", basis(r, false));
  out_json_set(o, "linear_integrals", linear);
  out_json_set(quadratic, "beyond_products",
               number(r->quadratic.dimension - r->products, &r->quadratic));
  out_json_set(o, "quadratic_integrals", quadratic);
  out_json_set(measure, "exists", out_json_string(word(r->measure)));
  out_json_set(measure, "why", out_json_string(r->measure_why));
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
  write_count("linear integrals", &r->linear, out);
  write_count("quadratic integrals", &r->quadratic, out);
  base_text_printf(out, "%-22s %d\n", "  products of linear", r->products);
  base_text_printf(out, "%-22s %s: %s\n", "invariant measure", word(r->measure), r->measure_why);
}

bool out_structure_write(const geom_structure* r, const char* style, base_text* out)
{
  const bool json = !strcmp(style, "json");
  if (!json && strcmp(style, "text") != 0) return false;
  if (r && json) write_json(r, out);
  if (r && !json) write_text(r, out);
  return true;
}
