// Large islands with friction: sweeps and turns of Newton by turns.
//
// Sweeps (many_sweep.c) find out who slips and who presses, but what a whole pile does together
// they change by little in each; a turn of Newton (many_turn.c) does that at once, and makes a few
// contacts wrong whose states change on the way, which the next sweeps mend. How far a turn may go
// is said by its proximal term: it falls as long as a turn with the sweeps after it leaves no more
// than before, so that impulses which move nothing get to the edge of a cone however far that is;
// where much more is left the impulses before are taken again, and the term is larger. Between them
// rings are solved by themselves (many_patch.c).
#include "cone/many.h"
#include "cone/small.h"

#include <math.h>
#include <string.h>

enum { plain_first = 2, first_pause = 2 };
// sweeps after a turn: a linear system grows faster with the rows than they do
enum { fewest_sweeps = 40, most_sweeps = 200, rows_of_a_sweep = 90 };
static const double over_relaxed = 1.6;          // of the way to the answer of a contact
static const double first_term = 1e-2, most = 1; // of the mobility: the term
static const double smaller = 0.3, larger = 5;   // after turns that leave less, and more
static const double no_more = 1.3, far_more = 3; // of the fault before a turn

// the first sweeps and the last go no farther than to the answer
static double sweep_after(cone_many* f, cone_many_result* out)
{
  const int by_rows = f->p->r / rows_of_a_sweep,
            some = by_rows < fewest_sweeps ? fewest_sweeps : by_rows,
            count = some < most_sweeps ? some : most_sweeps;
  for (int k = 0; k < count; k++)
    cone_many_sweep_beyond(f, k < plain_first || k == count - 1 ? 1 : over_relaxed);
  out->sweeps += count;
  cone_many_product(f);
  return cone_many_fault(f);
}

// Patches before a turn; after one that leaves far more than before they are made less often: what
// suits a few contacts may be where the whole cannot go on from.
typedef struct patching
{
  int pause, wait;
  bool now;
} patching;

static void patch(cone_many* f, patching* s)
{
  s->now = --s->wait <= 0;
  if (!s->now) return;
  s->wait = s->pause;
  cone_many_patches(f);
  cone_many_product(f);
}

static void judge_patch(patching* s, bool wild)
{
  if (!s->now) return;
  if (wild)
    s->wait = s->pause *= 2;
  else if (s->pause > first_pause)
    s->pause /= 2;
}

static void copy(double* to, const double* from, int count)
{
  memcpy(to, from, sizeof(double) * (size_t)count);
}

bool cone_many_mixed(cone_many* f, int turns, cone_many_result* out)
{
  const int r = f->p->r, until = out->turns + turns;
  if (!f->island.origin || !cone_many_is_bounded(f) || !cone_many_bodies_open(f)) return false;
  cone_many_near_room(f);
  double term = first_term, fault = cone_many_fault(f), best = fault;
  patching patches = {.pause = first_pause};
  copy(f->near.found, f->x, r);
  while (best > cone_many_allowed(f) && out->turns < until) {
    copy(f->centre, f->x, r);
    patch(f, &patches);
    if (!cone_many_turn(f, term, &out->turns)) break;
    const double now = sweep_after(f, out);
    if (now < best) {
      best = now;
      copy(f->near.found, f->x, r);
    }
    const bool wild = !(now <= far_more * fault);
    judge_patch(&patches, wild);
    term =
        now <= no_more * fault ? fmax(smaller * term, cone_mixed_least) : fmin(larger * term, most);
    if (!wild) {
      fault = now;
      continue;
    }
    copy(f->x, f->centre, r);
    cone_many_product(f);
  }
  copy(f->x, f->near.found, r);
  cone_many_product(f);
  return best <= cone_many_allowed(f);
}
