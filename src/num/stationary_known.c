// All stationary points again, after a small change of the problem.
//
// Along a family of polynomial problems the number of finite complex roots is the same everywhere
// but at special places, where it is less. So with K the number seen at general places, K different
// regular roots are all there are, in whatever way they were found (coefficient-parameter
// continuation: Sommese and Wampler 2005, chapter 7). Here: by following those of the last problem
// along the straight line between both, which mostly takes one step; where real roots meet on it,
// along a line through complex problems.
//
// K is looked up by paths from products of linear forms, which miss nothing: at the first problem,
// which may be special, and then after 1, 2, 4, 8 ... others.
#include "num/stationary_paths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct num_stationary_known
{
  int most;                 // largest number of roots seen
  int looks, next;          // problems since the last full look; how many until the next one
  int count;                // regular roots of the problem p, all there are; 0: not known
  num_stationary_problem p; // its numbers are kept below
  int degree[STATIONARY_L];
  double H[STATIONARY_L * STATIONARY_L], r[STATIONARY_L];
  double *place, *basis;
  int wide_room, term_room;
  num_polynomial polynomial[STATIONARY_L];
  num_monomial* term;
  cx *w, *lambda; // count by l, count by s
};

num_stationary_known* num_stationary_known_new(int l_max, int s_max)
{
  num_stationary_known* k = base_alloc(sizeof *k);
  k->w = base_alloc(sizeof(cx) * (size_t)PATHS_MOST * (size_t)l_max);
  k->lambda = base_alloc(sizeof(cx) * (size_t)PATHS_MOST * (size_t)(s_max + 1));
  return k;
}

void num_stationary_known_free(num_stationary_known* k)
{
  if (!k) return;
  free(k->place);
  free(k->basis);
  free(k->term);
  free(k->w);
  free(k->lambda);
  free(k);
}

void num_stationary_forget(num_stationary* f)
{
  f->known->most = f->known->looks = f->known->next = f->known->count = 0;
}

// ---- remembering --------------------------------------------------------------------------------

static void copy_polynomials(num_stationary_known* k, const num_stationary_problem* p)
{
  int terms = 0;
  for (int j = 0; j < p->s; j++) terms += p->polynomial[j].terms;
  if (k->term_room < terms) {
    k->term = base_realloc(k->term, sizeof *k->term * (size_t)terms);
    k->term_room = terms;
  }
  terms = 0;
  for (int j = 0; j < p->s; j++) {
    const num_polynomial* y = p->polynomial + j;
    memcpy(k->term + terms, y->term, sizeof *k->term * (size_t)y->terms);
    k->polynomial[j] = (num_polynomial){y->terms, k->term + terms};
    terms += y->terms;
  }
}

static void copy_problem(num_stationary_known* k, const num_stationary_problem* p)
{
  const size_t l = (size_t)p->l, wide = (size_t)p->wide;
  k->p = *p;
  k->p.H = memcpy(k->H, p->H, sizeof(double) * l * l);
  k->p.r = memcpy(k->r, p->r, sizeof(double) * l);
  copy_polynomials(k, p);
  k->p.polynomial = k->polynomial;
  if (!p->wide) return;
  if (k->wide_room < p->wide) {
    k->place = base_realloc(k->place, sizeof(double) * wide);
    k->basis = base_realloc(k->basis, sizeof(double) * wide * STATIONARY_L);
    k->wide_room = p->wide;
  }
  k->p.place = memcpy(k->place, p->place, sizeof(double) * wide);
  k->p.basis = memcpy(k->basis, p->basis, sizeof(double) * wide * l);
}

// lambda_j = mu_j / mu_0 times this
static double multiplier_unit(const num_stationary_paths* h, int j)
{
  return h->q.unit * h->q.unit * h->pull_unit / h->q.size[h->q.index[j]];
}

