// Guesses of the initial state that had to give way: which, and how far.
//
// Said are those that the model writes with `~`, and of what it says nothing about those that the
// equations leave open: there another start was as good, and the nearest to the guesses was taken.
// What the equations determine is no choice, and is not told; nor is what the model guides by
// guesses of other things, which are told themselves.
#include "walk/guesses.h"

#include <math.h>
#include <string.h>

static void add(walk_guesses* g, const char* text, double moved)
{
  if ((g->count & (g->count + 1)) == 0) {
    walk_guess* more = base_arena_take(g->arena, sizeof *more * (size_t)(2 * g->count + 2));
    if (g->count) memcpy(more, g->at, sizeof *more * (size_t)g->count);
    g->at = more;
  }
  g->at[g->count++] = (walk_guess){text, moved};
}

static bool has_moved(const engine* e, int order, double guess, double value)
{
  const double* of = order ? e->v : e->q;
  double largest = 0;
  for (int i = 0; i < e->n; i++) largest = fmax(largest, fabs(of[i]));
  const double size = fmax(fabs(guess), fabs(value));
  return fabs(value - guess) > engine_guess_moved * size + engine_guess_rounding * largest;
}

static void tell_one(const engine* e, int coord, int order, double guess, walk_guesses* g)
{
  const double value = (order ? e->v : e->q)[coord];
  if (!has_moved(e, order, guess, value)) return;
  add(g,
      base_arena_printf(g->arena, "%s%s ~ %.6g", e->model->coord[coord].name, order ? "'" : "",
                        guess),
      value - guess);
}

// those such as `pos(P).x ~ 0.3`, as they are written; several scalars of one statement together
static int tell_written(engine* e, int count, const model_initial* initial, const base_notes* notes,
                        walk_guesses* g)
{
  const base_place place = initial[0].place;
  double sum = 0, size = 0;
  int same = 0;
  for (; same < count && memcmp(&initial[same].place, &place, sizeof place) == 0; same++) {
    const double off = engine_value_again(e, initial[same].f);
    sum = hypot(sum, off);
  }
  for (int i = 0; i < 2 * e->n; i++) size = fmax(size, fabs(e->q[i]));
  if (!(sum > engine_guess_moved * size)) return same;
  const char* text = base_notes_quote(notes, place, g->arena);
  const size_t word = strlen("initial ");
  add(g, strncmp(text, "initial ", word) ? text : text + word, sum);
  return same;
}

void walk_guesses_note(engine* e, int count, const model_initial* initial, const double* guess,
                       const bool* open, const base_notes* notes, walk_guesses* g)
{
  g->count = 0;
  bool* said = base_arena_take(e->arena, sizeof(bool) * (size_t)(2 * e->n + 1));
  bool guided[2] = {false, false}; // places, velocities: by guesses such as `pos(P).x ~ 0.3`
  for (int i = 0; i < count;) {
    const model_initial* one = &initial[i];
    if (one->coord >= 0) said[one->order * e->n + one->coord] = true;
    if (one->guess && one->coord >= 0)
      tell_one(e, one->coord, one->order, engine_value_again(e, one->value), g);
    if (one->guess && one->coord == -1) {
      base_kept_lock(e->s->kept);
      guided[expr_has_any(e->s->pool, one->f, e->n, e->s->v)] = true;
      base_kept_unlock(e->s->kept);
      i += tell_written(e, count - i, one, notes, g);
    } else {
      i++;
    }
  }
  for (int i = 0; i < 2 * e->n; i++)
    if (open[i] && !said[i] && !guided[i / e->n]) tell_one(e, i % e->n, i / e->n, guess[i], g);
}
