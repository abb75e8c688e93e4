// Independent quasi-velocities: those declared, completed by null vectors of the constraints.
#include "mech/basis_work.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "mech/factor.h"
#include "mech/linear.h"

static void assume(mech_basis_work* w, expr e)
{
  if (expr_is_number(w->s->pool, e)) return;
  e = expr_div(w->s->pool, e, mech_factor_number(w->s->pool, e));
  for (int i = 0; i < w->b->assumptions; i++)
    if (w->b->assumption[i] == e) return;
  // room doubles whenever the count is a power of two
  int count = w->b->assumptions;
  if ((count & (count - 1)) == 0) {
    expr* more = mech_basis_take(w, 2 * count);
    if (count) memcpy(more, w->b->assumption, sizeof(expr) * (size_t)count);
    w->b->assumption = more;
  }
  w->b->assumption[w->b->assumptions++] = e;
}

// a declared quasi-velocity must be defined: what its derivatives divide by
static void assume_denominators(mech_basis_work* w, const expr* row)
{
  expr_pool* p = w->s->pool;
  for (int j = 0; j < w->s->n; j++) {
    bool product = expr_kind_of(p, row[j]) == EXPR_PRODUCT;
    for (int i = 0; i < (product ? expr_arg_count(p, row[j]) : 1); i++) {
      expr f = product ? expr_arg(p, row[j], i) : row[j];
      if (expr_kind_of(p, f) != EXPR_POWER || !expr_is_number(p, expr_arg(p, f, 1))) continue;
      if (expr_number(p, expr_arg(p, f, 1)) < 0) assume(w, expr_arg(p, f, 0));
    }
  }
}

// ---- which rows ---------------------------------------------------------------------------------

// in the order of the model: P is a set of columns, the order of the rows is ours
static void sort_rows(mech_basis* b)
{
  for (int i = 1; i < b->rank; i++)
    for (int j = i; j > 0 && b->row[j] < b->row[j - 1]; j--) {
      int keep = b->row[j];
      b->row[j] = b->row[j - 1];
      b->row[j - 1] = keep;
    }
}

// a declared one that is left out: noted, and told with the equations
static void leave_out(mech_basis_work* w, const model_quasi* u, bool warned, const char* why)
{
  const char* kind = u->order == 1 ? "quasi-velocity" : "pseudo-acceleration";
  if (warned)
    base_warning(w->notes, u->place, "%s `%s` %s", kind, u->name, why);
  else
    base_info(w->notes, u->place, "%s `%s` %s", kind, u->name, why);
  w->b->remark[w->b->remarks++] =
      (mech_remark){u->order == 1 ? "the quasi-velocity " : "the pseudo-acceleration ", u->name,
                    base_arena_printf(w->arena, " %s", why)};
}

static void say_unused(mech_basis_work* w, const model_quasi* u)
{
  const bool enough = w->b->rank + w->declared == w->s->n;
  leave_out(w, u, !enough,
            enough ? base_arena_printf(
                         w->arena, "is not used by this form: the first %d are enough", w->declared)
                   : "is not used by this form: it depends on those before it");
}

// gradient of a quasi-velocity; false where it depends on the accelerations
static bool gradient(mech_basis_work* w, const model_quasi* u, expr* row)
{
  const mech_system* s = w->s;
  expr_gradient(s->pool, u->value, s->n, u->order == 1 ? s->v : s->a, row);
  for (int i = 0; i < s->n; i++) {
    if (expr_has_any(s->pool, row[i], s->n, s->a)) return false;
    row[i] = mech_tidy(s, row[i]);
  }
  return true;
}

static bool has_velocities(const mech_system* s, const expr* row)
{
  for (int j = 0; j < s->n; j++)
    if (expr_has_any(s->pool, row[j], s->n, s->v)) return true;
  return false;
}

static void pick_quasi(mech_basis_work* w, int i, expr* B)
{
  const model_quasi* u = &w->s->model->quasi[i];
  expr* row = B + w->declared * w->s->n;
  bool affine = gradient(w, u, row);
  if (affine && w->kind == MECH_LINEAR_VELOCITIES && has_velocities(w->s, row)) {
    leave_out(w, u, true, "is nonlinear in the velocities: not used by this form");
  } else if (!affine) {
    leave_out(w, u, true, "is nonlinear in the accelerations: not used by this form");
  } else if (mech_pick_spans(&w->pick, w->b->rank, row)) {
    leave_out(w, u, true, "is fixed by the constraints: it is not used as an independent one");
  } else if (mech_pick_try(&w->pick, row, NULL, false)) {
    w->quasi[w->declared++] = i;
    assume_denominators(w, row);
  } else {
    say_unused(w, u);
  }
}

