// Bychkov's equations: a body that rolls, with all it carries, on a base that moves by a given law.
#include "mech/form.h"

// Legend, on the axes e1, e2, e3 of the contact (e3 the normal): m_k angular momentum of the whole
// about the contact point, Q_k its momentum, v_k velocity of the contact point in space, W_k
// angular velocity of the axes, P_k moments of the active forces about the contact point. Bychkov
// (2004), (2.5), with W = w - w1 and v = u + j:
//   m_1' + W_2 m_3 - W_3 m_2 + v_2 Q_3 - v_3 Q_2 = P_1   and cyclic,
// which is dK/dt + v x Q = moment, (2.9). A virtual rotation theta about the contact moves the
// body's origin by rho x theta and its quaternion by theta q/2, so that
//   P_k = G_r . (rho x e_k) + G_q . (e_k q)/2.
// Carried coordinates follow Lagrange's equations, (2.4). What is printed is the same in the
// paper's variables (model/roll_paper.c), where charts and masses suit. The force of the contact is
// what Newton's law asks beside the active forces: F = dQ/dt - G_r.

static const char* const label[3] = {"sigma", "tau", "n"};

typedef struct work
{
  mech_equations* e;
  const mech_system* s;
  const model_contact* c;
  bool* bound; // coordinates of the rolling body and of the contact
} work;

static expr dot3(expr_pool* p, const expr* a, const expr* b)
{
  return mech_dot(p, 3, a, 1, b, 1);
}

static void cross3(expr_pool* p, const expr* a, const expr* b, expr* out)
{
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = expr_sub(p, expr_mul(p, a[j], b[k]), expr_mul(p, a[k], b[j]));
  }
}

// ---- does it suit? ------------------------------------------------------------------------------

static void find_bound(const mech_system* s, bool* bound)
{
  const model* m = s->model;
  const model_contact* c = &m->contact[0];
  for (int i = 0; i < 7; i++) bound[c->carrier[i]] = true;
  // coordinates without inertia belong to the contact
  for (int i = 0; i < s->n; i++) {
    bool idle = true;
    for (int j = 0; j < s->n && idle; j++) idle = mech_mass(s)[i * s->n + j] == s->zero[0];
    bound[i] = bound[i] || idle;
  }
}

static const char* check_coordinates(const mech_system* s, const bool* bound, base_arena* arena)
{
  const model_contact* c = &s->model->contact[0];
  for (int i = 0; i < s->n; i++) {
    bool own = false;
    for (int k = 0; k < 7; k++) own = own || c->carrier[k] == i;
    if (bound[i] && !own && s->G[i] != s->zero[0])
      return base_arena_printf(arena, "a force acts on `%s`, a coordinate of the contact",
                               s->model->coord[i].name);
    for (int k = 0; k < s->m && !bound[i]; k++)
      if (s->A[k * s->n + i] != s->zero[0])
        return base_arena_printf(arena, "the base moves with the coordinate `%s`",
                                 s->model->coord[i].name);
  }
  return NULL;
}

static const char* unsuited(const mech_system* s, base_arena* arena)
{
  const model* m = s->model;
  if (m->contacts == 0) return "no body rolls";
  if (m->contact[0].why_not) return m->contact[0].why_not;
  for (int k = 0; k < s->m; k++)
    if (!m->constraint[k].contact && !m->constraint[k].internal)
      return base_arena_printf(arena, "there is a constraint beside the contact, `%s`",
                               m->constraint[k].name);
  bool* bound = base_arena_take(arena, sizeof(bool) * (size_t)(s->n + 1));
  find_bound(s, bound);
  return check_coordinates(s, bound, arena);
}

// ---- the equations ------------------------------------------------------------------------------

// a symbol for the k-th part of a vector, and what it stands for
static expr define(const work* w, const char* name, int k, const char* primes, expr value)
{
  char* wish = base_arena_printf(w->e->arena, "%s_%s", name, label[k]);
  expr symbol = mech_name_symbol(w->s, w->e->arena, wish, primes);
  mech_add_definition(w->e, name, symbol, value);
  return symbol;
}

