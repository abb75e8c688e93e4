// The masses as they hang on each other: a node for each turn and each slide between frames, with
// what moves with it. The kinetic energy is
//   T = 1/2 sum V_i . K_i V_i,   V_i = X_i V_parent + S_i q',   V = (w, v) in the axes of the node
// w its angular velocity, v the velocity of its origin, K the inertia about that, S the slopes of
// what it has against its parent. With it sums over all masses behind a joint are made once.

#include <limits.h>
#include <stdlib.h>

#include "model/parts.h"

typedef struct key
{
  const model_place* place;
  const model_axes* axes;
  int next; // another node at the same place, -1
} key;

typedef struct planting
{
  model_scope* s;
  expr_index* by_v;
  expr* v;
  BASE_LIST(model_node) node;
  BASE_LIST(key) key; // of each
  int at_origin;      // the first node at the world's origin
  expr zero;
  int* owner; // by coordinate: the node it belongs to, counted from one
  bool fails;
} planting;

static model_node node_new(const planting* t, int parent)
{
  expr_pool* p = t->s->pool;
  model_node n = {.parent = parent, .norm = -1, .m = expr_int(p, 0)};
  for (int i = 0; i < 9; i++) n.turn[i] = expr_int(p, i % 4 == 0);
  for (int i = 0; i < 6; i++) n.J[i] = expr_int(p, 0);
  model_vec_zero(p, n.r);
  model_vec_zero(p, n.mr);
  return n;
}

static int plant(planting* t, model_node n, const model_place* place, const model_axes* axes)
{
  base_push(&t->node, n);
  base_push(&t->key, (key){place, axes, -1});
  return t->node.n - 1;
}

// ---- what a node has against its parent ---------------------------------------------------------

// a coordinate that belongs to another node, too, ends the attempt
static void own(planting* t, int coord)
{
  const int number = t->node.n + 1; // the node is planted next
  if (t->owner[coord] && t->owner[coord] != number) t->fails = true;
  t->owner[coord] = number;
}

static int find_joint(const model_node* n, int coord)
{
  for (int i = 0; i < n->joints; i++)
    if (n->joint[i].coord == coord) return i;
  return -1;
}

// slopes of a vector by the velocities: parts `first` .. of the joints
static void add_slopes(planting* t, model_node* n, const expr x[3], int first)
{
  model_scope* s = t->s;
  expr_slope_list list = {0};
  expr_numbers held = {0};
  expr_index_list_of(s->pool, t->by_v, 3, x, &held);
  for (int i = 0; i < held.n; i++) own(t, held.at[i]);
  base_list_free(&held);
  for (int i = 0; i < 3 && !t->fails; i++) {
    list.n = 0;
    expr_slopes(s->pool, t->by_v, t->v, x[i], &list);
    for (int k = 0; k < list.n; k++) {
      int at = find_joint(n, list.at[k].number);
      if (at < 0) {
        model_joint_slope* more = base_arena_take(s->arena, sizeof *more * (size_t)(n->joints + 1));
        for (int j = 0; j < n->joints; j++) more[j] = n->joint[j];
        for (int j = 0; j < 6; j++) more[n->joints].slope[j] = expr_int(s->pool, 0);
        more[n->joints].coord = list.at[k].number;
        n->joint = more;
        at = n->joints++;
      }
      n->joint[at].slope[first + i] = list.at[k].value;
    }
  }
  base_list_free(&list);
}

// the constraint that keeps a quaternion of norm one
static int norm_of(const model* m, const expr quaternion[4])
{
  for (int k = 0; k < m->constraints; k++)
    if (m->constraint[k].internal && m->constraint[k].order == 0 &&
        expr_has(m->pool, m->constraint[k].f, quaternion[0]) &&
        expr_has(m->pool, m->constraint[k].f, quaternion[3]))
      return k;
  return -1;
}

static int node_of(planting* t, const model_place* place, const model_axes* axes);

// rates of the motion against the parent
static void tell_motion(const planting* t, model_node* n, const expr spin[3])
{
  expr_pool* p = t->s->pool;
  const model* m = t->s->m;
  for (int i = 0; i < 3; i++) n->spin[i] = spin[i];
  model_vec_total(p, n->spin, n->spin_rate);
  model_vec_total(p, n->r, n->drift);
  model_vec_total(p, n->drift, n->drift_rate);
  expr* rate[2] = {n->spin_rate, n->drift_rate};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < n->joints; j++)
        rate[k][i] = expr_substitute(p, rate[k][i], 1, &m->coord[n->joint[j].coord].a, &t->zero);
}

