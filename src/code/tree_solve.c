// M a = F + A^T lambda, A a + b = 0 with M told by the tree whose kinetic energy it is of: joints
// are eliminated from the last nodes to the first, which leaves of each node what its parent feels,
// and found from the first to the last. This is Gauss's least constraint, minimised node by node
// (Vereshchagin 1974; Featherstone 1983), and takes operations in proportion to the nodes.
//
// At a node with inertia K, that of the nodes on it included, V = V^ + S x, V^ as the parent moves
// it:
//   D = S^T K S,   L = K S D^-1,   K^ = K - L D L^T,   y^ = y - L (F + S^T y)
//   x = D^-1 (F + S^T y) - L^T V^
// with y what forces on the nodes behind leave; joints of one node go one after the other. Where
// the unknowns are accelerations and V = V^ + c + S x, c what the motion itself gives, c goes with
// V^: the parent feels y^ - K^ c. Along an axis of the node, S = e: K^ e = 0, L.e = 1, y^.e = -F.
// Forces that act on nodes enter y there: as forces along the joints each would be a sum over
// all behind it, of which the recursion takes all but a small rest away again. Of a
// unit quaternion the unknowns are x = E w + g s, w the turning, g the gradient of its norm:
//   S x = w for S E = 1, S g = 0, so E = S^T / |row of S|^2;   s = -b / g.g
#include "code/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct solving
{
  code_problem* p;
  const code_tree* t;
  code_limb* limb;
  int sides;   // right sides: F, then the rows
  code_six* y; // node by node, sides each: forces, then motions
  uint32_t* x; // unknown by unknown, sides each
} solving;

// ---- unit quaternions ---------------------------------------------------------------------------

// E: of unknown k by turning j
static uint32_t E(const solving* w, const code_six* S, int k, int j)
{
  code_maker* m = w->p->m;
  uint32_t square = CODE_ABSENT;
  for (int i = 0; i < 4; i++) square = code_solve_add(m, square, S[i].at[0], S[i].at[0]);
  return code_solve_times(m, S[k].at[j], code_solve_inverse(m, square));
}

// the right sides of the four become those of the turning
static void fold(solving* w, const code_tree_node* n, const code_six* S)
{
  code_maker* m = w->p->m;
  for (int side = 0; side < w->sides; side++) {
    uint32_t made[3];
    for (int j = 0; j < 3; j++) {
      made[j] = CODE_ABSENT;
      for (int k = 0; k < 4; k++)
        made[j] = code_solve_add(m, made[j], E(w, S, k, j), w->x[n->unknown[k] * w->sides + side]);
    }
    for (int j = 0; j < 3; j++) w->x[n->unknown[j] * w->sides + side] = made[j];
    w->x[n->unknown[3] * w->sides + side] = CODE_ABSENT;
  }
}

// g.g of the row that keeps the norm
static uint32_t steepness(const solving* w, const code_tree_node* n)
{
  const code_problem* p = w->p;
  uint32_t square = CODE_ABSENT;
  for (int k = 0; k < 4; k++) {
    const uint32_t g = p->A[n->norm * p->n + n->unknown[k]];
    square = code_solve_add(p->m, square, g, g);
  }
  return square;
}

// and back
static void unfold(solving* w, const code_tree_node* n, const code_six* S)
{
  code_problem* p = w->p;
  code_maker* m = p->m;
  const uint32_t inverse = code_solve_inverse(m, steepness(w, n));
  for (int side = 0; side < w->sides; side++) {
    uint32_t turning[3];
    for (int j = 0; j < 3; j++) turning[j] = w->x[n->unknown[j] * w->sides + side];
    for (int k = 0; k < 4; k++) {
      uint32_t* x = &w->x[n->unknown[k] * w->sides + side];
      *x = CODE_ABSENT;
      for (int j = 0; j < 3; j++) *x = code_solve_add(m, *x, E(w, S, k, j), turning[j]);
      if (side > 0) continue;
      const uint32_t s = code_solve_neg(m, code_solve_times(m, p->b[n->norm], inverse));
      *x = code_solve_add(m, *x, p->A[n->norm * p->n + n->unknown[k]], s);
    }
  }
}

// ---- there and back -----------------------------------------------------------------------------

