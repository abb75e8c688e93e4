// Stability over a param, from the branch that was followed: its motions as far as its folds from
// the start, its special points all.
#include "study/branch.h"

#include <math.h>
#include <string.h>

static const struct
{
  const char *kind, *steady, *orbit;
} words[] = {{"fold", "fold: the branch turns back", "fold: the branch turns back"},
             {"branch", "divergence", "a multiplier at 1"},
             {"hopf", "Hopf", "Hopf"},
             {"krein", "flutter: two frequencies meet", "two multipliers meet on the circle"},
             {"doubling", "", "a multiplier at -1: the period doubles"},
             {"torus", "", "Neimark and Sacker"}};

static const char* kind_of(const study_special* x)
{
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (!strcmp(words[i].kind, x->kind))
      return x->at->period > 0 ? words[i].orbit : words[i].steady;
  return x->kind;
}

static void add_critical(study_scan* s, const study_special* x, double scale)
{
  if (x->before == x->behind && strcmp(x->kind, "fold") != 0) return;
  int at = s->criticals++;
  // in the order of their values
  for (; at > 0 && s->critical[at - 1].value > x->value / scale; at--)
    s->critical[at] = s->critical[at - 1];
  s->critical[at] = (study_critical){.value = x->value / scale,
                                     .im = x->im,
                                     .rising = (x->behind > x->before) == x->up,
                                     .kind = kind_of(x)};
}

study_scan* study_branches_scan(study_branches* b, int values, const double* value, double scale)
{
  base_arena* arena = base_arena_new();
  study_scan* s = base_arena_take(arena, sizeof *s);
  const study_path* p = &b->path[0];
  s->arena = arena;
  s->points = values;
  s->value = base_arena_take(arena, sizeof(double) * (size_t)(values + 1));
  s->point = base_arena_take(arena, sizeof *s->point * (size_t)(values + 1));
  s->critical = base_arena_take(arena, sizeof *s->critical * (size_t)(p->specials + 1));
  for (int i = 0; i < values; i++) {
    s->value[i] = value[i] / scale;
    s->point[i] = b->grid[i];
    b->grid[i] = NULL;
  }
  for (int i = 0; i < p->specials; i++) add_critical(s, &p->special[i], scale);
  study_scan_look_above(s);
  return s;
}

void study_branches_free(study_branches* b)
{
  if (!b) return;
  for (int k = 0; k < b->grids; k++) study_stability_free(b->grid[k]);
  for (int i = 0; i < b->count; i++) {
    study_path* p = &b->path[i];
    for (int k = 0; k < p->points; k++) study_stability_free(p->point[k]);
    for (int k = 0; k < p->specials; k++) study_stability_free(p->special[k].at);
  }
  for (int i = 0; i < b->loci; i++) {
    for (int k = 0; k < b->locus[i].points; k++) study_stability_free(b->locus[i].point[k]);
    for (int k = 0; k < b->locus[i].specials; k++) study_stability_free(b->locus[i].special[k].at);
  }
  study_branches_free(b->next);
  base_arena_free(b->arena);
}
