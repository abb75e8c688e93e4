// Many contacts through the inside of their cones: an interior point method, which finds impulses
// where the states of Newton run in circles, however redundant the rows are.
//
// With s_n = mu |w_t| added to the normal velocities Coulomb's law reads, for y = (x_n, x_t/mu) and
// z = (w_n + s_n, mu w_t),  y in K, z in K, y.z = 0,  K the round cone y_0 >= |y_1| (De Saxce and
// Feng 1998; Acary, Cadoux, Lemarechal and Malick 2011). With s of the turn before that is a
// problem of least energy over cones. A turn is a step of Newton towards y o z = sigma m e (o the
// product of Jordan), looked at along y and z where they are the same: W^-1 y = W z = lambda
// (Nesterov and Todd 1997), first ahead with sigma = 0 and then with what that leaves (Mehrotra
// 1992):
//   (T G + D) dx = U (W^-1 (lambda \ r) - rest),   dz = W^-1 (lambda \ r) - W^-2 U dx,
// D = U W^-2 U, T of how s follows the slips. In a large island, where G = A M^-1 A^T with M of the
// bodies, the velocities v = M^-1 A^T dx come first (many_bodies.c):
//   (M + A^T D^-1 T A) v = A^T D^-1 b,   dx = D^-1 (b - T A v).
#include "cone/many_interior.h"
#include "cone/round.h"
#include "cone/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// turns without a better answer: far from any, and where Newton may go on
enum { most_turns = 70, most_size = 3, hopeless = 25, at_its_end = 4, no_ways = 3 };
// Where the edge is near at once, the next turn takes less of how s follows the slips into its
// equations: slips that turn around would lead it there again.
static const double less_taken = 0.7;
// Of the mean of y.z: it is not let fall by more in a turn. Contacts that neither press nor part
// would be left behind on their edges.
static const double least_centred = 0.03;

// How it goes. A large island must not come near the edges early, and begins with impulses and
// velocities that are rather too large: those at the foot of a pile carry all of it.
struct cone_many_manner
{
  double back_off;                      // of the way to the edge of the cones
  double first_impulse, first_velocity; // of those of the problem
  double short_way;                     // a step that takes less of how s follows
  double no_way;                        // and one that is none
  double done;                          // of the largest velocity
};
static const struct cone_many_manner among_rows = {0.99, 1, 1, 0, 0, cone_interior_done},
                                     among_bodies = {0.9, 100, 10, 0.3, 0.02, cone_interior_far};

// ---- rows of a contact --------------------------------------------------------------------------

static int rows_of(const cone_many* f, int n, int row[most_size])
{
  const int size = 1 + f->first[n + 1] - f->first[n];
  row[0] = n;
  for (int k = 1; k < size; k++) row[k] = f->tangent[f->first[n] + k - 1];
  return size;
}

static void make_room(cone_many_inner* s, int r)
{
  double** all[] = {&s->y,    &s->z,    &s->unit,   &s->p,    &s->dy, &s->dz, &s->ay,   &s->az,
                    &s->turn, &s->beta, &s->lambda, &s->rest, &s->b,  &s->Av, &s->push, &s->found};
  const int count = sizeof all / sizeof *all;
  if (r > s->room) {
    s->room = r + r / 2 + 16;
    s->memory = base_realloc(s->memory, sizeof(double) * (size_t)(s->room * count));
  }
  for (int k = 0; k < count; k++) *all[k] = s->memory + (size_t)k * (size_t)s->room;
}

// ---- beginning, and where it stands -------------------------------------------------------------

// inside, as large as the problem
static void begin(cone_many* f)
{
  const cone_many_problem* p = f->p;
  cone_many_inner* s = &f->inner;
  double fast = 0, soft = 0;
  for (int i = 0; i < p->r; i++) {
    s->unit[i] = p->kind[i] == CONE_MANY_TANGENT ? 1 / p->mu[i] : 1;
    fast = fmax(fast, fabs(p->q[i]));
    soft = fmax(soft, f->diagonal[i]);
  }
  for (int i = 0; i < p->r; i++) {
    const bool normal = p->kind[i] == CONE_MANY_NORMAL;
    s->y[i] = normal ? s->manner->first_impulse * fast / soft : 0;
    s->z[i] = normal ? s->manner->first_velocity * fast : 0;
    if (p->kind[i] == CONE_MANY_EQUAL) s->y[i] = f->x[i];
  }
}

