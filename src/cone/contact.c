// Contacts with Coulomb friction at one instant: reduced to the contact rows, handed to the
// methods, the answers judged by the laws themselves.
#include "cone/contact.h"
#include "cone/small.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

cone_contact* cone_contact_new(int n_max, int b_max, int contacts_max, int tangents)
{
  assert(tangents >= 0 && tangents <= 2);
  cone_contact* f = base_alloc(sizeof *f);
  memset(f, 0, sizeof *f);
  f->n_max = n_max;
  f->b_max = b_max;
  f->c_max = contacts_max;
  f->t = tangents;
  size_t n = (size_t)n_max, b = (size_t)b_max, c = (size_t)contacts_max,
         k = c * ((size_t)tangents + 1);
  size_t few = c < CONE_CONTACT_ENUMERATED ? c : CONE_CONTACT_ENUMERATED, size = 3 * c;
  if (tangents == 0) size = 0;
  if (tangents == 2)
    size = (CONE_CONTACT_FACES + 2) * (c < CONE_CONTACT_PYRAMIDS ? c : CONE_CONTACT_PYRAMIDS);
  f->least = cone_least_new(n_max, b_max, tangents ? 0 : contacts_max);
  f->modes = cone_least_new((int)(2 * few), (int)(2 * few), (int)(3 * few));
  f->lcp = cone_lcp_new((int)size);
  f->null = num_null_new((int)k, (int)k);
  size_t each = 2 * n + b + 2 * k;
  size_t doubles = k * n + 2 * k * k + size * size + 14 * few * few + 7 * few + 2 * size + 4 * c +
                   9 * k + 2 * n + CONE_CONTACT_SOLUTIONS * each;
  double* m = base_alloc((doubles + 1) * sizeof *m);
  f->G = m, m += k * n;
  f->D = m, m += k * k;
  f->J = m, m += k * k;
  f->B = m, m += size * size;
  f->E = m, m += 4 * few * few;
  f->I = m, m += 6 * few * few;
  f->one = m, m += 4 * few * few;
  f->e = m, m += 2 * few;
  f->i = m, m += 3 * few;
  f->no = m, m += 2 * few;
  f->r = m, m += size;
  f->x = m, m += size;
  f->s = m, m += c;
  f->mu = m, m += c;
  f->whole = m, m += c;
  f->offset = m, m += c;
  f->q = m, m += k;
  f->force = m, m += k;
  f->alpha = m, m += k;
  f->F = m, m += k;
  f->step = m, m += k;
  f->trial = m, m += k;
  f->lambda = m, m += k;
  f->best = m, m += k;
  f->held = m, m += k;
  f->z = m, m += n;
  f->rest = m, m += n;
  f->store = m;
  f->mode = base_alloc(c * (CONE_CONTACT_SOLUTIONS + 1) * sizeof *f->mode);
  f->modes_kept = f->mode + c;
  f->pressed = base_alloc(2 * k * sizeof *f->pressed);
  f->pivot = f->pressed + k;
  return f;
}

void cone_contact_free(cone_contact* f)
{
  if (!f) return;
  cone_least_free(f->least);
  cone_least_free(f->modes);
  cone_lcp_free(f->lcp);
  num_null_free(f->null);
  free(f->G);
  free(f->mode);
  free(f->pressed);
  free(f);
}

// q and the scale of contact i, G filled
static bool weigh(cone_contact* f, int i, const double* rest)
{
  double most = 0;
  for (int k = 0; k <= f->t; k++) {
    const int r = cone_contact_row(f, i, k);
    const double* g = f->G + (size_t)r * f->m;
    double d, square = 0;
    const double* N = cone_contact_given(f, i, k, &d);
    long double q = d;
    for (int j = 0; j < f->p->n; j++) q += (long double)N[j] * rest[j];
    f->q[r] = (double)q;
    for (int j = 0; j < f->m; j++) square += (f->p->W ? N[j] : g[j]) * g[j];
    if (!isfinite(square) || !isfinite((double)q)) return false;
    // by the normal row where it can move at all
    if (k == 0 || most == 0) most = sqrt(fabs(square));
  }
  if (!(f->p->mu[i] >= 0 && isfinite(f->p->mu[i]))) return false;
  f->mu[i] = f->p->mu[i];
  f->s[i] = most > 0 ? most : 1;
  return true;
}

