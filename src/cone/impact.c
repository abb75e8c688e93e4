// Impacts of closed contacts: Newton, Poisson and Moreau all at once, Newton and Stronge one after
// the other, with friction; repeated while a closed contact still approaches.
//   M (v+ - v-) = N_B^T P_B + N^T P_N + T^T P_T,  g = N v + d_N.
// With e = 0 and no friction v+ is the projection of v- on the admissible velocities in the metric
// M: the impulsive principle of least constraint.
#include "cone/contact.h"
#include "cone/small.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cone_impact
{
  int n_max, b_max, c_max, t;
  cone_contact* contact;
  cone_contact* single; // one contact
  double *v, *before, *F, *g, *d, *e, *base, *P_B, *P_N, *P_T;
};

cone_impact* cone_impact_new(int n_max, int b_max, int contacts_max, int tangents)
{
  cone_impact* f = base_alloc(sizeof *f);
  memset(f, 0, sizeof *f);
  size_t n = (size_t)n_max, b = (size_t)b_max, c = (size_t)contacts_max;
  f->n_max = n_max;
  f->b_max = b_max;
  f->c_max = contacts_max;
  f->t = tangents;
  f->contact = cone_contact_new(n_max, b_max, contacts_max, tangents);
  f->single = cone_contact_new(n_max, b_max, 1, tangents);
  double* m = base_alloc((3 * n + 5 * c + b + c * (size_t)tangents + 1) * sizeof *m);
  f->v = m, m += n;
  f->before = m, m += n;
  f->F = m, m += n;
  f->g = m, m += c;
  f->d = m, m += c;
  f->e = m, m += c;
  f->base = m, m += c;
  f->P_N = m, m += c;
  f->P_B = m, m += b;
  f->P_T = m;
  return f;
}

void cone_impact_free(cone_impact* f)
{
  if (!f) return;
  cone_contact_free(f->contact);
  cone_contact_free(f->single);
  free(f->v);
  free(f);
}

void cone_impact_use_siconos(cone_impact* f)
{
  cone_contact_use_siconos(f->contact);
}

static double energy(int n, const double* M, const double* v)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s += v[i] * M[(size_t)i * n + j] * v[j] / 2;
  return s;
}

// g = N v + d_N; true if one of them approaches by more than rounding
static bool approaches(cone_impact* f, const cone_contact_problem* p)
{
  bool any = false;
  for (int i = 0; i < p->contacts; i++) {
    long double s = p->d_N[i];
    double size = fabs(p->d_N[i]);
    for (int j = 0; j < p->n; j++) {
      double t = p->N[(size_t)i * p->n + j];
      s += (long double)t * f->v[j];
      // cancelled velocities leave rounding of what they were before
      size += fabs(t) * fmax(fabs(f->v[j]), fabs(f->before[j]));
    }
    f->g[i] = (double)s;
    any |= !(p->both && p->both[i]) && f->g[i] < -cone_impact_closing * size;
  }
  return any;
}

static void momentum(cone_impact* f, const cone_contact_problem* p)
{
  for (int i = 0; i < p->n; i++) {
    f->F[i] = 0;
    for (int j = 0; j < p->n; j++) f->F[i] += p->M[(size_t)i * p->n + j] * f->v[j];
  }
}

// take the first solution over: velocities, and impulses times `factor`
static bool take(cone_impact* f, const cone_contact_problem* p, const cone_contact_result* r,
                 double factor, cone_impact_result* out)
{
  if (r->count == 0) {
    out->status = r->status;
    out->reason = r->reason;
    return false;
  }
  const cone_contact_solution* s = &r->solution[0];
  out->unique &= r->unique;
  if (r->count > 1) {
    out->status = CONE_CONTACT_SEVERAL;
    out->reason = r->reason;
  }
  memcpy(f->v, s->w, (size_t)p->n * sizeof *f->v);
  for (int i = 0; i < p->b; i++) f->P_B[i] += factor * s->lambda_B[i];
  for (int i = 0; i < p->contacts; i++) f->P_N[i] += factor * s->lambda_N[i];
  for (int i = 0; i < p->contacts * p->tangents; i++) f->P_T[i] += factor * s->lambda_T[i];
  return true;
}

// Friction may admit several impacts. All are looked for where they are few to try; the one taken
// stays.
static void look_for_others(cone_impact* f, const cone_contact_problem* p, cone_impact_result* out)
{
  enum { few = 4 };
  if (p->tangents != 1 || p->contacts > few) return;
  const cone_contact_result r = cone_contact_solve(f->contact, p, true);
  if (r.count < 2) return;
  out->status = CONE_CONTACT_SEVERAL;
  out->reason = r.reason;
}