static bool moves(const planting* t, const expr r[3])
{
  expr rate[3];
  model_vec_total(t->s->pool, r, rate);
  for (int i = 0; i < 3; i++)
    if (expr_index_any(t->s->pool, t->by_v, rate[i])) return true;
  return false;
}

// Where a place is told from, in its axes: what is told from a place that slides, in the same axes,
// is carried by it.
typedef struct origin
{
  const model_place* place;
  const expr* r; // from there
} origin;

static origin origin_of(const planting* t, const model_place* place)
{
  const bool carried = place->before && moves(t, place->before->r);
  return carried ? (origin){place->before, place->more} : (origin){place->prev, place->r};
}

// at the place and in the axes it is told in; what slides there slides before it is turned
static int slide_to(planting* t, const model_place* place)
{
  model_scope* s = t->s;
  const origin from = origin_of(t, place);
  const int parent = node_of(t, from.place, place->axes);
  if (t->fails) return -1;
  model_node n = node_new(t, parent);
  for (int i = 0; i < 3; i++) n.r[i] = from.r[i];
  expr rate[3];
  model_vec_total(s->pool, n.r, rate);
  add_slopes(t, &n, rate, 3);
  tell_motion(t, &n, (expr[3]){t->zero, t->zero, t->zero});
  return plant(t, n, place, place->axes);
}

// what is carried by the rates of r, in the axes of a node that turns with it
static void add_way(planting* t, model_node* n)
{
  expr_pool* p = t->s->pool;
  expr rate[3], own[3];
  model_vec_total(p, n->r, rate);
  for (int i = 0; i < 3; i++) {
    const expr column[3] = {n->turn[i], n->turn[3 + i], n->turn[6 + i]};
    own[i] = model_vec_dot(p, column, rate);
  }
  add_slopes(t, n, own, 3);
}

// one turn from `from`, the axes of the parent, at the same place; r: from there
static int turn_to(planting* t, int parent, const model_axes* from, const model_place* place,
                   const model_axes* axes, const expr* r)
{
  model_node n = node_new(t, parent);
  expr spin[3];
  model_axes_between(&t->s->kin, from, axes, n.turn, spin);
  for (int i = 0; i < 3 && r; i++) n.r[i] = r[i];
  add_slopes(t, &n, spin, 0);
  if (r) add_way(t, &n);
  tell_motion(t, &n, spin);
  // that of an oblique axis is of numbers and stays as it is
  if (n.joints && axes && axes->k == MODEL_BY_QUATERNION && axes->prev == from) {
    n.norm = norm_of(t->s->m, axes->quaternion);
    n.by_quaternion = true;
  }
  return plant(t, n, place, axes);
}

// Turns between axes, of which those about one axis are one. Where they are too many to be looked
// through they follow on each other, one by one.
static int turns(planting* t, const model_axes* from, const model_axes* to)
{
  expr turn[9], spin[3];
  const int count = model_axes_between(&t->s->kin, from, to, turn, spin);
  if (count < 0 && !to) t->fails = true;
  return count < 0 ? INT_MAX : count;
}

// does a coordinate turn and shift the node at once, as that of a screw does? r: its way
static bool goes_with_turn(const planting* t, const model_axes* from, const model_axes* axes,
                           const expr r[3])
{
  expr turn[9], both[2][3];
  expr_numbers held[2] = {{0}};
  model_axes_between(&t->s->kin, from, axes, turn, both[0]);
  model_vec_total(t->s->pool, r, both[1]);
  for (int k = 0; k < 2; k++) expr_index_list_of(t->s->pool, t->by_v, 3, both[k], &held[k]);
  bool shared = false;
  for (int i = 0; i < held[0].n; i++)
    for (int k = 0; k < held[1].n; k++) shared = shared || held[0].at[i] == held[1].at[k];
  base_list_free(&held[0]);
  base_list_free(&held[1]);
  return shared;
}

static int grow(planting* t, const model_place* place, const model_axes* axes)
{
  const model_axes* from = place ? place->axes : NULL;
  const int between = turns(t, from, axes);
  if (t->fails) return -1;
  if (between == 0) return slide_to(t, place);
  const bool slides = place && moves(t, place->r);
  origin o = {0};
  if (place) o = slides ? origin_of(t, place) : (origin){place->prev, place->r};
  if (!slides || between == INT_MAX || !goes_with_turn(t, from, axes, o.r)) {
    // further turns follow on each other
    if (between > 1 && axes)
      return turn_to(t, node_of(t, place, axes->prev), axes->prev, place, axes, NULL);
    if (between > 1) t->fails = true;
    if (!place) return turn_to(t, -1, NULL, NULL, axes, NULL);
    if (slides) return turn_to(t, node_of(t, place, from), from, place, axes, NULL);
  }
  const int parent = node_of(t, o.place, from);
  return t->fails ? -1 : turn_to(t, parent, from, place, axes, o.r);
}

