// Contacts with friction beside all else that switches or feels reactions: forces with the sign of
// a velocity, laws of resistance, controls.
//
// For given sides the forces are affine in the reactions, so that
//   w = w0 + sum_r W_r x_r
// over the normal forces and frictions x_r of the contacts, with what each of them changes of other
// reactions, of controls and of the sides of held corners in it. A jump sigma = sign(s) at which
// the motion stands is a friction, too: -1 <= -sigma <= 1 against the rate s', whose bound is given
// and whose force need not act along its row. All of it is one problem of cones.
// Where forces are not affine in the reactions, or have corners in them as mu*abs(reaction(C)) has,
// the problem is made anew about its answer until that confirms it.
#include "contact/beside.h"
#include "contact/contact.h"
#include "contact/corners.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_turns = 30 };
// of its friction, that a contact lacks for a while: far more than shows in a motion
static const double less = 0.002;

struct contact_beside
{
  bool choosing; // jumps at which the motion stands take part; else they are held, or have sides
  bool guessing; // neither: they do nothing
  bool* listed;  // or these do
  int boxes, *box;
  double* strength; // of each jump, the force that it is along its row
  int weaker;       // 1 + the contact that has a little less friction for a while
  double *base, *column;
  double* in; // the input block, kept
  char reason[320];
  int* row_kept; // the rows of the mode
  engine_answers answers;
};

static void* take(engine* e, int count, size_t size)
{
  return base_arena_take(e->arena, (size_t)(count + 1) * size);
}

contact_beside* contact_beside_new(engine* e, int contacts, int tangents)
{
  const int n = e->n, m = e->m, corners = e->program->modes.count;
  const int rows = (contacts + corners) * (1 + tangents);
  contact_beside* b = take(e, 1, sizeof *b);
  b->listed = take(e, corners, sizeof(bool));
  b->box = take(e, corners, sizeof(int));
  b->strength = take(e, corners, sizeof(double));
  b->base = take(e, contacts + corners, sizeof(double));
  b->column = take(e, rows * n, sizeof(double));
  b->in = take(e, e->program->inputs, sizeof(double));
  b->row_kept = take(e, m, sizeof(int));
  b->answers.w = take(e, (rows + 1) * n, sizeof(double));
  b->answers.lambda = take(e, (rows + 1) * m, sizeof(double));
  b->answers.side = take(e, (rows + 1) * corners, sizeof(double));
  return b;
}

void contact_beside_choose(engine* e, bool choosing)
{
  e->unilateral->beside->choosing = choosing;
}

bool contact_corner_jumps_here(const engine* e, int i)
{
  return e->program->modes.slides[i] && !e->program->modes.reactive[i] &&
         !contact_slip_owns(e, i) && (e->mode.held[i] || e->mode.standing[i]);
}

// the rows that hold in any case, for a while
static int bind_others(engine* e)
{
  contact_beside* b = e->unilateral->beside;
  const int rows = e->mode.rows;
  memcpy(b->row_kept, e->mode.row, sizeof(int) * (size_t)rows);
  e->mode.rows = 0;
  for (int k = 0; k < e->m; k++)
    if (contact_inequality_binds(e, k, false, false)) e->mode.row[e->mode.rows++] = k;
  return rows;
}

static void bind_again(engine* e, int rows)
{
  memcpy(e->mode.row, e->unilateral->beside->row_kept, sizeof(int) * (size_t)rows);
  e->mode.rows = rows;
}

// Forces without what reactions of contacts and the jumps that take part do to them: those are
// unknown.
static void take_out(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  const contact_beside* b = u->beside;
  const int n = e->n, corners = e->program->modes.count;
  const double *D = e->work.coupling_out, *Ds = D + n * e->m;
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < u->count; c++) e->F[i] -= D[i * e->m + u->of[c]] * e->lambda[u->of[c]];
    for (int k = 0; k < b->boxes; k++) e->F[i] -= Ds[i * corners + b->box[k]] * e->side[b->box[k]];
  }
}