// w of y; what z differs from it by; the mean of y.z
static double look(cone_many* f, int* contacts)
{
  const cone_many_problem* p = f->p;
  cone_many_inner* s = &f->inner;
  double sum = 0;
  *contacts = 0;
  for (int i = 0; i < p->r; i++) f->x[i] = s->y[i] / s->unit[i];
  cone_many_product(f);
  for (int n = 0; n < p->r; n++) {
    if (p->kind[n] == CONE_MANY_EQUAL) s->rest[n] = f->w[n];
    if (p->kind[n] != CONE_MANY_NORMAL) continue;
    int row[most_size];
    double y[most_size] = {0}, z[most_size] = {0}, slip[most_size] = {0};
    const int size = rows_of(f, n, row);
    cone_many_get(size, row, s->y, y);
    cone_many_get(size, row, s->z, z);
    cone_many_get(size, row, f->w, slip);
    const double mu = size > 1 ? p->mu[row[1]] : 0;
    s->p[n] =
        size > 1 ? sqrt(cone_round_dot(size - 1, slip + 1, slip + 1) + s->smooth * s->smooth) : 0;
    s->rest[n] = f->w[n] + mu * s->p[n] - z[0];
    for (int k = 1; k < size; k++) s->rest[row[k]] = f->w[row[k]] / s->unit[row[k]] - z[k];
    sum += cone_round_dot(size, y, z);
    (*contacts)++;
  }
  return sum / *contacts;
}

static void scale_contact(cone_many_inner* s, int size, const int* row)
{
  double y[most_size] = {0}, z[most_size] = {0}, w[most_size], l[most_size];
  cone_many_get(size, row, s->y, y);
  cone_many_get(size, row, s->z, z);
  const double y_det = sqrt(cone_round_det(size, y)), z_det = sqrt(cone_round_det(size, z));
  const double gamma = sqrt((1 + cone_round_dot(size, y, z) / (y_det * z_det)) / 2);
  for (int k = 0; k < size; k++) w[k] = (y[k] / y_det + (k ? -z[k] : z[k]) / z_det) / (2 * gamma);
  s->beta[row[0]] = sqrt(y_det / z_det);
  cone_round_scaled(size, w, s->beta[row[0]], 1, z, l);
  cone_many_put(size, row, w, s->turn);
  cone_many_put(size, row, l, s->lambda);
}

// D = U W^-2 U of a contact, W^-2 = beta^-2 (2 J w w^T J - J)
static void contact_scaling(const cone_many* f, int size, const int* row, double* out)
{
  const cone_many_inner* s = &f->inner;
  const double square = s->beta[row[0]] * s->beta[row[0]];
  for (int a = 0; a < size; a++)
    for (int b = 0; b < size; b++) {
      const double sign = (a ? -1 : 1) * (b ? -1 : 1), J = a != b ? 0 : a ? -1 : 1;
      const double D = (2 * sign * s->turn[row[a]] * s->turn[row[b]] - J) / square;
      out[a * size + b] = s->unit[row[a]] * D * s->unit[row[b]];
    }
}

// ---- among rows ---------------------------------------------------------------------------------

