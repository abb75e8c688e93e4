// The masses of a program as a tree for its kernels: where every coordinate moves what hangs on one
// joint, accelerations are found joint by joint (code/tree_solve.c), with operations that grow with
// the joints and not with their cube.
#include "engine/inside.h"

#include <stdlib.h>
#include <string.h>

// operations of a kernel, roughly, of each node; more than so many are not made
enum { node_operations = 400, most_operations = 2000000 };

struct engine_tree
{
  base_arena* arena;
  int nodes;
  code_tree_node* node; // norm: the constraint
  const expr *gravity,
      *F; // null where inertias change: forces of inertia are in those of the system
  bool serves;
};

static void release(void* thing)
{
  base_arena_free(((struct engine_tree*)thing)->arena);
}

static const expr* fixed(const engine_program* p, struct engine_tree* t, int count,
                         const expr* list)
{
  expr* out = base_arena_take(t->arena, sizeof *out * (size_t)(count + 1));
  engine_fix(p, count, list, out);
  for (int i = 0; i < count; i++) t->serves = t->serves && out[i] != EXPR_NONE;
  return out;
}

static void add_node(const engine_program* p, struct engine_tree* t, const model_node* x)
{
  const size_t joints = (size_t)x->joints + 1;
  int* unknown = base_arena_take(t->arena, sizeof *unknown * joints);
  expr* slope = base_arena_take(t->arena, 6 * sizeof *slope * joints);
  for (int j = 0; j < x->joints; j++) {
    unknown[j] = x->joint[j].coord;
    memcpy(slope + 6 * j, x->joint[j].slope, 6 * sizeof *slope);
  }
  const expr inertia[10] = {x->m,    x->mr[0], x->mr[1], x->mr[2], x->J[0],
                            x->J[1], x->J[2],  x->J[3],  x->J[4],  x->J[5]};
  expr motion[12];
  const expr* parts[4] = {x->spin, x->drift, x->spin_rate, x->drift_rate};
  for (int k = 0; k < 4; k++) memcpy(motion + 3 * k, parts[k], 3 * sizeof *motion);
  t->node[t->nodes++] = (code_tree_node){.parent = x->parent,
                                         .turn = fixed(p, t, 9, x->turn),
                                         .r = fixed(p, t, 3, x->r),
                                         .inertia = fixed(p, t, 10, inertia),
                                         .motion = fixed(p, t, 12, motion),
                                         .joints = x->joints,
                                         .unknown = unknown,
                                         .slope = fixed(p, t, 6 * x->joints, slope),
                                         .norm = x->by_quaternion ? x->norm : -1};
}

static void plant(const engine_program* p, struct engine_tree* t)
{
  const model_tree* from =
      p->is_part || p->n != p->model->coords ? NULL : model_tree_make((model*)p->model);
  if (!from || (long)from->nodes * node_operations > most_operations) return;
  t->serves = true;
  t->node = base_arena_take(t->arena, sizeof *t->node * (size_t)(from->nodes + 1));
  for (int i = 0; i < from->nodes; i++) add_node(p, t, &from->node[i]);
  if (!from->rigid) return;
  expr* F = base_arena_take(t->arena, sizeof *F * (size_t)(p->n + 1));
  mech_tree_forces(p->s, from, F);
  t->gravity = fixed(p, t, 3, from->gravity);
  t->F = fixed(p, t, p->n, F);
}

static const struct engine_tree* tree_of(const engine_program* p)
{
  const base_key key = {"tree", &p, sizeof p};
  void* found;
  base_kept_open(p->s->kept);
  if (!base_kept_find(p->s->kept, key, &found)) {
    base_arena* arena = base_arena_new();
    struct engine_tree* t = base_arena_take(arena, sizeof *t);
    t->arena = arena;
    plant(p, t);
    found = t;
    base_kept_add(p->s->kept, key, t, release);
  }
  base_kept_unlock(p->s->kept);
  return found;
}

bool engine_tree_serves(const engine* e)
{
  return tree_of(e->program)->serves;
}

bool engine_tree_is_free(const engine* e)
{
  const struct engine_tree* t = tree_of(e->program);
  int norms = 0;
  for (int i = 0; i < t->nodes; i++) norms += t->node[i].norm >= 0;
  return t->serves && e->mode.rows == norms;
}

bool engine_tree_whole(const engine* e, code_tree* out)
{
  const struct engine_tree* t = tree_of(e->program);
  *out = (code_tree){t->nodes, t->node, engine_safe_pivot, t->gravity};
  return t->serves;
}

const expr* engine_tree_forces(const engine* e, const expr* F)
{
  const struct engine_tree* t = tree_of(e->program);
  return t->F ? t->F : F;
}

bool engine_tree_keeps(const engine* e, int k)
{
  const struct engine_tree* t = tree_of(e->program);
  for (int i = 0; i < t->nodes; i++)
    if (t->node[i].norm == k) return true;
  return false;
}

bool engine_tree_take(const engine* e, code_tree* out)
{
  const struct engine_tree* t = tree_of(e->program);
  if (!t->serves) return false;
  code_tree_node* node = base_alloc(sizeof *node * (size_t)(t->nodes + 1));
  bool fine = true;
  for (int i = 0; i < t->nodes; i++) {
    node[i] = t->node[i];
    if (t->node[i].norm < 0) continue;
    node[i].norm = -1;
    for (int r = 0; r < e->mode.rows; r++)
      if (e->mode.row[r] == t->node[i].norm) node[i].norm = r;
    fine = fine && node[i].norm >= 0;
  }
  *out = (code_tree){t->nodes, node, engine_safe_pivot, t->gravity};
  if (!fine) engine_tree_leave(out);
  return fine;
}

void engine_tree_leave(code_tree* t)
{
  free((void*)t->node);
  *t = (code_tree){0};
}

// ---- M written out ------------------------------------------------------------------------------

static void release_kernel(void* kernel)
{
  code_free(kernel);
}

const code_kernel* engine_full_equations(const engine_program* p)
{
  if (!p->s->hung) return p->eom;
  const base_key key = {"full equations", &p, sizeof p};
  void* found;
  if (base_kept_find(p->s->kept, key, &found)) return found;
  const mech_system* s = p->s;
  const size_t n = (size_t)p->n, m = (size_t)p->m, count = n * n + n + m * n + m;
  expr *list = base_alloc(sizeof *list * (count + 1)), *at = list + n * n;
  memcpy(list, mech_mass(s), sizeof *list * n * n);
  memcpy(at, s->F, sizeof *list * n);
  if (m) memcpy(at + n, s->A, sizeof *list * m * n);
  if (m) memcpy(at + n + m * n, s->c, sizeof *list * m);
  engine_fix(p, (int)count, list, list);
  code_kernel* k = code_build(s->pool, (int)count, list, p->inputs, p->input, NULL);
  free(list);
  base_kept_add(s->kept, key, k, release_kernel);
  return k;
}