const double* contact_corner_row(const engine* e, int c)
{
  const int corners = e->program->modes.count;
  const double *R = e->work.coupling_out + e->n * (e->m + corners),
               *R2 = e->work.turn_out + corners;
  return (e->mode.twice[c] ? R2 : R) + c * e->n;
}

// With F = ... - c sigma S^T along the row S of its rate a jump is a friction with the bound c; for
// others the same by their sizes. None where it does not act, as friction without pressure.
static double strength_of(const engine* e, int c)
{
  const int corners = e->program->modes.count;
  const double *Ds = e->work.coupling_out + e->n * e->m + c, *S = contact_corner_row(e, c);
  double force = 0, row = 0;
  for (int i = 0; i < e->n; i++) {
    force = hypot(force, e->work.unit[i] * Ds[i * corners]);
    row = hypot(row, e->work.unit[i] * S[i]);
  }
  return force > 0 && row > 0 ? force / row : 0;
}

static double unit_of(const contact_beside* b, int k)
{
  return b->strength[k] > 0 ? b->strength[k] : 1;
}

// the forces of the contacts in `row`, then of the jumps
static void fill_columns(engine* e, int count, const int* row)
{
  const contact_inequalities* u = e->unilateral;
  const contact_beside* b = u->beside;
  const int n = e->n, t = u->tangents, corners = e->program->modes.count;
  const double *D = e->work.coupling_out, *Ds = D + n * e->m;
  memset(b->column, 0, sizeof(double) * (size_t)((count + b->boxes) * (1 + t) * n));
  for (int r = 0; r < count; r++) {
    const int k = u->of[row[r]];
    double* to = b->column + r * (1 + t) * n;
    for (int i = 0; i < n; i++) to[i] = u->N[r * n + i] + u->sign[row[r]] * D[i * e->m + k];
    memcpy(to + n, u->T + r * t * n, sizeof(double) * (size_t)(t * n));
  }
  for (int k = 0; k < b->boxes; k++) {
    double* to = b->column + ((count + k) * (1 + t) + 1) * n;
    b->strength[k] = strength_of(e, b->box[k]);
    for (int i = 0; i < n; i++) to[i] = -Ds[i * corners + b->box[k]] / unit_of(b, k);
  }
}

// rows and bounds of the jumps behind those of the contacts; the answers are known
static void fill_boxes(engine* e, int count)
{
  contact_inequalities* u = e->unilateral;
  const contact_beside* b = u->beside;
  const int n = e->n, t = u->tangents, corners = e->program->modes.count;
  if (b->boxes) engine_corner_rates(e);
  for (int r = 0; r < count; r++) b->base[r] = 0;
  for (int k = 0; k < b->boxes; k++) {
    const int r = count + k, c = b->box[k];
    const double *from = contact_corner_row(e, c), *own = b->answers.w + (1 + r * (1 + t) + 1) * n;
    double rate = e->work.switching[corners + c], jump = 0;
    memset(u->N + r * n, 0, sizeof(double) * (size_t)n);
    memset(u->T + r * t * n, 0, sizeof(double) * (size_t)(t * n));
    memcpy(u->T + r * t * n, from, sizeof(double) * (size_t)n);
    for (int j = 0; j < n; j++) {
      rate -= from[j] * e->a[j];
      jump += from[j] * own[j];
    }
    for (int k2 = 0; k2 < t; k2++) u->dT[r * t + k2] = u->slip_now[r * t + k2] = 0;
    u->dT[r * t] = rate;
    // it presses with its bound, and by nothing else: a gap that is open by its own scale
    u->d[r] = jump != 0 ? unit_of(b, k) * fabs(jump) : 1;
    u->mu[r] = 1;
    u->both_now[r] = false;
    b->base[r] = unit_of(b, k);
    u->guess[r] = CONE_CONTACT_STICK;
  }
}