// -1 for the world
static int node_of(planting* t, const model_place* place, const model_axes* axes)
{
  if ((!place && !axes) || t->fails) return -1;
  int* first = place ? (int*)&place->mark : &t->at_origin;
  for (int i = *first - 1; i >= 0; i = t->key.at[i].next)
    if (t->key.at[i].axes == axes) return i;
  const int made = grow(t, place, axes);
  if (made < 0 || t->fails) {
    t->fails = true;
    return -1;
  }
  t->key.at[made].next = *first - 1;
  *first = made + 1;
  return made;
}

// ---- what moves with a node ---------------------------------------------------------------------

static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};

static void add_tensor(planting* t, model_node* n, const expr J[6])
{
  for (int i = 0; i < 6; i++) n->J[i] = expr_add(t->s->pool, n->J[i], J[i]);
}

// m sum G_ij (r_i.r_j E - r_i r_j^T), and the first moments
static void add_points(planting* t, model_node* n, const model_mass* b, bool at_node)
{
  model_scope* s = t->s;
  expr_pool* p = s->pool;
  n->m = expr_add(p, n->m, b->m);
  if (at_node) return;
  expr centre[3];
  model_mass_centre(s, b, centre);
  model_vec_scale(p, b->m, centre, centre);
  model_vec_add(p, n->mr, centre, n->mr);
  for (int i = 0; i < b->points; i++)
    for (int j = 0; j < b->points; j++) {
      const expr weight = expr_mul(p, b->m, model_mass_moment(s, b, i, j)),
                 dot = model_vec_dot(p, b->r[i], b->r[j]);
      for (int k = 0; k < 6; k++) {
        expr part = expr_neg(p, expr_mul(p, b->r[i][row[k]], b->r[j][column[k]]));
        if (k < 3) part = expr_add(p, part, dot);
        n->J[k] = expr_add(p, n->J[k], expr_mul(p, weight, part));
      }
    }
}

// A body of revolution is told in axes that do not turn with it, by a spin beside them: out.
static bool spin_beside(const planting* t, const model_mass* b, expr out[3])
{
  expr_pool* p = t->s->pool;
  for (int i = 0; i < 3; i++)
    out[i] = expr_sub(p, b->spin[i], b->axes ? b->axes->w[i] : expr_int(p, 0));
  return !model_vec_is_zero(p, out);
}

// Is such a body the same in the axes of its place? Where they are those before turned about its
// own axis, which holds its mass.
static bool is_even_in(const planting* t, const model_axes* here, const model_mass* b,
                       const expr beside[3])
{
  const expr zero = expr_int(t->s->pool, 0);
  if (!here || here->prev != b->axes || here->k == MODEL_BY_QUATERNION) return false;
  for (int i = 0; i < 3; i++) {
    if (i == here->k) continue;
    if (beside[i] != zero) return false;
    for (int k = 0; k < b->points; k++)
      if (b->r[k][i] != zero) return false;
  }
  return true;
}

typedef struct hanging
{
  const model_place* place;
  const model_axes* axes; // that the inertia is told in
  bool at_node;           // the mass is at the origin of its node
  bool spins;
  expr beside[3];
} hanging;

static hanging hang(planting* t, const model_mass* b)
{
  model_scope* s = t->s;
  hanging h = {.place = b->origin, .axes = b->axes};
  h.spins = spin_beside(t, b, h.beside);
  const model_axes* here = h.place ? h.place->axes : NULL;
  for (int i = 0; i < b->points; i++) h.at_node = h.at_node || moves(t, b->r[i]);
  // two points that move against each other are no part of a node
  if (h.at_node && b->points > 1) t->fails = true;
  if (h.at_node && !t->fails) {
    h.place = model_place_add(&s->kin, h.place, h.axes, b->r[0]);
  } else if (h.spins && is_even_in(t, here, b, h.beside)) {
    h.axes = here;
    h.beside[here->k] = expr_sub(s->pool, h.beside[here->k], expr_total(s->pool, here->angle));
  }
  return h;
}

// the node that turns with the body, where others hang on it
static int turned(const planting* t, const model_entry* e)
{
  const model_place* place = e->mass->origin;
  if (!e->axes || e->axes->prev != e->mass->axes) return -1;
  for (int i = (place ? place->mark : t->at_origin) - 1; i >= 0; i = t->key.at[i].next)
    if (t->key.at[i].axes == e->axes) return i;
  return -1;
}

