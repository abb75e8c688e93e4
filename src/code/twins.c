// Limbs of a tree that are alike: as many nodes with as many joints, hung on each other in the same
// way. What is computed for one of them is computed for the others with other inputs, and may go
// side by side. Only the inputs are told apart here; which values are alike, the tape says
// (pack.c), so that a likeness missed or taken wrongly costs speed and nothing else.
#include "code/twins.h"

#include <stdlib.h>

// values looked at for the inputs of one node; positions are short expressions
enum { MOST_VALUES = 2000 };

typedef struct owned
{
  int node;
  uint32_t input;
} owned;

typedef struct likening
{
  const code_tape* t;
  const code_tree* tree;
  int *seen, *owner; // by value, by input: a node, -1 none, -2 several
  BASE_LIST(uint32_t) open;
  BASE_LIST(owned) inputs; // node by node, as they were met
  int looked;
  uint64_t* shape; // by node: of all behind it
  int *size, *limb, *inner;
} likening;

// ---- whose inputs -------------------------------------------------------------------------------

static void see(likening* w, int node, uint32_t v)
{
  if (v == CODE_ABSENT || w->seen[v] == node + 1) return;
  w->seen[v] = node + 1;
  base_push(&w->open, v);
}

static void meet(likening* w, int node, uint32_t input)
{
  int* owner = &w->owner[input];
  if (*owner == -1) base_push(&w->inputs, (owned){node, input});
  *owner = *owner == -1 || *owner == node ? node : -2;
}

static void look(likening* w, int node, int count, const uint32_t* v)
{
  for (int i = 0; i < count; i++) {
    see(w, node, v[i]);
    while (w->open.n > 0 && w->looked < MOST_VALUES) {
      const code_ins* x = &w->t->ins.at[w->open.at[--w->open.n]];
      const uint32_t of[3] = {x->a, x->b, x->c};
      w->looked++;
      if (x->op == CODE_IN) meet(w, node, x->a);
      for (int k = 0; k < code_op_args(x->op); k++) see(w, node, of[k]);
    }
  }
}

static bool find_owners(likening* w, const code_limb* limb)
{
  for (int i = 0; i < w->tree->nodes; i++) {
    const code_limb* l = &limb[i];
    w->looked = 0;
    look(w, i, 9, l->T);
    look(w, i, 3, l->r);
    for (int j = 0; j < l->joints; j++) look(w, i, 6, l->S[j].at);
    const uint32_t* const motion[] = {l->spin, l->drift, l->spin_rate, l->drift_rate};
    for (int k = 0; k < 4 && w->tree->gravity; k++) look(w, i, 3, motion[k]);
    look(w, i, 1, &l->own.m);
    look(w, i, 3, l->own.h);
    look(w, i, 6, l->own.J);
    if (w->looked >= MOST_VALUES) return false;
  }
  int kept = 0;
  for (int i = 0; i < w->inputs.n; i++)
    if (w->owner[w->inputs.at[i].input] >= 0) w->inputs.at[kept++] = w->inputs.at[i];
  w->inputs.n = kept;
  return true;
}

// ---- which limbs are alike ----------------------------------------------------------------------

static uint64_t mix(uint64_t h, uint64_t x)
{
  h = (h ^ x) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 29;
}

static void find_shapes(likening* w)
{
  const code_tree* t = w->tree;
  for (int i = 0; i < t->nodes; i++)
    w->shape[i] = mix((uint64_t)t->node[i].joints, t->node[i].norm >= 0);
  for (int i = 0; i < w->inputs.n; i++)
    w->shape[w->inputs.at[i].node] = mix(w->shape[w->inputs.at[i].node], 2);
  for (int i = t->nodes - 1; i >= 0; i--) {
    const int p = t->node[i].parent;
    w->size[i]++;
    if (p < 0) continue;
    w->size[p] += w->size[i];
    w->shape[p] = mix(w->shape[p], w->shape[i]);
  }
}

static bool is_open(const likening* w, int i)
{
  return w->limb[i] < 0 && !w->inner[i];
}

// node i and those alike after it, as many as there are
static int find_group(const likening* w, int i, int group[CODE_TWINS])
{
  int found = 0;
  for (int k = i; k < w->tree->nodes && found < CODE_TWINS; k++)
    if (is_open(w, k) && w->shape[k] == w->shape[i] && w->size[k] == w->size[i]) group[found++] = k;
  return found;
}

