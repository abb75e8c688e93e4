// What coordinates are measured by where they stand beside each other: in matrices, lengths of
// rows, distances.
//
// A displacement is as long as its kinetic energy says, |x|^2 = sum_j m_j x_j^2, m_j = M_jj: the
// only measure that metres and radians have in common. Where a choice depends on it, as of the
// nearest point or the least reactions, it is taken as it is. Where it only keeps digits, masses
// that are not far apart count as alike, so that a light link does not stand for all of a
// mechanism, and x_j is measured in powers of two, which multiply without rounding.
//
// Parts of a unit vector or quaternion are alike and share the largest of their masses: that along
// the vector is none. A coordinate without mass, such as the point of contact on a surface, has
// that of what it is bound to: if row k alone held, moving x_j would move the others, as cheaply as
// can be by sum_i (A_ki x_i) = -A_kj x_j, with the energy
//   A_kj^2 x_j^2 / sum_(i != j) A_ki^2/m_i.
#include "engine/inside.h"

#include <math.h>
#include <string.h>

// Measures that differ by less are alike. The thresholds of pivots and of losses of rank are meant
// for rows of numbers that may differ by about that much.
static const double alike = 32;

typedef struct entries
{
  int count;
  const int* column; // null: all
  const double* value;
} entries;

static entries row_of(const engine* e, int k)
{
  if (!e->sparse) return (entries){e->n, NULL, e->A + (size_t)k * (size_t)e->n};
  const num_rows* A = &e->sparse->A;
  const int from = A->start[k];
  return (entries){A->start[k + 1] - from, A->column + from, e->sparse->A_value + from};
}

static int column_of(entries r, int i)
{
  return r.column ? r.column[i] : i;
}

// what row r lends to those of its coordinates that have none, into lent where that is more
static void lend(entries r, const double* mass, double* lent)
{
  double mobility = 0;
  for (int i = 0; i < r.count; i++) {
    const double m = mass[column_of(r, i)];
    if (!isfinite(r.value[i])) return;
    if (m > 0) mobility += r.value[i] * r.value[i] / m;
  }
  for (int i = 0; i < r.count && mobility > 0; i++) {
    const int j = column_of(r, i);
    if (!(mass[j] > 0)) lent[j] = fmax(lent[j], r.value[i] * r.value[i] / mobility);
  }
}

static void share_in_vectors(const engine* e, double* mass)
{
  const model_coord* x = e->model->coord;
  for (int i = 0; i < e->n; i++)
    for (int j = i; x[i].vector && j >= 0 && x[j].vector == x[i].vector; j--) {
      const double most = fmax(mass[i], mass[j]);
      mass[i] = mass[j] = most;
    }
}

static bool all_have_mass(const engine* e, const double* mass)
{
  bool all = true;
  for (int j = 0; j < e->n; j++) all = all && mass[j] > 0;
  return all;
}

// rows lend, and what was lent is lent on along rows that bind coordinates without mass to others
static void lend_all(engine* e, double* mass)
{
  double *lent = e->work.lent, most = 0;
  if (all_have_mass(e, mass)) return;
  for (int j = 0; j < e->n; j++) most = fmax(most, mass[j]);
  bool more = true;
  for (int turn = 0; turn < e->n && more; turn++) {
    more = false;
    memset(lent, 0, sizeof(double) * (size_t)e->n);
    for (int k = 0; k < e->m; k++) lend(row_of(e, k), mass, lent);
    for (int j = 0; j < e->n; j++) {
      if (!(lent[j] > engine_least_lent * most)) continue;
      mass[j] = lent[j];
      more = true;
    }
    share_in_vectors(e, mass);
  }
}

// the largest mass of those with each unit
typedef struct likes
{
  int count;
  const char* unit[8];
  double most[8];
} likes;

static double* of_unit(likes* l, const char* unit)
{
  for (int i = 0; i < l->count; i++)
    if (strcmp(l->unit[i], unit) == 0) return &l->most[i];
  if (l->count == 8) return NULL;
  l->unit[l->count] = unit;
  return &l->most[l->count++];
}

// has none of them next to none, whatever its unit? Units are compared letter by letter.
static bool all_have_some(int count, const int* member, const double* mass)
{
  double most = 0;
  bool all = true;
  for (int k = 0; k < count; k++) most = fmax(most, mass[member[k]]);
  for (int k = 0; k < count && all; k++) all = mass[member[k]] > engine_least_mass * most;
  return all;
}