static void add_mass(planting* t, const model_entry* e, hanging h)
{
  const model_mass* b = e->mass;
  const int whole = h.spins && !h.at_node ? turned(t, e) : -1;
  const int at = whole >= 0 ? whole : node_of(t, h.place, h.axes);
  if (t->fails) return;
  if (at >= 0) add_points(t, &t->node.at[at], b, h.at_node);
  if (!b->has_J) return;
  if (h.spins && whole < 0) {
    model_node n = node_new(t, at);
    add_slopes(t, &n, h.beside, 0);
    tell_motion(t, &n, h.beside);
    add_tensor(t, &n, b->J);
    plant(t, n, NULL, NULL);
  } else if (at >= 0) {
    add_tensor(t, &t->node.at[at], b->J);
  }
}

// ---- the whole ----------------------------------------------------------------------------------

// every coordinate belongs to a node, and norms keep all quaternions
static bool is_whole(const planting* t)
{
  for (int i = 0; i < t->s->m->coords; i++)
    if (!t->owner[i]) return false;
  for (int i = 0; i < t->node.n; i++) {
    const model_node* x = &t->node.at[i];
    if (x->by_quaternion && (x->norm < 0 || x->joints != 4)) return false;
  }
  return true;
}

// does nothing that a node carries change?
static bool is_rigid(const planting* t)
{
  expr_pool* p = t->s->pool;
  for (int i = 0; i < t->node.n; i++) {
    const model_node* x = &t->node.at[i];
    bool fixed = expr_total(p, x->m) == t->zero;
    for (int k = 0; k < 3; k++) fixed = fixed && expr_total(p, x->mr[k]) == t->zero;
    for (int k = 0; k < 6; k++) fixed = fixed && expr_total(p, x->J[k]) == t->zero;
    if (!fixed) return false;
  }
  return true;
}

static model_tree* harvest(const planting* t)
{
  const model_scope* s = t->s;
  model_tree* tree = base_arena_take(s->m->arena, sizeof *tree);
  tree->nodes = t->node.n;
  tree->rigid = is_rigid(t);
  tree->V_beside = s->beside_weight;
  for (int i = 0; i < 3; i++) tree->gravity[i] = s->has_gravity ? s->gravity[i] : t->zero;
  tree->node = base_arena_take(s->m->arena, sizeof *tree->node * (size_t)(t->node.n + 1));
  for (int i = 0; i < t->node.n; i++) tree->node[i] = t->node.at[i];
  return tree;
}

static model_tree* make(model* m)
{
  model_scope* s = m->scope;
  if (m->T_added != expr_int(m->pool, 0) || !model_inertia_make(m)) return NULL;
  planting t = {.s = s, .zero = expr_int(m->pool, 0)};
  t.v = base_alloc(sizeof *t.v * (size_t)(m->coords + 1));
  for (int i = 0; i < m->coords; i++) t.v[i] = m->coord[i].v;
  t.by_v = expr_index_new(m->coords, t.v);
  t.owner = base_alloc(sizeof *t.owner * (size_t)(m->coords + 1));
  for (int i = 0; i < m->coords; i++) t.owner[i] = 0;
  // all nodes that something hangs on before what spins at their ends
  BASE_LIST(hanging) hangs = {0};
  for (int i = 0; i < s->entries.n && !t.fails && !expr_pool_full(m->pool); i++) {
    if (!s->entries.at[i]->mass) continue;
    base_push(&hangs, hang(&t, s->entries.at[i]->mass));
    node_of(&t, hangs.at[hangs.n - 1].place, hangs.at[hangs.n - 1].axes);
  }
  for (int i = 0, k = 0; i < s->entries.n && !t.fails && !expr_pool_full(m->pool); i++)
    if (s->entries.at[i]->mass) add_mass(&t, s->entries.at[i], hangs.at[k++]);
  base_list_free(&hangs);
  for (int i = 0; i < t.key.n; i++)
    if (t.key.at[i].place) ((model_place*)t.key.at[i].place)->mark = 0;
  model_tree* tree = !t.fails && !expr_pool_full(m->pool) && is_whole(&t) ? harvest(&t) : NULL;
  base_list_free(&t.node);
  base_list_free(&t.key);
  expr_index_free(t.by_v);
  free(t.owner);
  free(t.v);
  return tree;
}

model_tree* model_tree_make(model* m)
{
  if (!m->hung) m->tree = make(m);
  m->hung = true;
  return m->tree;
}