static expr moment(const work* w, int k)
{
  expr_pool* p = w->s->pool;
  const expr *e = w->c->axis[k], *G = w->s->G;
  const int* at = w->c->carrier;
  expr r[3], arm[3], force[3], q[4], turn[4];
  for (int i = 0; i < 3; i++) {
    r[i] = w->c->rho[i];
    force[i] = G[at[i]];
  }
  for (int i = 0; i < 4; i++) q[i] = w->s->q[at[3 + i]];
  cross3(p, r, e, arm);
  // (0, e) q
  expr side[3];
  cross3(p, e, q + 1, side);
  turn[0] = expr_neg(p, dot3(p, e, q + 1));
  for (int i = 0; i < 3; i++) turn[1 + i] = expr_add(p, expr_mul(p, q[0], e[i]), side[i]);
  expr sum = dot3(p, force, arm);
  for (int i = 0; i < 4; i++)
    sum = expr_add(p, sum, expr_mul(p, expr_ratio(p, 1, 2), expr_mul(p, turn[i], G[at[3 + i]])));
  return sum;
}

// moments about the contact: dK/dt + v x Q - moment, (2.9), on e_k
static void carrier_residuals(const work* w)
{
  expr_pool* p = w->s->pool;
  const model_contact* c = w->c;
  expr turned[3];
  cross3(p, c->v, c->P, turned);
  for (int i = 0; i < 3; i++) turned[i] = expr_add(p, turned[i], expr_total(p, c->K[i]));
  for (int k = 0; k < 3; k++)
    mech_add_residual(w->e, expr_sub(p, dot3(p, turned, c->axis[k]), moment(w, k)));
}

// the same in letters, which are formulas of the body's place and attitude
static void carrier_equations(const work* w)
{
  expr_pool* p = w->s->pool;
  const model_contact* c = w->c;
  expr m[3], rate[3], Q[3], v[3], W[3], P[3];
  for (int k = 0; k < 3; k++) {
    expr axis[3];
    const int j = (k + 1) % 3, l = (k + 2) % 3;
    for (int i = 0; i < 3; i++) axis[i] = expr_total(p, c->axis[j][i]);
    expr value = dot3(p, c->K, c->axis[k]);
    m[k] = define(w, "m", k, "", value);
    rate[k] = define(w, "m", k, "'", expr_total(p, value));
    Q[k] = define(w, "Q", k, "", dot3(p, c->P, c->axis[k]));
    v[k] = define(w, "v", k, "", dot3(p, c->v, c->axis[k]));
    W[k] = define(w, "W", k, "", dot3(p, axis, c->axis[l]));
    P[k] = define(w, "P", k, "", moment(w, k));
  }
  for (int k = 0; k < 3; k++) {
    const int j = (k + 1) % 3, l = (k + 2) % 3;
    expr part[5] = {rate[k], expr_mul(p, W[j], m[l]), expr_neg(p, expr_mul(p, W[l], m[j])),
                    expr_mul(p, v[j], Q[l]), expr_neg(p, expr_mul(p, v[l], Q[j]))};
    mech_add_equation(w->e, label[k], expr_sum(p, 5, part), P[k]);
  }
}

// row i of Lagrange's equations; nothing of the contact enters it
static void carried_equations(const work* w, bool shown)
{
  const mech_system* s = w->s;
  const mech_sides sides = mech_sides_lagrange(s);
  expr* one = mech_take(w->e->arena, s->n);
  for (int i = 0; i < s->n; i++) {
    if (w->bound[i]) continue;
    for (int j = 0; j < s->n; j++) one[j] = expr_int(s->pool, i == j);
    if (shown)
      mech_add_projected(w->e, s, &sides, s->model->coord[i].name, one, 1, s->zero[0]);
    else
      mech_add_residual(w->e, mech_sides_residual(s, &sides, i));
  }
}