// G, q and the scale of each contact from the motion with the bilateral rows only. G holds the rows
// in coordinates in which M is one: what forces add to the motion is G^T times them, and so it is
// where that is given.
static bool collect(cone_contact* f)
{
  const double* rest = f->p->W ? f->p->w0 : f->rest;
  if (f->p->W) {
    memcpy(f->G, f->p->W, (size_t)f->rows * (size_t)f->m * sizeof *f->G);
  } else {
    memset(f->z, 0, (size_t)f->m * sizeof *f->z);
    cone_least_motion(f->least, f->z, f->rest);
  }
  for (int i = 0; i < f->c; i++) {
    for (int k = 0; k <= f->t && !f->p->W; k++) {
      double d;
      const double* N = cone_contact_given(f, i, k, &d);
      cone_least_row(f->least, N, f->G + (size_t)cone_contact_row(f, i, k) * f->m);
    }
    if (!weigh(f, i, rest)) return false;
  }
  return true;
}

// Four sums of terms in the same order, none of which waits for another; only `count` entries of N,
// at `at`, are not zero.
enum { TOGETHER = 4 };

static void along_four(int count, const int* at, const double* N, const double* G, size_t m,
                       double* out)
{
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (int i = 0; i < count; i++) {
    const double x = N[at[i]], *g = G + at[i];
    s0 += x * g[0];
    s1 += x * g[m];
    s2 += x * g[2 * m];
    s3 += x * g[3 * m];
  }
  out[0] = s0, out[1] = s1, out[2] = s2, out[3] = s3;
}

static double along(int count, const int* at, const double* N, const double* G)
{
  double sum = 0;
  for (int i = 0; i < count; i++) sum += N[at[i]] * G[at[i]];
  return sum;
}

// rows by the motions that their forces give, which need not be along them
static void couple_given(cone_contact* f)
{
  const size_t m = (size_t)f->m;
  int* at = base_alloc(sizeof *at * (m + 1));
  for (int i = 0; i < f->c; i++)
    for (int k = 0; k <= f->t; k++) {
      double d, *to = f->D + (size_t)cone_contact_row(f, i, k) * f->rows;
      const double* N = cone_contact_given(f, i, k, &d);
      int count = 0, s = 0;
      for (int j = 0; j < f->m; j++)
        if (N[j] != 0) at[count++] = j;
      for (; s + TOGETHER <= f->rows; s += TOGETHER)
        along_four(count, at, N, f->G + (size_t)s * m, m, to + s);
      for (; s < f->rows; s++) to[s] = along(count, at, N, f->G + (size_t)s * m);
      for (s = 0; s < f->rows; s++) to[s] /= f->s[i];
    }
  free(at);
}

static void scale(cone_contact* f)
{
  f->largest = 0;
  for (int i = 0; i < f->c; i++)
    for (int k = 0; k <= f->t; k++) {
      int r = cone_contact_row(f, i, k);
      for (int j = 0; j < f->m; j++) f->G[(size_t)r * f->m + j] /= f->s[i];
      f->q[r] /= f->s[i];
      f->largest = fmax(f->largest, fabs(f->q[r]));
    }
  if (f->p->W) couple_given(f);
  for (int r = 0; r < f->rows && !f->p->W; r++)
    for (int s = 0; s <= r; s++) {
      double d = 0;
      for (int j = 0; j < f->m; j++) d += f->G[(size_t)r * f->m + j] * f->G[(size_t)s * f->m + j];
      f->D[(size_t)r * f->rows + s] = f->D[(size_t)s * f->rows + r] = d;
    }
  for (int i = 0; i < f->c; i++) f->offset[i] = f->base ? f->base[i] * f->s[i] : 0;
}

