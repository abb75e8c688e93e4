// All stationary points of one problem after another of a family, from those before: the same as
// found anew, with few paths.
#include "check.h"
#include "least/least.h"
#include "stationary_make.h"

// a quadric in all monomials, its numbers moving with s
static void add_quadric(made* m, int j, double s, unsigned* seed)
{
  const int l = m->p.l;
  for (int a = 0; a < l; a++) {
    term(m, j, 0.3 * sin(3 * s + 6 * uniform(seed)), a, 1, 0, 0);
    for (int b = 0; b <= a; b++) term(m, j, (a == b) + sin(2 * s + 6 * uniform(seed)), a, 1, b, 1);
  }
  term(m, j, -1.5 + 0.2 * cos(s), 0, 0, 0, 0);
}

static void make_member(made* m, int l, int quadrics, double s)
{
  unsigned seed = 11;
  double r[L], masses[L];
  for (int i = 0; i < l; i++) {
    masses[i] = 1 + uniform(&seed);
    r[i] = 2 * sin(s + 6 * uniform(&seed));
  }
  begin(m, l, quadrics, masses, r);
  for (int j = 0; j < quadrics; j++) add_quadric(m, j, s, &seed);
}

// the same points, all of them
static void check_alike(const least_stationary_set* x, const least_stationary_set* y)
{
  CHECK(x->complete && y->complete);
  CHECK_INT(x->count, y->count);
  for (int i = 0; i < x->count && i < y->count; i++) {
    CHECK_NEAR(x->point[i].U, y->point[i].U, 1e-9 * (1 + y->point[i].U));
    CHECK_INT(x->point[i].kind, y->point[i].kind);
  }
}

TEST(stationary_points_followed_along_a_family_are_those_found_anew)
{
  least_stationary* f = least_stationary_new(4, 2);
  least_stationary* g = least_stationary_new(4, 2);
  int changes = 0, before = -1;
  for (int k = 0; k < 120; k++) {
    made m;
    // short steps and long ones
    make_member(&m, 4, 2, 0.02 * k + (k % 10 == 9 ? 0.3 : 0));
    const least_stationary_set* again = least_stationary_again(f, &m.p);
    // two general quadrics: 4 (1 + 2 + 3) roots (Draisma and others 2016)
    CHECK_INT(again->paths, 24);
    check_alike(again, least_stationary_all(g, &m.p));
    changes += before >= 0 && again->count != before;
    before = again->count;
  }
  // real roots met on the way
  CHECK(changes >= 4);
  least_stationary_free(f);
  least_stationary_free(g);
}

// a quadric and a cubic in few monomials, with a quartic beside them where there is room
static void make_mixed(made* m, int l, double s)
{
  unsigned seed = 5;
  double r[L];
  for (int i = 0; i < l; i++) r[i] = 1.5 * sin(2 * s + 6 * uniform(&seed));
  begin(m, l, 2, NULL, r);
  for (int i = 0; i < l; i++) term(m, 0, 1 + 0.3 * sin(s + i), i, l == 2 ? 4 : 2, 0, 0);
  term(m, 0, 0.4 * cos(s), 0, 1, 1, 1);
  term(m, 0, -2, 0, 0, 0, 0);
  term(m, 1, 1, 0, 3, 0, 0);
  term(m, 1, 0.5 + 0.2 * sin(3 * s), l - 1, 2, 1, 1);
  term(m, 1, 0.7, 1, 1, 0, 0);
  term(m, 1, 0.3 * sin(s), 0, 0, 0, 0);
}

TEST(stationary_points_of_higher_degree_are_followed)
{
  for (int l = 2; l <= 4; l++) {
    least_stationary* f = least_stationary_new(l, 2);
    least_stationary* g = least_stationary_new(l, 2);
    for (int k = 0; k < 50; k++) {
      made m;
      make_mixed(&m, l, 0.04 * k + (k % 9 == 8 ? 0.5 : 0));
      const least_stationary_set* again = least_stationary_again(f, &m.p);
      const least_stationary_set* all = least_stationary_all(g, &m.p);
      CHECK(again->paths <= all->paths);
      check_alike(again, all);
    }
    least_stationary_free(f);
    least_stationary_free(g);
  }
}

// A sphere has fewer roots than a general ellipsoid, which has those of the products of forms: all
// are looked for after 1, 2, 4, 8 ... problems, and between there are no more paths than roots.
TEST(stationary_roots_are_counted_anew_where_they_are_fewer_than_in_general)
{
  least_stationary* f = least_stationary_new(3, 2);
  least_stationary* g = least_stationary_new(3, 2);
  int full = 0;
  for (int k = 0; k < 40; k++) {
    made m;
    const double s = 0.05 * k, r[3] = {1, sin(s), 0.5 - s};
    begin(&m, 3, 2, NULL, r);
    for (int i = 0; i < 3; i++) term(&m, 0, 1, i, 2, 0, 0);
    term(&m, 0, -2, 0, 0, 0, 0);
    term(&m, 1, 1, 0, 1, 1, 1);
    term(&m, 1, -0.3 * cos(s), 2, 1, 0, 0);
    const least_stationary_set* again = least_stationary_again(f, &m.p);
    const least_stationary_set* all = least_stationary_all(g, &m.p);
    CHECK_INT(all->paths, 12);
    CHECK(again->paths == 8 || again->paths == 12);
    full += again->paths == 12;
    check_alike(again, all);
  }
  // the first, then 1, 2, 4, 8 and 16 later
  CHECK_INT(full, 6);
  least_stationary_free(f);
  least_stationary_free(g);
}

