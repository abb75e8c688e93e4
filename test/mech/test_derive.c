// The common linear problem against finite differences, closed forms and the balance of energy.
#include "mech/hand.h"
#include "mech/mech.h"

// a model with everything: time, a driven param, friction, constraints of all orders
static hand* everything(void)
{
  hand* h = hand_new("x y phi", "m=2 J=0.4 c=3 g=9.81 a=0.7*");
  hand_energies(h, "m/2*(x'^2 + y'^2) + J/2*(phi' + a')^2 + m*a*phi'*x'*cos(y) + sin(t)*x'*phi",
                "c/2*a*x^2*cos(t) + m*g*y*sin(phi)");
  hand_force(h, "y", "-0.3*y'*abs(x') + sin(t)");
  hand_force(h, "phi", "a'*y");
  hand_constraint(h, "belt", "x*cos(t) + y*sin(phi) - a^2");
  hand_constraint(h, "wheel", "x'*sin(phi) - y'*cos(phi) + a*phi' - t");
  hand_constraint(h, "push", "x''*y + phi''*x' - phi*y'");
  hand_constraint(h, "cone", "x'^2*a - y'^2 + phi'*t");
  return h;
}

// the state after a short time along q + v dt + a dt^2/2, driven params and t moving too
static hand_state later(const hand* h, const hand_state* s, double dt)
{
  const model* m = &h->m;
  hand_state r = *s;
  for (int i = 0; i < m->coords; i++) {
    double q = hand_get(h, s, m->coord[i].q), v = hand_get(h, s, m->coord[i].v),
           a = hand_get(h, s, m->coord[i].a);
    hand_put(&r, m->coord[i].q, q + v * dt + a * dt * dt / 2);
    hand_put(&r, m->coord[i].v, v + a * dt);
  }
  hand_put(&r, m->t, hand_get(h, s, m->t) + dt);
  for (int i = 0; i < m->params; i++) {
    const model_param* p = &m->param[i];
    if (!p->changes) continue;
    double a0 = hand_get(h, s, p->symbol), a1 = hand_get(h, s, p->rate),
           a2 = hand_get(h, s, p->rate2);
    hand_put(&r, p->symbol, a0 + a1 * dt + a2 * dt * dt / 2);
    hand_put(&r, p->rate, a1 + a2 * dt);
  }
  return r;
}

// dT/dv_i by a central difference of T alone
static double momentum(const hand* h, const hand_state* s, int i, double d)
{
  hand_state up = *s, down = *s;
  double v = hand_get(h, s, h->m.coord[i].v);
  hand_put(&up, h->m.coord[i].v, v + d);
  hand_put(&down, h->m.coord[i].v, v - d);
  return (hand_get(h, &up, h->m.T) - hand_get(h, &down, h->m.T)) / (2 * d);
}

static double slope(const hand* h, const hand_state* s, expr e, expr by, double d)
{
  hand_state up = *s, down = *s;
  double q = hand_get(h, s, by);
  hand_put(&up, by, q + d);
  hand_put(&down, by, q - d);
  return (hand_get(h, &up, e) - hand_get(h, &down, e)) / (2 * d);
}

static hand_state moving(const hand* h, uint64_t* seed)
{
  hand_state s = hand_throw(h, seed);
  for (int i = 0; i < h->m.coords; i++) hand_put(&s, h->m.coord[i].a, hand_random(seed));
  return s;
}

TEST(mass_matrix_and_forces_match_differences_of_the_energies)
{
  hand* h = everything();
  const model* m = &h->m;
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(m, notes);
  CHECK(s != NULL);
  uint64_t seed = 11;
  for (int trial = 0; trial < 10; trial++) {
    hand_state at = moving(h, &seed);
    double dt = 1e-4, d = 1e-4;
    hand_state after = later(h, &at, dt), before = later(h, &at, -dt);
    for (int i = 0; i < s->n; i++) {
      double E = (momentum(h, &after, i, d) - momentum(h, &before, i, d)) / (2 * dt);
      E -= slope(h, &at, m->T, m->coord[i].q, d);
      double want = E - hand_get(h, &at, m->Q[i]) + slope(h, &at, m->V, m->coord[i].q, d);
      double got = -hand_get(h, &at, s->F[i]);
      for (int j = 0; j < s->n; j++)
        got += hand_get(h, &at, s->M[i * s->n + j]) * hand_get(h, &at, s->a[j]);
      CHECK_NEAR(got, want, 2e-6 * (1 + fabs(want)));
    }
  }
  mech_free(s);
  base_notes_free(notes);
  hand_free(h);
}

