// The verdict on a steady motion: eigenvalues, then the energy, then its lowest form.
//
// Kelvin, Tait and Chetaev: where the (amended) potential has p descending directions, gyroscopic
// forces can make the linear system stable for even p only, and forces that take energy from every
// motion undo that; where it is least, they make it stable for ever.
#include "study/birkhoff.h"
#include "study/hopf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double zero = 1e-9;     // real parts below this, relative, are not told from zero
static const double sharp = 1e-12;   // the same of simple ones, where forces do work
static const double cluster = 1e-7;  // eigenvalues nearer than this are one, split by rounding
static const double simple = 1e-6;   // eigenvalues further apart than this are not one
static const double multiple = 1e-4; // the same of multipliers
static const double told = 1e-3;     // error of a coefficient whose sign is known

static double size_of(const study_stability* r)
{
  double square = 0;
  for (int i = 0; i < r->count; i++)
    square = fmax(square, r->re[i] * r->re[i] + r->im[i] * r->im[i]);
  return sqrt(square);
}

// the real part of eigenvalue i: of several that are one but for rounding, their mean
double study_stability_real(const study_stability* r, int i)
{
  const double near = cluster * size_of(r);
  double sum = 0;
  int count = 0;
  for (int j = 0; j < r->count; j++) {
    const double re = r->re[i] - r->re[j], im = r->im[i] - r->im[j];
    if (re * re + im * im > near * near) continue;
    sum += r->re[j];
    count++;
  }
  return sum / count;
}

// ---- equations that are linear themselves -------------------------------------------------------

// Masses do not hold the state, nor do the derivatives of the forces: seen in the expressions, as
// no number is small enough to be nothing.
bool study_stability_is_linear(study_linear* l, const study_stability* r)
{
  engine* e = l->e;
  const mech_system* s = e->s;
  const int n = e->n;
  (void)r;
  if (e->mode.rows || e->program->modes.count || !mech_mass(s)) return false;
  expr* by = base_alloc(sizeof(expr) * (size_t)(2 * n + 1));
  memcpy(by, s->q, sizeof(expr) * (size_t)n);
  memcpy(by + n, s->v, sizeof(expr) * (size_t)n);
  bool linear = true;
  for (int i = 0; i < n * n && linear; i++)
    linear = !expr_has_any(s->pool, mech_mass(s)[i], 2 * n, by);
  for (int i = 0; i < n && linear; i++)
    for (int j = 0; j < 2 * n && linear; j++) {
      const expr slope = expr_diff(s->pool, s->F[i], by[j]);
      linear =
          slope != EXPR_NONE && (!expr_has_any(s->pool, slope, 2 * n, by) ||
                                 !expr_has_any(s->pool, expr_simplify(s->pool, slope), 2 * n, by));
    }
  free(by);
  return linear;
}

static bool is_simple(const study_stability* r)
{
  const double near = simple * size_of(r);
  for (int i = 0; i < r->count; i++) {
    if (fabs(r->im[i]) <= near) return false;
    for (int j = 0; j < i; j++)
      if (hypot(r->re[i] - r->re[j], r->im[i] - r->im[j]) <= near) return false;
  }
  return r->count > 0;
}

bool study_stability_multipliers_are_simple(const study_stability* r)
{
  for (int i = 0; i < r->multipliers; i++)
    for (int j = 0; j < i; j++)
      if (hypot(r->multiplier_re[i] - r->multiplier_re[j],
                r->multiplier_im[i] - r->multiplier_im[j]) < multiple)
        return false;
  return r->multipliers > 0;
}

// ---- the energy ---------------------------------------------------------------------------------

static bool is_at_rest(const study_stability* r)
{
  for (int i = 0; i < r->n; i++)
    if (fabs(r->v[i]) > 1e-12) return false;
  return true;
}

// A push may lead along equilibria that no ignorable coordinate joins (a linkage without forces):
// the energy keeps the motion near them, but not near the one it began at.
static bool may_drift(const study_stability* r, const double* family)
{
  bool zeros = false, joined = true;
  for (int i = 0; i < r->count; i++) zeros = zeros || (r->re[i] == 0 && r->im[i] == 0);
  for (int i = 0; i < r->n && family; i++)
    for (int k = 0; k < r->family; k++)
      joined = joined && (r->ignorable[i] || fabs(family[i * r->family + k]) < 1e-9);
  return zeros && !joined && is_at_rest(r);
}

