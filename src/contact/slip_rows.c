// Rows, speeds and bounds of the slip of contacts, and the problem they make with the gaps.
#include "contact/beside.h"
#include "contact/contact.h"

#include <math.h>
#include <string.h>

int contact_slip_count(const engine* e, int i)
{
  const model_constraint* c = contact_inequality_constraint(e, i);
  return c->friction == EXPR_NONE ? 0 : c->slips;
}

void contact_slip_slips(engine* e, int count, const int* row)
{
  contact_inequalities* u = e->unilateral;
  const int n = e->n, t = u->tangents;
  memset(u->T, 0, sizeof(double) * (size_t)(count * t * n));
  memset(u->dT, 0, sizeof(double) * (size_t)(count * t));
  code_run(e->program->slips, e->in, e->work.slip_out, e->work.scratch);
  for (int r = 0; r < count; r++) {
    const double* out = e->work.slip_out + u->slip[row[r]];
    const int slips = contact_slip_count(e, row[r]);
    u->mu[r] = slips ? out[0] : 0;
    for (int k = 0; k < slips; k++) {
      double* T = u->T + (r * t + k) * n;
      memcpy(T, out + 2 + k * (n + 1), sizeof(double) * (size_t)n);
      u->dT[r * t + k] = out[1 + k * (n + 1)];
      for (int j = 0; j < n; j++) u->dT[r * t + k] -= T[j] * e->v[j];
    }
  }
}

// the largest of the directions in which contact i slips, its kernel evaluated
static double largest(const engine* e, int i, double (*measure)(const engine*, const double*))
{
  const double* T = e->work.slip_out + e->unilateral->slip[i] + 2;
  double most = 0;
  for (int k = 0; k < contact_slip_count(e, i); k++)
    most = fmax(most, measure(e, T + k * (e->n + 1)));
  return most;
}

// What the slip of contact i is measured by, and what changes it
double contact_slip_scale(const engine* e, int i)
{
  return largest(e, i, engine_scale_speed);
}

double contact_slip_acceleration(const engine* e, int i)
{
  return largest(e, i, engine_scale_acceleration);
}

// The speed below which slip that begins is nothing: of that scale, or of what a fall along the
// place of the contact gives.
double contact_slip_begun(const engine* e, int i)
{
  const double *T = e->work.slip_out + e->unilateral->slip[i] + 2,
               *N = e->LA + e->unilateral->of[i] * e->n;
  double falls = 0;
  for (int k = 0; k < contact_slip_count(e, i); k++) {
    const double* row = T + k * (e->n + 1);
    const double along = fmax(engine_scale_place(e, row), engine_scale_place(e, N));
    falls = fmax(falls, sqrt(engine_scale_acceleration(e, row) * along));
  }
  return engine_slip_begun * fmax(contact_slip_scale(e, i), falls);
}

double contact_slip_size(const engine* e, int i)
{
  const double* out = e->work.slip_out + e->unilateral->slip[i];
  double speed = 0;
  for (int k = 0; k < contact_slip_count(e, i); k++) speed = hypot(speed, out[1 + k * (e->n + 1)]);
  return speed;
}

bool contact_slip_moves(cone_contact_mode m)
{
  return m == CONE_CONTACT_SLIP || m == CONE_CONTACT_SLIP_BACK;
}

// In the plane a slip that was decided has its way until its end is met: a step may look beyond
// that.
static double decided_slip(const engine* e, int i)
{
  const double size = contact_slip_scale(e, i);
  return e->unilateral->mode[i] == CONE_CONTACT_SLIP_BACK ? -size : size;
}

// rows of slip at the level of accelerations, and the slip itself where there is some
static void slips_of_accelerations(engine* e, int count, const int* row, bool decided)
{
  contact_inequalities* u = e->unilateral;
  const int n = e->n, t = u->tangents;
  engine_scales_see(e, e->q, e->v, NULL);
  contact_slip_slips(e, count, row);
  for (int r = 0; r < count; r++) {
    const int i = row[r];
    const model_constraint* c = contact_inequality_constraint(e, i);
    // one that was decided to slip does so until its end is met, and has a way as long
    const bool slow = contact_slip_size(e, i) <= engine_slip_rests * contact_slip_scale(e, i),
               rests = u->starts[i] || (slow && !(decided && contact_slip_moves(u->mode[i])));
    for (int k = 0; k < t; k++) {
      const bool there = k < contact_slip_count(e, i);
      u->slip_now[r * t + k] = there && !rests && !(e->mode.active[c->stick[0]])
                                   ? e->work.slip_out[u->slip[i] + 1 + k * (n + 1)]
                                   : 0;
      if (decided && contact_slip_count(e, i) == 1 && k == 0 && contact_slip_moves(u->mode[i]))
        u->slip_now[r * t] = decided_slip(e, i);
      if (!there) continue;
      memcpy(u->T + (r * t + k) * n, e->A + c->stick[k] * n, sizeof(double) * (size_t)n);
      u->dT[r * t + k] = -e->c[c->stick[k]];
    }
  }
}