// A a - c is the constraint differentiated: by differences along a moving state
TEST(constraint_rows_match_differences_of_the_constraints)
{
  hand* h = everything();
  const model* m = &h->m;
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(m, notes);
  uint64_t seed = 12;
  for (int trial = 0; trial < 10; trial++) {
    hand_state at = moving(h, &seed);
    double dt = 1e-4;
    hand_state after = later(h, &at, dt), before = later(h, &at, -dt);
    for (int k = 0; k < s->m; k++) {
      expr f = m->constraint[k].f;
      double x = hand_get(h, &after, f), y = hand_get(h, &at, f), z = hand_get(h, &before, f);
      double rates[] = {(x - 2 * y + z) / (dt * dt), (x - z) / (2 * dt), y};
      double got = -hand_get(h, &at, s->c[k]);
      for (int j = 0; j < s->n; j++)
        got += hand_get(h, &at, s->A[k * s->n + j]) * hand_get(h, &at, s->a[j]);
      CHECK_NEAR(got, rates[m->constraint[k].order], 3e-6 * (1 + fabs(got)));
      if (m->constraint[k].order == 0)
        CHECK_NEAR(hand_get(h, &at, s->f1[k]), (x - z) / (2 * dt), 1e-6);
    }
    CHECK(s->f0[0] != EXPR_NONE && s->f0[1] == EXPR_NONE && s->f1[2] == EXPR_NONE);
  }
  mech_free(s);
  base_notes_free(notes);
  hand_free(h);
}

// accelerations and reactions of the common problem into the state
static void solve(const hand* h, const mech_system* s, hand_state* at)
{
  int n = s->n, m = s->m, w = n + m;
  double* A = base_alloc(sizeof(double) * (size_t)(w * w + 2 * w));
  double *b = A + w * w, *x = b + w;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) A[i * w + j] = hand_get(h, at, s->M[i * n + j]);
    for (int k = 0; k < m; k++)
      A[i * w + n + k] = -(A[(n + k) * w + i] = hand_get(h, at, s->A[k * n + i]));
    b[i] = hand_get(h, at, s->F[i]);
  }
  for (int k = 0; k < m; k++) b[n + k] = hand_get(h, at, s->c[k]);
  hand_solve(w, w, A, b, x);
  for (int i = 0; i < n; i++) hand_put(at, s->a[i], x[i]);
  for (int k = 0; k < m; k++) hand_put(at, h->m.reaction[k], x[n + k]);
  free(A);
}

// velocities onto the linear constraints: one step is exact
static void settle(const hand* h, const mech_system* s, hand_state* at)
{
  int n = s->n, rows = 0;
  double A[64], b[8], x[8];
  for (int k = 0; k < s->m; k++) {
    if (s->f1[k] == EXPR_NONE || !h->m.constraint[k].linear) continue;
    for (int j = 0; j < n; j++) A[rows * n + j] = hand_get(h, at, s->A[k * n + j]);
    b[rows++] = -hand_get(h, at, s->f1[k]);
  }
  hand_solve(rows, n, A, b, x);
  for (int j = 0; j < n; j++) hand_put(at, s->v[j], hand_get(h, at, s->v[j]) + x[j]);
}

static void energy_balances(hand* h)
{
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  CHECK(s != NULL);
  expr rate = expr_total(h->m.pool, s->H);
  uint64_t seed = 21;
  for (int trial = 0; trial < 20; trial++) {
    hand_state at = hand_throw(h, &seed);
    settle(h, s, &at);
    solve(h, s, &at);
    double got = hand_get(h, &at, rate), want = hand_get(h, &at, s->power);
    CHECK_NEAR(got, want, 1e-10 * (1 + fabs(want) + fabs(got)));
  }
  mech_free(s);
  base_notes_free(notes);
  hand_free(h);
}

TEST(energy_balances_with_moving_driven_and_resisting_parts)
{
  hand* h = hand_new("x y phi", "m=2 J=0.4 c=3 g=9.81 a=0.7*");
  hand_energies(h, "m/2*(x'^2 + y'^2) + J/2*(phi' + a')^2 + m*a*phi'*x'*cos(y) + sin(t)*x'*phi",
                "c/2*a*x^2*cos(t) + m*g*y*sin(phi)");
  hand_force(h, "y", "-0.3*y' + sin(t)");
  hand_constraint(h, "belt", "x*cos(t) + y*sin(phi) - a^2");
  hand_constraint(h, "wheel", "x'*sin(phi) - y'*cos(phi) + a*phi' - t");
  energy_balances(h);
}

