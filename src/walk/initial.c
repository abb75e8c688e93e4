// The initial state: initial equations and constraints solved together, nearest to the guesses.
//
// Positions first, from the equations that hold no velocity, then velocities with the positions
// kept; only where that fails are both solved at once (an exact velocity may fix an angle).
#include "walk/initial.h"
#include "contact/contact.h"

#include "walk/guesses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_settling = 30, most_looked_for = 40 };
// numbers that are kept on the stack: short runs would take them from the heap again and again
enum { most_few = 96 };

// an unknown in the measure in which the nearest state is looked for
static double weight_of(const walk_initial* p, int i)
{
  return p->metric[i] / p->size[i];
}

// orthonormal rows of R = J W^-1 at the engine's state into Q; how many
static int weighted_rows(walk_initial* p, double* Q)
{
  const int n = p->unknowns, n2 = 2 * p->e->n;
  int kept = 0;
  code_run(p->kernel, p->e->in, p->out, p->scratch);
  for (int r = 0; r < p->rows && kept < n; r++) {
    const double* J = p->out + p->count + p->row[r] * n2 + p->offset;
    double *row = Q + kept * n, square = 0;
    for (int j = 0; j < n; j++) {
      row[j] = J[j] / weight_of(p, p->offset + j);
      square += row[j] * row[j];
    }
    const double norm = sqrt(square);
    for (int j = 0; j < n && norm > 0; j++) row[j] /= norm;
    const double left = norm > 0 ? engine_left_over(kept, n, Q, row) : 0;
    if (!(left > engine_redundant)) continue;
    for (int j = 0; j < n; j++) row[j] /= left;
    kept++;
  }
  return kept;
}

// d = W (g - x); its length
static double way_to(const walk_initial* p, const double* guess, double* d)
{
  double square = 0;
  for (int j = 0; j < p->unknowns; j++) {
    const int i = p->offset + j;
    d[j] = weight_of(p, i) * (guess[i] - p->e->q[i]);
    square += d[j] * d[j];
  }
  return sqrt(square);
}

// A solution found after all unknowns were moved may lie nearer to the guess g, as where some of
// them have no part in the equations. Along the admissible directions:
//   min |W (x - g)|^2 under F(x) = 0:  W dx = (1 - R^+ R) W (g - x),  R = J W^-1,
// then back to F = 0, while that comes nearer.
static void settle_near(walk_initial* p, walk_initial_part part, const double* guess)
{
  const int n = p->unknowns;
  const size_t room = (size_t)((p->rows + 3) * n);
  double *Q = base_alloc(sizeof(double) * (room + 1)), *d = Q + (p->rows + 1) * n, *kept = d + n;
  double* x = p->e->q + p->offset;
  for (int turn = 0; turn < most_settling; turn++) {
    const int rows = weighted_rows(p, Q);
    const double before = way_to(p, guess, d);
    if (!(engine_left_over(rows, n, Q, d) > engine_balanced * (1 + before))) break;
    memcpy(kept, x, sizeof(double) * (size_t)n);
    for (int j = 0; j < n; j++) x[j] += d[j] / weight_of(p, p->offset + j);
    const num_newton_result back = walk_initial_attempt(p, part);
    if (back.solved && !back.nudges && way_to(p, guess, d) < before) continue;
    memcpy(x, kept, sizeof(double) * (size_t)n);
    break;
  }
  free(Q);
}

// The same for many coordinates: those that are no further from the guess than they were shaken go
// back to it, and the equations are solved from there.
static void settle_many(walk_initial* p, walk_initial_part part, const double* guess, double share)
{
  const int n = p->unknowns;
  double *d = base_alloc(sizeof(double) * (size_t)(2 * n + 1)), *kept = d + n;
  double* x = p->e->q + p->offset;
  const double before = way_to(p, guess, d);
  memcpy(kept, x, sizeof(double) * (size_t)n);
  for (int j = 0; j < n; j++)
    if (fabs(x[j] - guess[p->offset + j]) <= share * p->size[p->offset + j])
      x[j] = guess[p->offset + j];
  if (!walk_initial_attempt(p, part).solved || !(way_to(p, guess, d) < before))
    memcpy(x, kept, sizeof(double) * (size_t)n);
  free(d);
}