// an end in w and lambda; false where the multipliers are none
static bool keep_root(num_stationary_known* k, const num_stationary_paths* h, const cx* X)
{
  const int n = h->n, m = h->m, l = h->q.l;
  const cx* mu = X + n + 1;
  cx* w = k->w + k->count * l;
  for (int i = 0; i < l; i++) {
    w[i] = h->q.origin[i];
    for (int a = 0; a < n; a++) w[i] += h->q.T[i * n + a] * (X[a + 1] / X[0]);
  }
  double size = 0;
  for (int j = 0; j <= m; j++) size = fmax(size, cabs(mu[j]));
  if (cabs(mu[0]) < 1e-9 * size) return false;
  for (int j = 0; j < m; j++)
    k->lambda[k->count * m + j] = mu[j + 1] / mu[0] * multiplier_unit(h, j);
  k->count++;
  return true;
}

// the ends of the paths are the roots of the problem of the frame, and nothing else is stationary
static void keep(num_stationary* f)
{
  num_stationary_known* k = f->known;
  const num_stationary_paths* h = f->paths;
  k->count = 0;
  if (h->m != f->frame.p->s || h->n != f->frame.l) return;
  for (int i = 0; i < h->count; i++) {
    if (h->kind[i] == END_INFINITE) continue;
    if (h->kind[i] != END_REGULAR || !keep_root(k, h, h->end + i * h->N)) {
      k->count = 0;
      return;
    }
  }
  copy_problem(k, f->frame.p);
  memcpy(k->degree, h->degree, sizeof k->degree);
  if (k->count > k->most) k->most = k->count;
}

// ---- from the last problem to this one ----------------------------------------------------------

// w of the last problem = R w + shift of this one, both being the same accelerations
typedef struct passage
{
  double R[STATIONARY_L * STATIONARY_L], shift[STATIONARY_L];
} passage;

static void pass(const num_stationary_problem* from, const num_stationary_problem* to, passage* out)
{
  const int l = to->l;
  memset(out, 0, sizeof *out);
  for (int i = 0; i < l && !to->wide; i++) out->R[i * l + i] = 1;
  for (int r = 0; r < to->wide; r++)
    for (int i = 0; i < l; i++) {
      const double b = from->basis[r * l + i];
      out->shift[i] += b * (to->place[r] - from->place[r]);
      for (int j = 0; j < l; j++) out->R[i * l + j] += b * to->basis[r * l + j];
    }
}

// the last problem seen in the coordinates of the paths
static void write_before(num_stationary_paths* h, const num_stationary_problem* p, const passage* y)
{
  const num_stationary_frame* q = &h->q;
  const int l = q->l;
  const double unit = q->unit * q->unit * h->pull_unit;
  double HT[STATIONARY_L * STATIONARY_L], g[STATIONARY_L];
  path_place at = {.p = p};
  for (int i = 0; i < l; i++) {
    at.origin[i] = y->shift[i];
    for (int j = 0; j < l; j++) {
      at.origin[i] += y->R[i * l + j] * q->origin[j];
      for (int a = 0; a < l; a++) at.T[i * l + a] += y->R[i * l + j] * q->T[j * l + a];
    }
  }
  for (int i = 0; i < l; i++) {
    g[i] = -p->r[i];
    for (int j = 0; j < l; j++) g[i] += p->H[i * l + j] * at.origin[j];
    for (int a = 0; a < l; a++) {
      HT[i * l + a] = 0;
      for (int j = 0; j < l; j++) HT[i * l + a] += p->H[i * l + j] * at.T[j * l + a];
    }
  }
  for (int a = 0; a < l; a++) {
    h->before.o[a] = 0;
    for (int i = 0; i < l; i++) h->before.o[a] += at.T[i * l + a] * g[i] / unit;
    for (int b = 0; b < l; b++) {
      double sum = 0;
      for (int i = 0; i < l; i++) sum += at.T[i * l + a] * HT[i * l + b];
      h->before.S[a * l + b] = sum / unit;
    }
  }
  num_stationary_paths_write(h, &h->before, &at);
}