// Where a number that was zero becomes small, roots come from infinity.
TEST(stationary_roots_that_come_from_infinity_are_counted_at_once)
{
  least_stationary* f = least_stationary_new(3, 2);
  least_stationary* g = least_stationary_new(3, 2);
  for (int k = 0; k < 45; k++) {
    made m;
    const double s = 0.02 * k, r[3] = {1, 0.2, 0.5 - s};
    begin(&m, 3, 2, NULL, r);
    term(&m, 0, 1, 0, 2, 0, 0);
    term(&m, 0, 1, 1, 2, 0, 0);
    term(&m, 0, -2, 0, 0, 0, 0);
    term(&m, 1, 1, 0, 1, 1, 1);
    term(&m, 1, -0.3, 2, 1, 0, 0);
    term(&m, 1, k < 30 ? 0 : 0.004 * (k - 29), 2, 2, 0, 0);
    const least_stationary_set* again = least_stationary_again(f, &m.p);
    check_alike(again, least_stationary_all(g, &m.p));
    CHECK_INT(again->paths, k < 30 ? 8 : 12);
  }
  least_stationary_free(f);
  least_stationary_free(g);
}

// the problem in other coordinates: w = Q v, Q a turn that moves with s
static void turn(made* m, double s, double* basis)
{
  const int l = m->p.l;
  made old = *m;
  double Q[L * L] = {0}, t[L * L];
  for (int i = 0; i < l; i++) Q[i * l + i] = 1;
  for (int a = 0; a < l; a++)
    for (int b = 0; b < a; b++) {
      const double c = cos(s * (1 + a)), sn = sin(s * (1 + a));
      for (int i = 0; i < l; i++) {
        const double x = Q[i * l + a], y = Q[i * l + b];
        Q[i * l + a] = c * x - sn * y;
        Q[i * l + b] = sn * x + c * y;
      }
    }
  for (int i = 0; i < l; i++) {
    m->r[i] = 0;
    for (int k = 0; k < l; k++) {
      m->r[i] += Q[k * l + i] * old.r[k];
      t[i * l + k] = 0;
      for (int h = 0; h < l; h++) t[i * l + k] += old.H[i * l + h] * Q[h * l + k];
    }
  }
  for (int i = 0; i < l; i++)
    for (int k = 0; k < l; k++) {
      m->H[i * l + k] = 0;
      for (int h = 0; h < l; h++) m->H[i * l + k] += Q[h * l + i] * t[h * l + k];
    }
  // every monomial of degree one or two, written out
  for (int j = 0; j < m->p.s; j++) {
    double first[L] = {0}, second[L * L] = {0}, none = 0;
    for (int e = 0; e < old.y[j].terms; e++) {
      int at[2], count = 0;
      for (int i = 0; i < l; i++)
        for (int p = 0; p < old.term[j][e].power[i]; p++) at[count++] = i;
      const double c = old.term[j][e].c;
      if (count == 0) none += c;
      for (int a = 0; a < l && count; a++) {
        if (count == 1) first[a] += c * Q[at[0] * l + a];
        for (int b = 0; b < l && count == 2; b++)
          second[a * l + b] += c * Q[at[0] * l + a] * Q[at[1] * l + b];
      }
    }
    m->y[j].terms = 0;
    memset(m->term[j], 0, sizeof m->term[j]);
    term(m, j, none, 0, 0, 0, 0);
    for (int a = 0; a < l; a++) {
      term(m, j, first[a], a, 1, 0, 0);
      for (int b = 0; b <= a; b++)
        term(m, j, a == b ? second[a * l + a] : second[a * l + b] + second[b * l + a], a, 1, b, 1);
    }
    m->y[j].term = m->term[j];
  }
  memcpy(basis, Q, sizeof(double) * (size_t)(l * l));
  m->p.H = m->H;
  m->p.r = m->r;
  m->p.polynomial = m->y;
}

TEST(stationary_points_are_followed_though_the_basis_turns)
{
  least_stationary* f = least_stationary_new(3, 2);
  least_stationary* g = least_stationary_new(3, 2);
  for (int k = 0; k < 60; k++) {
    made m, plain;
    const double s = 0.03 * k;
    // one more number than unknowns: w in a wider space, the last always zero
    double basis[(L + 1) * L] = {0}, place[L + 1] = {0};
    make_member(&plain, 3, 2, s);
    make_member(&m, 3, 2, s);
    turn(&m, k % 7 ? s : s + 2, basis);
    m.p.wide = 4;
    m.p.basis = basis;
    m.p.place = place;
    const least_stationary_set* again = least_stationary_again(f, &m.p);
    CHECK_INT(again->paths, 12);
    check_alike(again, least_stationary_all(g, &plain.p));
  }
  least_stationary_free(f);
  least_stationary_free(g);
}