// Where it suits, all in the paper's variables: kinematics, moments, carried coordinates. Forces
// beside gravity are said in the coordinates of the body, in which they were given.
static void paper_equations(const work* w)
{
  expr_pool* p = w->s->pool;
  const model_contact* c = w->c;
  enum { kinematics = MODEL_CONTACT_COORDS };
  for (int i = 0; i < c->definitions; i++)
    mech_add_definition(w->e, c->definition[i].name, c->definition[i].symbol,
                        c->definition[i].value);
  for (int i = 0; i < c->equations; i++) {
    const model_named* q = &c->equation[i];
    const int k = i - kinematics, at = k < 3 ? -1 : model_coord_find(w->s->model, q->name);
    expr right = q->value;
    if (k >= 0 && k < 3 && c->other_forces) right = define(w, "P", k, "", moment(w, k));
    if (at >= 0) right = c->other_forces ? w->s->G[at] : expr_add(p, right, w->s->model->Q[at]);
    mech_add_equation(w->e, q->name, q->symbol, right);
  }
}

static void contact_reactions(const work* w)
{
  const mech_system* s = w->s;
  expr_pool* p = s->pool;
  int at = 0;
  expr F[3];
  for (int i = 0; i < 3; i++) F[i] = expr_sub(p, expr_total(p, w->c->P[i]), s->G[w->c->carrier[i]]);
  for (int k = 0; k < s->m; k++) {
    if (!s->model->constraint[k].contact) continue;
    mech_add_reaction(w->e, s->model->constraint[k].name, s->model->reaction[k],
                      dot3(p, F, w->c->along[at++]));
  }
}

// the same on the axes of the contact, in the paper's letters
static void contact_force(const work* w)
{
  const mech_system* s = w->s;
  expr_pool* p = s->pool;
  const model_contact* c = w->c;
  expr G[3];
  for (int i = 0; i < 3; i++) G[i] = s->G[c->carrier[i]];
  for (int k = 0; k < 3; k++) {
    const expr active = c->other_forces ? dot3(p, G, c->axis[k]) : c->weight[k];
    mech_add_force(w->e, c->on_axes[k].name, c->on_axes[k].symbol,
                   expr_sub(p, c->on_axes[k].value, active));
  }
}

static mech_equations* derive(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  (void)choice;
  if (mech_form_refuses(&mech_form_bychkov, s, notes)) return NULL;
  mech_equations* e = mech_equations_new(&mech_form_bychkov);
  const model_contact* c = &s->model->contact[0];
  work w = {.e = e, .s = s, .c = c};
  w.bound = base_arena_take(e->arena, sizeof(bool) * (size_t)(s->n + 1));
  find_bound(s, w.bound);
  model_contact_write(s->model, 0);
  const bool paper = c->equations > 0;
  // the speeds of the contact are variables of the paper's equations
  for (int i = 0; i < s->model->quasis && !paper; i++) {
    const model_quasi* q = &s->model->quasi[i];
    mech_add_definition(e, q->name, expr_symbol(s->pool, q->name), q->value);
  }
  carrier_residuals(&w);
  if (paper)
    paper_equations(&w);
  else
    carrier_equations(&w);
  carried_equations(&w, !paper);
  for (int k = 0; k < s->m; k++) {
    if (paper)
      mech_add_constraint_residual(e, s, k);
    else
      mech_add_constraint(e, s, k);
  }
  mech_add_accelerations(e, s);
  contact_reactions(&w);
  if (paper) contact_force(&w);
  return mech_equations_finish(e, s, notes);
}

const mech_form mech_form_bychkov = {
    .name = "bychkov",
    .aliases = "",
    .title = "Bychkov's equations of rolling with carried bodies",
    .needs = "one body with a frame of its own that rolls on a base moving by a given law, and "
             "carries all masses; the axes of its chart are singular at the poles",
    .unsuited = unsuited,
    .derive = derive,
};