// guards that there are
static int guards_of(const model* m)
{
  int count = 0;
  for (int i = 0; i < m->contacts; i++) count += m->contact[i].guards;
  return count;
}

// The best state so far: guards it keeps (-1: it does not obey the equations), how far from the
// guess or from obeying it is (0: the first that is found and keeps all, which nothing is compared
// with).
typedef struct candidate
{
  int kept;
  double off;
} candidate;

// all: guards that there are
static candidate attempt(walk_initial* p, walk_initial_part part, const double* guess, int all,
                         int turn, uint64_t* seed, double* d)
{
  engine* e = p->e;
  const int n2 = 2 * e->n;
  memcpy(e->q, guess, sizeof(double) * (size_t)n2);
  const int from = part == WALK_VELOCITIES ? e->n : 0, n = part == WALK_BOTH ? n2 : e->n;
  const double share = turn ? engine_beside * pow(10, (turn - 1) / 3) : 0;
  if (turn) engine_shake(e->q + from, n, guess + from, share, p->size + from, seed);
  const num_newton_result found = walk_initial_attempt(p, part);
  if (found.solved && turn && e->sparse) settle_many(p, part, guess, share);
  if (found.solved && (turn || found.nudges) && !e->sparse) settle_near(p, part, guess);
  if (!found.solved) return (candidate){-1, walk_initial_miss(p, part)};
  walk_initial_clear(p, guess);
  const int kept = part == WALK_VELOCITIES || !e->model->contacts ? 0 : contact_guard_kept(e);
  return (candidate){kept, turn || kept < all ? way_to(p, guess, d) : 0};
}

// how far the equations are from being met at the guess; the engine is left with the state it has
static double miss_of_guess(walk_initial* p, walk_initial_part part, const double* guess,
                            double* kept)
{
  const size_t bytes = sizeof(double) * 2 * (size_t)p->e->n;
  memcpy(kept, p->e->q, bytes);
  memcpy(p->e->q, guess, bytes);
  const double miss = walk_initial_miss(p, part);
  memcpy(p->e->q, kept, bytes);
  return miss;
}

// The equations of a contact also hold where the surfaces would lie inside each other. Where the
// state found first does so, guesses shaken more and more lead to others: of those that keep most
// guards the one nearest to the guess is taken.
static bool solve_one(walk_initial* p, walk_initial_part part, bool* shaken)
{
  engine* e = p->e;
  const size_t n2 = 2 * (size_t)e->n;
  const int all = part == WALK_VELOCITIES ? 0 : guards_of(e->model);
  double few[most_few], *guess = few;
  if (3 * n2 > most_few) guess = base_alloc(sizeof(double) * 3 * n2);
  double *best = guess + n2, *d = best + n2;
  memcpy(guess, e->q, sizeof(double) * n2);
  memcpy(best, guess, sizeof(double) * n2);
  uint64_t seed = 20181;
  candidate taken = {-1, INFINITY};
  bool broken = false, at_once = false; // some state was found, and breaks a guard; without shaking
  for (int turn = 0; turn < 13 && (taken.kept < all || broken); turn++) {
    const candidate now = attempt(p, part, guess, all, turn, &seed, d);
    // mostly a state is found at once, and nobody asks
    if (turn == 0 && now.kept < 0) taken.off = miss_of_guess(p, part, guess, d);
    broken = broken || (now.kept >= 0 && now.kept < all);
    at_once = at_once || (now.kept >= 0 && turn == 0);
    if (now.kept < taken.kept || (now.kept == taken.kept && !(now.off < taken.off))) continue;
    taken = now;
    memcpy(best, e->q, sizeof(double) * n2);
  }
  memcpy(e->q, best, sizeof(double) * n2);
  *shaken = *shaken || (taken.kept >= 0 && !at_once);
  if (guess != few) free(guess);
  return taken.kept >= 0;
}

