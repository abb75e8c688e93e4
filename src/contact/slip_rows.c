// Rows, speeds and bounds of the slip of contacts, and the problem they make with the gaps.
#include "contact/beside.h"
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

// ---- what the next moment decides ---------------------------------------------------------------

enum { most_looks = 4 };
static const double look_further = 10; // times as far as the last look ahead

int contact_slip_no_answer(engine* e, const cone_contact_result* x)
{
  if (x->status == CONE_CONTACT_NONE)
    snprintf(e->reason, sizeof e->reason,
             "no reactions and accelerations satisfy the contacts and their friction together: the "
             "motion does not exist (Painleve's paradox)");
  else
    snprintf(e->reason, sizeof e->reason, "the contacts and their friction: %s", x->reason);
  return 1;
}

// where neither force nor motion shows at a contact, or where it stands at the very limit of
// sticking, the next moment decides
static bool is_open_question(engine* e, const cone_contact_solution* x, int r)
{
  const contact_inequalities* u = e->unilateral;
  const int i = u->candidate[r], t = u->tangents;
  if (!u->both[i] && x->lambda_N[r] <= contact_inequality_least_force(e, i))
    return x->alpha_N[r] <= contact_inequality_least_acceleration(e, i);
  double size = 0, rate = 0, slip = 0, scale = 0;
  for (int k = 0; k < t; k++) {
    size = hypot(size, x->lambda_T[r * t + k]);
    rate = hypot(rate, x->alpha_T[r * t + k]);
    slip = hypot(slip, u->slip_now[r * t + k]);
    scale = fmax(scale, engine_scale_acceleration(e, u->T + (r * t + k) * e->n));
  }
  if (!contact_slip_count(e, i) || slip > 0) return false;
  const double most = u->mu[r] * fabs(x->lambda_N[r]);
  return most - size <= engine_at_limit * most && rate <= engine_slow_limit * scale;
}

// Modes of the candidates. In a problem of both kinds one in the plane has its way by its only
// part: what slips goes on, what rests goes where it is accelerated.
void contact_slip_read_modes(const engine* e, const cone_contact_solution* s,
                             cone_contact_mode* mode)
{
  const contact_inequalities* u = e->unilateral;
  const int t = u->tangents;
  for (int r = 0; r < u->candidates; r++) {
    const double way = u->slip_now[r * t] != 0 ? u->slip_now[r * t] : s->alpha_T[r * t];
    const bool back = contact_slip_count(e, u->candidate[r]) == 1 && way < 0;
    mode[r] = back && s->mode[r] == CONE_CONTACT_SLIP ? CONE_CONTACT_SLIP_BACK : s->mode[r];
  }
}

// The modes at time h from now along the accelerations in u->w, and which of the questions that are
// open now still are. What rests now has no slip then, but a rate of it: along straight
// accelerations a slip would show that is of the second order, as the rate's own change is,
// wherever coordinates are bent or measured from what moves.
static int moment_later(engine* e, double h, cone_contact_mode* mode, bool* open)
{
  contact_inequalities* u = e->unilateral;
  const int t = u->tangents;
  double* kept = base_alloc(sizeof(double) * (size_t)e->program->inputs);
  bool* starts = base_alloc((size_t)u->count + 1);
  memcpy(kept, e->in, sizeof(double) * (size_t)e->program->inputs);
  memcpy(starts, u->starts, (size_t)u->count);
  for (int r = 0; r < u->candidates; r++) {
    double slip = 0;
    for (int k = 0; k < t; k++) slip = hypot(slip, u->slip_now[r * t + k]);
    u->starts[u->candidate[r]] = slip == 0;
  }
  engine_glide(e, h, u->w);
  const cone_contact_result x = contact_slip_solve(e, u->candidates, u->candidate, false, false);
  if (x.count) contact_slip_read_modes(e, &x.solution[0], mode);
  for (int r = 0; r < u->candidates && x.count; r++)
    open[r] = open[r] && is_open_question(e, &x.solution[0], r);
  memcpy(e->in, kept, sizeof(double) * (size_t)e->program->inputs);
  memcpy(u->starts, starts, (size_t)u->count);
  free(starts);
  free(kept);
  return x.count ? 0 : contact_slip_no_answer(e, &x);
}

static bool any_of(const bool* flag, int count)
{
  bool any = false;
  for (int r = 0; r < count; r++) any = any || flag[r];
  return any;
}