// where the paths begin: (1, x, 1, mu) with x = T^-1 (w - origin), T^-1 = T^T H / unit^2
static bool write_starts(num_stationary_paths* h, const num_stationary_known* k, const passage* y)
{
  const num_stationary_frame* q = &h->q;
  const int l = q->l, m = h->m;
  double R[STATIONARY_L * STATIONARY_L], part[2][STATIONARY_L];
  int pivot[STATIONARY_L];
  memcpy(R, y->R, sizeof R);
  if (!num_lu(l, R, pivot)) return false;
  for (int i = 0; i < k->count; i++) {
    cx* X = h->start + i * h->N;
    for (int c = 0; c < l; c++) {
      part[0][c] = creal(k->w[i * l + c]) - y->shift[c];
      part[1][c] = cimag(k->w[i * l + c]);
    }
    for (int side = 0; side < 2; side++) num_lu_solve(l, R, pivot, part[side]);
    X[0] = X[l + 1] = 1;
    for (int a = 0; a < l; a++) X[a + 1] = 0;
    for (int r = 0; r < l; r++) {
      cx along = 0;
      for (int c = 0; c < l; c++)
        along += q->p->H[r * l + c] * CMPLX(part[0][c] - q->origin[c], part[1][c]);
      for (int a = 0; a < l; a++) X[a + 1] += q->T[r * l + a] * along / (q->unit * q->unit);
    }
    for (int j = 0; j < m; j++) X[l + 2 + j] = k->lambda[i * m + j] / multiplier_unit(h, j);
  }
  return true;
}

// straight first, then through complex problems, then with more care
static bool track_again(num_stationary_paths* h, const num_stationary_known* k, const passage* y)
{
  enum { attempts = 3 };
  for (int attempt = 0; attempt < attempts; attempt++) {
    num_stationary_paths_choose(h, (unsigned)attempt);
    h->gamma = attempt ? csqrt(h->gamma) : 1;
    h->care = attempt == attempts - 1 ? 4 : 1;
    bool regular = write_starts(h, k, y);
    for (int i = 0; i < h->count && regular; i++) {
      regular = num_stationary_paths_patch(h, h->start + i * h->N);
      if (regular) h->kind[i] = num_stationary_paths_track(h, i, h->end + i * h->N);
      regular = regular && h->kind[i] == END_REGULAR;
    }
    if (regular && num_stationary_paths_consistent(h)) return true;
  }
  return false;
}

static bool due(const num_stationary_known* k)
{
  return k->looks + 1 >= k->next;
}

bool num_stationary_known_near(const num_stationary_known* k, const num_stationary_problem* p)
{
  return k->count > 0 && k->count == k->most && !due(k) && p->polynomial && p->l == k->p.l &&
         p->s == k->p.s && p->wide == k->p.wide;
}

bool num_stationary_known_follow(num_stationary* f)
{
  num_stationary_known* k = f->known;
  num_stationary_paths* h = f->paths;
  const num_stationary_frame* q = &f->frame;
  passage y;
  if (q->contradictory || q->m != k->p.s || q->n != q->l) return false;
  for (int j = 0; j < q->m; j++)
    if (q->degree[q->index[j]] != k->degree[j]) return false;
  num_stationary_paths_prepare(f);
  h->near = true;
  h->count = f->set.paths = k->count;
  pass(&k->p, q->p, &y);
  write_before(h, &k->p, &y);
  if (!track_again(h, k, &y) || !num_stationary_paths_collect(f)) return false;
  k->looks++;
  keep(f);
  return k->count == k->most;
}

void num_stationary_known_looked(num_stationary* f, bool plain)
{
  num_stationary_known* k = f->known;
  if (due(k)) k->next = k->next ? 2 * k->next : 1;
  k->looks = 0;
  if (plain)
    keep(f);
  else
    k->count = 0;
}
