// Where there are no accelerations at the start: the place in the model, and a way out.
#include "engine/engine.h"
#include "num/num.h"
#include "walk/walk.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { most_named = 4 };

// the first coordinate whose equation of motion has no finite value, or -1
static int not_finite(const engine* e)
{
  for (int i = 0; i < e->n; i++) {
    bool fine = isfinite(e->F[i]);
    for (int j = 0; j < e->n; j++) fine = fine && isfinite(e->M[i * e->n + j]);
    if (!fine) return i;
  }
  return -1;
}

static void help_of_places(const engine* e, base_notes* notes)
{
  const model* m = e->model;
  base_text at = {0};
  for (int i = 0; i < m->places && i < most_named; i++)
    base_text_printf(&at, "%s%s = %.6g", i ? ", " : "", m->coord[i].name, e->q[i]);
  base_help(notes,
            "it starts at %s%s, where some quotient, root or logarithm has no value: say "
            "`initial %s = ...`",
            at.at ? at.at : "no place", m->places > most_named ? ", ..." : "", m->coord[0].name);
  base_text_free(&at);
}

// the rows of the active constraints, each as large as `size`, behind `count` others
static void add_rows(const engine* e, double* all, int count, double size)
{
  const int n = e->n;
  for (int r = 0; r < e->mode.rows; r++) {
    const double* A = e->A + e->mode.row[r] * n;
    double most = 0;
    for (int j = 0; j < n; j++) most = fmax(most, fabs(A[j]));
    for (int j = 0; j < n; j++) all[(count + r) * n + j] = most > 0 ? A[j] / most * size : 0;
  }
}

// z with M z = 0 that the constraints admit, into x; false where there is none. The rows of both
// below each other, those of the constraints as large as the masses.
static bool without_inertia(const engine* e, double* x)
{
  const int n = e->n, rows = n + e->mode.rows;
  double largest = 0, *all = base_alloc(sizeof(double) * (size_t)(rows * n + 1));
  memcpy(all, e->M, sizeof(double) * (size_t)(n * n));
  for (int i = 0; i < n * n; i++) largest = fmax(largest, fabs(e->M[i]));
  add_rows(e, all, n, largest);
  num_null* f = num_null_new(rows, n);
  const int rank = num_null_factor(f, rows, n, all, engine_no_inertia);
  free(all);
  double* Z = base_alloc(sizeof(double) * (size_t)(n * n + 1));
  if (rank < n) num_null_basis(f, Z);
  for (int i = 0; rank < n && i < n; i++) x[i] = Z[i * (n - rank)];
  free(Z);
  num_null_free(f);
  return rank < n;
}

// a basis of what the active constraints admit, orthonormal where unknowns are measured by their
// masses; how many
static int admitted(const engine* e, double* Z)
{
  const int n = e->n, rows = e->mode.rows;
  double* A = base_alloc(sizeof(double) * (size_t)(rows * n + 1));
  add_rows(e, A, 0, 1);
  num_null* f = num_null_new(rows, n);
  num_null_weigh(f, e->work.weight);
  const int rank = num_null_factor(f, rows, n, A, engine_no_inertia);
  num_null_basis(f, Z);
  num_null_free(f);
  free(A);
  return n - rank;
}

// S = Z^T M Z of l columns: M Z first, row by row
static void inertia_of(const engine* e, const double* Z, int l, double* S)
{
  const int n = e->n;
  double* MZ = base_alloc(sizeof(double) * (size_t)(l + 1));
  memset(S, 0, sizeof(double) * (size_t)(l * l));
  for (int i = 0; i < n; i++) {
    memset(MZ, 0, sizeof(double) * (size_t)l);
    for (int j = 0; j < n; j++) {
      const double M = e->M[i * n + j];
      for (int b = 0; b < l && M != 0; b++) MZ[b] += M * Z[j * l + b];
    }
    for (int a = 0; a < l; a++) {
      const double z = Z[i * l + a];
      for (int b = 0; b < l && z != 0; b++) S[a * l + b] += z * MZ[b];
    }
  }
  free(MZ);
}

// The admitted motion of least, and negative, kinetic energy, into x: it belongs to the least
// eigenvalue of M on what the constraints admit. False where none is negative.
static bool of_negative_energy(const engine* e, double* x)
{
  const int n = e->n;
  double* Z = base_alloc(sizeof(double) * (size_t)(2 * n * n + 4 * n + 1));
  double *S = Z + n * n, *re = S + n * n, *im = re + n, *w = im + n, *w_im = w + n;
  const int l = admitted(e, Z);
  inertia_of(e, Z, l, S);
  int least = -1;
  const bool found = l > 0 && num_eigen(l, S, re, im);
  for (int k = 0; found && k < l; k++)
    if (re[k] < 0 && (least < 0 || re[k] < re[least])) least = k;
  if (least >= 0) num_eigen_vector(l, S, re[least], 0, w, w_im);
  for (int i = 0; i < n && least >= 0; i++) {
    x[i] = 0;
    for (int k = 0; k < l; k++) x[i] += Z[i * l + k] * w[k];
  }
  free(Z);
  return least >= 0;
}

