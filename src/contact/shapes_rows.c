// Rows of a point of contact over the velocities of the coordinates.
//
// At the point P between both surfaces body A moves with v_A + omega_A x (P - p_A); along a unit
// vector u the rate of its way is u . v + (r x u) . omega, r = P - p. The row of the normal n is
// that of A less that of B, and so are those of the two tangents, or of the one in the plane.
// Turning of A against B about these and about n, u . (omega_A - omega_B), is taken times a length
// l of the smaller body: the moment k N is a force k N/l on it.
#include "contact/shapes.h"

#include <math.h>
#include <string.h>

static void cross(const double a[3], const double b[3], double out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// the axis across the plane in which both move; -1: they move in space
static int still_axis(const contact_solid* A, const contact_solid* B)
{
  const int both = A->still & B->still;
  for (int k = 2; k >= 0; k--)
    if (both >> k & 1) return k;
  return -1;
}

// tangents of the normal n; how many
static int tangents(const contact_solid* A, const contact_solid* B, const double n[3],
                    double t[2][3])
{
  const int still = still_axis(A, B);
  double axis[3] = {0};
  if (still >= 0) {
    axis[still] = 1;
    cross(axis, n, t[0]);
  } else {
    // across the axis of the world that n is farthest from
    int k = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
    if (fabs(n[2]) < fabs(n[k])) k = 2;
    axis[k] = 1;
    cross(axis, n, t[0]);
  }
  const double l = sqrt(t[0][0] * t[0][0] + t[0][1] * t[0][1] + t[0][2] * t[0][2]);
  if (!(l > 0)) return 0;
  for (int i = 0; i < 3; i++) t[0][i] /= l;
  if (still >= 0) return 1;
  cross(n, t[0], t[1]);
  return 2;
}

double contact_shapes_length(const contact_solid* A, const contact_solid* B)
{
  return fmin(A->form->reach, B->form->reach);
}

void contact_shapes_columns(const contact_shapes* s, const contact_record* r, cone_touches* list,
                            cone_touch* out)
{
  const contact_solid* two[2] = {&s->solid[r->a], &s->solid[r->b]};
  const contact_meeting* m = &s->meeting[two[0]->meeting];
  out->column = list->column.n;
  out->value = list->value.n;
  for (int i = 0; i < 2; i++)
    for (int c = 0; c < two[i]->columns; c++) {
      bool known = false;
      for (int k = out->column; k < list->column.n && i; k++)
        known = known || list->column.at[k] == two[i]->column[c];
      if (!known) base_push(&list->column, two[i]->column[c]);
    }
  out->columns = list->column.n - out->column;
  const bool flat = still_axis(two[0], two[1]) >= 0;
  const double length = contact_shapes_length(two[0], two[1]);
  out->mu = m->mu;
  out->rolling = m->rolling / length;
  out->pivoting = m->pivoting / length;
  out->restitution = m->restitution;
  out->slips = !(m->mu > 0) && !m->law ? 0 : flat ? 1 : 2;
  out->rolls = !(m->rolling > 0) ? 0 : flat ? 1 : 2;
  out->pivots = m->pivoting > 0 && !flat;
  out->rows = 1 + out->slips + out->rolls + out->pivots;
  for (int k = 0; k < out->rows * out->columns; k++) base_push(&list->value, 0.0);
}

// the row u . v + m . omega of a body, times sign, added to that of the pair
static void add_row(const contact_solid* x, const double u[3], const double m[3], double sign,
                    const int* column, int columns, double* value, double* drift)
{
  for (int k = 0; k < 3; k++) *drift += sign * (u[k] * x->v0[k] + m[k] * x->w0[k]);
  int at_column = 0;
  for (int c = 0; c < x->columns; c++) {
    const double* J = x->J + 6 * c;
    // columns of a body follow each other, but those that the other body has, too
    while (at_column < columns && column[at_column] != x->column[c]) at_column++;
    if (at_column == columns) at_column = 0;
    while (column[at_column] != x->column[c]) at_column++;
    value[at_column] +=
        sign * (u[0] * J[0] + u[1] * J[1] + u[2] * J[2] + m[0] * J[3] + m[1] * J[4] + m[2] * J[5]);
  }
}

// of the point `at` of a body along u
static void add_way(const contact_solid* x, const double u[3], const double at[3], double sign,
                    const int* column, int columns, double* value, double* drift)
{
  double r[3], m[3];
  for (int k = 0; k < 3; k++) r[k] = at[k] - x->pose.p[k];
  cross(r, u, m);
  add_row(x, u, m, sign, column, columns, value, drift);
}

// Directions of the rows of turning: along the surface, in the plane across it, then the normal
static void axes(const contact_solid* A, const contact_solid* B, const cone_touch* c,
                 const double u[3][3], double l, double out[3][3])
{
  static const double none[3] = {0};
  const int still = still_axis(A, B);
  for (int k = 0; k < c->rolls + c->pivots; k++) {
    const double* axis = k >= c->rolls ? u[0] : still >= 0 ? none : u[1 + k];
    for (int i = 0; i < 3; i++) out[k][i] = l * axis[i];
    if (k < c->rolls && still >= 0) out[k][still] = l;
  }
}

void contact_shapes_rows(const contact_shapes* s, const contact_record* r, const cone_touches* list,
                         cone_touch* out)
{
  static const double none[3] = {0};
  const contact_solid *A = &s->solid[r->a], *B = &s->solid[r->b];
  const int *column = list->column.at + out->column, columns = out->columns;
  double u[3][3] = {{0}}, m[3][3], at[3];
  out->gap = shape_look(&r->touch, A->form, &A->pose, B->form, &B->pose, u[0], at);
  const int found = 1 + tangents(A, B, u[0], u + 1);
  axes(A, B, out, (const double(*)[3])u, contact_shapes_length(A, B), m);
  for (int k = 0; k < out->rows; k++) {
    const int turning = k - 1 - out->slips;
    double *value = list->value.at + out->value + k * columns, *drift = &out->drift[k];
    for (int i = 0; i < columns; i++) value[i] = 0;
    *drift = 0;
    if (turning < 0 && k >= found) continue;
    if (turning < 0) {
      add_way(A, u[k], at, 1, column, columns, value, drift);
      add_way(B, u[k], at, -1, column, columns, value, drift);
    } else {
      add_row(A, none, m[turning], 1, column, columns, value, drift);
      add_row(B, none, m[turning], -1, column, columns, value, drift);
    }
  }
}

double contact_shapes_along(const cone_touches* list, const cone_touch* t, int k, const double* v)
{
  double sum = t->drift[k];
  for (int i = 0; i < t->columns; i++)
    sum += list->value.at[t->value + k * t->columns + i] * v[list->column.at[t->column + i]];
  return sum;
}

void contact_shapes_rub(const contact_shapes* s, const contact_record* r, const cone_touches* list,
                        const double* v, cone_touch* out)
{
  const contact_meeting* m = &s->meeting[s->solid[r->a].meeting];
  const int inputs = s->e->program->inputs;
  double slip = 0;
  if (!m->law) return;
  for (int k = 1; k <= out->slips; k++) slip = hypot(slip, contact_shapes_along(list, out, k, v));
  memcpy(s->law_in, s->e->in, sizeof(double) * (size_t)inputs);
  s->law_in[inputs] = slip;
  code_run(m->law, s->law_in, &out->mu, s->law_scratch);
}
