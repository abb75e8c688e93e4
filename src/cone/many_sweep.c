// Sweeps of Gauss and Seidel over many contacts, each contact solved by itself with its normal row
// and what hangs on it (Moreau 1999; Jourdan, Alart and Jean 1998).
//
// Of one contact, w = B x + b with b what the others make of it: open where b_n >= 0; held where
// B x + b = 0 lies in the cone; else slipping, in space by one equation for one unknown, which
// finds the direction of the slowest slip, too; with rolling and pivoting beside it by Newton
// (many_several.c); else by a few turns of projection, which in the plane end with the right side
// at once.
#include "cone/many.h"
#include "cone/small.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { most_turns = 10, most_slips = 60, most_block = CONE_MANY_ROWS };

static inline double length_of(double x, double y)
{
  return sqrt(x * x + y * y);
}

static bool same_columns(const cone_many_problem* p, int i, int j)
{
  const int count = p->start[i + 1] - p->start[i];
  return p->start[j + 1] - p->start[j] == count &&
         !memcmp(p->column + p->start[i], p->column + p->start[j], sizeof(int) * (size_t)count);
}

// has row n two tangents that meet the same rows as it does?
static bool is_alike(const cone_many* f, int n)
{
  const int* t = f->tangent + f->first[n];
  return f->first[n + 1] - f->first[n] == 2 && same_columns(f->p, n, t[0]) &&
         same_columns(f->p, n, t[1]);
}

void cone_many_prepare(cone_many* f)
{
  const cone_many_problem* p = f->p;
  int at = 0;
  cone_many_hang(f);
  for (int i = 0; i < p->r; i++) {
    f->diagonal[i] = 0;
    for (int k = p->start[i]; k < p->start[i + 1]; k++)
      if (p->column[k] == i) f->diagonal[i] += p->G[k];
    assert(f->diagonal[i] > 0);
  }
  for (int n = 0; n < p->r; n++) {
    if (p->kind[n] == CONE_MANY_TANGENT) continue;
    const int tangents = f->first[n + 1] - f->first[n], size = 1 + tangents;
    assert(tangents <= CONE_MANY_TANGENTS);
    f->block_at[n] = at;
    f->alike[n] = is_alike(f, n);
    if (!tangents) {
      f->block[at++] = f->diagonal[n];
      continue;
    }
    memset(f->block + at, 0, sizeof(double) * (size_t)(size * size));
    for (int a = 0; a < size; a++) f->place[a ? f->tangent[f->first[n] + a - 1] : n] = a;
    for (int a = 0; a < size; a++) {
      const int i = a ? f->tangent[f->first[n] + a - 1] : n;
      for (int k = p->start[i]; k < p->start[i + 1]; k++) {
        const int j = p->column[k], of = p->kind[j] == CONE_MANY_TANGENT ? p->of[j] : j;
        if (of == n) f->block[at + a * size + f->place[j]] += p->G[k];
      }
    }
    at += size * size;
  }
}

void cone_many_product(cone_many* f)
{
  for (int i = 0; i < f->p->r; i++) f->w[i] = cone_many_row(f, i);
}

double cone_many_projected(const cone_many* f, int i, double x, double y)
{
  const cone_many_problem* p = f->p;
  if (p->kind[i] == CONE_MANY_EQUAL) return x;
  if (p->kind[i] == CONE_MANY_NORMAL) return x > 0 ? x : 0;
  const double bound = p->mu[i] * fmax(f->x[p->of[i]], 0), length = length_of(x, y);
  return length > bound ? x * (bound / length) : x;
}

// ---- one contact --------------------------------------------------------------------------------

// rows of a contact with its own G, and what the others make of it
typedef struct contact
{
  int size;
  int row[most_block];
  double x[most_block], b[most_block];
  const double* B;
} contact;

static double along(const contact* c, int a)
{
  double w = c->b[a];
  for (int o = 0; o < c->size; o++) w += c->B[a * c->size + o] * c->x[o];
  return w;
}