static bool factor_rows(cone_many* f)
{
  const cone_many_problem* p = f->p;
  int width = f->width;
  for (int i = 0; i < p->r; i++)
    if (p->kind[i] == CONE_MANY_TANGENT) {
      const int o = cone_many_pair(f, i), to_normal = abs(i - p->of[i]);
      const int to_pair = o < 0 ? 0 : abs(i - o);
      width = to_normal > width ? to_normal : width;
      for (int k = p->start[i]; k < p->start[i + 1]; k++)
        if (abs(p->column[k] - p->of[i]) > width) width = abs(p->column[k] - p->of[i]);
      width = to_pair > width ? to_pair : width;
    }
  cone_band_clear(f->band, p->r, width);
  for (int i = 0; i < p->r; i++) {
    for (int k = p->start[i]; k < p->start[i + 1]; k++)
      *cone_band_at(f->band, i, p->column[k]) += p->G[k];
    *cone_band_at(f->band, i, i) += cone_interior_prox * f->diagonal[i];
  }
  for (int n = 0; n < p->r; n++) {
    int row[most_size];
    if (p->kind[n] != CONE_MANY_NORMAL) continue;
    const int size = rows_of(f, n, row);
    for (int a = 1; a < size; a++)
      for (int k = p->start[row[a]]; k < p->start[row[a] + 1]; k++)
        *cone_band_at(f->band, n, p->column[k]) += cone_many_follows(f, n, row[a]) * p->G[k];
    double D[most_size * most_size];
    contact_scaling(f, size, row, D);
    for (int a = 0; a < size; a++)
      for (int b = 0; b < size; b++) *cone_band_at(f->band, row[a], row[b]) += D[a * size + b];
  }
  return cone_band_factor(f->band);
}

// ---- a turn -------------------------------------------------------------------------------------

static bool factor(cone_many* f)
{
  for (int n = 0; n < f->p->r; n++) {
    int row[most_size];
    if (f->p->kind[n] != CONE_MANY_NORMAL) continue;
    const int size = rows_of(f, n, row);
    scale_contact(&f->inner, size, row);
  }
  return f->inner.of_bodies ? cone_many_inner_factor(f) : factor_rows(f);
}

// dy, dz for the right sides W^-1 (lambda \ r) in dz
static void solve(cone_many* f, double* dy, double* dz)
{
  const cone_many_problem* p = f->p;
  const cone_many_inner* s = &f->inner;
  for (int i = 0; i < p->r; i++)
    f->right[i] = p->kind[i] == CONE_MANY_EQUAL ? -s->rest[i] : s->unit[i] * (dz[i] - s->rest[i]);
  if (s->of_bodies)
    cone_many_inner_solve(f, f->right);
  else
    cone_band_solve(f->band, f->right);
  for (int i = 0; i < p->r; i++) dy[i] = s->unit[i] * f->right[i];
  if (s->of_bodies) {
    cone_many_inner_follow(f, dz);
    return;
  }
  for (int n = 0; n < p->r; n++) {
    int row[most_size];
    double w[most_size], d[most_size], twice[most_size];
    if (p->kind[n] != CONE_MANY_NORMAL) continue;
    const int size = rows_of(f, n, row);
    cone_many_get(size, row, s->turn, w);
    cone_many_get(size, row, dy, d);
    cone_round_scaled(size, w, s->beta[n], -2, d, twice);
    for (int k = 0; k < size; k++) dz[row[k]] -= twice[k];
  }
}

// how far both may go along a step
static double reach(const cone_many* f, const double* dy, const double* dz)
{
  const cone_many_inner* s = &f->inner;
  double share = 1;
  for (int n = 0; n < f->p->r; n++) {
    int row[most_size];
    double y[most_size] = {0}, d[most_size] = {0};
    if (f->p->kind[n] != CONE_MANY_NORMAL) continue;
    const int size = rows_of(f, n, row);
    cone_many_get(size, row, s->y, y);
    cone_many_get(size, row, dy, d);
    share = fmin(share, cone_round_share(size, y, d));
    cone_many_get(size, row, s->z, y);
    cone_many_get(size, row, dz, d);
    share = fmin(share, cone_round_share(size, y, d));
  }
  return share;
}