// which part of S is one and alone; -1
static int axis_of(const code_maker* m, const code_six* S)
{
  int found = -1;
  for (int i = 0; i < 6; i++) {
    if (S->at[i] == CODE_ABSENT) continue;
    double one;
    if (found >= 0 || !code_is_const(m, S->at[i], &one) || one != 1) return -1;
    found = i;
  }
  return found;
}

// the pivot against what it would be, at most, if nothing on it could move
static void watch(solving* w, code_limb* l, const code_six* S, uint32_t pivot)
{
  code_problem* p = w->p;
  const double most = code_limb_most(p->m, l, S);
  const uint32_t scale =
      isnan(most) ? code_limb_energy(p->m, &l->all, S) : code_make_const(p->m, most);
  const uint32_t part = code_make_const(p->m, w->t->tolerance);
  code_solve_guard(p->m, &l->guard,
                   scale == pivot ? pivot : code_solve_sub(p->m, pivot, part, scale));
}

// the joints of a node: U = K S, D = S^T U, and joint by joint, sides each, what acts along them
typedef struct joints
{
  code_six* U;
  uint32_t *D, *F;
} joints;

// joint j out of a node with y
static void eliminate(solving* w, code_limb* l, int j, const joints* of, code_six* y)
{
  code_maker* m = w->p->m;
  code_six* U = of->U;
  uint32_t* D = of->D;
  const int n = l->joints;
  watch(w, l, &l->S[j], D[j * n + j]);
  const uint32_t inverse = code_solve_inverse(m, D[j * n + j]);
  l->inverse[j] = inverse;
  const int axis = axis_of(m, &l->S[j]);
  for (int i = 0; i < 6; i++)
    l->L[j].at[i] = i == axis ? code_make_const(m, 1) : code_solve_times(m, U[j].at[i], inverse);
  for (int i = 0; i < 6; i++)
    for (int k = 0; k <= i; k++)
      l->K[6 * i + k] = l->K[6 * k + i] =
          code_solve_sub(m, l->K[6 * i + k], l->L[j].at[i], U[j].at[k]);
  for (int k = 0; k < 6 && axis >= 0; k++)
    l->K[6 * axis + k] = l->K[6 * k + axis] = CODE_ABSENT; // K^ S = 0
  for (int i = j + 1; i < n; i++) {
    l->among[j * n + i] = code_solve_times(m, D[j * n + i], inverse);
    for (int k = 0; k < 6; k++)
      U[i].at[k] =
          k == axis ? CODE_ABSENT : code_solve_sub(m, U[i].at[k], l->L[j].at[k], D[j * n + i]);
  }
  for (int i = j + 1; i < n; i++)
    for (int k = j + 1; k < n; k++)
      D[i * n + k] = code_solve_sub(m, D[i * n + k], l->among[j * n + i], D[j * n + k]);
  for (int side = 0; side < w->sides; side++) {
    const uint32_t own = w->x[l->unknown[j] * w->sides + side];
    for (int k = 0; k < 6; k++)
      y[side].at[k] = k == axis ? code_solve_neg(m, of->F[j * w->sides + side])
                                : code_solve_sub(m, y[side].at[k], l->L[j].at[k], own);
    for (int i = j + 1; i < n; i++) {
      uint32_t* x = &w->x[l->unknown[i] * w->sides + side];
      *x = code_solve_sub(m, *x, l->among[j * n + i], own);
    }
  }
}