static bool hold_two(contact* c)
{
  const double* B = c->B;
  const double det = B[0] * B[3] - B[1] * B[2];
  c->x[0] = (B[1] * c->b[1] - B[3] * c->b[0]) / det;
  c->x[1] = (B[2] * c->b[0] - B[0] * c->b[1]) / det;
  return det > cone_many_pivot * B[0] * B[3];
}

static bool hold_three(contact* c)
{
  const double* B = c->B;
  const double m0 = B[4] * B[8] - B[5] * B[7], m1 = B[5] * B[6] - B[3] * B[8],
               m2 = B[3] * B[7] - B[4] * B[6], det = B[0] * m0 + B[1] * m1 + B[2] * m2;
  const double *b = c->b, d = -1 / det;
  c->x[0] =
      d * (m0 * b[0] + (B[2] * B[7] - B[1] * B[8]) * b[1] + (B[1] * B[5] - B[2] * B[4]) * b[2]);
  c->x[1] =
      d * (m1 * b[0] + (B[0] * B[8] - B[2] * B[6]) * b[1] + (B[2] * B[3] - B[0] * B[5]) * b[2]);
  c->x[2] =
      d * (m2 * b[0] + (B[1] * B[6] - B[0] * B[7]) * b[1] + (B[0] * B[4] - B[1] * B[3]) * b[2]);
  return det > cone_many_pivot * B[0] * B[4] * B[8];
}

// is the contact held, with one group of tangents? its x then
static bool holds(const cone_many* f, contact* c)
{
  double kept[3] = {c->x[0], c->x[1], c->size > 2 ? c->x[2] : 0};
  const bool pair = c->size == 3 && cone_many_pair(f, c->row[1]) == c->row[2];
  if (c->size != 2 && !pair) return false;
  const bool found = c->size == 2 ? hold_two(c) : hold_three(c);
  if (found && length_of(c->x[1], c->size > 2 ? c->x[2] : 0) <= f->p->mu[c->row[1]] * c->x[0])
    return true;
  memcpy(c->x, kept, sizeof(double) * (size_t)c->size);
  return false;
}

// ---- one that slips in space --------------------------------------------------------------------

// With w_n = 0 and w_t = -l x_t, l >= 0, impulses are those of B with l added to its tangents. They
// fall with l, and there is one l at which they are on the cone, |x_t| = mu x_n: a root of
// mu x_n/|x_t| - 1, nearly straight in l (as More and Sorensen 1983 have it of a trust region).
typedef struct slip
{
  double b[2], B[4]; // of the tangents, the normal impulse eliminated
  double n, N[2];    // x_n = n - N x_t
  double mu;
} slip;

// the root's function at l, its slope, and the impulses
static double slip_at(const slip* s, double l, double x[3], double* slope)
{
  const double a = s->B[0] + l, d = s->B[3] + l, det = a * d - s->B[1] * s->B[2];
  x[1] = -(d * s->b[0] - s->B[1] * s->b[1]) / det;
  x[2] = -(a * s->b[1] - s->B[2] * s->b[0]) / det;
  x[0] = s->n - s->N[0] * x[1] - s->N[1] * x[2];
  // the same of l a little larger: dx_t = -(B + l)^-1 x_t
  const double y1 = -(d * x[1] - s->B[1] * x[2]) / det, y2 = -(a * x[2] - s->B[2] * x[1]) / det;
  const double length = length_of(x[1], x[2]), dn = -s->N[0] * y1 - s->N[1] * y2;
  *slope = s->mu / length * (dn - x[0] * (x[1] * y1 + x[2] * y2) / (length * length));
  return s->mu * x[0] / length - 1;
}