TEST(energy_balances_with_a_nonlinear_constraint)
{
  hand* h = hand_new("x y z", "m=1 g=9.81 a=0.5");
  hand_energies(h, "m/2*(x'^2 + y'^2 + z'^2)", "-m*g*z");
  hand_force(h, "x", "-x'^3");
  hand_constraint(h, "speed", "x'^2 + y'^2 + z'^2 - 1 - a*sin(t)");
  energy_balances(h);
}

TEST(energy_balances_without_constraints_in_moving_axes)
{
  hand* h = hand_new("r phi", "m=1 Omega=2");
  hand_energies(h, "m/2*(r'^2 + r^2*(phi' + Omega*t)^2)", "r^2*cos(Omega*t)");
  hand_force(h, "phi", "-0.1*phi'");
  energy_balances(h);
}

TEST(ideal_homogeneous_constraints_do_no_work)
{
  hand* h = hand_new("x y", "l=1");
  hand_energies(h, "(x'^2 + y'^2)/2", "9.81*y");
  hand_constraint(h, "rod", "x^2 + y^2 - l^2");
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  CHECK(s->power == expr_int(h->m.pool, 0));
  mech_free(s);
  base_notes_free(notes);
  hand_free(h);
}

// M u' - M yC w' = -k u, J_C w' = L - k yC u; Lambda = M w (u - w yC) in a skater with its centre
// of mass beside the blade
TEST(the_skater_has_its_closed_form_accelerations)
{
  hand* h = hand_new("xi theta eta", "M=14 J=3 yC=0.2 k=0.6 L=1");
  hand_energies(h,
                "M/2*((xi' - theta'*yC*cos(theta))^2 + (eta' - theta'*yC*sin(theta))^2)"
                "+ J/2*theta'^2",
                "0");
  hand_force(h, "xi", "-k*xi'");
  hand_force(h, "eta", "-k*eta'");
  hand_force(h, "theta", "L");
  hand_constraint(h, "blade", "eta'*cos(theta) - xi'*sin(theta)");
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  double M = 14, J = 3, yC = 0.2, k = 0.6, L = 1;
  uint64_t seed = 2;
  for (int trial = 0; trial < 10; trial++) {
    double th = 3 * hand_random(&seed), u = 5 * hand_random(&seed), w = 2 * hand_random(&seed);
    hand_state at = hand_throw(h, &seed);
    hand_put(&at, s->q[1], th);
    hand_put(&at, s->v[0], u * cos(th));
    hand_put(&at, s->v[1], w);
    hand_put(&at, s->v[2], u * sin(th));
    solve(h, s, &at);
    double w1 = (L - k * yC * u) / J, u1 = -k * u / M + yC * w1;
    CHECK_NEAR(hand_get(h, &at, s->a[1]), w1, 1e-12);
    CHECK_NEAR(hand_get(h, &at, s->a[0]), u1 * cos(th) - u * w * sin(th), 1e-12);
    CHECK_NEAR(hand_get(h, &at, s->a[2]), u1 * sin(th) + u * w * cos(th), 1e-12);
    CHECK_NEAR(hand_get(h, &at, h->m.reaction[0]), M * w * (u - w * yC), 1e-11);
  }
  mech_free(s);
  base_notes_free(notes);
  hand_free(h);
}

static void refused(hand* h, const char* word)
{
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  CHECK(s == NULL);
  CHECK(base_notes_errors(notes) == 1);
  CHECK(base_notes_count(notes) > 0 && strstr(base_notes_reason(notes, 0), word));
  base_notes_free(notes);
  hand_free(h);
}

TEST(what_cannot_be_taken_is_refused)
{
  hand* h = hand_new("x", "");
  hand_energies(h, "x'^2/2", "x*x'");
  refused(h, "potential");
  h = hand_new("x", "");
  hand_energies(h, "x'^2/2 + x''", "0");
  refused(h, "kinetic");
  h = hand_new("x", "");
  hand_energies(h, "x'^2/2", "0");
  hand_force(h, "x", "-x''");
  refused(h, "acceleration");
}
