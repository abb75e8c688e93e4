// Planar friction, all combinations of modes: each contact open, sticking or slipping either way.
// Within one combination everything is linear in the forces x of the closed contacts: equalities
// E x + e = 0 and inequalities I x + i >= 0; the shortest x is a least-constraint problem with unit
// mass. So no and several solutions (Painleve 1895) are told apart, redundant contacts included.
#include "cone/contact.h"
#include "cone/small.h"

#include <string.h>

typedef struct system
{
  int x, e, i; // unknowns, equalities, inequalities
  int at[CONE_CONTACT_ENUMERATED];
} system_size;

static double side(cone_contact_mode mode)
{
  return mode == CONE_CONTACT_SLIP_BACK ? -1 : 1;
}

// row of coefficients of sign * alpha of contact row r
static void alpha_row(const cone_contact* f, const system_size* s, int r, double sign, double* to,
                      double* constant)
{
  const double* D = f->D + (size_t)r * f->rows;
  memset(to, 0, (size_t)s->x * sizeof *to);
  for (int j = 0; j < f->c; j++) {
    double N = D[cone_contact_row(f, j, 0)], T = D[cone_contact_row(f, j, 1)];
    if (f->mode[j] == CONE_CONTACT_OPEN) continue;
    if (f->mode[j] == CONE_CONTACT_STICK) {
      to[s->at[j]] = sign * N;
      to[s->at[j] + 1] = sign * T;
    } else
      to[s->at[j]] = sign * (N - side(f->mode[j]) * f->mu[j] * T);
  }
  *constant = sign * f->q[r];
}

static double* next_inequality(cone_contact* f, system_size* s, double constant)
{
  double* row = f->I + (size_t)s->i * s->x;
  memset(row, 0, (size_t)s->x * sizeof *row);
  f->i[s->i++] = constant;
  return row;
}

static void open_rows(cone_contact* f, system_size* s, int j)
{
  alpha_row(f, s, cone_contact_row(f, j, 0), 1, f->I + (size_t)s->i * s->x, f->i + s->i);
  s->i++;
}

static void stick_rows(cone_contact* f, system_size* s, int j)
{
  for (int k = 0; k < 2; k++) {
    alpha_row(f, s, cone_contact_row(f, j, k), 1, f->E + (size_t)s->e * s->x, f->e + s->e);
    s->e++;
  }
  next_inequality(f, s, 0)[s->at[j]] = 1;
  for (int sign = -1; sign <= 1; sign += 2) {
    double* row = next_inequality(f, s, 0);
    row[s->at[j]] = f->mu[j];
    row[s->at[j] + 1] = sign;
  }
}

static void slip_rows(cone_contact* f, system_size* s, int j)
{
  double direction[2];
  alpha_row(f, s, cone_contact_row(f, j, 0), 1, f->E + (size_t)s->e * s->x, f->e + s->e);
  s->e++;
  next_inequality(f, s, 0)[s->at[j]] = 1;
  if (cone_contact_slips(f, j, direction)) return;
  // begins to slip: the way friction does not push
  alpha_row(f, s, cone_contact_row(f, j, 1), side(f->mode[j]), f->I + (size_t)s->i * s->x,
            f->i + s->i);
  s->i++;
}

static bool possible(const cone_contact* f)
{
  for (int j = 0; j < f->c; j++) {
    double direction[2];
    if (!cone_contact_slips(f, j, direction) || f->mode[j] == CONE_CONTACT_OPEN) continue;
    if (f->mode[j] == CONE_CONTACT_STICK || side(f->mode[j]) != direction[0]) return false;
  }
  return true;
}

bool cone_contact_combination(cone_contact* f)
{
  system_size s = {0};
  if (!possible(f)) return false;
  for (int j = 0; j < f->c; j++) {
    s.at[j] = s.x;
    s.x += f->mode[j] == CONE_CONTACT_OPEN ? 0 : f->mode[j] == CONE_CONTACT_STICK ? 2 : 1;
  }
  for (int j = 0; j < f->c; j++)
    if (f->mode[j] == CONE_CONTACT_OPEN)
      open_rows(f, &s, j);
    else if (f->mode[j] == CONE_CONTACT_STICK)
      stick_rows(f, &s, j);
    else
      slip_rows(f, &s, j);
  memset(f->one, 0, (size_t)s.x * s.x * sizeof *f->one);
  memset(f->no, 0, (size_t)s.x * sizeof *f->no);
  for (int k = 0; k < s.x; k++) f->one[k * s.x + k] = 1;
  cone_least_problem p = {s.x,  s.e,  s.i,  f->one, f->no, f->E, f->e,
                          f->I, f->i, NULL, NULL,   NULL,  NULL};
  cone_least_result r = cone_least_solve(f->modes, &p);
  if (r.status != CONE_LEAST_SOLVED) return false;
  for (int j = 0; j < f->c; j++) {
    double *N = f->force + cone_contact_row(f, j, 0), *T = f->force + cone_contact_row(f, j, 1);
    bool open = f->mode[j] == CONE_CONTACT_OPEN, stick = f->mode[j] == CONE_CONTACT_STICK;
    *N = open ? 0 : r.w[s.at[j]];
    *T = open ? 0 : stick ? r.w[s.at[j] + 1] : -side(f->mode[j]) * f->mu[j] * *N;
  }
  return true;
}

static void set_modes(cone_contact* f, int combination)
{
  for (int j = 0; j < f->c; j++, combination /= 4)
    f->mode[j] = (cone_contact_mode)(combination % 4);
}

void cone_contact_enumerate(cone_contact* f, cone_contact_result* out)
{
  int all = 1;
  for (int j = 0; j < f->c; j++) all *= 4;
  if (f->p->guess) {
    memcpy(f->mode, f->p->guess, (size_t)f->c * sizeof *f->mode);
    if (cone_contact_combination(f) && cone_contact_fault(f) <= cone_contact_tried)
      cone_contact_keep(f, out);
  }
  for (int k = 0; k < all; k++) {
    set_modes(f, k);
    if (cone_contact_combination(f) && cone_contact_fault(f) <= cone_contact_tried)
      cone_contact_keep(f, out);
  }
}