// T_kk = sum_ij |Z_ik M_ij Z_jk| into `size`: what the terms of S_kk are of. Constraints that few
// coordinates know leave most of Z zero.
static void size_of_inertia(const engine* e, const double* Z, int l, double* size)
{
  const int n = e->n;
  int* held = base_alloc(sizeof(int) * (size_t)(l + 1));
  for (int k = 0; k < l; k++) size[k] = 0;
  for (int i = 0; i < n; i++) {
    int count = 0;
    for (int k = 0; k < l; k++)
      if (Z[i * l + k] != 0) held[count++] = k;
    for (int j = 0; j < n; j++) {
      const double M = e->M[i * n + j];
      for (int c = 0; c < count && M != 0; c++)
        size[held[c]] += fabs(Z[i * l + held[c]] * M * Z[j * l + held[c]]);
    }
  }
  free(held);
}

// L L^T = S by rows; how many pivots are more than what rounding leaves of terms of this size
static int pivots_above_rounding(int n, int l, double* S, const double* size)
{
  for (int i = 0; i < l; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) S[i * l + j] -= S[i * l + k] * S[j * l + k];
      S[i * l + j] /= S[j * l + j];
    }
    double pivot = S[i * l + i];
    for (int k = 0; k < i; k++) pivot -= S[i * l + k] * S[i * l + k];
    if (!(pivot > engine_inertia_rounding * n * size[i])) return i;
    S[i * l + i] = sqrt(pivot);
  }
  return l;
}

// An admitted motion whose kinetic energy is the rounding of terms that cancel, or less, into x.
// Of S = L L^T, up to the row r whose pivot vanishes: L11^T u = -l_r, x = Z (u, 1, 0).
static bool of_cancelling_energy(const engine* e, double* x)
{
  const int n = e->n;
  double* Z = base_alloc(sizeof(double) * (size_t)(2 * n * n + 2 * n + 1));
  double *S = Z + n * n, *size = S + n * n, *u = size + n;
  const int l = admitted(e, Z);
  inertia_of(e, Z, l, S);
  size_of_inertia(e, Z, l, size);
  const int r = pivots_above_rounding(n, l, S, size);
  if (r < l) u[r] = 1;
  for (int i = r - 1; i >= 0 && r < l; i--) {
    u[i] = -S[r * l + i];
    for (int k = i + 1; k < r; k++) u[i] -= S[k * l + i] * u[k];
    u[i] /= S[i * l + i];
  }
  for (int i = 0; i < n && r < l; i++) {
    x[i] = 0;
    for (int k = 0; k <= r; k++) x[i] += Z[i * l + k] * u[k];
  }
  free(Z);
  return r < l;
}

// such a motion in words; its first coordinate, or -1
static int name_motion(const engine* e, bool (*find)(const engine* e, double* x), base_text* names)
{
  const int n = e->n;
  double* x = base_alloc(sizeof(double) * (size_t)(n + 1));
  double largest = 0;
  int first = -1, named = 0;
  const bool found = find(e, x);
  for (int i = 0; found && i < n; i++) largest = fmax(largest, fabs(x[i]));
  for (int i = 0; found && i < n; i++) {
    if (!(fabs(x[i]) > engine_part_named * largest)) continue;
    if (first < 0) first = i;
    if (named++ < most_named)
      base_text_printf(names, "%s%s' = %.3g", named > 1 ? ", " : "", e->model->coord[i].name,
                       x[i] / largest);
  }
  free(x);
  return first;
}

// is `full` this name, or that of a part of it such as c.u of the contact c?
static bool belongs(const char* full, const char* name, size_t length)
{
  return strncmp(full, name, length) == 0 && (full[length] == 0 || full[length] == '.');
}

// Does the reason speak of a coordinate where it quotes `name`? One and a constraint may have the
// same name, and all other reasons are about what holds.
static bool is_of_coordinate(const char* reason, const char* name)
{
  static const char* const before[] = {"acceleration of `", "motion of `", "coordinate `"};
  bool any = false;
  for (size_t k = 0; k < sizeof before / sizeof *before && !any; k++) {
    const size_t length = strlen(before[k]);
    any = name - reason >= (ptrdiff_t)length && strncmp(name - length, before[k], length) == 0;
  }
  return any;
}