// those that have next to none beside others with the same unit, that they know of, have theirs
static void take_from_like(const engine* e, int count, const int* member, double* mass)
{
  if (all_have_some(count, member, mass)) return;
  const model_coord* x = e->model->coord;
  likes l = {0};
  for (int k = 0; k < count; k++) {
    double* most = of_unit(&l, x[member[k]].unit);
    if (most) *most = fmax(*most, mass[member[k]]);
  }
  for (int k = 0; k < count; k++) {
    const int i = member[k];
    const double *most = of_unit(&l, x[i].unit),
                 least = *x[i].unit ? engine_least_mass : engine_least_of_unknown;
    if (most && !(mass[i] > least * *most)) mass[i] = *most;
  }
}

void engine_masses(engine* e, const double* own, double* mass)
{
  const engine_scales* s = e->scales;
  memcpy(mass, own, sizeof(double) * (size_t)e->n);
  share_in_vectors(e, mass);
  lend_all(e, mass);
  for (int g = 0; g < s->of.groups; g++)
    take_from_like(e, s->of.from[g + 1] - s->of.from[g], s->of.member + s->of.from[g], mass);
}

void engine_masses_here(engine* e, double* mass)
{
  for (int j = 0; j < e->n; j++) e->work.own[j] = engine_mass_of(e, j);
  engine_masses(e, e->work.own, mass);
}

// sqrt(most/mass), less what counts as alike, to a power of two
static double unit_of(double mass, double most)
{
  int exponent = 0;
  const double ratio = mass > 0 ? sqrt(most / mass) / alike : 1;
  if (!(ratio > 1 && isfinite(ratio))) return 1;
  frexp(ratio, &exponent);
  return ldexp(1, exponent);
}

// coordinates that know nothing of each other have measures of their own
static void weigh_group(engine* e, int count, const int* member)
{
  double most = 0;
  for (int k = 0; k < count; k++) most = fmax(most, e->work.mass[member[k]]);
  for (int k = 0; k < count; k++)
    e->work.weight[member[k]] = unit_of(e->work.mass[member[k]], most);
}

void engine_weigh(engine* e)
{
  const engine_scales* s = e->scales;
  for (int p = 0; p < e->parts; p++) engine_weigh(engine_part_enter(e, p));
  double* own = e->work.own;
  engine_equations(e);
  e->factored = false;
  for (int j = 0; j < e->n; j++) {
    own[j] = engine_mass_of(e, j);
    if (!(own[j] >= 0) || !isfinite(own[j])) return;
  }
  engine_masses(e, own, e->work.mass);
  if (e->sparse) return;
  for (int j = 0; j < e->n; j++)
    e->work.unit[j] = e->work.mass[j] > 0 ? 1 / sqrt(e->work.mass[j]) : 1;
  for (int g = 0; g < s->of.groups; g++)
    weigh_group(e, s->of.from[g + 1] - s->of.from[g], s->of.member + s->of.from[g]);
  num_null_weigh(e->work.null, e->work.weight);
  memset(e->work.norm_seen, 0, sizeof(double) * (size_t)e->m);
}

void engine_sizes(const engine* e, const double* x, double* size)
{
  const engine_scales* s = e->scales;
  for (int g = 0; g < s->of.groups; g++) {
    double most = 0;
    for (int k = s->of.from[g]; k < s->of.from[g + 1]; k++)
      most = fmax(most, sqrt(e->work.mass[s->of.member[k]]) * fabs(x[s->of.member[k]]));
    for (int k = s->of.from[g]; k < s->of.from[g + 1]; k++) {
      const int j = s->of.member[k];
      size[j] = e->work.mass[j] > 0 ? most / sqrt(e->work.mass[j]) : fabs(x[j]);
    }
  }
}

void engine_state_sizes(const engine* e, double* size)
{
  const int n = e->n;
  const double span = e->scales->span > 0 ? e->scales->span : 1;
  engine_sizes(e, e->q, size);
  engine_sizes(e, e->v, size + n);
  for (int j = 0; j < n; j++) {
    if (!(size[j] > 0) || !isfinite(size[j])) size[j] = 1;
    if (!(size[n + j] > 0) || !isfinite(size[n + j])) size[n + j] = size[j] / span;
  }
}
