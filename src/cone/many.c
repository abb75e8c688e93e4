// Many contacts at once: w = G x + q with one law per row, G sparse.
//
// The problem falls apart into islands (many_islands.c). In each, sweeps of Gauss and Seidel
// (many_sweep.c) find roughly which rows act from the guess of the step before; Newton
// (many_newton.c) then solves to the last digits; small ones without friction or in the plane an
// active set (many_active.c) before it. Where its states run in circles the way through
// the inside of the cones (many_interior.c) is taken, and Newton again from there. Large islands
// are swept on before any linear system, those with friction beyond each answer, with patches
// solved by themselves (many_patch.c), then come rounds of Newton among the bodies (many_graded.c),
// then Newton and sweeps by turns (many_mixed.c), then each sweep learning from those before
// (many_relax.c); one whose linear systems would cost too much is swept
// alone. Whatever is tried, the best impulses are kept and their fault is told: it is for who asks
// to say what it is good for.
#include "cone/many.h"
#include "cone/small.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const double cone_many_tolerance = cone_many_solved;
enum {
  least_turns = 3,
  first_sweeps = 8,
  more_sweeps = 40,
  batch = 20,
  some_sweeps = 200,
  last_sweeps = 1000,
  long_batch = 500,
  patience = 4,
  over_batch = 50,
  first_batches = 4,
  over_batches = 12,
  long_pairs = 50,
  long_batches = 60,
  rows_of_a_sweep = 3, // a linear system grows faster with the rows than a sweep does
  middle_island = 300, // rows
  large_island = 1000,
  very_large = 4000,
  few_rows = 60,
  brief = 4,
  brief_turns = 40,
  some_turns = 60,
  first_turns = 400,
  many_turns = 80,
  more_turns = 1000,
  most_rounds = 40,
  few_changes = 2
};
// of products in linear systems with a band, rows times the square of its width: what an island may
// cost in all before it is left to sweeps, and one that is solved at any rate
static const double most_work = 4e8, little_work = 5e4;

// over-relaxation, of the way to the answer of a contact; of the fault, after a batch of such
// sweeps: they go wrong; after a turn of Newton: it is on its way
static const double over_relaxed = 1.6, rises = 2, falls = 0.1;
static const double wild = 10;           // of the best fault: such sweeps begin again there
static const double redundant = 2;       // rows to a velocity
static const double worth_another = 0.3; // of the fault at which a turn of Newton led nowhere
// of the fault, after a batch of sweeps of redundant rows: impulses that move nothing keep it up
// after the first of them, however many there are; rounds of Newton get farther
static const double worth_sweeping = 0.5;
// the same of entries that sweeps look at, and by how much a batch of them has to get on
static const double most_sweep_work = 1e8, gets_on = 0.99;

void cone_many_use_siconos(cone_many* f)
{
  f->siconos = true;
}

// ---- an island ----------------------------------------------------------------------------------

// the best impulses so far, and their fault
typedef struct best
{
  double* x;
  double fault;
  bool here; // x and w are those
} best;

// x, whose w and fault are known
static bool keep_known(cone_many* f, best* b, double fault)
{
  b->here = fault <= b->fault;
  if (b->here) {
    b->fault = fault;
    memcpy(b->x, f->x, sizeof(double) * (size_t)f->p->r);
  }
  return b->fault <= cone_many_tolerance;
}

static bool keep(cone_many* f, best* b)
{
  cone_many_product(f);
  return keep_known(f, b, cone_many_fault(f));
}

static bool keep_newton(cone_many* f, best* b, bool patient, cone_many_result* out)
{
  return keep_known(f, b, cone_many_newton(f, patient, &out->turns));
}

static void sweeps(cone_many* f, int count, cone_many_result* out)
{
  for (int i = 0; i < count; i++) cone_many_sweep(f, i % 2);
  out->sweeps += count;
}

// the first, until which rows press stays as it is: the rest is Newton's
static void sweep_first(cone_many* f, cone_many_result* out)
{
  bool stays = false;
  int count = 0;
  for (; count < first_sweeps && !stays; count++) stays = cone_many_sweep(f, count % 2);
  out->sweeps += count;
}

// until the fault is allowed; sweeps that learn from one another
static bool relax(cone_many* f, best* b, int most, cone_many_result* out)
{
  cone_many_relax_begin(f);
  for (int k = 0; k < most && b->fault > cone_many_allowed(f); k += batch) {
    cone_many_relax_go(f, batch / 2);
    out->sweeps += batch;
    if (keep(f, b)) return true;
  }
  return b->fault <= cone_many_allowed(f);
}