static void say_definite(const study_energy* y, study_stability* r)
{
  const bool rest = is_at_rest(r), falls = y->work == STUDY_WORK_TAKES;
  r->verdict = STUDY_STABLE;
  if (y->minus)
    r->why = "the energy is greatest among motions with the same momenta (Arnold)";
  else if (rest)
    r->why = falls ? "the potential energy is least, and forces only take energy (Lagrange, "
                     "Dirichlet; Kelvin)"
                   : "the potential energy is least (Lagrange, Dirichlet)";
  else
    r->why = falls ? "the energy is least among motions with the same momenta, and forces only "
                     "take energy (Routh; Kelvin)"
                   : "the energy is least among motions with the same momenta (Routh)";
}

// zeros in the second variation: forms of higher degree
static void look_higher(const study_energy* y, study_stability* r)
{
  int degree;
  const bool rest = is_at_rest(r);
  const int sign = study_energy_form(y, &degree);
  const bool falls_free = sign < 0 && rest && y->holonomic;
  if (!degree) return;
  const char* falls =
      base_arena_printf(r->arena,
                        "the potential energy is not least: where its second variation vanishes, "
                        "its form of degree %d can be negative",
                        degree);
  if (sign > 0) {
    r->verdict = STUDY_STABLE;
    r->why = base_arena_printf(
        r->arena,
        "%s is least: where its second variation vanishes, its form of degree %d is positive "
        "definite (%s)",
        rest ? "the potential energy" : "the energy among motions with the same momenta", degree,
        rest ? "Lagrange, Dirichlet" : "Routh");
  } else if (falls_free && y->work == STUDY_WORK_NONE && study_energy_is_reversible(y)) {
    r->verdict = STUDY_UNSTABLE;
    r->why = base_arena_printf(r->arena, "%s (Lyapunov, Kozlov)", falls);
  } else if (falls_free && y->work == STUDY_WORK_TAKES && y->complete) {
    r->verdict = STUDY_UNSTABLE;
    r->why = base_arena_printf(
        r->arena, "%s, and forces take energy from every motion (Kelvin, Tait, Chetaev)", falls);
  } else {
    r->why = base_arena_printf(
        r->arena, "linearisation does not decide, and the form of degree %d of the energy %s",
        degree, sign < 0 ? "can be negative" : "is not definite");
  }
}

// what the signs of the energy say beside the verdict
static void remark(const study_energy* y, study_stability* r)
{
  if (y->zero || !y->minus || !y->plus) return;
  const char* falls = base_arena_printf(r->arena, "%s in %d direction%s",
                                        is_at_rest(r) ? "the potential energy falls"
                                                      : "the amended potential falls",
                                        y->minus, y->minus > 1 ? "s" : "");
  if (r->verdict != STUDY_UNSTABLE && y->work == STUDY_WORK_NONE)
    r->remark = base_arena_printf(r->arena,
                                  "%s: gyroscopic stabilisation, undone by forces that take energy "
                                  "from every motion (Kelvin, Tait, Chetaev)",
                                  falls);
  else if (r->verdict == STUDY_UNSTABLE && y->minus % 2 && y->work == STUDY_WORK_NONE)
    r->remark = base_arena_printf(r->arena,
                                  "%s, an odd number: no gyroscopic forces would make it stable "
                                  "(Kelvin, Tait)",
                                  falls);
  else if (r->verdict == STUDY_UNSTABLE && y->complete && y->work == STUDY_WORK_TAKES)
    r->remark = base_arena_printf(r->arena,
                                  "%s and forces take energy from every motion: unstable with any "
                                  "gyroscopic forces (Kelvin, Tait, Chetaev)",
                                  falls);
}

// ---- a weak focus -------------------------------------------------------------------------------

