// Bushings: a body held elastically on another at a place of each.
//   d    from the place on A to that on B, in A's axes
//   R    B's axes in those of A; of a turn by theta about n:  1 + R_ii - R_jj - R_kk = (2
//   sin(theta/2)
//        n_i)^2, so that stiffness against turning has an energy without roots, up to half a turn
//   V = sum k_i/2 d_i^2 + kappa_i/2 (1 + R_ii - R_jj - R_kk)
// Damping acts against d_i' and against the parts of the relative angular velocity in A's axes.

#include "model/parts.h"

enum {
  // a stiffness that the motion changes would not belong to an energy
  NEVER_IN_STIFFNESS = MODEL_USES_STATE | MODEL_USES_JERK | MODEL_USES_RATE,
  NEVER_IN_DAMPING = MODEL_USES_ACCELERATION | MODEL_USES_JERK,
};

// three numbers in brackets, or one for all; zero where nothing is written
static bool triple(model_scope* s, const lang_node* n, const char* what, model_dim dim, int never,
                   expr out[3])
{
  model_vec_zero(s->pool, out);
  if (!n) return true;
  const bool list = n->kind == LANG_TUPLE;
  if (list && n->n != 3) {
    base_error(s->notes, n->place, "%s of a bushing is written (x, y, z), or as one number", what);
    return false;
  }
  bool fine = true;
  for (int i = 0; i < 3; i++) {
    const lang_node* x = list ? n->kid[i] : n;
    model_dim d;
    fine = fine && model_eval_scalar(s, x, what, &out[i], &d) &&
           model_expect_dim(s, x, d, dim, what) && model_expect_free(s, x, out[i], never, what);
  }
  return fine;
}

static bool laws(model_scope* s, const lang_statement* st, expr k[6], expr c[6])
{
  bool fine =
      triple(s, st->stiffness, "the stiffness", model_dim_of(0, 1, -2), NEVER_IN_STIFFNESS, k);
  fine &=
      triple(s, st->turning[0], "the stiffness", model_dim_of(2, 1, -2), NEVER_IN_STIFFNESS, k + 3);
  fine &= triple(s, st->damping, "the damping", model_dim_of(0, 1, -1), NEVER_IN_DAMPING, c);
  fine &= triple(s, st->turning[1], "the damping", model_dim_of(2, 1, -1), NEVER_IN_DAMPING, c + 3);
  return fine;
}

// the way d and its rate; the squares of the turns and the relative angular velocity
typedef struct bushing
{
  expr way[3], turns[3], rate[6];
} bushing;

static bool find(model_scope* s, const lang_statement* st, bushing* out)
{
  expr_pool* p = s->pool;
  const model_entry* thing[2];
  const model_place* at[2];
  model_dim length = model_dim_unknown();
  bool fine = true;
  for (int i = 0; i < 2; i++) {
    expr r[3];
    model_vec_zero(p, r);
    thing[i] = model_scope_frame(s, st->end[i].body);
    if (st->end[i].at) fine &= model_place_vector(s, st->end[i].at, "a place", r, &length);
    if (thing[i] && fine) at[i] = model_place_add(&s->kin, thing[i]->origin, thing[i]->axes, r);
  }
  if (!fine || !thing[0] || !thing[1]) return false;
  if (thing[0] == thing[1]) {
    base_error(s->notes, st->end[1].body.place, "a bushing joins two bodies, `%s` is named twice",
               st->end[1].body.text);
    return false;
  }
  const model_axes *B = thing[0]->axes, *A = thing[1]->axes;
  expr R[3], carried[3];
  model_place_between(&s->kin, at[1], at[0], A, out->way);
  model_vec_total(p, out->way, out->rate);
  for (int i = 0; i < 3; i++) {
    expr e[3], column[3];
    for (int j = 0; j < 3; j++) e[j] = expr_int(p, i == j);
    model_axes_change(&s->kin, B, A, e, column);
    R[i] = column[i];
  }
  for (int i = 0; i < 3; i++) {
    const expr others = expr_add(p, R[(i + 1) % 3], R[(i + 2) % 3]);
    out->turns[i] = expr_sub(p, expr_add(p, expr_int(p, 1), R[i]), others);
  }
  model_axes_omega(&s->kin, B, A, out->rate + 3);
  model_axes_omega(&s->kin, A, A, carried);
  model_vec_sub(p, out->rate + 3, carried, out->rate + 3);
  return true;
}

bool model_bushing_energy(model_scope* s, const lang_statement* st, expr* out)
{
  expr_pool* p = s->pool;
  bushing x;
  expr k[6], c[6];
  if (!find(s, st, &x) || !laws(s, st, k, c)) return false;
  *out = expr_int(p, 0);
  for (int i = 0; i < 3; i++) {
    const expr term[2] = {expr_mul(p, k[i], expr_mul(p, x.way[i], x.way[i])),
                          expr_mul(p, k[3 + i], x.turns[i])};
    *out = expr_add(p, *out, expr_div(p, expr_sum(p, 2, term), expr_int(p, 2)));
  }
  return true;
}

bool model_bushing_length(model_scope* s, const lang_statement* st, expr* out)
{
  bushing x;
  if (!find(s, st, &x)) return false;
  *out = expr_fn1(s->pool, EXPR_SQRT, model_vec_dot(s->pool, x.way, x.way));
  return true;
}

bool model_bushing_force(model_scope* s, const lang_statement* st, expr* out)
{
  expr_pool* p = s->pool;
  bushing x;
  expr k[6], c[6], F[3];
  if (!find(s, st, &x) || !laws(s, st, k, c)) return false;
  for (int i = 0; i < 3; i++)
    F[i] = expr_add(p, expr_mul(p, k[i], x.way[i]), expr_mul(p, c[i], x.rate[i]));
  *out = expr_fn1(p, EXPR_SQRT, model_vec_dot(p, F, F));
  return true;
}

bool model_bushing_drag(model_scope* s, const lang_statement* st, expr pull[6], expr rate[6])
{
  bushing x;
  expr k[6], c[6];
  // what is wrong was said of its energy
  const model_entry* energy = model_spring_energy(s, st);
  if (!energy || energy->poisoned || !find(s, st, &x) || !laws(s, st, k, c)) return false;
  for (int i = 0; i < 6; i++) {
    rate[i] = x.rate[i];
    pull[i] = expr_mul(s->pool, c[i], x.rate[i]);
  }
  return true;
}