static bool sticks(const engine* e)
{
  const contact_inequalities* u = e->unilateral;
  bool any = false;
  for (int i = 0; i < u->count && !any; i++)
    any = e->mode.active[u->of[i]] && u->mode[i] == CONE_CONTACT_STICK && contact_slip_count(e, i);
  return any;
}

// Does the motion rest at jump c because contacts stick? Friction there and the jump share the load
// then, in any way that their bounds allow. Where contacts hold it there by their pressure alone
// the jump carries what it can (contact_corner_is_pressed), in whatever coordinates.
static bool is_shared(const engine* e, int c)
{
  return e->mode.resting[c] && !e->mode.pressed[c] && !e->mode.held[c] &&
         e->program->modes.slides[c] && !e->program->modes.reactive[c] &&
         !contact_slip_owns(e, c) && sticks(e);
}

bool contact_beside_shares(const engine* e)
{
  bool any = false;
  for (int c = 0; c < e->program->modes.count && !any; c++) any = is_shared(e, c);
  return any;
}

double contact_beside_rate(engine* e, int count, const cone_contact_solution* s, bool* moves)
{
  const contact_beside* b = e->unilateral->beside;
  double most = 0;
  *moves = false;
  for (int k = 0; k < b->boxes; k++) {
    const double rate = fabs(s->alpha_T[(count + k) * e->unilateral->tangents]);
    const double least = engine_scale_corner(e, b->box[k]) / engine_scale_quick(e);
    *moves = *moves || rate > 10 * engine_noise_force * least;
    most = fmax(most, rate);
  }
  return most;
}

// does jump c take part?
static bool takes_part(const engine* e, int c)
{
  const contact_beside* b = e->unilateral->beside;
  if (b->guessing) return false;
  return b->listed[c] || is_shared(e, c) || (b->choosing && contact_corner_jumps_here(e, c));
}

int contact_beside_reduce(engine* e, int count, const int* row, cone_contact_problem* p)
{
  contact_beside* b = e->unilateral->beside;
  b->boxes = 0;
  for (int c = 0; c < e->program->modes.count; c++)
    if (takes_part(e, c)) b->box[b->boxes++] = c;
  for (int r = 0; r < count; r++)
    if (row[r] == b->weaker - 1) e->unilateral->mu[r] *= 1 - less;
  take_out(e);
  fill_columns(e, count, row);
  const int rows = bind_others(e);
  const int failed =
      engine_coupled_answers(e, !b->choosing && !b->guessing,
                             (count + b->boxes) * (1 + p->tangents), b->column, &b->answers);
  bind_again(e, rows);
  if (failed) return 1;
  fill_boxes(e, count);
  p->contacts = count + b->boxes;
  p->b = 0;
  p->base = b->base;
  p->w0 = b->answers.w;
  p->W = b->answers.w + e->n;
  return 0;
}

void contact_beside_take(engine* e, int count, const int* row, const cone_contact_solution* s)
{
  const contact_inequalities* u = e->unilateral;
  const contact_beside* b = u->beside;
  const int n = e->n, m = e->m, t = u->tangents, corners = e->program->modes.count;
  memcpy(e->a, s->w, sizeof(double) * (size_t)n);
  memcpy(e->lambda, b->answers.lambda, sizeof(double) * (size_t)m);
  for (int c = 0; c < corners; c++)
    if (e->mode.held[c]) e->side[c] = b->answers.side[c];
  for (int r = 0; r < (count + b->boxes) * (1 + t); r++) {
    const int i = r / (1 + t), k = r % (1 + t);
    const double x = k ? s->lambda_T[i * t + k - 1] : s->lambda_N[i],
                 *lambda = b->answers.lambda + (r + 1) * m,
                 *side = b->answers.side + (r + 1) * corners;
    for (int j = 0; j < m; j++) e->lambda[j] += x * lambda[j];
    for (int c = 0; c < corners; c++)
      if (e->mode.held[c]) e->side[c] += x * side[c];
  }
  for (int k = 0; k < m; k++)
    if (!contact_inequality_binds(e, k, false, false)) e->lambda[k] = 0;
  for (int r = 0; r < count; r++) e->lambda[u->of[row[r]]] = u->sign[row[r]] * s->lambda_N[r];
  for (int k = 0; k < b->boxes; k++)
    e->side[b->box[k]] = -s->lambda_T[(count + k) * t] / unit_of(b, k);
}

