// Forces and bounds of friction that depend on the reactions of the step that they help to make.
//
// F(t, q, v, Lambda), and |P_t| <= mu |P| of what holds both ways, ask for the impulses P = h
// Lambda of the step itself. It is made with the reactions of the step before, then with its own,
// until they stay the same. Where turn by turn they come nearer by a factor less than one, that is
// the only answer near; where they do not, half the way is gone; and what is left counts as a
// breach of the laws.
#include "contact/contact.h"
#include "walk/moreau.h"

#include <math.h>
#include <string.h>

enum { most_turns = 200, plain_turns = 40 };

// friction of a contact that is decided in the step, and nothing else: the force stands aside
static bool rubs_alone(engine* e, int k)
{
  const model_constraint* c = &e->model->constraint[k];
  if (c->friction == EXPR_NONE || !(c->sense || c->guides)) return false;
  return !e->program->felt[k] || !contact_slip_feels_otherwise(e, k);
}

void walk_moreau_forces(engine* e, expr* F)
{
  const mech_system* s = e->s;
  expr* to = base_arena_take(e->arena, sizeof(expr) * (size_t)(e->m + 1));
  for (int k = 0; k < e->m; k++)
    to[k] = rubs_alone(e, k) ? expr_int(s->pool, 0) : e->model->reaction[k];
  expr_substitute_all(s->pool, e->n, s->F, e->m, e->model->reaction, to, F);
}

// F without the terms of inertia in the velocities. These vary with the places by squares of
// velocities: in h^2/4 dF/dq that is no more than the error of the step, and most of what there
// would be to evaluate. Terms of inertia at rest, where frames are led, stay.
void walk_moreau_leave_inertia(engine* e, expr* F)
{
  const mech_system* s = e->s;
  expr* rest = base_arena_take(e->arena, sizeof(expr) * (size_t)(e->n + 1));
  expr_substitute_all(s->pool, e->n, s->h, e->n, s->v, s->zero, rest);
  for (int i = 0; i < e->n; i++)
    F[i] = expr_add(s->pool, F[i], expr_sub(s->pool, s->h[i], rest[i]));
}

bool walk_moreau_asks(const engine* e, int count, const expr* list)
{
  for (int i = 0; i < count; i++)
    if (expr_has_any(e->s->pool, list[i], e->m, e->model->reaction)) return true;
  return false;
}

// Work is counted without the reactions of inequalities, whose own is what contacts take: the power
// of the forces that these are part of, sum v_j (F_j(Lambda) - F_j(0)), is counted beside it.
expr walk_moreau_felt_power(engine* e)
{
  const mech_system* s = e->s;
  expr_pool* p = s->pool;
  const size_t bytes = sizeof(expr) * (size_t)(e->n + e->m + 1);
  expr *F = base_arena_take(e->arena, bytes), *to = base_arena_take(e->arena, bytes);
  expr sum = expr_int(p, 0);
  for (int k = 0; k < e->m; k++) {
    const model_constraint* c = &e->model->constraint[k];
    to[k] = c->sense || c->sticks ? expr_int(p, 0) : e->model->reaction[k];
  }
  expr_substitute_all(p, e->n, s->F, e->m, e->model->reaction, to, F);
  for (int j = 0; j < e->n; j++)
    sum = expr_add(p, sum, expr_mul(p, s->v[j], expr_sub(p, s->F[j], F[j])));
  engine_numbers(e->program, 1, &sum, &sum);
  engine_corners_hold(&e->program->modes, p, 1, &sum, &sum);
  return sum;
}

bool walk_moreau_settled(walk_moreau* s, int turn)
{
  double* felt = s->e->lambda;
  double size = 0, change = 0;
  for (int k = 0; k < s->m; k++) {
    size = fmax(size, fabs(s->lambda[k]));
    change = fmax(change, fabs(s->lambda[k] - felt[k]));
    felt[k] = turn < plain_turns ? s->lambda[k] : (felt[k] + s->lambda[k]) / 2;
  }
  const bool same = change <= cone_many_tolerance * size;
  s->unsettled = same ? 0 : change / size;
  return same || turn == most_turns;
}