// the declaration of the first name that the reason quotes
static base_place place_of_named(const model* m, const char* reason)
{
  const char* name = strchr(reason, '`');
  const char* end = name ? strchr(name + 1, '`') : NULL;
  if (!end) return BASE_NOWHERE;
  const size_t length = (size_t)(end - ++name);
  base_place coordinate = BASE_NOWHERE, constraint = BASE_NOWHERE;
  for (int i = m->coords - 1; i >= 0; i--)
    if (belongs(m->coord[i].name, name, length)) coordinate = m->coord[i].place;
  for (int i = m->constraints - 1; i >= 0; i--)
    if (belongs(m->constraint[i].name, name, length)) constraint = m->constraint[i].place;
  const bool is_coordinate = constraint.file < 0 || is_of_coordinate(reason, name);
  return is_coordinate && coordinate.file >= 0 ? coordinate : constraint;
}

// Ways in which there may be no accelerations for want of inertia, in the order in which they are
// looked for.
typedef enum { no_inertia, negative_energy, cancelling_energy, wants } want;
static bool (*const find_motion[wants])(const engine* e, double* x) = {
    without_inertia, of_negative_energy, of_cancelling_energy};

static void tell_want(const engine* e, want which, int at, const char* motion, base_notes* notes)
{
  const model_coord* x = &e->model->coord[at];
  if (which == negative_energy)
    base_error(notes, x->place,
               "at the start: the kinetic energy is not positive: the motion %s makes it negative",
               motion);
  if (which == cancelling_energy)
    base_error(notes, x->place,
               "at the start: the kinetic energy is not positive: along the motion %s, which the "
               "constraints admit, its terms cancel",
               motion);
  if (which != no_inertia) {
    base_help(notes, "masses and moments of inertia are positive: look for a sign");
    return;
  }
  if (strstr(e->reason, "no mass resists"))
    base_error(notes, x->place,
               "at the start: the mass matrix is singular: no mass resists an acceleration of `%s`",
               x->name);
  else
    base_error(notes, x->place, "at the start: %s", e->reason);
  base_help(notes,
            "the motion %s costs no kinetic energy here%s: give it a mass, start elsewhere, or let "
            "a constraint hold it",
            motion, x->vector ? " (a thin rod has no inertia about itself)" : "");
}

void walk_start_fault(const engine* e, base_notes* notes)
{
  const bool full = !e->sparse && !e->parts;
  const int undefined = full ? not_finite(e) : -1;
  if (full && undefined < 0 && strstr(e->reason, "mass matrix"))
    for (int k = 0; k < wants; k++) {
      base_text motion = {0};
      const int at = name_motion(e, find_motion[k], &motion);
      if (at >= 0) tell_want(e, (want)k, at, motion.at, notes);
      base_text_free(&motion);
      if (at >= 0) return;
    }
  const base_place place =
      undefined >= 0 ? e->model->coord[undefined].place : place_of_named(e->model, e->reason);
  base_error(notes, place, "at the start: %s", e->reason);
  if (undefined >= 0) help_of_places(e, notes);
}

// Is M so plainly positive that no admitted motion's terms can cancel? In units in which M_jj = 1
// let the entries beside the diagonal add up to at most 1/2 in each row: then x^T M x is at least a
// half, and sum |x_i M_ij x_j| at most three halves of sum M_jj x_j^2. Z is orthonormal where x_j
// is measured by w_j, so that a pivot of S is at least a third of (least d / largest d)^2 of the
// terms, d_j = w_j sqrt(M_jj), or sqrt(M_jj)/w_j.
static bool is_plainly_positive(const engine* e)
{
  const int n = e->n;
  double least[2] = {INFINITY, INFINITY}, most[2] = {0, 0};
  for (int i = 0; i < n; i++) {
    const double* M = e->M + i * n;
    double beside = 0;
    for (int j = 0; j < n; j++)
      if (j != i && M[j] != 0) beside += fabs(M[j]) / sqrt(e->M[j * n + j]);
    const double own = sqrt(M[i]), w = e->work.weight[i], d[2] = {own * w, own / w};
    if (!(own > 0 && 2 * beside <= own)) return false;
    for (int k = 0; k < 2; k++) {
      least[k] = fmin(least[k], d[k]);
      most[k] = fmax(most[k], d[k]);
    }
  }
  const double enough = sqrt(30 * engine_inertia_rounding * n);
  return least[0] > enough * most[0] && least[1] > enough * most[1];
}

bool walk_start_cancels(engine* e, base_notes* notes)
{
  if (engine_is_large(e) || !e->mode.rows || e->mode.curved) return false;
  for (int p = 0; p < e->parts; p++) engine_part_show(e, p);
  if (is_plainly_positive(e)) return false;
  base_text motion = {0};
  const int at = name_motion(e, of_cancelling_energy, &motion);
  if (at >= 0) tell_want(e, cancelling_energy, at, motion.at, notes);
  base_text_free(&motion);
  return at >= 0;
}