// ---- about the answer ---------------------------------------------------------------------------

// Do the forces balance at the answer in the input block? All else it obeys. Each coordinate is
// measured by the largest force on it, in the metric of the masses.
static bool is_balanced(engine* e, int count, const cone_contact_solution* s)
{
  const contact_inequalities* u = e->unilateral;
  const int n = e->n, t = u->tangents;
  double worst = 0, most = 0;
  contact_slip_see(e);
  for (int i = 0; i < n; i++) {
    double left = -e->F[i], size = fabs(e->F[i]);
    for (int j = 0; j < n; j++) {
      left += e->M[i * n + j] * e->a[j];
      size = fmax(size, fabs(e->M[i * n + j] * e->a[j]));
    }
    for (int k = 0; k < e->m; k++) {
      if (!engine_is_ideal(e, k) || e->lambda[k] == 0) continue;
      left -= e->A[k * n + i] * e->lambda[k];
      size = fmax(size, fabs(e->A[k * n + i] * e->lambda[k]));
    }
    for (int r = 0; r < count * t; r++) {
      left -= u->T[r * n + i] * s->lambda_T[r];
      size = fmax(size, fabs(u->T[r * n + i] * s->lambda_T[r]));
    }
    worst = fmax(worst, e->work.unit[i] * fabs(left));
    most = fmax(most, e->work.unit[i] * size);
  }
  return worst <= engine_noise_force * most;
}

// Have the jumps that take part the bounds at the answer with which it was found? Where the
// pressure was not known a friction had none, and its value is none, too: that balances, whatever
// moves. The slopes are those of the answer.
static bool is_bounded(const engine* e)
{
  const contact_beside* b = e->unilateral->beside;
  bool same = true;
  for (int k = 0; k < b->boxes && same; k++) {
    const double bound = strength_of(e, b->box[k]);
    same = fabs(bound - b->strength[k]) <= engine_same_law * fmax(bound, b->strength[k]);
  }
  return same;
}

// sides of corners in the reactions that the answer contradicts are exchanged; how many, at most
static int exchange(engine* e, int most)
{
  int wrong = 0;
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  double scale = 0;
  for (int k = 0; k < e->m; k++) scale = fmax(scale, fabs(e->lambda[k]));
  for (int i = 0; i < e->program->modes.count && wrong < most; i++) {
    if (!e->program->modes.reactive[i]) continue;
    if (!(e->work.switching[i] * e->side[i] < -engine_no_force * scale)) continue;
    e->side[i] = -e->side[i];
    wrong++;
  }
  return wrong;
}

static cone_contact_result no_answer(contact_beside* b, const char* why)
{
  snprintf(b->reason, sizeof b->reason, "%s", why);
  return (cone_contact_result){.status = CONE_CONTACT_FAILED, .reason = b->reason};
}

// the problem about the input block solved, until that is its answer
static cone_contact_result settle(engine* e, int count, const int* row, bool decided)
{
  contact_beside* b = e->unilateral->beside;
  const int corners = e->program->modes.count;
  for (int turn = 0; turn < most_turns; turn++) {
    cone_contact_problem p;
    if (contact_slip_problem_about(e, count, row, decided, &p)) return no_answer(b, e->reason);
    const cone_contact_result x = cone_contact_solve(e->unilateral->contact, &p, false);
    if (!x.count) return x;
    contact_beside_take(e, count, row, &x.solution[0]);
    // all at once, later one at a time
    const int wrong =
        decided && !e->deciding ? 0 : exchange(e, turn < most_turns / 2 ? corners : 1);
    if (!wrong && is_balanced(e, count, &x.solution[0]) && is_bounded(e)) return x;
  }
  return no_answer(b, "no reactions were found that satisfy them and the forces that depend on "
                      "reactions together");
}