static void inward(solving* w, int i)
{
  code_maker* m = w->p->m;
  code_limb* l = &w->limb[i];
  const int n = l->joints;
  code_six* y = w->y + i * w->sides;
  joints of = {.U = base_alloc((size_t)(n + 1) * sizeof *of.U),
               .D = code_solve_block((size_t)(n * n + 1)),
               .F = code_solve_block((size_t)(n * w->sides + 1))};
  for (int j = 0; j < n; j++) {
    of.U[j] = code_limb_times(m, l->K, &l->S[j]);
    for (int k = 0; k <= j; k++)
      of.D[j * n + k] = of.D[k * n + j] = code_six_dot(m, &l->S[k], &of.U[j]);
    for (int side = 0; side < w->sides; side++) {
      uint32_t* x = &w->x[l->unknown[j] * w->sides + side];
      const uint32_t dot = code_six_dot(m, &l->S[j], &y[side]);
      of.F[j * w->sides + side] = *x;
      *x = code_solve_add(m, *x, code_make_const(m, 1), dot);
    }
  }
  for (int j = 0; j < n; j++) eliminate(w, l, j, &of, y);
  if (l->guard != CODE_ABSENT)
    code_solve_guard(m, l->parent < 0 ? &w->p->guard : &w->limb[l->parent].guard, l->guard);
  if (l->parent >= 0) {
    const code_six taken = code_limb_times(m, l->K, &l->bias);
    for (int k = 0; k < 6; k++)
      y->at[k] = code_solve_sub(m, y->at[k], code_make_const(m, 1), taken.at[k]);
    code_limb_hang(m, l, &w->limb[l->parent]);
    for (int side = 0; side < w->sides; side++) {
      const code_six f = code_limb_force(m, l, &y[side]);
      code_six_add(m, w->y + l->parent * w->sides + side, &f, code_make_const(m, 1));
    }
  }
  free(of.U);
  free(of.D);
  free(of.F);
}

static void outward(solving* w, int i)
{
  code_maker* m = w->p->m;
  const code_limb* l = &w->limb[i];
  const int n = l->joints;
  for (int side = 0; side < w->sides; side++) {
    code_six* V = w->y + i * w->sides + side;
    *V = code_six_none();
    if (l->parent >= 0) *V = code_limb_motion(m, l, w->y + l->parent * w->sides + side);
    if (side == 0) code_six_add(m, V, &l->bias, code_make_const(m, 1));
    const code_six before = *V;
    for (int j = n - 1; j >= 0; j--) {
      code_six L = l->L[j];
      const int axis = axis_of(m, &l->S[j]);
      const bool untouched = axis >= 0 && V->at[axis] == before.at[axis];
      if (untouched) L.at[axis] = CODE_ABSENT;
      uint32_t* x = &w->x[l->unknown[j] * w->sides + side];
      *x = code_solve_times(m, *x, l->inverse[j]);
      for (int k = j + 1; k < n; k++)
        *x = code_solve_sub(m, *x, l->among[j * n + k], w->x[l->unknown[k] * w->sides + side]);
      const uint32_t one = code_make_const(m, 1), dot = code_six_dot(m, &L, &before);
      *x = code_solve_sub(m, *x, one, dot);
      if (!untouched) {
        code_six_add(m, V, &l->S[j], *x);
        continue;
      }
      V->at[axis] = *x; // x = D^-1 (F + S^T y) - the other parts of L^T V^ - V^.e
      *x = code_solve_sub(m, *x, one, before.at[axis]);
    }
  }
}

// ---- the rows -----------------------------------------------------------------------------------

// rows that are no norms, and the multipliers of those: G lambda = -b - A x
static void find_multipliers(solving* w, int count, const int* row)
{
  code_problem* p = w->p;
  code_maker* m = p->m;
  uint32_t *G = code_solve_block((size_t)(count * count + 1)),
           *z = code_solve_block((size_t)(count + 1));
  for (int r = 0; r < count; r++) {
    const uint32_t* A = p->A + row[r] * p->n;
    z[r] = code_solve_neg(m, p->b[row[r]]);
    for (int i = 0; i < p->n; i++) {
      z[r] = code_solve_sub(m, z[r], A[i], w->x[i * w->sides]);
      for (int q = 0; q <= r; q++)
        G[r * count + q] = code_solve_add(m, G[r * count + q], A[i], w->x[i * w->sides + 1 + q]);
    }
  }
  code_ldl(m, count, count, G, z, p->tolerance, &p->guard);
  for (int r = 0; r < count; r++) p->lambda[row[r]] = z[r];
  free(G);
  free(z);
}

// g.(F + A^T lambda) + g.g lambda_norm = 0: M g = 0
static void find_norm_multiplier(solving* w, const code_tree_node* n, int count, const int* row)
{
  code_problem* p = w->p;
  uint32_t along = CODE_ABSENT;
  for (int k = 0; k < 4; k++) {
    const int i = n->unknown[k];
    uint32_t force = p->F[i];
    for (int r = 0; r < count; r++)
      force = code_solve_add(p->m, force, p->A[row[r] * p->n + i], p->lambda[row[r]]);
    along = code_solve_add(p->m, along, p->A[n->norm * p->n + i], force);
  }
  const uint32_t inverse = code_solve_inverse(p->m, steepness(w, n));
  p->lambda[n->norm] = code_solve_neg(p->m, code_solve_times(p->m, along, inverse));
}