// Which stand at the limit of sticking: they slip before they open.
static void find_pressing(engine* e, const cone_contact_solution* s, const bool* open, bool* out)
{
  const contact_inequalities* u = e->unilateral;
  for (int r = 0; r < u->candidates; r++)
    out[r] = open[r] && s->lambda_N[r] > contact_inequality_least_force(e, u->candidate[r]);
}

// Would contact i, which stands at the limit of its friction, stay with a little less of that? Then
// it is one of many ways to share the load with jumps that has it there, and not the motion.
static bool jumps_bear(engine* e, int i)
{
  const contact_inequalities* u = e->unilateral;
  const int count = u->candidates, t = u->tangents;
  bool moves = true;
  if (!contact_beside_weaken(e, i)) return false;
  const cone_contact_result x = contact_beside_solve(e, count, u->candidate, false);
  contact_beside_weaken(e, -1);
  if (x.count) contact_beside_rate(e, count, &x.solution[0], &moves);
  for (int r = 0; r < count && !moves; r++) {
    const double* alpha = x.solution[0].alpha_T + r * t;
    for (int k = 0; k < t && u->candidate[r] == i; k++)
      moves = moves || fabs(alpha[k]) > 10 * engine_noise_force *
                                            engine_scale_acceleration(e, u->T + (r * t + k) * e->n);
  }
  return !moves;
}

// Those whose load others could bear rest, and nothing is left to ask.
static void leave_shared(engine* e, bool* open, const bool* pressing, cone_contact_mode* mode)
{
  const contact_inequalities* u = e->unilateral;
  for (int r = 0; r < u->candidates; r++) {
    if (!pressing[r] || !jumps_bear(e, u->candidate[r])) continue;
    open[r] = false;
    mode[r] = CONE_CONTACT_STICK;
  }
}

static bool any_opened(const bool* pressing, const cone_contact_mode* later, int count)
{
  bool any = false;
  for (int r = 0; r < count; r++) any = any || (pressing[r] && later[r] == CONE_CONTACT_OPEN);
  return any;
}

// Has contact r, about which nothing is asked, let go by then? Those at their limit slip behind it,
// and do not yet: it bears what they cannot.
static bool follows(const bool* open, const cone_contact_mode* mode, int count, int r)
{
  return !open[r] && mode[r] == CONE_CONTACT_STICK && contact_slip_moves(mode[count + r]);
}

static bool any_follows(const bool* open, const cone_contact_mode* mode, int count)
{
  bool any = false;
  for (int r = 0; r < count; r++) any = any || follows(open, mode, count, r);
  return any;
}

// Modes of contacts about which the next moment decides; room for as many behind them. One that
// leaves its limit slowly, beside forces of others that change fast, does not show it within the
// error of the answer at once: where the question stays open the look goes further, and where a
// force vanishes before it, or one that was not asked lets go, the look is nearer: who has let go
// by the nearest look of all goes with those at their limit. What stays at its limit as far as that
// is left as it is there.
int contact_slip_answer_later(engine* e, const cone_contact_solution* s, cone_contact_mode* mode)
{
  const int count = e->unilateral->candidates;
  bool *open = base_alloc(3 * (size_t)count + 1), *still = open + count, *pressing = still + count;
  double h = contact_inequality_moment(e);
  int failed = 0, looks = 0;
  bool further = false;
  for (int r = 0; r < count; r++) open[r] = is_open_question(e, s, r);
  find_pressing(e, s, open, pressing);
  leave_shared(e, open, pressing, mode);
  while (looks++ < most_looks && !failed && any_of(open, count)) {
    memcpy(still, open, (size_t)count);
    failed = moment_later(e, h, mode + count, still);
    // further away there may be none of these modes any more
    if (further && failed)
      failed = 0, *e->reason = 0, looks = most_looks;
    else if (!failed && (any_opened(pressing, mode + count, count) ||
                         (any_follows(open, mode, count) && (further || looks < most_looks))))
      h /= look_further, looks = further ? most_looks : looks;
    else if (!failed) {
      for (int r = 0; r < count; r++)
        if (open[r] || follows(open, mode, count, r)) mode[r] = mode[count + r];
      memcpy(open, still, (size_t)count);
      h *= look_further;
      further = true;
    }
  }
  free(open);
  return failed;
}