// Positions, then velocities, else both at once, from the engine's state. Where that fails but the
// positions were found, the state is left with them: the velocities are at fault.
static bool solve_parts(walk_initial* p, bool* shaken, bool* jointly)
{
  engine* e = p->e;
  const size_t bytes = sizeof(double) * (size_t)(2 * e->n);
  double few[most_few], *guess = few;
  if (4 * e->n > most_few) guess = base_alloc(2 * bytes);
  double* half = guess + 2 * e->n;
  memcpy(guess, e->q, bytes);
  const bool placed = solve_one(p, WALK_POSITIONS, shaken);
  bool solved = placed && solve_one(p, WALK_VELOCITIES, shaken);
  *jointly = !solved;
  if (!solved) {
    memcpy(half, e->q, bytes);
    memcpy(e->q, guess, bytes);
    solved = solve_one(p, WALK_BOTH, shaken);
    if (!solved && placed) memcpy(e->q, half, bytes);
  }
  if (guess != few) free(guess);
  return solved;
}

// No state was found. Where the constraints alone have none, no initial value is at fault.
static void explain(walk_initial* p, const double* guess, base_notes* notes)
{
  engine* e = p->e;
  const size_t bytes = sizeof(double) * (size_t)(2 * e->n);
  double* found = base_alloc(bytes + 1);
  walk_initial alone = {.e = e, .weight = p->weight};
  bool shaken = false, jointly;
  memcpy(found, e->q, bytes);
  memcpy(e->q, guess, bytes);
  walk_initial_collect(&alone, 0, NULL);
  alone.row = base_arena_take(e->arena, sizeof(int) * (size_t)(alone.count + 1));
  const int before = base_notes_count(notes);
  const bool built = alone.count < p->count && walk_initial_build(&alone, notes);
  if (built) walk_initial_measure(&alone);
  if (built && !solve_parts(&alone, &shaken, &jointly)) walk_initial_report(&alone, notes);
  memcpy(e->q, found, bytes);
  if (base_notes_count(notes) == before) walk_initial_report(p, notes);
  walk_initial_free(&alone);
  free(found);
}

// The equations of a wish from the engine's state; where they do not fit to each other, which is
// the right of guesses, the state that misses them least.
static void come_near(walk_initial* wish, base_notes* notes)
{
  engine* e = wish->e;
  wish->row = base_arena_take(e->arena, sizeof(int) * (size_t)(wish->count + 1));
  if (walk_initial_build(wish, notes)) {
    walk_initial_measure(wish);
    bool shaken = false;
    const size_t bytes = sizeof(double) * (size_t)(2 * e->n);
    double* least = base_alloc(bytes);
    const bool placed = solve_one(wish, WALK_POSITIONS, &shaken);
    const bool moving = solve_one(wish, WALK_VELOCITIES, &shaken);
    memcpy(least, e->q, bytes);
    if (!(placed && moving) && !walk_initial_attempt(wish, WALK_BOTH).solved)
      memcpy(e->q, least, bytes);
    free(least);
  }
  walk_initial_free(wish);
}