// may the form take what numbers say about the declared ones?
static bool is_chosen(const mech_basis_work* w, const mech_choice* choice, int quasis)
{
  if (!choice || !choice->rows || !choice->dependent) return false;
  if (quasis == 0) return true;
  if (!choice->quasi) return false;
  for (int i = 0; i < quasis; i++)
    if (w->kind == MECH_ACCELERATIONS_FIRST && w->s->model->quasi[i].order == 2) return false;
  return true;
}

// What numbers say: then there is nothing to find out. False where a declared one is not linear as
// the form needs it; those after it were chosen beside it.
static bool take_choice(mech_basis_work* w, const mech_choice* choice, int quasis, expr* B)
{
  const mech_system* s = w->s;
  if (!is_chosen(w, choice, quasis)) return false;
  for (int i = 0; i < choice->rank; i++) w->b->row[i] = choice->rows[i];
  for (int i = 0; i < choice->quasis && quasis > 0; i++) {
    const model_quasi* u = &s->model->quasi[choice->quasi[i]];
    expr* row = B + w->declared * s->n;
    if (w->kind == MECH_LINEAR_VELOCITIES && u->order == 2) break;
    bool linear = gradient(w, u, row);
    if (w->kind == MECH_LINEAR_VELOCITIES) linear = linear && !has_velocities(s, row);
    if (!linear) {
      w->declared = 0;
      return false;
    }
    w->quasi[w->declared++] = choice->quasi[i];
    assume_denominators(w, row);
  }
  w->b->rank = choice->rank;
  w->pick.count = w->declared + w->b->rank;
  memcpy(w->pick.column, choice->dependent, sizeof(int) * (size_t)w->pick.count);
  return true;
}

// what is proved to be independent, in the order in which it is declared
static void prove_choice(mech_basis_work* w, const mech_choice* choice, int quasis, expr* B)
{
  const model_quasi* quasi = w->s->model->quasi;
  const int first = w->kind == MECH_ACCELERATIONS_FIRST ? 2 : 1;
  w->b->rank = mech_pick_constraints(&w->pick, choice, NULL, w->arena, w->b->row);
  for (int i = 0; i < quasis; i++)
    if (quasi[i].order == first) pick_quasi(w, i, B);
  for (int i = 0; i < quasis && w->kind != MECH_LINEAR_VELOCITIES; i++)
    if (quasi[i].order != first) pick_quasi(w, i, B);
}

// S and its columns
static void stack(mech_basis_work* w, const mech_choice* choice)
{
  const mech_system* s = w->s;
  int n = s->n, quasis = choice && choice->automatic ? 0 : s->model->quasis;
  expr* B = mech_basis_take(w, (n + 1) * n);
  w->quasi = base_arena_take(w->arena, sizeof(int) * (size_t)(n + 1));
  w->b->remark = base_arena_take(w->arena, sizeof(mech_remark) * (size_t)(quasis + 1));
  if (!take_choice(w, choice, quasis, B)) prove_choice(w, choice, quasis, B);
  sort_rows(w->b);
  w->k = w->declared + w->b->rank;
  w->S = mech_basis_take(w, w->k * n);
  memcpy(w->S, B, sizeof(expr) * (size_t)(w->declared * n));
  for (int i = 0; i < w->b->rank; i++)
    memcpy(w->S + (w->declared + i) * n, s->A + w->b->row[i] * n, sizeof(expr) * (size_t)n);
  w->P = w->pick.column;
  w->free = base_arena_take(w->arena, sizeof(int) * (size_t)(n + 1));
  int found = 0;
  for (int j = 0; j < n; j++) {
    bool dependent = false;
    for (int i = 0; i < w->k; i++) dependent |= w->P[i] == j;
    if (!dependent) w->free[found++] = j;
  }
  assert(found == n - w->k);
}

// ---- right inverse and null vectors -------------------------------------------------------------

static expr* identity(const mech_basis_work* w, int k)
{
  expr* I = mech_basis_take(w, k * k);
  for (int i = 0; i < k * k; i++) I[i] = expr_int(w->s->pool, i % (k + 1) == 0);
  return I;
}

// R_S = S^T (S S^T)^-1: regular wherever the rows of S are independent
static void least_norm(mech_basis_work* w, bool small)
{
  const mech_system* s = w->s;
  int n = s->n, k = w->k;
  expr *G = mech_basis_take(w, k * k), *X = mech_basis_take(w, k * k), D;
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++)
      G[i * k + j] = mech_tidy(s, mech_dot(s->pool, n, w->S + i * n, 1, w->S + j * n, 1));
  if (small && mech_linear_fraction(s, k, k, G, identity(w, k), X, &D) == MECH_SOLVED) {
    w->b->D = D;
    assume(w, D);
  } else {
    w->b->D = expr_int(s->pool, 1);
    mech_linear_positive(s, k, k, G, identity(w, k), X);
  }
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++)
      w->right[i * k + c] = mech_tidy(s, mech_dot(s->pool, k, w->S + i, n, X + c, k));
}

