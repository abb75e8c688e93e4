// Passages of jumps that accumulate, as those of x'' = -3 sign(x) - sign(x'): their limit is the
// next instant.
//
// They are told by the passages in one direction, as one swing may take longer than the other. A
// place, x of sign(x), is passed more slowly each time, and its swings are the less high; a slip
// that accumulates with it is not.
#include "contact/contact.h"
#include "walk/instant.h"

#include <math.h>
#include <stdlib.h>

// is corner i a place that is passed more slowly each time? A slip, linear in velocities, is none
static bool is_slowed(const walk_job* r, int i)
{
  const contact_accumulation* a = &r->watch->swing[i];
  return r->e->program->turning[i] && a->slower < (1 + a->ratio) / 2;
}

// how the corners that accumulate with i come to rest
static void gather(const walk_job* r, int i, contact_rest* rest)
{
  const engine_corners* modes = &r->e->program->modes;
  const contact_accumulation* swing = r->watch->swing;
  for (int j = 0; j < modes->count; j++)
    if (modes->slides[j] && (j == i || contact_accumulation_is_with(&swing[i], &swing[j])))
      rest[j] = is_slowed(r, j) ? CONTACT_TURNED : CONTACT_SLOWED;
}

// The time left until the passages of corner i have all been; 0 where they do not accumulate, or
// its swings are still high; may the next be `told` from none? The accelerations are known.
static double time_left(walk_job* r, double t, int i, bool* told)
{
  engine* e = r->e;
  contact_accumulation* swing = &r->watch->swing[i];
  engine_corner_rates(e);
  const double rate = fabs(e->work.switching[e->program->modes.count + i]),
               left = contact_accumulation_note(swing, t, rate, 0);
  if (!(left > 0) || !is_slowed(r, i)) return 0;
  const double height = rate * swing->pause * swing->ratio / 4, size = contact_corner_size(e, i);
  *told = height > engine_swing_told * size;
  return height < engine_least_swing * size ? left : 0;
}

// the time left of all that were passed upwards, and whether each of them could go on
static double ending(walk_job* r, const walk_instant* in, contact_rest* rest, bool* told)
{
  const engine_corners* modes = &r->e->program->modes;
  double longest = 0;
  *told = true;
  for (int k = 0; k < in->count; k++) {
    const walk_found* found = &in->found[k];
    const int i = found->index;
    if (found->kind != WALK_CORNER || found->direction < 0 || !modes->slides[i]) continue;
    // what is held, or was, does not swing
    if (in->held[i] || r->e->mode.held[i] || contact_slip_owns(r->e, i)) {
      contact_accumulation_forget(&r->watch->swing[i]);
      continue;
    }
    bool one = false;
    const double left = time_left(r, in->t, i, &one);
    if (left > 0) gather(r, i, rest);
    if (left > 0) *told = *told && one;
    longest = fmax(longest, left);
  }
  return longest;
}

// The motion stops at the jumps, and goes on from the limit: where nothing else happens until then
// (bounce_span.c). Else the next passage is made by itself; from the lowest swings on it stops
// here, and what happens is found behind it.
static int stop_swinging(walk_job* r, walk_instant* in, const contact_rest* rest, bool told,
                         double* left)
{
  engine* e = r->e;
  base_text kept = {0};
  bool quiet = true;
  walk_span_keep(r, &kept);
  int failed =
      contact_rest_corners(e, rest) || walk_span_carry(r, NULL, in->t, in->t + *left, &quiet);
  if (quiet)
    in->until = in->t + *left;
  else
    walk_span_put_back(r, &kept);
  if (!quiet) failed = !told && (contact_accelerations(e) || contact_rest_corners(e, rest));
  if (!quiet && told) *left = 0;
  base_text_free(&kept);
  return failed;
}

int walk_corners_rest(walk_job* r, walk_instant* in)
{
  engine* e = r->e;
  const int corners = e->program->modes.count;
  if (contact_accelerations(e)) return 1;
  contact_rest* rest = base_alloc(sizeof *rest * (size_t)(corners + 1));
  bool told;
  double left = ending(r, in, rest, &told);
  const int failed = left > 0 && stop_swinging(r, in, rest, told, &left);
  for (int i = 0; i < corners && left > 0; i++)
    if (rest[i] != CONTACT_PASSED) contact_accumulation_forget(&r->watch->swing[i]);
  in->jumped = in->jumped || left > 0;
  free(rest);
  return failed;
}