static void go_back(cone_many* f, best* b)
{
  if (b->here) return;
  memcpy(f->x, b->x, sizeof(double) * (size_t)f->p->r);
  cone_many_product(f);
  b->here = true;
}

// Near the end a turn of Newton, from x, and back to it where that does not help; *near is a fault
// below which it is worth a try.
static bool last_turn(cone_many* f, best* b, double* near, cone_many_result* out)
{
  const double before = cone_many_fault(f);
  if (before > *near) return false;
  memcpy(f->centre, f->x, sizeof(double) * (size_t)f->p->r);
  cone_many_turn(f, cone_turn_prox, &out->turns);
  cone_many_sweep(f, false);
  cone_many_sweep(f, true);
  keep(f, b);
  if (b->fault <= cone_many_allowed(f)) return true;
  if (cone_many_fault(f) <= falls * before) return false;
  *near = worth_another * before;
  memcpy(f->x, f->centre, sizeof(double) * (size_t)f->p->r);
  cone_many_product(f);
  return false;
}

// over-relaxed sweeps, with patches where they do not get on; x is where they came to
// once a batch leaves more than `enough` of the fault that it began with, no more are made
static bool sweep_beyond(cone_many* f, best* b, int batches, double enough, double* near,
                         cone_many_result* out)
{
  double share = over_relaxed, before = INFINITY, began = b->fault;
  for (int k = 0; k < batches; k++) {
    for (int i = 0; i < over_batch; i++) cone_many_sweep_beyond(f, k + i ? share : 1);
    out->sweeps += over_batch;
    keep(f, b);
    if (b->fault <= cone_many_allowed(f)) return true;
    const double fault = cone_many_fault(f);
    if (!(fault <= enough * began)) return false;
    began = fault;
    if (fault > rises * before) share = (share + 1) / 2;
    if (fault > wild * b->fault) go_back(f, b);
    before = fault;
    if (last_turn(f, b, near, out)) return true;
    cone_many_patches(f);
  }
  return false;
}

// Sweeps that learn, with patches between them, until the laws hold nearly. Those of a large island
// get farther than linear systems in the same time.
static bool sweep_long(cone_many* f, best* b, double* near, cone_many_result* out)
{
  for (int k = 0; k < long_batches && b->fault > cone_many_coarse; k++) {
    cone_many_relax_begin(f);
    cone_many_relax_go(f, long_pairs);
    out->sweeps += 2 * long_pairs;
    keep(f, b);
    if (b->fault <= cone_many_allowed(f) || last_turn(f, b, near, out)) return true;
    cone_many_patches(f);
  }
  go_back(f, b);
  return false;
}

static bool by_turns(cone_many* f, best* b, int turns, cone_many_result* out)
{
  go_back(f, b);
  cone_many_mixed(f, turns, out);
  keep(f, b);
  go_back(f, b);
  return b->fault <= cone_many_allowed(f);
}

static bool by_siconos(cone_many* f, best* b, cone_many_result* out)
{
  if (!cone_many_siconos(f)) {
    b->here = false;
    go_back(f, b);
    return false;
  }
  if (keep(f, b)) return true;
  return keep_newton(f, b, false, out);
}

// From the inside Newton is tried before the way is at its end: which rows act is plain long before
// the impulses are exact.
static bool through_inside(cone_many* f, best* b, cone_many_result* out)
{
  const int haste = f->haste;
  bool inside = cone_many_interior_begin(f, false);
  f->haste = haste < brief ? haste : brief;
  for (double until = cone_interior_plain; inside; until *= until) {
    inside = cone_many_interior(f, until, &out->turns);
    if (keep(f, b)) return true;
    if (keep_newton(f, b, false, out)) return true;
  }
  return false;
}

static bool has_friction(const cone_many* f)
{
  for (int i = 0; i < f->p->r; i++)
    if (f->p->kind[i] == CONE_MANY_TANGENT) return true;
  return false;
}

// Small islands without friction or in the plane. From round to round the slips say what the next
// one is about; Newton ends it where they are nearly right.
static bool by_active_set(cone_many* f, best* b, cone_many_result* out)
{
  const bool rough = has_friction(f);
  bool tried = false;
  double before = INFINITY;
  if (!cone_many_active_begin(f)) return false;
  for (int round = 0, still = 0; round < (rough ? most_rounds : 1) && still < patience; round++) {
    const int changes = out->changes;
    if (!cone_many_active_round(f, &out->changes)) break;
    if (keep(f, b)) return true;
    if (b->fault <= cone_many_allowed(f)) break;
    still = b->fault < before ? 0 : still + 1;
    before = b->fault;
    if (tried || b->fault > cone_active_plain || out->changes > changes + few_changes) continue;
    f->haste = brief;
    tried = true;
    if (keep_newton(f, b, false, out)) return true;
    go_back(f, b);
  }
  go_back(f, b);
  return false;
}

