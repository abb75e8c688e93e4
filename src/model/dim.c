// Algebra of physical dimensions: products, powers, sums, and their text in SI units.

#include "model/dim.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// exponents beyond this are given up as unknown
enum { LARGEST = 100 * MODEL_DIM_PARTS };

model_dim model_dim_unknown(void)
{
  return (model_dim){.kind = MODEL_DIM_UNKNOWN};
}

model_dim model_dim_pure(void)
{
  return (model_dim){.kind = MODEL_DIM_PURE};
}

model_dim model_dim_one(void)
{
  return (model_dim){.kind = MODEL_DIM_KNOWN};
}

model_dim model_dim_of(int length, int mass, int time)
{
  model_dim d = model_dim_one();
  d.e[0] = (int16_t)(length * MODEL_DIM_PARTS);
  d.e[1] = (int16_t)(mass * MODEL_DIM_PARTS);
  d.e[2] = (int16_t)(time * MODEL_DIM_PARTS);
  return d;
}

static model_dim combine(model_dim a, model_dim b, int sign)
{
  if (a.kind == MODEL_DIM_UNKNOWN || b.kind == MODEL_DIM_UNKNOWN) return model_dim_unknown();
  if (a.kind == MODEL_DIM_PURE && b.kind == MODEL_DIM_PURE) return a;
  model_dim d = {.kind = MODEL_DIM_KNOWN};
  d.param = a.param || b.param;
  d.coord = a.coord || b.coord;
  d.factor = a.factor || b.factor || a.kind == MODEL_DIM_PURE || b.kind == MODEL_DIM_PURE;
  for (int i = 0; i < MODEL_DIM_BASES; i++) {
    const int e = a.e[i] + sign * b.e[i];
    if (abs(e) > LARGEST) return model_dim_unknown();
    d.e[i] = (int16_t)e;
  }
  return d;
}

model_dim model_dim_mul(model_dim a, model_dim b)
{
  return combine(a, b, 1);
}

model_dim model_dim_div(model_dim a, model_dim b)
{
  return combine(a, b, -1);
}

model_dim model_dim_pow(model_dim a, double exponent)
{
  if (a.kind != MODEL_DIM_KNOWN) return a;
  for (int i = 0; i < MODEL_DIM_BASES; i++) {
    double e = a.e[i] * exponent, whole = nearbyint(e);
    if (!(fabs(e) <= LARGEST) || fabs(e - whole) > 1e-9) return model_dim_unknown();
    a.e[i] = (int16_t)whole;
  }
  return a;
}

model_dim model_dim_rate(model_dim a, int primes)
{
  if (a.kind != MODEL_DIM_KNOWN) return model_dim_unknown();
  const long time = a.e[2] - (long)primes * MODEL_DIM_PARTS;
  if (labs(time) > LARGEST) return model_dim_unknown();
  a.e[2] = (int16_t)time;
  return a;
}

model_dim model_dim_weak(void)
{
  model_dim d = model_dim_one();
  d.factor = true;
  return d;
}

bool model_dim_same(const model_dim* a, const model_dim* b)
{
  assert(a->kind == MODEL_DIM_KNOWN && b->kind == MODEL_DIM_KNOWN);
  return memcmp(a->e, b->e, sizeof a->e) == 0;
}

bool model_dim_is_one(const model_dim* a)
{
  model_dim one = model_dim_one();
  return a->kind == MODEL_DIM_KNOWN && model_dim_same(a, &one);
}

// a bare factor without a param beside it may hide a unit
static bool loose(const model_dim* a)
{
  return a->factor && !a->param;
}

bool model_dim_join(model_dim a, model_dim b, model_dim* sum)
{
  *sum = a.kind == MODEL_DIM_KNOWN ? a : b;
  if (a.kind != MODEL_DIM_KNOWN || b.kind != MODEL_DIM_KNOWN) {
    if (sum->kind == MODEL_DIM_PURE && a.kind != b.kind) *sum = model_dim_unknown();
    return true;
  }
  if (model_dim_same(&a, &b)) {
    sum->param = a.param || b.param;
    sum->coord = a.coord || b.coord;
    sum->factor = a.factor && b.factor;
    return true;
  }
  *sum = model_dim_unknown();
  return loose(&a) || loose(&b);
}

bool model_dim_misfits(const model_dim* a, const model_dim* wanted)
{
  if (a->kind != MODEL_DIM_KNOWN || wanted->kind != MODEL_DIM_KNOWN || !a->param) return false;
  return !model_dim_same(a, wanted);
}

bool model_dim_has_unit(const model_dim* a)
{
  if (a->kind != MODEL_DIM_KNOWN || model_dim_is_one(a)) return false;
  // sin(t) and sin(2*x) are meant with a rate or a wave number of one
  return a->param || (a->coord && !a->factor);
}

// "m^2", "s", "m^(1/2)"
static void power_text(base_text* out, const char* name, int sixtieths)
{
  base_text_add(out, name);
  if (sixtieths == MODEL_DIM_PARTS) return;
  int above = sixtieths, below = MODEL_DIM_PARTS;
  for (int p = 2; p <= 5; p++)
    while (above % p == 0 && below % p == 0) {
      above /= p;
      below /= p;
    }
  if (below == 1)
    base_text_printf(out, "^%d", above);
  else
    base_text_printf(out, "^(%d/%d)", above, below);
}

static const struct
{
  const char* name;
  int length, mass, time;
} derived[] = {{"N", 1, 1, -2}, {"J", 2, 1, -2}, {"W", 2, 1, -3}, {"Pa", -1, 1, -2}};

const char* model_dim_text(base_arena* arena, const model_dim* a)
{
  static const char* const name[MODEL_DIM_BASES] = {"m", "kg", "s", "A", "K", "mol", "cd"};
  static const int order[MODEL_DIM_BASES] = {1, 0, 2, 3, 4, 5, 6};
  if (a->kind != MODEL_DIM_KNOWN) return "";
  for (size_t i = 0; i < sizeof derived / sizeof *derived; i++) {
    model_dim d = model_dim_of(derived[i].length, derived[i].mass, derived[i].time);
    if (model_dim_same(a, &d)) return derived[i].name;
  }
  base_text above = {0}, below = {0};
  int divisors = 0;
  for (int k = 0; k < MODEL_DIM_BASES; k++) {
    int e = a->e[order[k]];
    if (e == 0) continue;
    base_text* side = e > 0 ? &above : &below;
    if (side->n) base_text_add(side, "*");
    power_text(side, name[order[k]], abs(e));
    divisors += e < 0;
  }
  const char* top = above.n ? above.at : "1";
  const char* text = top;
  if (divisors == 0)
    text = base_arena_strdup(arena, top);
  else
    text = base_arena_printf(arena, divisors > 1 ? "%s/(%s)" : "%s/%s", top, below.at);
  base_text_free(&above);
  base_text_free(&below);
  return text;
}

bool model_dim_is_bare(model_dim d)
{
  return d.kind != MODEL_DIM_KNOWN || (d.factor && !d.param && !d.coord);
}
