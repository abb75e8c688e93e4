// What a system and its mode ask of whoever evaluates y', found in one place.
#include "rate/rate.h"

#include <stdlib.h>
#include <string.h>

// What a kernel that has the linear problem solved in it may be made of.
enum {
  most_coupled = 16,       // coordinates that M or A couple, each with each
  most_coordinates = 60,   // of all
  most_operations = 3000,  // of M, F, A and c
  most_elimination = 3000, // of elimination, where zeros are kept
  most_entries = 4000000, // of equations and elimination of many coordinates: memory for their tape
};

// an entry of M beside the diagonal, or of A
static bool is_coupled(const engine* e, int i)
{
  const mech_system* s = e->s;
  for (int k = 0; k < e->n; k++)
    if (k != i && s->M[i > k ? i * e->n + k : k * e->n + i] != s->zero[0]) return true;
  for (int r = 0; r < e->m; r++)
    if (s->A[r * e->n + i] != s->zero[0]) return true;
  return false;
}

// ---- what elimination takes ---------------------------------------------------------------------

// unknowns and multipliers, and which of them stand in one equation
typedef struct pattern
{
  int n, N;
  bool *meets, *done;
  int* degree; // of those that are not done: others of them that it meets
  int* waits;  // and how many of these are unknowns
  int* near;   // those that the one eliminated meets
} pattern;

static void meet(const pattern* p, int i, int k)
{
  if (i == k || p->meets[i * p->N + k]) return;
  p->meets[i * p->N + k] = true;
  p->degree[i]++;
  p->waits[i] += k < p->n;
}

// as code_ldl() goes: a multiplier after all unknowns it meets, of these the one with least degree
static int next_of(const pattern* p)
{
  int best = -1;
  for (int i = 0; i < p->N; i++) {
    if (p->done[i] || (i >= p->n && p->waits[i])) continue;
    if (best < 0 || p->degree[i] < p->degree[best]) best = i;
  }
  return best;
}

static void eliminate(const pattern* p, int i)
{
  int count = 0;
  p->done[i] = true;
  for (int k = 0; k < p->N; k++)
    if (!p->done[k] && p->meets[i * p->N + k]) p->near[count++] = k;
  for (int a = 0; a < count; a++) {
    p->degree[p->near[a]]--;
    p->waits[p->near[a]] -= i < p->n;
    for (int b = 0; b < count; b++) meet(p, p->near[a], p->near[b]);
  }
}

// operations of L D L^T of [M A^T; A 0] and of its solution; no more than `most` are counted
static int elimination(const engine* e, int most)
{
  const mech_system* s = e->s;
  const int n = e->n, N = n + e->m;
  const size_t size = (size_t)N * (size_t)N;
  int* numbers = base_alloc(3 * sizeof(int) * (size_t)(N + 1));
  bool* block = base_alloc(size + (size_t)N + 1);
  const pattern p = {n, N, block, block + size, numbers, numbers + N, numbers + 2 * N};
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++)
      if (s->M[i * n + k] != s->zero[0]) meet(&p, i, k), meet(&p, k, i);
  for (int r = 0; r < e->m; r++)
    for (int k = 0; k < n; k++)
      if (s->A[r * n + k] != s->zero[0]) meet(&p, n + r, k), meet(&p, k, n + r);
  int count = 0;
  for (int i; count <= most && (i = next_of(&p)) >= 0; eliminate(&p, i)) {
    const int degree = p.degree[i];
    count += (degree * (degree + 1)) / 2 + 3 * degree + 1;
  }
  free(numbers);
  free(block);
  return count;
}

static void release(void* thing)
{
  free(thing);
}

// the same, found once for a program
static bool is_thin(const engine* e)
{
  const base_key key = {"elimination", &e->program, sizeof e->program};
  void* found;
  base_kept_open(e->s->kept);
  if (!base_kept_find(e->s->kept, key, &found)) {
    int* count = base_alloc(sizeof *count);
    *count = elimination(e, most_elimination);
    found = count;
    base_kept_add(e->s->kept, key, found, release);
  }
  base_kept_unlock(e->s->kept);
  return *(int*)found <= most_elimination;
}

bool rate_matrix_is_large(const engine* e)
{
  int coupled = 0;
  if (e->sparse || e->s->hung || e->n > most_coordinates ||
      code_operations(e->program->eom) > most_operations)
    return true;
  for (int i = 0; i < e->n; i++) coupled += is_coupled(e, i);
  return coupled > most_coupled && !is_thin(e);
}