// does it, with one group of two tangents? its x then
static bool slips(const cone_many* f, contact* c)
{
  const double* B = c->B;
  if (c->size != 3 || cone_many_pair(f, c->row[1]) != c->row[2]) return false;
  const slip s = {.b = {c->b[1] - B[3] * c->b[0] / B[0], c->b[2] - B[6] * c->b[0] / B[0]},
                  .B = {B[4] - B[3] * B[1] / B[0], B[5] - B[3] * B[2] / B[0],
                        B[7] - B[6] * B[1] / B[0], B[8] - B[6] * B[2] / B[0]},
                  .n = -c->b[0] / B[0],
                  .N = {B[1] / B[0], B[2] / B[0]},
                  .mu = f->p->mu[c->row[1]]};
  double low = 0, high = INFINITY, x[3], slope;
  const double square = c->x[1] * c->x[1] + c->x[2] * c->x[2];
  double l = square > 0 ? -(along(c, 1) * c->x[1] + along(c, 2) * c->x[2]) / square : 0;
  l = fmax(l, 0);
  for (int k = 0; k < most_slips; k++) {
    const double at = slip_at(&s, l, x, &slope);
    if (!isfinite(at)) return false;
    if (fabs(at) <= cone_slip_on_cone) {
      memcpy(c->x, x, sizeof x);
      return true;
    }
    if (at < 0)
      low = l;
    else
      high = l;
    double next = slope > 0 ? l - at / slope : INFINITY;
    if (!(next > low && next < high)) next = isfinite(high) ? (low + high) / 2 : 2 * low + B[4];
    l = next;
  }
  return false;
}

// is it one with several discs, and solved? its x, or the best so far
static bool settles_several(const cone_many* f, contact* c)
{
  const cone_many_discs d = cone_many_discs_of(f, c->row[0]);
  double scale[most_block];
  if (d.groups < 2) return false;
  for (int a = 0; a < c->size; a++) scale[a] = cone_many_scale(f, c->row[a]);
  return cone_many_several(&d, c->B, c->b, scale, c->x);
}

static bool settles(const cone_many* f, contact* c)
{
  return holds(f, c) || slips(f, c) || settles_several(f, c);
}

// one turn over the rows of a contact; the largest change, as a velocity
static double turn(const cone_many* f, contact* c)
{
  double most = 0;
  for (int a = 0; a < c->size; a++) {
    const int i = c->row[a], o = a ? cone_many_pair(f, i) : -1;
    const int other = o < 0 ? -1 : a + (c->row[a + 1 < c->size ? a + 1 : a] == o ? 1 : -1);
    const double d = o < 0 ? f->diagonal[i] : cone_many_scale(f, i), before = c->x[a];
    const double x = before - along(c, a) / d;
    if (!a) {
      c->x[0] = fmax(x, 0);
      most = fmax(most, d * fabs(c->x[0] - before));
      continue;
    }
    const double y = other < 0 ? 0 : c->x[other] - along(c, other) / d;
    const double bound = f->p->mu[i] * c->x[0], length = length_of(x, y);
    const double scale = length > bound ? bound / length : 1;
    most = fmax(most, d * fabs(x * scale - before));
    c->x[a] = x * scale;
    if (other >= 0) c->x[other] = y * scale;
    a += other > a;
  }
  return most;
}

// a contact on which nothing hangs; does it press as before?
static bool solve_alone(cone_many* f, int n)
{
  const double B = f->diagonal[n], b = cone_many_row(f, n) - B * f->x[n];
  const bool pressed = f->x[n] > 0;
  f->x[n] = b < 0 ? -b / B : 0;
  return pressed == (b < 0);
}

// w of three rows that meet the same ones
static void three_rows(const cone_many* f, const int row[3], double w[3])
{
  const cone_many_problem* p = f->p;
  const int count = p->start[row[0] + 1] - p->start[row[0]], *column = p->column + p->start[row[0]];
  const double *a = p->G + p->start[row[0]], *b = p->G + p->start[row[1]],
               *c = p->G + p->start[row[2]];
  double at0 = p->q[row[0]], at1 = p->q[row[1]], at2 = p->q[row[2]], by0 = 0, by1 = 0, by2 = 0;
  int k = 0;
  for (; k + 2 <= count; k += 2) {
    const double x = f->x[column[k]], y = f->x[column[k + 1]];
    at0 += a[k] * x;
    at1 += b[k] * x;
    at2 += c[k] * x;
    by0 += a[k + 1] * y;
    by1 += b[k + 1] * y;
    by2 += c[k + 1] * y;
  }
  const double last = k < count ? f->x[column[k]] : 0;
  w[0] = at0 + by0 + (k < count ? a[k] * last : 0);
  w[1] = at1 + by1 + (k < count ? b[k] * last : 0);
  w[2] = at2 + by2 + (k < count ? c[k] * last : 0);
}

