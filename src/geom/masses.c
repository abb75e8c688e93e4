// Where the masses are: their places, each by the root of its mass, are an embedding.
//
//   2 T = sum m |r'|^2 over particles; of a rigid body m |r_c'|^2 + sum_k P_k |e_k'|^2 with its
//   axes
// e_k and second moments P_k = (J_i + J_j - J_k)/2 along them; of a rod m |r_c'|^2 + m/12
// |edge'|^2.
#include <stdlib.h>
#include <string.h>

#include "geom/formula.h"
#include "geom/natural.h"

typedef struct places
{
  const geom_space* s;
  expr_pool* p;
  int count;
  expr* x;
  bool full;
} places;

// sqrt(weight) r, the parts of it that move
static void add(places* a, expr weight, const expr* r)
{
  expr_pool* p = a->p;
  if (expr_is_zero(p, weight) == EXPR_YES) return;
  const expr root = geom_root(p, weight);
  for (int i = 0; i < 3; i++) {
    if (!expr_has_any(p, r[i], a->s->n, a->s->q)) continue;
    if (a->count == GEOM_SQUARES || root == EXPR_NONE) {
      a->full = true;
      return;
    }
    a->x[a->count++] = expr_mul(p, root, r[i]);
  }
}

static void add_axes(places* a, const model_part* b)
{
  expr_pool* p = a->p;
  for (int k = 3; k < 6; k++)
    if (expr_is_zero(p, b->inertia[k]) != EXPR_YES) a->full = true;
  for (int k = 0; k < 3 && !a->full; k++) {
    const expr two = expr_sum(
        p, 3,
        (expr[]){b->inertia[(k + 1) % 3], b->inertia[(k + 2) % 3], expr_neg(p, b->inertia[k])});
    const expr axis[3] = {b->rotation[k], b->rotation[3 + k], b->rotation[6 + k]};
    add(a, expr_simplify(p, expr_div(p, two, expr_int(p, 2))), axis);
  }
}

// centre, and edges by a twelfth of the mass
static void add_edges(places* a, const model_part* b, bool plate)
{
  expr_pool* p = a->p;
  expr centre[3], one[3], two[3];
  for (int i = 0; i < 3; i++) {
    centre[i] = expr_div(p, expr_add(p, b->at[i], plate ? b->third[i] : b->to[i]), expr_int(p, 2));
    one[i] = expr_sub(p, b->to[i], b->at[i]);
    two[i] = expr_sub(p, b->third[i], b->to[i]);
  }
  const expr twelfth = expr_div(p, b->mass, expr_int(p, 12));
  add(a, b->mass, centre);
  add(a, twelfth, one);
  if (plate) add(a, twelfth, two);
}

static void add_part(places* a, const model_part* b)
{
  switch (b->kind) {
  case MODEL_PART_PARTICLE:
    add(a, b->mass, b->at);
    break;
  case MODEL_PART_ROD:
  case MODEL_PART_PLATE:
    add_edges(a, b, b->kind == MODEL_PART_PLATE);
    break;
  case MODEL_PART_BODY:
  case MODEL_PART_DISC:
  case MODEL_PART_BALL:
    add(a, b->mass, b->at);
    add_axes(a, b);
    break;
  default:
    break;
  }
}

// what the masses leave of the metric, where it is a constant for single coordinates: lines
static bool add_rest(places* a)
{
  const geom_space* s = a->s;
  expr_pool* p = a->p;
  const int n = s->n, N = a->count;
  expr* J = base_alloc(sizeof(expr) * (size_t)(N * n + 1));
  for (int k = 0; k < N; k++) expr_gradient(p, a->x[k], n, s->q, J + k * n);
  bool fine = true;
  for (int i = 0; i < n && fine; i++)
    for (int j = i; j < n && fine; j++) {
      expr left = s->g[i * n + j];
      for (int k = 0; k < N; k++) left = expr_sub(p, left, expr_mul(p, J[k * n + i], J[k * n + j]));
      if (expr_is_zero(p, left) == EXPR_YES) continue;
      left = expr_size(p, 1, &left) < 400 ? expr_simplify(p, left) : left;
      fine = i == j && !expr_has_any(p, left, n, s->q) && a->count < GEOM_SQUARES;
      if (fine && expr_value(p, left, s->symbols, s->symbol, s->value) > 0)
        a->x[a->count++] = expr_mul(p, geom_root(p, left), s->q[i]);
    }
  free(J);
  return fine;
}

int geom_masses_places(const geom_space* s, expr* x)
{
  places a = {.s = s, .p = s->pool, .x = x};
  if (!s->m->scope) return 0;
  // a scene adds expressions to the model's pool and changes nothing that is there
  model_scene* scene = model_scene_make((model*)s->m);
  for (int i = 0; scene && i < scene->parts; i++)
    if (!scene->part[i].shown) add_part(&a, &scene->part[i]);
  if (a.full || a.count == 0 || expr_size(s->pool, a.count, x) > 1500 || !add_rest(&a)) return 0;
  return a.count;
}