// Of many coordinates what counts is the entries that elimination meets; along a tree operations
// grow with the joints alone.
static bool is_large(const engine* e)
{
  if (e->sparse)
    return e->sparse->stiff ||
           code_operations(e->program->eom) + num_saddle_work(e->sparse->motion) > most_entries;
  return rate_matrix_is_large(e) && !engine_tree_serves(e);
}

// What stands in M, F, A or c that one linear problem has no place for: what they share is looked
// through once.
static engine_features of_lists(const engine* e)
{
  const mech_system* s = e->s;
  const int n = e->n, m = e->m, entries = e->sparse ? s->A_rows.count : m * n;
  expr* masses;
  const int count = engine_mass_terms(s, &masses), all = count + n + entries + m;
  expr* list = base_alloc(sizeof *list * (size_t)(all + n + m + 1));
  expr* unfit = list + all; // accelerations, then reactions
  expr* at = list;
  const struct
  {
    int count;
    const expr* from;
  } part[] = {{count, masses}, {n, s->F}, {entries, e->sparse ? s->A_rows.value : s->A},
              {m, s->c},       {n, s->a}, {m, e->model->reaction}};
  for (size_t i = 0; i < sizeof part / sizeof *part; at += part[i++].count)
    if (part[i].count) memcpy(at, part[i].from, sizeof *at * (size_t)part[i].count);
  expr_index* by = expr_index_new(n + m, unfit);
  expr_numbers held = {0};
  expr_index_list_of(s->pool, by, all, list, &held);
  engine_features f = 0;
  for (int i = 0; i < held.n; i++)
    f |= held.at[i] < n ? ENGINE_BY_ACCELERATIONS : ENGINE_BY_REACTIONS;
  base_list_free(&held);
  expr_index_free(by);
  free(masses);
  free(list);
  return f;
}

static engine_features of_equations(const engine* e)
{
  const mech_system* s = e->s;
  const int m = e->m;
  engine_features f = of_lists(e);
  for (int k = 0; k < m; k++) {
    // many coordinates have none of these
    if (!e->sparse && mech_is_nonlinear(s, k)) f |= ENGINE_CURVED;
    if (!engine_is_ideal(e, k)) f |= ENGINE_CONTROLS;
    if (e->model->constraint[k].during) f |= ENGINE_WHILE;
  }
  return f;
}

// the same for all engines of the system, which find it there; its lock is held
static engine_features kept_of_equations(engine* e)
{
  const bool by[] = {e->sparse != NULL};
  const base_key key = {"features", by, sizeof by};
  void* found = NULL;
  if (!base_kept_find(e->s->kept, key, &found)) {
    engine_features* f = base_alloc(sizeof *f);
    *f = of_equations(e);
    base_kept_add(e->s->kept, key, f, release);
    found = f;
  }
  return *(const engine_features*)found;
}

static engine_features of_system(engine* e)
{
  const model* m = e->model;
  engine_features f = kept_of_equations(e);
  for (int i = 0; i < m->events; i++)
    if (m->event[i].action == MODEL_CHANGE) f |= ENGINE_CHANGES;
  if (m->stages) f |= ENGINE_STAGES;
  if (e->p) f |= ENGINE_PARAMS;
  if (m->delays) f |= ENGINE_DELAYS;
  if (e->unilateral || e->by_impulses) f |= ENGINE_INEQUALITIES;
  if (e->program->modes.count) f |= ENGINE_CORNERS;
  if (is_large(e)) f |= ENGINE_LARGE;
  return f;
}

engine_features rate_features(engine* e)
{
  const engine_mode* m = &e->mode;
  if (!e->features_known) {
    base_kept_open(e->s->kept);
    e->features = of_system(e);
    base_kept_unlock(e->s->kept);
  }
  e->features_known = true;
  return e->features | contact_ways_features(e) |
         (m->second_order ? ENGINE_HOLDS_ACCELERATIONS : 0u) |
         (m->all_linear ? 0u : ENGINE_HOLDS_NONLINEAR) |
         (m->implied_count ? ENGINE_HOLDS_IMPLIED : 0u) |
         (m->rows && e->margin < engine_near_singular ? ENGINE_NEAR_SINGULAR : 0u);
}

engine_features rate_lasting_features(engine* e)
{
  return rate_features(e) & ~(engine_features)ENGINE_HOLDS_JUMP;
}