// by linear systems, from all sides that the size of the island allows
static bool exactly(cone_many* f, best* b, double work, cone_many_result* out)
{
  const int turns = (int)fmin(most_work / work, CONE_MANY_PATIENCE);
  if (turns < least_turns) return false;
  f->haste = turns < CONE_MANY_HASTE ? turns : CONE_MANY_HASTE;
  // the last digit is worth a few turns, not twenty
  if (b->fault <= cone_many_allowed(f) && f->haste > brief) f->haste = brief;
  if (keep_newton(f, b, false, out)) return true;
  go_back(f, b);
  if (b->fault <= cone_many_allowed(f)) return false;
  if (turns == CONE_MANY_PATIENCE && through_inside(f, b, out)) return true;
  if (b->fault <= cone_many_allowed(f) || f->p->r > few_rows) return false;
  go_back(f, b);
  sweeps(f, more_sweeps, out);
  cone_many_product(f);
  if (keep_newton(f, b, true, out)) return true;
  go_back(f, b);
  b->here = false;
  if (f->p->r <= CONE_MANY_SMALL && cone_many_dense(f, cone_many_enough) && keep(f, b)) return true;
  go_back(f, b);
  return !f->siconos && !f->is_patch && by_siconos(f, b, out);
}

// by a method among the velocities of bodies, in so many turns at most
static bool by_rounds(cone_many* f, best* b, bool rough, int most, cone_many_result* out)
{
  bool (*const method)(cone_many*, int, int*) = rough ? cone_many_graded : cone_many_proximal;
  if (method(f, most, &out->turns)) keep(f, b);
  go_back(f, b);
  return b->fault <= cone_many_allowed(f);
}

// Sweeps that learn first: they are cheap, and of a large island a linear system costs as much as
// hundreds of them.
static bool sweep_before(cone_many* f, best* b, cone_many_result* out)
{
  const int most = f->p->r / rows_of_a_sweep;
  const int sweeps = most < some_sweeps ? some_sweeps : most > last_sweeps ? last_sweeps : most;
  const bool enough = relax(f, b, sweeps, out);
  go_back(f, b);
  return enough;
}

// Do rounds of Newton get farther than turns with sweeps between them? Where impulses are many more
// than the velocities they follow from, as of boxes that lie on each other, or contacts have
// several discs.
static bool is_redundant(cone_many* f)
{
  if (!cone_many_is_round(f)) return true;
  return f->island.origin && cone_many_bodies_open(f) && f->p->r > redundant * f->bodies.unknowns;
}

// A large island with friction: what it comes to is told; a step goes on with it, or is halved,
// which takes less than the long ways here.
static bool large_and_rough(cone_many* f, best* b, cone_many_result* out)
{
  double near = cone_turn_near;
  const bool rounds = is_redundant(f);
  if (sweep_beyond(f, b, first_batches, rounds ? worth_sweeping : INFINITY, &near, out))
    return true;
  go_back(f, b);
  if (rounds && by_rounds(f, b, true, first_turns, out)) return true;
  if (!rounds && by_turns(f, b, f->p->may_halve ? brief_turns : some_turns, out)) return true;
  f->given_up = f->p->may_halve;
  if (f->given_up) return false;
  if (rounds && by_turns(f, b, some_turns, out)) return true;
  if (sweep_long(f, b, &near, out) || sweep_beyond(f, b, over_batches, INFINITY, &near, out))
    return true;
  go_back(f, b);
  if (f->p->r > very_large && b->fault > cone_many_coarse) return false;
  if (by_rounds(f, b, true, some_turns, out)) return true;
  if (sweep_beyond(f, b, over_batches, INFINITY, &near, out) || by_turns(f, b, some_turns, out))
    return true;
  return b->fault <= cone_many_coarse;
}