// column f of the null space when S_P was solved by numerators Y over D
static void null_vector(mech_basis_work* w, int c, const expr* Y, int width, expr D, expr* z)
{
  const mech_system* s = w->s;
  for (int j = 0; j < s->n; j++) z[j] = s->zero[0];
  z[w->free[c]] = D;
  for (int i = 0; i < w->k; i++) z[w->P[i]] = expr_neg(s->pool, Y[i * width + c]);
  if (!expr_is_number(s->pool, D)) mech_factor_clean(s, s->n, z);
  expr lead = z[w->free[c]];
  if (!expr_is_number(s->pool, lead)) return;
  for (int j = 0; j < s->n; j++) z[j] = mech_tidy(s, expr_div(s->pool, z[j], lead));
}

static void put_vector(mech_basis_work* w, int c, const expr* z)
{
  for (int j = 0; j < w->s->n; j++) w->b->Z[j * w->b->l + w->declared + c] = z[j];
}

// Where may the null vectors become dependent? Each has a free coordinate of its own: they are
// independent where those entries are not zero, and if only one entry can vanish, where that vector
// is not zero. Then it may stay free of divisions; if several can, nothing is lost by dividing, and
// the independent velocities are those of the free coordinates. Returns how many could vanish.
static int settle_vectors(mech_basis_work* w)
{
  const mech_system* s = w->s;
  int l = w->b->l, doubtful = 0, last = 0;
  for (int c = 0; c < s->n - w->k; c++)
    if (!expr_is_number(s->pool, w->b->Z[w->free[c] * l + w->declared + c])) doubtful++, last = c;
  expr* z = w->b->Z + w->declared;
  if (doubtful == 1) assume(w, mech_tidy(s, mech_dot(s->pool, s->n, z + last, l, z + last, l)));
  for (int c = 0; c < s->n - w->k && doubtful > 1; c++) {
    expr lead = z[w->free[c] * l + c];
    assume(w, lead);
    for (int j = 0; j < s->n; j++)
      z[j * l + c] = mech_tidy(s, expr_div(s->pool, z[j * l + c], lead));
  }
  return doubtful;
}

// the road without a small minor: project the free axes along the rows of S
static void project_axes(mech_basis_work* w)
{
  const mech_system* s = w->s;
  int n = s->n, k = w->k;
  expr* z = mech_basis_take(w, n);
  least_norm(w, false);
  for (int c = 0; c < n - k; c++) {
    for (int j = 0; j < n; j++) {
      expr along = mech_dot(s->pool, k, w->right + j * k, 1, w->S + w->free[c], n);
      assert(expr_is_number(s->pool, w->b->D));
      z[j] = expr_sub(s->pool, expr_int(s->pool, j == w->free[c]), along);
    }
    put_vector(w, c, z);
  }
}

// R_S and the null vectors of S
static void invert(mech_basis_work* w)
{
  const mech_system* s = w->s;
  int n = s->n, k = w->k, open = n - k, width = open + k;
  expr *K = mech_basis_take(w, k * k), *B = mech_basis_take(w, k * width),
       *Y = mech_basis_take(w, k * width), *z = mech_basis_take(w, n), D;
  w->right = mech_basis_take(w, n * k);
  for (int i = 0; i < k; i++) {
    for (int j = 0; j < k; j++) K[i * k + j] = w->S[i * n + w->P[j]];
    for (int c = 0; c < open; c++) B[i * width + c] = w->S[i * n + w->free[c]];
    for (int c = 0; c < k; c++) B[i * width + open + c] = expr_int(s->pool, i == c);
  }
  if (mech_linear_fraction(s, k, width, K, B, Y, &D) != MECH_SOLVED) {
    project_axes(w);
    return;
  }
  // Y has its rows in the order of P
  for (int c = 0; c < open; c++) {
    null_vector(w, c, Y, width, D, z);
    put_vector(w, c, z);
  }
  if (mech_basis_natural(w)) return;
  // one row and one doubtful vector, as for a blade: neither need fear a vanishing minor
  if (settle_vectors(w) == 1 && k == 1) {
    least_norm(w, true);
    return;
  }
  w->direct = true;
  w->b->D = D;
  assume(w, D);
  for (int i = 0; i < n * k; i++) w->right[i] = s->zero[0];
  for (int i = 0; i < k; i++)
    for (int c = 0; c < k; c++) w->right[w->P[i] * k + c] = Y[i * width + open + c];
}