// the law of slip acts where a closed contact was found to slip, and has some to go by
void contact_slip_hold(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; i < u->count && u->rough; i++)
    for (int k = 0; k < contact_slip_count(e, i); k++) {
      const int stick = contact_inequality_constraint(e, i)->stick[k];
      e->holds[stick] =
          !(e->mode.active[u->of[i]] && contact_slip_moves(u->mode[i]) && !u->starts[i]);
    }
}

// no law of slip acts: held by constraints it has a value
void contact_slip_still(engine* e)
{
  for (int i = 0; i < e->unilateral->count; i++)
    for (int k = 0; k < contact_slip_count(e, i); k++)
      e->holds[contact_inequality_constraint(e, i)->stick[k]] = 1;
}

// the forces without the friction of contacts
void contact_slip_see(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  contact_slip_still(e);
  if (u->beside)
    engine_coupled_see(e);
  else
    engine_equations(e);
  contact_slip_hold(e);
}

cone_contact_problem contact_problem_of(const engine* e, int bilateral, int count)
{
  const contact_inequalities* u = e->unilateral;
  return (cone_contact_problem){.n = e->n,
                                .b = bilateral,
                                .contacts = count,
                                .tangents = u->tangents,
                                .M = e->M,
                                .F = e->F,
                                .N_B = u->NB,
                                .d_B = u->dB,
                                .N = u->N,
                                .d_N = u->d,
                                .T = u->T,
                                .d_T = u->dT,
                                .mu = u->mu,
                                .unit = e->work.unit};
}

void contact_slip_rows(engine* e, int count, const int* row, bool decided)
{
  contact_inequalities* u = e->unilateral;
  for (int r = 0; r < count; r++) contact_inequality_row(e, row[r], false, r);
  slips_of_accelerations(e, count, row, decided);
  for (int r = 0; r < count; r++) {
    u->guess[r] = u->mode[row[r]];
    u->both_now[r] = u->both[row[r]];
  }
}

int contact_slip_problem_about(engine* e, int count, const int* row, bool decided,
                               cone_contact_problem* p)
{
  contact_inequalities* u = e->unilateral;
  contact_slip_see(e);
  contact_slip_rows(e, count, row, decided);
  *p = contact_problem_of(e, contact_inequality_bilateral(e, false, false), count);
  p->both = u->both_now;
  p->slip = u->slip_now;
  p->guess = u->guess;
  return u->beside ? contact_beside_reduce(e, count, row, p) : 0;
}

int contact_slip_problem(engine* e, int count, const int* row, bool decided,
                         cone_contact_problem* p)
{
  for (int k = 0; k < e->m; k++) e->lambda[k] = 0;
  return contact_slip_problem_about(e, count, row, decided, p);
}

cone_contact_result contact_slip_solve(engine* e, int count, const int* row, bool all, bool decided)
{
  cone_contact_problem p;
  if (e->unilateral->beside) return contact_beside_solve(e, count, row, decided);
  contact_slip_problem(e, count, row, decided, &p);
  return cone_contact_solve(e->unilateral->contact, &p, all);
}

// the problem along the tree of masses; false: it is to be made with M
static bool problem_along_tree(engine* e, int count, const int* row, cone_contact_problem* p)
{
  const contact_inequalities* u = e->unilateral;
  if (!u->tree) return false;
  for (int k = 0; k < e->m; k++) e->lambda[k] = 0;
  contact_slip_still(e);
  const bool fine = contact_tree_move(e, count, row);
  contact_slip_hold(e);
  if (!fine) return false;
  contact_slip_rows(e, count, row, true);
  *p = contact_problem_of(e, 0, count);
  p->both = u->both_now;
  p->slip = u->slip_now;
  p->guess = u->guess;
  contact_tree_take(e, p);
  return true;
}

// A rate is that of the mode: the laws may have other motions, too, and steps look beyond the
// instant at which the mode ends.
cone_contact_result contact_slip_go_on(engine* e, int count, const int* row, bool* along)
{
  cone_contact_problem p;
  *along = false;
  const contact_inequalities* u = e->unilateral;
  if (u->beside || u->starting) return (cone_contact_result){.status = CONE_CONTACT_FAILED};
  *along = problem_along_tree(e, count, row, &p);
  if (!*along) contact_slip_problem(e, count, row, true, &p);
  return cone_contact_go_on(u->contact, &p);
}