// W^-1 (lambda \ (sigma m e - lambda o lambda - (W^-1 ay) o (W az))) into dz
static void correct(cone_many* f, double centre, double share)
{
  cone_many_inner* s = &f->inner;
  for (int n = 0; n < f->p->r; n++) {
    int row[most_size];
    double w[most_size], l[most_size] = {0}, a[most_size], b[most_size], r[most_size], t[most_size];
    if (f->p->kind[n] != CONE_MANY_NORMAL) continue;
    const int size = rows_of(f, n, row);
    cone_many_get(size, row, s->turn, w);
    cone_many_get(size, row, s->lambda, l);
    cone_many_get(size, row, s->ay, a);
    cone_many_get(size, row, s->az, b);
    cone_round_scaled(size, w, s->beta[n], -1, a, r);
    cone_round_scaled(size, w, s->beta[n], 1, b, t);
    cone_round_jordan(size, r, t, a);
    cone_round_jordan(size, l, l, b);
    for (int k = 0; k < size; k++) a[k] = (k ? 0 : centre) - b[k] - share * a[k];
    cone_round_divide(size, l, a, r);
    cone_round_scaled(size, w, s->beta[n], -1, r, t);
    cone_many_put(size, row, t, s->dz);
  }
}

// the best so far
static void keep_best(cone_many* f)
{
  cone_many_inner* s = &f->inner;
  const double fault = cone_many_fault(f);
  s->worse++;
  if (!(fault < s->best)) return;
  s->worse = 0;
  s->best = fault;
  memcpy(s->found, f->x, sizeof(double) * (size_t)f->p->r);
}

// ahead, then with what that leaves; how far it went
static double make_turn(cone_many* f, double mean)
{
  cone_many_inner* s = &f->inner;
  for (int i = 0; i < f->p->r; i++) s->az[i] = -s->z[i];
  solve(f, s->ay, s->az);
  const double left = 1 - reach(f, s->ay, s->az);
  correct(f, fmax(left * left, least_centred) * mean, (1 - left) * (1 - left));
  solve(f, s->dy, s->dz);
  const double share = fmin(1, s->manner->back_off * reach(f, s->dy, s->dz));
  for (int i = 0; i < f->p->r; i++) {
    s->y[i] += share * s->dy[i];
    s->z[i] += share * s->dz[i];
  }
  return share;
}

bool cone_many_interior_begin(cone_many* f, bool of_bodies)
{
  const cone_many_problem* p = f->p;
  cone_many_inner* s = &f->inner;
  if (!cone_many_is_round(f)) return false;
  make_room(s, p->r);
  s->of_bodies = of_bodies && f->island.origin && cone_many_bodies_open(f);
  if (of_bodies && !s->of_bodies) return false;
  if (s->of_bodies) cone_many_inner_room(s, &f->bodies);
  s->manner = of_bodies ? &among_bodies : &among_rows;
  begin(f);
  s->soft = s->fast = 0;
  for (int i = 0; i < p->r; i++) {
    s->soft = fmax(s->soft, f->diagonal[i]);
    s->fast = fmax(s->fast, fabs(p->q[i]));
  }
  s->smooth = s->fast;
  s->turns = s->worse = s->jammed = 0;
  s->best = INFINITY;
  s->taken = 1;
  return true;
}

bool cone_many_interior(cone_many* f, double until, int* turns)
{
  cone_many_inner* s = &f->inner;
  bool inside = true;
  for (; inside; s->turns++) {
    int contacts;
    const double mean = look(f, &contacts), slow = sqrt(mean * s->soft);
    if (s->of_bodies) keep_best(f);
    inside = s->turns < most_turns && contacts && slow > s->manner->done * s->fast &&
             s->best > cone_many_allowed(f) && s->jammed < no_ways &&
             s->worse < (s->best < cone_near_warm ? at_its_end : hopeless);
    if (!inside || !(slow > until * s->fast) || !(inside = factor(f))) break;
    s->smooth = cone_interior_smooth * slow * slow / s->fast;
    (*turns)++;
    const double way = make_turn(f, mean);
    s->taken = way < s->manner->short_way ? less_taken : 1;
    s->jammed = way < s->manner->no_way ? s->jammed + 1 : 0;
  }
  if (inside || !s->of_bodies) return inside;
  memcpy(f->x, s->found, sizeof(double) * (size_t)f->p->r);
  cone_many_product(f);
  return false;
}