// 0 <= P _|_ g+ + e g- >= 0
static bool newton(cone_impact* f, cone_contact_problem p, const double* e, cone_impact_result* out)
{
  for (int i = 0; i < p.contacts; i++) f->d[i] = p.d_N[i] + e[i] * f->g[i];
  p.d_N = f->d;
  cone_contact_result r = cone_contact_solve(f->contact, &p, false);
  if (!take(f, &p, &r, 1, out)) return false;
  look_for_others(f, &p, out);
  return true;
}

// compression to g >= 0; then at least e times its impulse again, more where g would turn negative
static bool poisson(cone_impact* f, cone_contact_problem p, const double* e,
                    cone_impact_result* out)
{
  cone_contact_result r = cone_contact_solve(f->contact, &p, false);
  bool any = false;
  for (int i = 0; i < p.contacts && r.count > 0; i++) {
    f->base[i] = e[i] * r.solution[0].lambda_N[i];
    any |= f->base[i] > 0;
  }
  if (!take(f, &p, &r, 1, out) || !any) return r.count > 0;
  momentum(f, &p);
  for (int i = 0; i < p.contacts; i++) {
    f->P_N[i] += f->base[i];
    for (int j = 0; j < p.n; j++) f->F[j] += p.N[(size_t)i * p.n + j] * f->base[i];
  }
  r = cone_contact_solve_on(f->contact, &p, f->base, false);
  return take(f, &p, &r, 1, out);
}

// one e for all, no friction, and v- obeys the bilateral rows: the projection itself
static bool is_common(const cone_impact* f, const cone_impact_problem* p)
{
  const cone_contact_problem* c = &p->contact;
  if (c->tangents) return false;
  for (int i = 1; i < c->contacts; i++)
    if (p->e[i] != p->e[0]) return false;
  for (int i = 0; i < c->b; i++) {
    double s = c->d_B[i], size = fabs(s);
    for (int j = 0; j < c->n; j++) {
      s += c->N_B[(size_t)i * c->n + j] * f->v[j];
      size += fabs(c->N_B[(size_t)i * c->n + j] * f->v[j]);
    }
    if (fabs(s) > cone_impact_closing * size) return false;
  }
  return true;
}

// v+ = v_c + e (v_c - v-)
static bool moreau(cone_impact* f, const cone_contact_problem* p, double e, cone_impact_result* out)
{
  cone_contact_result r = cone_contact_solve(f->contact, p, false);
  memcpy(f->before, f->v, (size_t)p->n * sizeof *f->before);
  if (!take(f, p, &r, 1 + e, out)) return false;
  for (int j = 0; j < p->n; j++) f->v[j] += e * (f->v[j] - f->before[j]);
  return true;
}

// the contact that approaches fastest, measured by its own inertia
static int fastest(const cone_impact* f, const cone_contact_problem* p)
{
  int s = 0;
  double most = 0;
  for (int i = 0; i < p->contacts; i++) {
    double norm = 0;
    for (int j = 0; j < p->n; j++) {
      double t = p->N[(size_t)i * p->n + j], m = p->M[(size_t)j * p->n + j];
      norm += m > 0 ? t * t / m : 0;
    }
    double speed = norm > 0 ? f->g[i] / sqrt(norm) : f->g[i];
    if (speed < most) {
      most = speed;
      s = i;
    }
  }
  return s;
}

// the problem of contact s alone
static cone_contact_problem only(const cone_contact_problem* p, int s)
{
  cone_contact_problem x = *p;
  x.contacts = 1;
  x.N += (size_t)s * p->n;
  x.d_N += s;
  if (p->tangents) {
    x.T += (size_t)(s * p->tangents) * p->n;
    x.d_T += s * p->tangents;
    x.mu += s;
  }
  return x;
}

// take its first solution over
static bool take_one(cone_impact* f, const cone_contact_problem* p, int s,
                     const cone_contact_result* r, cone_impact_result* out)
{
  if (r->count == 0) {
    out->status = r->status;
    out->reason = r->reason;
    return false;
  }
  const cone_contact_solution* x = &r->solution[0];
  memcpy(f->v, x->w, (size_t)p->n * sizeof *f->v);
  for (int i = 0; i < p->b; i++) f->P_B[i] += x->lambda_B[i];
  f->P_N[s] += x->lambda_N[0];
  for (int k = 0; k < p->tangents; k++) f->P_T[s * p->tangents + k] += x->lambda_T[k];
  return true;
}

// the fastest alone, by Newton's law
static bool one(cone_impact* f, const cone_contact_problem* p, const double* e,
                cone_impact_result* out)
{
  const int s = fastest(f, p);
  cone_contact_problem x = only(p, s);
  const double d = x.d_N[0] + e[s] * f->g[s];
  x.d_N = &d;
  const cone_contact_result r = cone_contact_solve(f->single, &x, false);
  return take_one(f, p, s, &r, out);
}