// Reactions without what holds the motion at jumps: what presses there may not be known before.
static bool guess(engine* e, int count, const int* row, bool decided)
{
  contact_beside* b = e->unilateral->beside;
  for (int k = 0; k < e->m; k++) e->lambda[k] = 0;
  for (int c = 0; c < e->program->modes.count; c++)
    if (e->mode.held[c] || takes_part(e, c)) e->side[c] = 0;
  b->guessing = true;
  const bool found = settle(e, count, row, decided).count > 0;
  b->guessing = false;
  return found;
}

cone_contact_result contact_beside_solve(engine* e, int count, const int* row, bool decided)
{
  contact_beside* b = e->unilateral->beside;
  const engine_corners* modes = &e->program->modes;
  for (int i = 0; i < modes->count && !decided; i++)
    if (modes->reactive[i]) e->side[i] = e->side[i] > 0 ? 1 : -1;
  memcpy(b->in, e->in, sizeof(double) * (size_t)e->program->inputs);
  if (!decided) engine_control_rows(e);
  for (int k = 0; k < e->m; k++)
    if (!isfinite(e->lambda[k])) e->lambda[k] = 0;
  for (int j = 0; j < e->n; j++) e->a[j] = 0;
  cone_contact_result x = settle(e, count, row, decided);
  if (!x.count && guess(e, count, row, decided)) x = settle(e, count, row, decided);
  const double *side = b->in + (e->side - e->in), *a = b->in + (e->a - e->in);
  for (int i = 0; i < modes->count; i++)
    if (decided || !modes->reactive[i]) e->side[i] = side[i];
  memcpy(e->a, a, sizeof(double) * (size_t)e->n);
  for (int k = 0; k < e->m; k++) e->lambda[k] = 0;
  return x;
}

bool contact_beside_weaken(engine* e, int i)
{
  contact_beside* b = e->unilateral->beside;
  if (b) b->weaker = b->boxes ? i + 1 : 0;
  return b && b->boxes;
}

// The rate of the jump in row r at the accelerations w. The solver gives none for what it takes to
// stick, but what is nothing beside all others may be the first of the slip of one at its bound.
static double rate_of_box(const engine* e, int r, const double* w)
{
  const contact_inequalities* u = e->unilateral;
  const double* row = u->T + r * u->tangents * e->n;
  double rate = u->dT[r * u->tangents];
  for (int j = 0; j < e->n; j++) rate += row[j] * w[j];
  return rate;
}

bool contact_beside_box(engine* e, int count, const int* corner, double* sigma, double* w,
                        double* noise)
{
  contact_inequalities* u = e->unilateral;
  contact_beside* b = u->beside;
  const int contacts = contact_slip_active(e), t = u->tangents;
  for (int k = 0; k < count; k++) {
    b->listed[corner[k]] = true;
    e->side[corner[k]] = sigma[k];
  }
  e->deciding = true;
  const cone_contact_result x = contact_beside_solve(e, contacts, u->candidate, true);
  e->deciding = false;
  if (x.count) contact_beside_take(e, contacts, u->candidate, &x.solution[0]);
  for (int k = 0; k < count && x.count; k++)
    for (int r = 0; r < b->boxes; r++) {
      if (b->box[r] != corner[k]) continue;
      sigma[k] = fmax(-1, fmin(1, e->side[corner[k]]));
      w[k] = fabs(sigma[k]) >= 1 - engine_near_limit ? rate_of_box(e, contacts + r, x.solution[0].w)
                                                     : x.solution[0].alpha_T[(contacts + r) * t];
      noise[k] = engine_noise_force * (u->d[contacts + r] + fabs(w[k]));
    }
  for (int k = 0; k < count; k++) b->listed[corner[k]] = false;
  return x.count > 0;
}