// on beyond the answer by a share of the way there, and back into the cone
static void go_beyond(const cone_many* f, contact* c, double share)
{
  for (int a = 0; a < c->size; a++) {
    const double before = f->x[c->row[a]];
    c->x[a] = before + share * (c->x[a] - before);
  }
  if (!(c->x[0] > 0)) memset(c->x, 0, sizeof(double) * (size_t)c->size);
  for (int a = 1; a < c->size; a++) {
    const int other = cone_many_pair(f, c->row[a]) >= 0 ? a + 1 : -1; // they stand side by side
    const double y = other < 0 ? 0 : c->x[other], bound = f->p->mu[c->row[a]] * c->x[0],
                 length = length_of(c->x[a], y), scale = length > bound ? bound / length : 1;
    c->x[a] *= scale;
    if (other < 0) continue;
    c->x[other] *= scale;
    a++;
  }
}

// Its normal row says whether it stays open: others need not be looked at.
static bool stays_open(const cone_many* f, int n)
{
  bool off = f->x[n] == 0;
  for (int k = f->first[n]; k < f->first[n + 1]; k++) off = off && f->x[f->tangent[k]] == 0;
  return off && cone_many_row(f, n) >= 0;
}

static void solve_contact(cone_many* f, int n, double share)
{
  contact c = {0};
  double large = 0;
  if (stays_open(f, n)) return;
  c.size = 1 + f->first[n + 1] - f->first[n];
  c.B = f->block + f->block_at[n];
  for (int a = 0; a < c.size; a++) {
    c.row[a] = a ? f->tangent[f->first[n] + a - 1] : n;
    c.x[a] = f->x[c.row[a]];
  }
  if (f->alike[n])
    three_rows(f, c.row, c.b);
  else
    for (int a = 0; a < c.size; a++) c.b[a] = cone_many_row(f, c.row[a]);
  for (int a = 0; a < c.size; a++)
    for (int o = 0; o < c.size; o++) c.b[a] -= c.B[a * c.size + o] * c.x[o];
  for (int a = 0; a < c.size; a++) large = fmax(large, fabs(c.b[a]));
  if (c.b[0] >= 0)
    memset(c.x, 0, sizeof(double) * (size_t)c.size);
  else if (!settles(f, &c))
    for (int k = 0; k < most_turns && turn(f, &c) > cone_many_tolerance * large;) k++;
  if (share != 1) go_beyond(f, &c, share);
  for (int a = 0; a < c.size; a++) f->x[c.row[a]] = c.x[a];
}

// to and fro: what presses at one end is felt at the other after a single pair of sweeps
bool cone_many_sweep(cone_many* f, bool back)
{
  const int r = f->p->r;
  bool stays = true;
  f->work += f->p->start[r];
  for (int k = 0; k < r; k++) {
    const int i = back ? r - 1 - k : k;
    if (f->p->kind[i] == CONE_MANY_EQUAL) f->x[i] -= cone_many_row(f, i) / f->diagonal[i];
    if (f->p->kind[i] != CONE_MANY_NORMAL) continue;
    if (f->first[i] == f->first[i + 1]) {
      if (!solve_alone(f, i)) stays = false;
    } else {
      solve_contact(f, i, 1);
      stays = false;
    }
  }
  return stays;
}

void cone_many_sweep_beyond(cone_many* f, double share)
{
  f->work += f->p->start[f->p->r];
  for (int i = 0; i < f->p->r; i++) {
    if (f->p->kind[i] == CONE_MANY_EQUAL) f->x[i] -= cone_many_row(f, i) / f->diagonal[i];
    if (f->p->kind[i] == CONE_MANY_NORMAL) solve_contact(f, i, share);
  }
}