// the fastest alone, followed through its impulse
static bool energetic(cone_impact* f, const cone_contact_problem* p, const double* e,
                      cone_impact_result* out)
{
  static const double smooth = 0;
  const int s = fastest(f, p);
  cone_contact_problem x = only(p, s);
  cone_contact_result r = {.reason = "no impulse of the contact ends its approach",
                           .status = CONE_CONTACT_FAILED};
  if (!p->tangents) x.mu = &smooth;
  if (cone_contact_prepare(f->single, &x, &r) &&
      cone_impact_energetic(f->single, e[s], f->single->force)) {
    f->single->mode[0] = CONE_CONTACT_SLIP;
    cone_contact_keep(f->single, &r);
  }
  return take_one(f, p, s, &r, out);
}

static bool once(cone_impact* f, const cone_impact_problem* p, const double* e, bool last,
                 cone_impact_result* out)
{
  cone_contact_problem c = p->contact;
  c.F = f->F;
  c.slip = NULL;
  momentum(f, &c);
  if (last) return newton(f, c, e, out);
  if (p->law == CONE_IMPACT_ENERGETIC) return energetic(f, &c, e, out);
  if (p->sequential) return one(f, &c, e, out);
  if (p->law == CONE_IMPACT_POISSON) return poisson(f, c, e, out);
  if (p->law == CONE_IMPACT_MOREAU && c.contacts && is_common(f, p))
    return moreau(f, &c, e[0], out);
  return newton(f, c, e, out);
}

static const char* fault(const cone_impact_problem* p)
{
  for (int i = 0; i < p->contact.contacts; i++)
    if (!(p->e[i] >= 0 && p->e[i] <= 1))
      return "a coefficient of restitution is not between 0 and 1";
  return NULL;
}

// repeat until nothing approaches; the last with e = 0 where there would be no end
static void run(cone_impact* f, const cone_impact_problem* p, cone_impact_result* out)
{
  int most = p->most > 0 ? p->most : 100;
  approaches(f, &p->contact);
  do {
    out->damped = out->rounds == most;
    if (out->damped) memset(f->e, 0, (size_t)p->contact.contacts * sizeof *f->e);
    const double* e = out->damped ? f->e : p->e;
    out->rounds++;
    if (!once(f, p, e, out->damped, out)) return;
  } while (approaches(f, &p->contact) && !out->damped);
}

static double product(int n, const double* a, const double* b)
{
  double s = 0;
  for (int i = 0; i < n && a && b; i++) s += a[i] * b[i];
  return s;
}

// Work of the impulses at what touches, against surfaces that may move:
//   sum of P (g+ + g-)/2 = T+ - T- + sum of P d,
// less what equations take to be met that do not hold before
static double work(const cone_impact* f, const cone_contact_problem* c, double gain)
{
  double w = gain + product(c->contacts, f->P_N, c->d_N) +
             product(c->contacts * c->tangents, f->P_T, c->d_T) + product(c->b, f->P_B, c->d_B);
  for (int i = 0; i < c->b; i++)
    w -= f->P_B[i] / 2 * (product(c->n, c->N_B + (size_t)i * c->n, f->before) + c->d_B[i]);
  return w;
}

cone_impact_result cone_impact_solve(cone_impact* f, const cone_impact_problem* p)
{
  const cone_contact_problem* c = &p->contact;
  assert(c->n <= f->n_max && c->b <= f->b_max && c->contacts <= f->c_max && c->tangents == f->t);
  cone_impact_result out = {.reason = "solved",
                            .v = f->v,
                            .P_B = f->P_B,
                            .P_N = f->P_N,
                            .P_T = f->P_T,
                            .g = f->g,
                            .unique = true};
  memcpy(f->v, p->v, (size_t)c->n * sizeof *f->v);
  memcpy(f->before, p->v, (size_t)c->n * sizeof *f->before);
  memset(f->P_N, 0, (size_t)c->contacts * sizeof *f->P_N);
  memset(f->P_B, 0, (size_t)c->b * sizeof *f->P_B);
  memset(f->P_T, 0, (size_t)(c->contacts * c->tangents) * sizeof *f->P_T);
  out.reason = fault(p);
  if (out.reason) {
    out.status = CONE_CONTACT_FAILED;
    return out;
  }
  out.reason = "solved";
  out.energy_before = energy(c->n, c->M, f->v);
  run(f, p, &out);
  out.energy_after = energy(c->n, c->M, f->v);
  out.work = work(f, c, out.energy_after - out.energy_before);
  out.gained = out.work > cone_impact_gained * fmax(out.energy_before, out.energy_after);
  return out;
}