// the columns of R_S to their places
static void distribute(mech_basis_work* w)
{
  int n = w->s->n, k = w->k, l = w->b->l, rank = w->b->rank;
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < w->declared; c++)
      w->b->Z[i * l + c] = mech_tidy(w->s, expr_div(w->s->pool, w->right[i * k + c], w->b->D));
    for (int c = 0; c < rank; c++) w->b->R[i * rank + c] = w->right[i * k + w->declared + c];
  }
}

// ---- dual rows ----------------------------------------------------------------------------------

// W: the declared rows as they are; the others are dual to the null vectors and vanish on R_S.
// Where R_S lives on P the free coordinate of the vector does that, else (Z_0^T Z_0)^-1 Z_0^T for
// the null vectors Z_0, which are then orthogonal to R_S.
static void dual_rows(mech_basis_work* w)
{
  const mech_system* s = w->s;
  mech_basis* b = w->b;
  int n = s->n, l = b->l, d = w->declared, open = n - w->k;
  b->W = mech_basis_take(w, l * n);
  memcpy(b->W, w->S, sizeof(expr) * (size_t)(d * n));
  for (int i = d * n; i < l * n; i++) b->W[i] = s->zero[0];
  if (w->natural) memcpy(b->W + d * n, w->natural, sizeof(expr) * (size_t)(open * n));
  for (int c = 0; c < open && w->direct; c++) {
    int f = w->free[c];
    b->W[(d + c) * n + f] = expr_div(s->pool, expr_int(s->pool, 1), b->Z[f * l + d + c]);
  }
  if (w->natural || w->direct || open == 0) return;
  expr *G = mech_basis_take(w, open * open), *B = mech_basis_take(w, open * n),
       *X = mech_basis_take(w, open * n), D;
  for (int i = 0; i < open; i++) {
    for (int j = 0; j < open; j++)
      G[i * open + j] = mech_tidy(s, mech_dot(s->pool, n, b->Z + d + i, l, b->Z + d + j, l));
    for (int j = 0; j < n; j++) B[i * n + j] = b->Z[j * l + d + i];
  }
  if (s->small && mech_linear_fraction(s, open, n, G, B, X, &D) == MECH_SOLVED) {
    for (int i = 0; i < open * n; i++) X[i] = mech_tidy(s, expr_div(s->pool, X[i], D));
  } else {
    mech_linear_positive(s, open, n, G, B, X);
  }
  memcpy(b->W + d * n, X, sizeof(expr) * (size_t)(open * n));
}

void mech_basis_tell(mech_equations* e, const mech_system* s, const mech_basis* b)
{
  for (int i = 0; i < b->assumptions; i++) mech_add_assumption(e, s, b->assumption[i]);
  for (int i = 0; i < b->remarks; i++) {
    mech_remark r = b->remark[i];
    r.after = base_arena_strdup(e->arena, r.after);
    mech_add_remark(e, r);
  }
}

const char* mech_basis_obstacle(const mech_system* s, base_arena* arena)
{
  for (int k = 0; k < s->m; k++) {
    const model_constraint* f = &s->model->constraint[k];
    if (f->order == 2)
      return base_arena_printf(arena, "constraint `%s` is of second order", f->name);
    if (!f->linear)
      return base_arena_printf(arena, "constraint `%s` is nonlinear in the velocities", f->name);
  }
  return NULL;
}

mech_basis* mech_basis_choose(const mech_system* s, const mech_choice* choice, mech_basis_kind kind,
                              base_arena* arena, base_notes* notes)
{
  mech_basis_work w = {.s = s, .arena = arena, .notes = notes};
  mech_basis* b = w.b = base_arena_take(arena, sizeof *b);
  int n = s->n;
  w.kind = kind;
  b->row = base_arena_take(arena, sizeof(int) * (size_t)(s->m + 1));
  w.pick = mech_pick_new(s, arena);
  stack(&w, choice);
  b->l = n - b->rank;
  b->Z = mech_basis_take(&w, n * b->l);
  b->R = mech_basis_take(&w, n * b->rank);
  b->v = mech_basis_take(&w, b->l);
  b->meaning = mech_basis_take(&w, b->l);
  b->label = base_arena_take(arena, sizeof(char*) * (size_t)(b->l + 1));
  invert(&w);
  distribute(&w);
  dual_rows(&w);
  mech_basis_known(&w);
  mech_basis_name(&w);
  b->declared = w.declared;
  b->quasi = w.quasi;
  return b;
}
