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
#include "cone/many.h"
#include "cone/round.h"
#include "cone/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_turns = 70, most_size = 3, balances = 2, hopeless = 25 };
static const double back_off = 0.9; // of the way to the edge of the cones
// The begin, in impulses and velocities of the problem: rather too large. Those at the foot of a
// pile carry all of it.
static const double first_impulse = 10, first_velocity = 3;
// Where the edge is near at once, the next turn takes less of how s follows the slips into its
// equations: slips that turn around would lead it there again.
static const double short_way = 0.3, less_taken = 0.7;

// ---- rows of a contact --------------------------------------------------------------------------

static int rows_of(const cone_many* f, int n, int row[most_size])
{
  const int size = 1 + f->first[n + 1] - f->first[n];
  row[0] = n;
  for (int k = 1; k < size; k++) row[k] = f->tangent[f->first[n] + k - 1];
  return size;
}

static void get(int size, const int* row, const double* from, double* to)
{
  for (int k = 0; k < size; k++) to[k] = from[row[k]];
}

static void put(int size, const int* row, const double* from, double* to)
{
  for (int k = 0; k < size; k++) to[row[k]] = from[k];
}

// one group of tangents to a contact, with a bound
static bool takes(const cone_many* f)
{
  const cone_many_problem* p = f->p;
  for (int n = 0; n < p->r; n++) {
    const int tangents = f->first[n + 1] - f->first[n];
    if (tangents == 0) continue;
    const int i = f->tangent[f->first[n]];
    if (!(p->mu[i] > 0) || tangents > 2) return false;
    if (tangents == 2 && cone_many_pair(f, i) < 0) return false;
  }
  return true;
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

static void make_body_room(cone_many_inner* s, const cone_many_bodies* b)
{
  const size_t blocks = (size_t)(CONE_MANY_ROUND * CONE_MANY_ROUND * b->contact.n);
  const size_t need = blocks + 2 * (size_t)b->unknowns;
  if (need > s->body_room)
    s->H = base_realloc(s->H, sizeof(double) * (s->body_room = need + need / 2));
  s->v = s->H + blocks;
  s->dv = s->v + b->unknowns;
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
    s->y[i] = normal ? first_impulse * fast / soft : 0;
    s->z[i] = normal ? first_velocity * fast : 0;
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
    get(size, row, s->y, y);
    get(size, row, s->z, z);
    get(size, row, f->w, slip);
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
  get(size, row, s->y, y);
  get(size, row, s->z, z);
  const double y_det = sqrt(cone_round_det(size, y)), z_det = sqrt(cone_round_det(size, z));
  const double gamma = sqrt((1 + cone_round_dot(size, y, z) / (y_det * z_det)) / 2);
  for (int k = 0; k < size; k++) w[k] = (y[k] / y_det + (k ? -z[k] : z[k]) / z_det) / (2 * gamma);
  s->beta[row[0]] = sqrt(y_det / z_det);
  cone_round_scaled(size, w, s->beta[row[0]], 1, z, l);
  put(size, row, w, s->turn);
  put(size, row, l, s->lambda);
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

// mu times the direction of the slip, smoothly
static double follows(const cone_many* f, int n, int tangent)
{
  return f->inner.taken * f->p->mu[tangent] * f->w[tangent] / f->inner.p[n];
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
        *cone_band_at(f->band, n, p->column[k]) += follows(f, n, row[a]) * p->G[k];
    double D[most_size * most_size];
    contact_scaling(f, size, row, D);
    for (int a = 0; a < size; a++)
      for (int b = 0; b < size; b++) *cone_band_at(f->band, row[a], row[b]) += D[a * size + b];
  }
  return cone_band_factor(f->band);
}

// ---- among bodies -------------------------------------------------------------------------------

// u <- D^-1 u of a contact, D^-1 = U^-1 W^2 U^-1
static void yield_to(const cone_many* f, int size, const int* row, double* u)
{
  const cone_many_inner* s = &f->inner;
  double w[most_size] = {0};
  if (f->p->kind[row[0]] == CONE_MANY_EQUAL) {
    u[0] /= cone_interior_equal * f->diagonal[row[0]];
    return;
  }
  get(size, row, s->turn, w);
  for (int k = 0; k < size; k++) u[k] /= s->unit[row[k]];
  cone_round_scaled(size, w, s->beta[row[0]], 2, u, u);
  for (int k = 0; k < size; k++) u[k] /= s->unit[row[k]];
}

static bool factor_bodies(cone_many* f)
{
  cone_many_inner* s = &f->inner;
  for (int i = 0; i < f->bodies.contact.n; i++) {
    const cone_many_body_contact* c = &f->bodies.contact.at[i];
    double* H = s->H + i * CONE_MANY_ROUND * CONE_MANY_ROUND;
    for (int b = 0; b < c->rows; b++) {
      double u[most_size] = {0};
      u[b] = 1;
      yield_to(f, c->rows, c->row, u);
      for (int a = 0; a < c->rows; a++) H[a * c->rows + b] = u[a];
    }
    for (int a = 0; a < c->rows; a++)
      for (int b = 1; b < c->rows; b++)
        H[a * c->rows + b] += H[a * c->rows] * follows(f, c->row[0], c->row[b]);
  }
  return cone_many_bodies_factor(f, s->H);
}

// x <- D^-1 (x - T w)
static void press(const cone_many* f, const double* w, double* x)
{
  for (int i = 0; i < f->bodies.contact.n; i++) {
    const cone_many_body_contact* c = &f->bodies.contact.at[i];
    double b[most_size];
    for (int k = 0; k < c->rows; k++) b[k] = x[c->row[k]] - w[c->row[k]];
    for (int k = 1; k < c->rows; k++) b[0] -= follows(f, c->row[0], c->row[k]) * w[c->row[k]];
    yield_to(f, c->rows, c->row, b);
    put(c->rows, c->row, b, x);
  }
}

// x <- (T G + D)^-1 x, and s->Av = A v. Where contacts press hard D^-1 is large, and impulses lose
// digits; what is left of the balance of the bodies, A^T x - M v, is solved for again.
static void solve_bodies(cone_many* f, double* x)
{
  cone_many_inner* s = &f->inner;
  const size_t rows = sizeof(double) * (size_t)f->p->r;
  const size_t unknowns = sizeof(double) * (size_t)f->bodies.unknowns;
  memset(s->Av, 0, rows);
  memset(s->v, 0, unknowns);
  memcpy(s->push, x, rows);
  press(f, s->Av, s->push);
  cone_many_bodies_push(f, s->push, 1, s->v);
  num_fronts_solve(f->bodies.fronts, s->v);
  cone_many_bodies_rows(f, s->v, s->Av);
  press(f, s->Av, x);
  for (int turn = 0; turn < balances; turn++) {
    cone_many_bodies_inertia(f, s->v, s->dv);
    for (int i = 0; i < f->bodies.unknowns; i++) s->dv[i] = -s->dv[i];
    cone_many_bodies_push(f, x, 1, s->dv);
    num_fronts_solve(f->bodies.fronts, s->dv);
    for (int i = 0; i < f->bodies.unknowns; i++) s->v[i] += s->dv[i];
    cone_many_bodies_rows(f, s->dv, s->b);
    memset(s->push, 0, rows);
    press(f, s->b, s->push);
    for (int i = 0; i < f->p->r; i++) {
      x[i] += s->push[i];
      s->Av[i] += s->b[i];
    }
  }
}

// dz of these velocities: z and w stay together
static void follow_velocities(const cone_many* f, double* dz)
{
  const cone_many_inner* s = &f->inner;
  for (int i = 0; i < f->bodies.contact.n; i++) {
    const cone_many_body_contact* c = &f->bodies.contact.at[i];
    const int n = c->row[0];
    dz[n] = s->rest[n] + s->Av[n];
    for (int k = 1; k < c->rows; k++) {
      const int t = c->row[k];
      dz[n] += follows(f, n, t) * s->Av[t];
      dz[t] = s->rest[t] + s->Av[t] / s->unit[t];
    }
  }
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
  return f->inner.of_bodies ? factor_bodies(f) : factor_rows(f);
}

// dy, dz for the right sides W^-1 (lambda \ r) in dz
static void solve(cone_many* f, double* dy, double* dz)
{
  const cone_many_problem* p = f->p;
  const cone_many_inner* s = &f->inner;
  for (int i = 0; i < p->r; i++)
    f->right[i] = p->kind[i] == CONE_MANY_EQUAL ? -s->rest[i] : s->unit[i] * (dz[i] - s->rest[i]);
  if (s->of_bodies)
    solve_bodies(f, f->right);
  else
    cone_band_solve(f->band, f->right);
  for (int i = 0; i < p->r; i++) dy[i] = s->unit[i] * f->right[i];
  if (s->of_bodies) {
    follow_velocities(f, dz);
    return;
  }
  for (int n = 0; n < p->r; n++) {
    int row[most_size];
    double w[most_size], d[most_size], twice[most_size];
    if (p->kind[n] != CONE_MANY_NORMAL) continue;
    const int size = rows_of(f, n, row);
    get(size, row, s->turn, w);
    get(size, row, dy, d);
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
    get(size, row, s->y, y);
    get(size, row, dy, d);
    share = fmin(share, cone_round_share(size, y, d));
    get(size, row, s->z, y);
    get(size, row, dz, d);
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
    get(size, row, s->turn, w);
    get(size, row, s->lambda, l);
    get(size, row, s->ay, a);
    get(size, row, s->az, b);
    cone_round_scaled(size, w, s->beta[n], -1, a, r);
    cone_round_scaled(size, w, s->beta[n], 1, b, t);
    cone_round_jordan(size, r, t, a);
    cone_round_jordan(size, l, l, b);
    for (int k = 0; k < size; k++) a[k] = (k ? 0 : centre) - b[k] - share * a[k];
    cone_round_divide(size, l, a, r);
    cone_round_scaled(size, w, s->beta[n], -1, r, t);
    put(size, row, t, s->dz);
  }
}

// the best so far; how many turns it is old, *worse
static double keep_best(cone_many* f, double best, int* worse)
{
  const double fault = cone_many_fault(f);
  if (!(fault < best)) {
    ++*worse;
    return best;
  }
  *worse = 0;
  memcpy(f->inner.found, f->x, sizeof(double) * (size_t)f->p->r);
  return fault;
}

// ahead, then with what that leaves; how far it went
static double make_turn(cone_many* f, double mean)
{
  cone_many_inner* s = &f->inner;
  for (int i = 0; i < f->p->r; i++) s->az[i] = -s->z[i];
  solve(f, s->ay, s->az);
  const double left = 1 - reach(f, s->ay, s->az);
  correct(f, left * left * left * mean, (1 - left) * (1 - left));
  solve(f, s->dy, s->dz);
  const double share = fmin(1, back_off * reach(f, s->dy, s->dz));
  for (int i = 0; i < f->p->r; i++) {
    s->y[i] += share * s->dy[i];
    s->z[i] += share * s->dz[i];
  }
  return share;
}

bool cone_many_interior(cone_many* f, bool of_bodies, int* turns)
{
  const cone_many_problem* p = f->p;
  cone_many_inner* s = &f->inner;
  double soft = 0, fast = 0, best = INFINITY;
  int contacts = 0, worse = 0;
  if (!takes(f)) return false;
  make_room(s, p->r);
  s->of_bodies = of_bodies && f->island.origin && cone_many_bodies_open(f);
  if (of_bodies && !s->of_bodies) return false;
  if (s->of_bodies) make_body_room(s, &f->bodies);
  memcpy(s->found, f->x, sizeof(double) * (size_t)p->r);
  begin(f);
  for (int i = 0; i < p->r; i++) soft = fmax(soft, f->diagonal[i]);
  for (int i = 0; i < p->r; i++) fast = fmax(fast, fabs(p->q[i]));
  s->smooth = fast;
  s->taken = 1;
  for (int turn = 0; turn < most_turns; turn++) {
    const double mean = look(f, &contacts), slow = sqrt(mean * soft);
    best = keep_best(f, best, &worse);
    if (!contacts || best <= cone_many_solved || worse > hopeless) break;
    if (!(slow > cone_interior_done * fast) || !factor(f)) break;
    s->smooth = cone_interior_smooth * slow * slow / fast;
    (*turns)++;
    s->taken = make_turn(f, mean) < short_way ? less_taken : 1;
  }
  memcpy(f->x, s->found, sizeof(double) * (size_t)p->r);
  cone_many_product(f);
  return true;
}