// One pair on the imaginary axis, all others left of it: on the centre manifold the amplitude of
// the pair grows by l1 |z|^3 (Lyapunov 1892, Hopf 1942), whose sign decides.
static void judge_focus(study_linear* l, study_stability* r)
{
  const double size = size_of(r);
  double w = 0;
  int on_axis = 0;
  for (int i = 0; i < r->count; i++) {
    if (r->re[i] < -zero * size) continue;
    on_axis++;
    w = fmax(w, r->im[i]);
  }
  if (on_axis != 2 || !(w > simple * size) || r->C) return;
  double error = 0;
  base_arena* arena = base_arena_new();
  const double l1 = study_hopf_coefficient(l, r->ignorable, w, arena, &error);
  base_arena_free(arena);
  engine_state(l->e, r->t, r->q, r->v);
  l->e->factored = false;
  study_linear_at(l);
  if (!(error < told * fabs(l1))) return;
  r->verdict = l1 < 0 ? STUDY_STABLE : STUDY_UNSTABLE;
  r->why = base_arena_printf(r->arena,
                             "one pair of eigenvalues is imaginary, and its first Lyapunov "
                             "coefficient is %.6g: oscillations %s (Lyapunov, Hopf)",
                             l1, l1 < 0 ? "die away" : "grow");
}

// ---- the verdict --------------------------------------------------------------------------------

// what the eigenvalues alone say; true where that is all
static bool judge_eigenvalues(study_stability* r)
{
  const double size = size_of(r);
  r->largest = -INFINITY;
  for (int i = 0; i < r->count; i++) r->largest = fmax(r->largest, study_stability_real(r, i));
  r->verdict = STUDY_MARGINAL;
  r->why = "some real parts are zero: linearisation does not decide";
  if (r->count == 0) r->why = "every change of the state leads to another steady motion";
  if (r->count && r->largest > zero * size) {
    r->verdict = STUDY_UNSTABLE;
    r->why = "an eigenvalue has a positive real part";
  } else if (r->count && r->largest < -zero * size) {
    r->verdict = STUDY_STABLE;
    r->why = r->family ? "all eigenvalues but the zeros of the family have negative real parts"
                       : "all eigenvalues have negative real parts";
    return true;
  }
  return false;
}

// where linearisation is silent: what the energy says
static void judge_energy(const study_energy* y, const double* family, study_stability* r)
{
  if (y->work == STUDY_WORK_UNPROVED) {
    if (!y->minus && !y->zero)
      r->why = "linearisation does not decide; the energy is least, but that forces only take "
               "energy, as they do wherever it was looked, is not proved";
  } else if (may_drift(r, family)) {
    if (!y->minus && !y->zero)
      r->why = "the energy is least across the family of equilibria, along which the motion may "
               "drift";
  } else if (y->zero == 0 && (y->minus == 0 || (y->plus == 0 && y->work == STUDY_WORK_NONE))) {
    say_definite(y, r);
  } else if (y->zero && !y->minus) {
    look_higher(y, r);
  }
}

// where forces do work, simple eigenvalues off the axis are no rounding
static void judge_sharply(const study_energy* y, study_stability* r)
{
  const bool works = y->work != STUDY_WORK_NONE && y->work != STUDY_WORK_OTHER;
  if (!works || !(r->largest > sharp * size_of(r)) || !is_simple(r)) return;
  r->verdict = STUDY_UNSTABLE;
  r->why = "an eigenvalue has a positive real part";
}

void study_stability_judge(study_linear* l, const study_symmetry* s, const double* family,
                           study_care care, study_stability* r)
{
  if (judge_eigenvalues(r) || care == STUDY_CARE_EIGENVALUES) return;
  if (r->verdict == STUDY_UNSTABLE && care == STUDY_CARE_VERDICT) return;
  study_energy y = {.work = STUDY_WORK_OTHER};
  const bool known = r->count && study_energy_signs(l, s, r->family, family, r->arena, &y);
  judge_sharply(&y, r);
  if (y.work == STUDY_WORK_GIVES && r->verdict == STUDY_MARGINAL)
    r->why = "linearisation does not decide, nor does the energy: near the motion forces can give "
             "energy";
  if (known) {
    if (r->verdict == STUDY_MARGINAL) judge_energy(&y, family, r);
    if (r->verdict == STUDY_MARGINAL && is_simple(r)) study_birkhoff_judge(l, &y, r);
    remark(&y, r);
  }
  if (r->verdict == STUDY_MARGINAL && y.work != STUDY_WORK_NONE) judge_focus(l, r);
  if (r->verdict == STUDY_MARGINAL && is_simple(r) && r->family == 0 &&
      study_stability_is_linear(l, r)) {
    r->verdict = STUDY_STABLE;
    r->why = "the equations are linear, no real part is positive, and the eigenvalues are simple";
  }
}