// By linear systems among the velocities of bodies: Newton with a proximal term, with friction a
// graded one; else from the inside of the cones, which are other ways, and with the term again from
// the best of all.
static bool among_bodies(cone_many* f, best* b, cone_many_result* out)
{
  const bool rough = has_friction(f), large = f->p->r > large_island;
  if (rough && large) return large_and_rough(f, b, out);
  if (rough && f->p->r > middle_island) {
    double near = cone_turn_near;
    if (sweep_beyond(f, b, first_batches, INFINITY, &near, out)) return true;
    // turns with sweeps between them take fewer systems where each contact has one disc alone
    if (cone_many_is_round(f) && by_turns(f, b, some_turns, out)) return true;
    go_back(f, b);
    if (by_rounds(f, b, true, first_turns, out)) return true;
  }
  if ((rough || large) && sweep_before(f, b, out)) return true;
  if (by_rounds(f, b, rough, rough ? some_turns : many_turns, out)) return true;
  if (cone_many_interior_begin(f, true)) {
    cone_many_interior(f, 0, &out->turns);
    keep(f, b);
  }
  go_back(f, b);
  return b->fault <= cone_many_allowed(f) || (rough && by_rounds(f, b, rough, more_turns, out));
}

// Plain sweeps forget nothing and leap nowhere: slow, but they come near where the others go in
// circles. As long as they get on, and cost no more than linear systems may.
static void sweep_on(cone_many* f, best* b, cone_many_result* out)
{
  const double entries = f->p->start[f->p->r], most = most_sweep_work / (entries * long_batch);
  double before = INFINITY;
  go_back(f, b);
  for (int k = 0, still = 0; k < most && still < patience; k++) {
    before = b->fault;
    sweeps(f, long_batch, out);
    if (keep(f, b) || b->fault <= cone_many_allowed(f)) return;
    still = b->fault < gets_on * before ? 0 : still + 1;
  }
}

// before linear systems of all rows; f->given_up: no more is to be tried
static bool nearly(cone_many* f, best* b, bool costly, cone_many_result* out)
{
  sweep_first(f, out);
  keep(f, b);
  // what costs much is enough when it is enough
  if (costly && b->fault <= cone_many_allowed(f)) return true;
  // Newton spreads what redundant rows carry, and knows them again in the next step; an active
  // set gives it to as few as can be
  f->haste = brief;
  if (!costly && keep_newton(f, b, false, out)) return true;
  go_back(f, b);
  if (f->p->r > CONE_MANY_SMALL && by_active_set(f, b, out)) return true;
  if (costly && b->fault <= cone_many_allowed(f)) return true;
  f->given_up = f->excluded && f->p->may_fail;
  if (f->given_up || !costly) return false;
  if (among_bodies(f, b, out)) return true;
  f->given_up = f->given_up || (f->nowhere && f->p->may_fail);
  return false;
}

double cone_many_solve_island(cone_many* f, cone_many_result* out)
{
  best b = {f->best, INFINITY, false};
  const double work = (double)f->p->r * f->width * f->width;
  f->nowhere = f->excluded = f->given_up = false;
  f->work = 0;
  cone_many_prepare(f);
  // what lies still obeys the laws at once; but to the last digit only by Newton, where it costs
  // little
  const bool still = keep(f, &b), costly = work > little_work;
  bool solved = f->siconos && by_siconos(f, &b, out);
  solved = solved || (costly && b.fault <= cone_many_allowed(f));
  solved = solved || (!still && nearly(f, &b, costly, out)) || f->given_up;
  solved = solved || exactly(f, &b, work, out);
  if (!solved && b.fault > cone_many_allowed(f) && !f->is_patch) {
    go_back(f, &b);
    if (!relax(f, &b, 2 * some_sweeps, out)) sweep_on(f, &b, out);
  }
  go_back(f, &b);
  return b.fault;
}

cone_many_result cone_many_solve(cone_many* f, const cone_many_problem* p, double* x, double* w)
{
  cone_many_result out = {.solved = true};
  cone_many_room(f, p->r);
  f->p = p;
  cone_many_sort(f);
  for (int from = 0, to; from < p->r; from = to) {
    to = cone_many_end(f, from);
    cone_many_enter(f, p, x, from, to);
    const double fault = cone_many_solve_island(f, &out);
    if (!(fault <= out.fault)) out.fault = fault;
    out.allowed = fmax(out.allowed, cone_many_allowed(f));
    out.work += f->work;
    cone_many_leave(f, from, to, x, w);
    // what the others do is asked again
    if (fault > cone_many_allowed(f) && f->given_up) break;
    out.islands++;
    out.largest = to - from > out.largest ? to - from : out.largest;
  }
  out.solved = out.fault <= cone_many_enough;
  return out;
}