// without friction: least constraint
static void smooth(cone_contact* f, cone_contact_result* out)
{
  const cone_contact_problem* p = f->p;
  cone_least_problem l = {p->n, p->b,   p->contacts, p->M, p->F, p->N_B, p->d_B,
                          p->N, p->d_N, NULL,        NULL, NULL, p->unit};
  cone_least_result r = cone_least_solve(f->least, &l);
  out->method = "least";
  out->reason = r.reason;
  out->enumerated = true;
  out->unique = r.unique;
  switch (r.status) {
  case CONE_LEAST_SOLVED:
    break;
  case CONE_LEAST_INFEASIBLE:
    out->status = CONE_CONTACT_NONE;
    return;
  case CONE_LEAST_CONTRADICTION:
    out->status = CONE_CONTACT_CONTRADICTION;
    return;
  case CONE_LEAST_SINGULAR:
    out->status = CONE_CONTACT_SINGULAR;
    return;
  default:
    out->status = CONE_CONTACT_FAILED;
    return;
  }
  for (int i = 0; i < p->contacts; i++)
    f->modes_kept[i] = r.mode[i] == CONE_LCP_ACTIVE ? CONE_CONTACT_SLIP : CONE_CONTACT_OPEN;
  out->count = 1;
  out->solution[0] = (cone_contact_solution){r.w,       r.lambda_B, r.lambda_U,    NULL,
                                             r.alpha_U, NULL,       f->modes_kept, r.residual};
}

static bool prepare(cone_contact* f, cone_contact_result* out)
{
  const cone_contact_problem* p = f->p;
  cone_least_problem l = {p->n, p->b, 0,    p->M, p->F, p->N_B, p->d_B,
                          NULL, NULL, NULL, NULL, NULL, p->unit};
  cone_least_result r = {.reason = ""};
  if (!p->W && !cone_least_reduce(f->least, &l, &r)) {
    out->reason = r.reason;
    out->status = r.status == CONE_LEAST_CONTRADICTION ? CONE_CONTACT_CONTRADICTION
                  : r.status == CONE_LEAST_SINGULAR    ? CONE_CONTACT_SINGULAR
                                                       : CONE_CONTACT_FAILED;
    return false;
  }
  f->m = p->n - r.rank_B;
  if (!collect(f)) {
    out->reason = "a number of the problem is not finite, or a coefficient of friction negative";
    out->status = CONE_CONTACT_FAILED;
    return false;
  }
  scale(f);
  return true;
}

// the forces of one motion are the only ones if the rows that can carry force are independent
static bool independent(cone_contact* f)
{
  const int k = cone_contact_pressing(f, f->mode), *row = f->pressed;
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) f->J[i * k + j] = f->D[(size_t)row[i] * f->rows + row[j]];
  return num_null_factor(f->null, k, k, f->J, cone_contact_pivot) == k;
}

// one solution by the quickest method that finds it
static bool by_siconos(cone_contact* f, cone_contact_result* out)
{
  out->method = "siconos";
  if (!cone_contact_siconos(f)) return false;
  if (!(cone_contact_fault(f) <= cone_contact_good)) cone_contact_polish(f);
  if (!(cone_contact_fault(f) <= cone_contact_edge)) return false;
  cone_contact_classify(f);
  return true;
}

// can every combination of modes be tried?
static bool is_few(const cone_contact* f)
{
  return f->t == 1 && f->c <= CONE_CONTACT_ENUMERATED && !f->base && !f->p->W;
}

static bool search(cone_contact* f, cone_contact_result* out)
{
  if (f->siconos && by_siconos(f, out)) return true;
  if (f->p->guess && is_few(f)) {
    memcpy(f->mode, f->p->guess, (size_t)f->c * sizeof *f->mode);
    out->method = "guess";
    if (cone_contact_combination(f) && cone_contact_fault(f) <= cone_contact_good) return true;
  }
  // of several motions the one that goes on as before
  if (f->p->guess && !is_few(f) && cone_contact_follow(f, f->p->guess) &&
      cone_contact_fault(f) <= cone_contact_good) {
    out->method = "guess";
    cone_contact_classify(f);
    return true;
  }
  if (f->t == 1) {
    out->method = "lemke";
    if (cone_contact_lemke(f) && cone_contact_fault(f) <= cone_contact_good) {
      cone_contact_classify(f);
      return true;
    }
  }
  out->method = "newton";
  if (cone_contact_newton(f) && cone_contact_fault(f) <= cone_contact_edge) {
    cone_contact_classify(f);
    return true;
  }
  // in the plane a few contacts are enumerated, which proves more
  const bool few = is_few(f);
  return !few && !f->siconos && by_siconos(f, out);
}