// General guesses such as `pos(P).x ~ 0.3`: taken as equations, first with what else is said and
// without the constraints, which gives the shape that the words describe, then with them. False
// where there are none: then the state is the one that was weighed.
static bool take_guesses(walk_initial* p, int count, const model_initial* initial,
                         base_notes* notes)
{
  engine* e = p->e;
  int general = 0;
  // a thousand bodies have thousands of plain numbers: they are not looked for one by one
  const bool many = count > most_looked_for;
  if (many) base_kept_lock(e->s->kept);
  for (int i = 0; i < count; i++) {
    const model_initial* g = &initial[i];
    if (g->coord < 0) {
      general += g->guess;
      continue;
    }
    (g->order ? e->v : e->q)[g->coord] = (many ? engine_value : engine_value_again)(e, g->value);
    if (g->guess) p->weight[g->order * e->n + g->coord] = 10;
  }
  if (many) base_kept_unlock(e->s->kept);
  engine_weigh(e);
  if (!general) return false;
  model_initial* all = base_arena_take(e->arena, sizeof *all * (size_t)count);
  memcpy(all, initial, sizeof *all * (size_t)count);
  for (int i = 0; i < count; i++) all[i].guess = all[i].guess && all[i].coord >= 0;
  walk_initial wish = {.e = e, .weight = p->weight}, said = wish;
  walk_initial_collect(&wish, count, all);
  said.eq = wish.eq;
  while (said.count < wish.count && !wish.eq[said.count].constraint) said.count++;
  if (said.count < wish.count) come_near(&said, notes);
  come_near(&wish, notes);
  return true;
}

// Which of the unknowns that are no longer as guessed do the equations leave open, where they were
// solved in this way?
static void find_open(walk_initial* p, walk_initial_part part, const double* guess, bool* open)
{
  const int n = part == WALK_BOTH ? 2 * p->e->n : p->e->n;
  walk_initial_choose(p, part);
  const double *from = guess + p->offset, *to = p->e->q + p->offset;
  if (memcmp(from, to, sizeof(double) * (size_t)n) == 0) return;
  double* Q = base_alloc(sizeof(double) * (size_t)((p->count + 2) * n));
  const int kept = weighted_rows(p, Q);
  double* x = Q + kept * n;
  // as many independent rows as unknowns leave nothing open
  for (int i = 0; i < n && kept < n; i++) {
    if (from[i] == to[i]) continue;
    for (int j = 0; j < n; j++) x[j] = i == j;
    open[p->offset + i] = engine_left_over(kept, n, Q, x) > engine_determined;
  }
  free(Q);
}

static void note_guesses(walk_initial* p, const walk_request* a, const double* guess, bool jointly)
{
  engine* e = p->e;
  if (!a->moved) return;
  bool* open = base_arena_take(e->arena, sizeof(bool) * (size_t)(2 * e->n + 1));
  if (!e->sparse && jointly) find_open(p, WALK_BOTH, guess, open);
  if (!e->sparse && !jointly) {
    find_open(p, WALK_POSITIONS, guess, open);
    find_open(p, WALK_VELOCITIES, guess, open);
  }
  walk_guesses_note(e, a->count, a->initial, guess, open, a->notes, a->moved);
}

// the statement that guesses this coordinate, else that where it is declared
static base_place guessed_at(const engine* e, const walk_request* a, int coord)
{
  for (int i = 0; i < a->count; i++)
    if (a->initial[i].guess && a->initial[i].coord == coord && !a->initial[i].order)
      return a->initial[i].place;
  return e->model->coord[coord].place;
}

// Do guesses a little beside these lead to another assembly, which lies about as near to them?
// Then it is they who decide between the two, and that is told by the coordinate in which these
// differ most. The engine is left with the state it has.
static void tell_other(walk_initial* p, const walk_request* a, const double* guess)
{
  engine* e = p->e;
  const size_t n2 = 2 * (size_t)e->n;
  double *found = base_alloc(sizeof(double) * (2 * n2 + 1)), *d = found + n2;
  memcpy(found, e->q, sizeof(double) * n2);
  walk_initial_choose(p, WALK_POSITIONS);
  const int kept = e->model->contacts ? contact_guard_kept(e) : 0;
  const double off = way_to(p, guess, d);
  uint64_t seed = 20181;
  int differs = -1;
  double other = 0;
  for (int turn = 7; turn < 13 && differs < 0 && off > engine_assembly_far; turn++) {
    const candidate now = attempt(p, WALK_POSITIONS, guess, 0, turn, &seed, d);
    if (now.kept < kept || now.off > engine_assembly_near * off) continue;
    double most = engine_assembly_far;
    for (int i = 0; i < e->n; i++) {
      const double way = weight_of(p, i) * fabs(e->q[i] - found[i]);
      if (way > most) {
        most = way;
        differs = i;
        other = e->q[i];
      }
    }
  }
  memcpy(e->q, found, sizeof(double) * n2);
  if (differs >= 0) {
    const char* name = e->model->coord[differs].name;
    base_info(a->notes, guessed_at(e, a, differs),
              "there are several assemblies about as near to the guesses: this one has %s = %.4g, "
              "another %s = %.4g",
              name, found[differs], name, other);
    base_help(a->notes, "the guess decides; for the other one write `initial %s ~ %.4g`", name,
              other);
  }
  free(found);
}