// all nodes of a limb, in order
static void take_limb(likening* w, int root, int* node)
{
  int count = 0;
  for (int i = root; i < w->tree->nodes && count < w->size[root]; i++) {
    const int p = w->tree->node[i].parent;
    if (i != root && (p < 0 || w->limb[p] != root)) continue;
    w->limb[i] = root;
    node[count++] = i;
  }
  for (int p = w->tree->node[root].parent; p >= 0; p = w->tree->node[p].parent) w->inner[p] = 1;
}

// the inputs of the nodes of one place in the limbs; returns how many classes there are then
static uint32_t name_inputs(const likening* w, const int* first, int node, code_twin name,
                            code_twin* twin)
{
  for (int k = first[node]; k < first[node + 1]; k++) {
    name.class += 1;
    twin[w->inputs.at[k].input] = name;
  }
  return name.class;
}

// ---- numbers in which they differ ---------------------------------------------------------------

enum { NUMBERS = 13 };

static void list_numbers(code_limb* l, uint32_t* at[NUMBERS])
{
  for (int i = 0; i < 3; i++) at[i] = &l->r[i];
  for (int i = 0; i < 3; i++) at[3 + i] = &l->own.h[i];
  for (int i = 0; i < 6; i++) at[6 + i] = &l->own.J[i];
  at[12] = &l->own.m;
}

static void set_apart(code_maker* m, int count, code_limb* const* l, uint32_t* tag)
{
  uint32_t* at[CODE_TWINS][NUMBERS];
  for (int k = 0; k < count; k++) list_numbers(l[k], at[k]);
  for (int i = 0; i < NUMBERS; i++) {
    double x[CODE_TWINS];
    bool numbers = true, same = true;
    for (int k = 0; k < count; k++) {
      numbers = numbers && *at[k][i] != CODE_ABSENT && code_is_const(m, *at[k][i], &x[k]);
      same = same && *at[k][i] == *at[0][i];
    }
    for (int k = 0; k < count && numbers && !same; k++)
      *at[k][i] = code_make_const_apart(m, x[k], ++*tag);
  }
}

static bool name_groups(likening* w, const int* first, code_maker* m, code_limb* limb,
                        code_twin* twin)
{
  const int nodes = w->tree->nodes;
  uint32_t classes = 0, tag = 0;
  uint16_t groups = 0;
  int group[CODE_TWINS], *node = base_alloc(sizeof *node * CODE_TWINS * (size_t)(nodes + 1));
  for (int i = 0; i < nodes; i++) {
    const int count = is_open(w, i) ? find_group(w, i, group) : 0;
    if (count < 2) continue;
    const uint32_t from = classes;
    const int size = w->size[i];
    for (int l = 0; l < count; l++) {
      classes = from;
      take_limb(w, group[l], node + l * size);
      for (int k = 0; k < size; k++)
        classes = name_inputs(w, first, node[l * size + k],
                              (code_twin){classes, groups, (uint8_t)l, (uint8_t)count}, twin);
    }
    groups++;
    for (int k = 0; k < size; k++) {
      code_limb* alike[CODE_TWINS];
      for (int l = 0; l < count; l++) alike[l] = &limb[node[l * size + k]];
      set_apart(m, count, alike, &tag);
    }
  }
  free(node);
  return classes > 0;
}

code_twin* code_twins(code_maker* m, const code_tree* tree, code_limb* limb)
{
  const code_tape* t = &m->tape;
  const size_t nodes = (size_t)tree->nodes + 1, inputs = (size_t)t->inputs + 1;
  likening w = {.t = t, .tree = tree};
  w.seen = base_alloc(sizeof *w.seen * ((size_t)t->ins.n + 1));
  w.owner = base_alloc(sizeof *w.owner * inputs);
  w.shape = base_alloc(sizeof *w.shape * nodes);
  w.size = base_alloc(sizeof *w.size * 4 * nodes);
  w.limb = w.size + nodes;
  w.inner = w.limb + nodes;
  int* first = w.inner + nodes;
  code_twin* twin = base_alloc(sizeof *twin * inputs);
  for (size_t i = 0; i < inputs; i++) w.owner[i] = -1;
  for (size_t i = 0; i < nodes; i++) w.limb[i] = -1;
  bool some = find_owners(&w, limb);
  if (some) {
    for (int i = 0, k = 0; i <= tree->nodes; first[i++] = k)
      while (k < w.inputs.n && w.inputs.at[k].node < i) k++;
    find_shapes(&w);
    some = name_groups(&w, first, m, limb, twin);
  }
  base_list_free(&w.open);
  base_list_free(&w.inputs);
  free(w.seen);
  free(w.owner);
  free(w.shape);
  free(w.size);
  if (some) return twin;
  free(twin);
  return NULL;
}