static void take_up(cone_contact* f, const cone_contact_problem* p, const double* base)
{
  assert(p->n <= f->n_max && p->b <= f->b_max && p->contacts <= f->c_max && p->tangents == f->t);
  f->p = p;
  f->c = p->contacts;
  f->rows = f->c * (f->t + 1);
  f->base = base ? base : p->base;
}

bool cone_contact_prepare(cone_contact* f, const cone_contact_problem* p, cone_contact_result* out)
{
  take_up(f, p, NULL);
  return prepare(f, out);
}

// do the contacts that press in the modes of the guess stay closed, and hold where they stick?
static bool goes_on(cone_contact* f)
{
  const int k = cone_contact_pressing(f, f->p->guess);
  double most = f->largest, worst = 0;
  cone_contact_fault(f);
  for (int r = 0; r < f->rows; r++) most = fmax(most, fabs(f->force[r]));
  for (int r = 0; r < k; r++) worst = fmax(worst, fabs(f->alpha[f->pressed[r]]));
  return worst <= cone_contact_good * most;
}

// Forces that are not the only ones of their modes (sign 0), the shortest, may be more than
// friction holds, as those of a disc that rests in a V: others that obey the laws and move all rows
// alike are taken in their place. Where there are none the modes are at their end, or beyond it.
static void share_by_laws(cone_contact* f)
{
  cone_contact_result out;
  if (f->sign != 0 || cone_contact_fault(f) <= cone_contact_good) return;
  memcpy(f->held, f->alpha, (size_t)f->rows * sizeof *f->held);
  double most = f->largest, apart = INFINITY;
  if (search(f, &out)) {
    cone_contact_drop_idle(f);
    cone_contact_fault(f);
    apart = 0;
    for (int r = 0; r < f->rows; r++) apart = fmax(apart, fabs(f->alpha[r] - f->held[r]));
    for (int r = 0; r < f->rows; r++) most = fmax(most, fabs(f->force[r]));
  }
  if (!(apart <= cone_contact_good * most)) cone_contact_follow(f, f->p->guess);
}

cone_contact_result cone_contact_go_on(cone_contact* f, const cone_contact_problem* p)
{
  cone_contact_result out = {.reason = "the modes do not go on", .method = "guess"};
  out.status = CONE_CONTACT_FAILED;
  take_up(f, p, NULL);
  if (!f->t || !prepare(f, &out) || !cone_contact_follow(f, p->guess) || !goes_on(f)) return out;
  share_by_laws(f);
  memcpy(f->mode, p->guess, (size_t)f->c * sizeof *f->mode);
  out.status = CONE_CONTACT_SOLVED;
  out.sign = f->sign;
  cone_contact_keep(f, &out);
  return out;
}

cone_contact_result cone_contact_solve_on(cone_contact* f, const cone_contact_problem* p,
                                          const double* base, bool enumerate)
{
  cone_contact_result out = {.reason = "solved", .method = ""};
  take_up(f, p, base);
  if (f->t == 0) {
    smooth(f, &out);
    return out;
  }
  if (!prepare(f, &out)) return out;
  bool few = is_few(f);
  if (!(few && enumerate && !f->siconos) && search(f, &out)) {
    cone_contact_drop_idle(f);
    cone_contact_keep(f, &out);
    out.unique = independent(f);
    return out;
  }
  if (!few) {
    out.status = CONE_CONTACT_FAILED;
    out.reason = "no solution was found; there may be none (Painleve)";
    return out;
  }
  out.method = "enumeration";
  out.enumerated = true;
  cone_contact_enumerate(f, &out);
  out.status = out.count == 0   ? CONE_CONTACT_NONE
               : out.count == 1 ? CONE_CONTACT_SOLVED
                                : CONE_CONTACT_SEVERAL;
  if (out.count == 0)
    out.reason = "no combination of open, sticking and slipping contacts obeys all laws";
  if (out.count > 1)
    out.reason = "several combinations of open, sticking and slipping contacts obey all laws";
  if (out.count) {
    memcpy(f->mode, f->modes_kept, (size_t)f->c * sizeof *f->mode);
    out.unique = independent(f);
  }
  return out;
}

void cone_contact_use_siconos(cone_contact* f)
{
  f->siconos = true;
}

cone_contact_result cone_contact_solve(cone_contact* f, const cone_contact_problem* p,
                                       bool enumerate)
{
  return cone_contact_solve_on(f, p, NULL, enumerate);
}