// Do the guesses meet the equations to the last bit, whatever they are measured by? Most models say
// their start outright, and short runs would be a good part of their time in looking for it.
static bool are_met_outright(walk_initial* p)
{
  const engine* e = p->e;
  const int outputs = p->count * (1 + 2 * e->n);
  if (e->sparse || e->model->contacts) return false;
  code_run(p->kernel, e->in, p->out, p->scratch);
  p->fresh = true;
  double sum = 0; // not zero where a slope is not a number
  for (int i = 0; i < outputs; i++) {
    if (i < p->count && p->out[i] != 0) return false;
    sum += 0 * p->out[i];
  }
  return sum == 0;
}

// from the guesses, which the engine's state is
static bool solve_from(walk_initial* p, const walk_request* a, double* moved)
{
  engine* e = p->e;
  const int n2 = 2 * e->n;
  bool shaken = false, jointly;
  double* guess = base_alloc(sizeof(double) * (size_t)n2);
  memcpy(guess, e->q, sizeof(double) * (size_t)n2);
  walk_initial_measure(p);
  const bool solved = solve_parts(p, &shaken, &jointly);
  double square = 0;
  for (int i = 0; i < e->n; i++) {
    const double way = weight_of(p, i) * (e->q[i] - guess[i]);
    square += way * way;
  }
  *moved = sqrt(square);
  if (solved) engine_weigh(e);
  if (solved) note_guesses(p, a, guess, jointly);
  if (solved && a->moved && !shaken && !jointly && !e->sparse && !p->one_place)
    tell_other(p, a, guess);
  if (!solved) explain(p, guess, a->notes);
  free(guess);
  if (solved && shaken) {
    base_warning(
        a->notes, BASE_NOWHERE,
        "the guesses lie where a constraint has no gradient; one of several initial states "
        "was chosen");
    base_help(a->notes, "give guesses with `initial NAME ~ VALUE` to choose another");
  }
  return solved;
}

// With the constraints active now. `seed`: guesses where nothing is said, null for those of the
// model; `moved`: how far the coordinates had to go from the guesses.
bool walk_initial_solve(engine* e, const walk_request* a, const double* seed, double* moved)
{
  const int n2 = 2 * e->n;
  walk_initial p = {.e = e};
  engine_time(e, a->t);
  for (int i = 0; i < n2; i++) e->q[i] = i >= e->n ? 0 : seed ? seed[i] : e->model->coord[i].start;
  p.weight = base_arena_take(e->arena, sizeof(double) * (size_t)n2);
  for (int i = 0; i < n2; i++) p.weight[i] = 1;
  const bool went = take_guesses(&p, a->count, a->initial, a->notes);
  walk_initial_collect(&p, a->count, a->initial);
  p.row = base_arena_take(e->arena, sizeof(int) * (size_t)(p.count + 1));
  bool solved = false;
  if (walk_initial_build(&p, a->notes)) {
    *moved = 0;
    solved = !went && are_met_outright(&p);
    if (solved)
      note_guesses(&p, a, e->q, false);
    else
      solved = solve_from(&p, a, moved);
  }
  walk_initial_free(&p);
  return solved;
}