// a with the rows holding
static void hold_rows(solving* w, int count, const int* row)
{
  code_problem* p = w->p;
  const code_tree* t = w->t;
  find_multipliers(w, count, row);
  for (int i = 0; i < p->n; i++)
    for (int r = 0; r < count; r++)
      p->a[i] = code_solve_add(p->m, p->a[i], w->x[i * w->sides + 1 + r], p->lambda[row[r]]);
  for (int i = 0; i < t->nodes; i++)
    if (t->node[i].norm >= 0) find_norm_multiplier(w, &t->node[i], count, row);
}

// rows that keep no norm
static int list_rows(const code_problem* p, const code_tree* t, int* row)
{
  int count = 0;
  for (int r = 0; r < p->rows; r++) {
    bool is_norm = false;
    for (int i = 0; i < t->nodes; i++) is_norm = is_norm || t->node[i].norm == r;
    if (!is_norm) row[count++] = r;
  }
  return count;
}

// bounds of what hangs on the nodes, and where masses as they are must be known since some have
// none
static void weigh(const code_tree* t, const code_maker* m, code_limb* limb)
{
  for (int i = 0; i < t->nodes; i++) code_limb_measure(m, &limb[i]);
  for (int i = t->nodes - 1; i >= 0; i--)
    if (limb[i].parent >= 0) code_limb_measure_hung(m, &limb[i], &limb[limb[i].parent]);
  for (int i = 0; i < t->nodes; i++) {
    code_limb* l = &limb[i];
    for (int j = 0; j < l->joints; j++)
      l->weighed = l->weighed || isnan(code_limb_most(m, l, &l->S[j]));
    if (l->parent >= 0) l->weighed = l->weighed || limb[l->parent].weighed;
  }
}

void code_tree_solve(code_problem* p, const code_tree* t, code_limb* limb)
{
  int* row = base_alloc((size_t)(p->rows + 1) * sizeof *row);
  const int count = list_rows(p, t, row), sides = 1 + count;
  solving w = {.p = p, .t = t, .limb = limb, .sides = sides};
  w.x = code_solve_block((size_t)(p->n * sides + 1));
  w.y = base_alloc((size_t)(t->nodes * sides + 1) * sizeof *w.y);
  for (int i = 0; i < t->nodes * sides; i++) w.y[i] = code_six_none();
  for (int i = 0; i < t->nodes; i++)
    for (int k = 0; k < 6; k++) w.y[i * sides].at[k] = code_solve_neg(p->m, limb[i].force.at[k]);
  for (int i = 0; i < p->n; i++) {
    w.x[i * sides] = p->F[i];
    for (int r = 0; r < count; r++) w.x[i * sides + 1 + r] = p->A[row[r] * p->n + i];
  }
  code_six(*four)[4] = base_alloc((size_t)(t->nodes + 1) * sizeof *four);
  for (int i = 0; i < t->nodes; i++) {
    code_limb_start(p->m, &limb[i]);
    limb[i].guard = CODE_ABSENT;
    if (t->node[i].norm < 0) continue;
    memcpy(four[i], limb[i].S, sizeof four[i]);
    fold(&w, &t->node[i], four[i]);
    limb[i].joints = 3;
    for (int j = 0; j < 3; j++) {
      limb[i].S[j] = code_six_none();
      limb[i].S[j].at[j] = code_make_const(p->m, 1);
    }
  }
  weigh(t, p->m, limb);
  for (int i = t->nodes - 1; i >= 0; i--) inward(&w, i);
  for (int i = 0; i < t->nodes; i++) outward(&w, i);
  for (int i = 0; i < t->nodes; i++)
    if (t->node[i].norm >= 0) unfold(&w, &t->node[i], four[i]);
  for (int i = 0; i < p->n; i++) {
    p->a[i] = w.x[i * sides];
    for (int r = 0; r < count && p->W; r++) p->W[row[r] * p->n + i] = w.x[i * sides + 1 + r];
  }
  if (!p->W) hold_rows(&w, count, row);
  free(four);
  free(w.x);
  free(w.y);
  free(row);
}
