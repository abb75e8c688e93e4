// Independent quasi-velocities: those declared, completed by null vectors of the constraints.
#include "mech/basis.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "mech/factor.h"
#include "mech/linear.h"
#include "mech/pick.h"

// Legend. S stacks the gradients B of the declared quasi-velocities over the independent rows of A;
// it has k rows. P are k columns of S with a regular minor, the other n - k columns are free.
//   R_S  right inverse of S: S R_S = 1; its first columns are dq'/dv of the declared ones, the
//   others
//        dq'/df of the constraints
//   z_f  null vector of S for each free column f: by Cramer's rule z_f = det S_P on f, and
//        -adj(S_P) S_f on P, common factors taken out. For one row (a, b): (b, -a), the velocity
//        along the blade, with no division anywhere; Kondrenkina (2018), II(2.2)-(2.4), divides by
//        cos(theta) there.

typedef struct work
{
  const mech_system* s;
  mech_basis* b;
  base_arena* arena;
  base_notes* notes;
  mech_pick pick;
  int declared; // rows of B
  int* quasi;   // their numbers in the model
  int k;        // rows of S
  expr* S;
  int* P;      // k columns
  int* free;   // n - k columns
  expr* right; // R_S, n by k, to be divided by b->D
  bool direct; // R_S has rows on P only
} work;

static expr* take(const work* w, int count)
{
  return base_arena_take(w->arena, sizeof(expr) * (size_t)(count > 0 ? count : 1));
}

static void assume(work* w, expr e)
{
  if (expr_is_number(w->s->pool, e)) return;
  e = expr_div(w->s->pool, e, mech_factor_number(w->s->pool, e));
  for (int i = 0; i < w->b->assumptions; i++)
    if (w->b->assumption[i] == e) return;
  w->b->assumption[w->b->assumptions++] = e;
}

// ---- which rows
// -------------------------------------------------------------------------------------

static void pick_row(work* w, int k)
{
  w->b->row[w->b->rank++] = k;
}

// independent constraints: rows with a number as pivot first, so that numbers are divided by
static void pick_constraints(work* w, const mech_choice* choice)
{
  const mech_system* s = w->s;
  bool* done = base_arena_take(w->arena, sizeof(bool) * (size_t)(s->m + 1));
  bool* allowed = NULL;
  if (choice && choice->rows) {
    memset(done, true, sizeof(bool) * (size_t)s->m);
    for (int i = 0; i < choice->rank; i++) done[choice->rows[i]] = false;
    if (choice->dependent) allowed = base_arena_take(w->arena, sizeof(bool) * (size_t)(s->n + 1));
    for (int i = 0; i < choice->rank && allowed; i++) allowed[choice->dependent[i]] = true;
  }
  for (int numbers = 1; numbers >= 0; numbers--)
    for (int k = 0; k < s->m; k++) {
      if (done[k] || !mech_pick_try(&w->pick, s->A + k * s->n, allowed, numbers)) continue;
      done[k] = true;
      pick_row(w, k);
      if (numbers) k = -1; // this row may have made room for another number
    }
}

// with rows and columns given and nothing declared there is nothing to find out
static bool take_choice(work* w, const mech_choice* choice, int quasis)
{
  if (!choice || !choice->rows || !choice->dependent || quasis > 0) return false;
  for (int i = 0; i < choice->rank; i++) {
    pick_row(w, choice->rows[i]);
    w->pick.column[w->pick.count++] = choice->dependent[i];
  }
  return true;
}

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

static void say_unused(work* w, const model_quasi* u)
{
  const char* kind = u->order == 1 ? "quasi-velocity" : "pseudo-acceleration";
  if (w->b->rank + w->declared == w->s->n) {
    base_info(w->notes, u->place, "%s `%s` is not used by this form: the first %d are enough", kind,
              u->name, w->declared);
    return;
  }
  base_warning(w->notes, u->place,
               "%s `%s` is not used by this form: it depends on those before it", kind, u->name);
}

// gradient of a quasi-velocity; false where it depends on the accelerations
static bool gradient(work* w, const model_quasi* u, expr* row)
{
  const mech_system* s = w->s;
  expr_gradient(s->pool, u->value, s->n, u->order == 1 ? s->v : s->a, row);
  for (int i = 0; i < s->n; i++) {
    if (expr_has_any(s->pool, row[i], s->n, s->a)) return false;
    row[i] = mech_tidy(s, row[i]);
  }
  return true;
}

static void pick_quasi(work* w, int i, expr* B)
{
  const model_quasi* u = &w->s->model->quasi[i];
  expr* row = B + w->declared * w->s->n;
  if (!gradient(w, u, row)) {
    base_warning(
        w->notes, u->place,
        "pseudo-acceleration `%s` is nonlinear in the accelerations: not used by this form",
        u->name);
  } else if (mech_pick_spans(&w->pick, w->b->rank, row)) {
    base_warning(w->notes, u->place,
                 "`%s` is fixed by the constraints: it is not used as an independent one", u->name);
  } else if (mech_pick_try(&w->pick, row, NULL, false)) {
    w->quasi[w->declared++] = i;
  } else {
    say_unused(w, u);
  }
}

// S and its columns
static void stack(work* w, const mech_choice* choice)
{
  const mech_system* s = w->s;
  const model* m = s->model;
  int n = s->n, quasis = choice && choice->automatic ? 0 : m->quasis;
  expr* B = take(w, (n + 1) * n);
  w->quasi = base_arena_take(w->arena, sizeof(int) * (size_t)(n + 1));
  if (!take_choice(w, choice, quasis)) pick_constraints(w, choice);
  sort_rows(w->b);
  for (int order = 1; order <= 2; order++)
    for (int i = 0; i < quasis; i++)
      if (m->quasi[i].order == order) pick_quasi(w, i, B);
  w->k = w->declared + w->b->rank;
  w->S = take(w, w->k * n);
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

// ---- right inverse and null vectors
// -----------------------------------------------------------------

static expr* identity(const work* w, int k)
{
  expr* I = take(w, k * k);
  for (int i = 0; i < k * k; i++) I[i] = expr_int(w->s->pool, i % (k + 1) == 0);
  return I;
}

// R_S = S^T (S S^T)^-1: regular wherever the rows of S are independent
static void least_norm(work* w, bool small)
{
  const mech_system* s = w->s;
  int n = s->n, k = w->k;
  expr *G = take(w, k * k), *X = take(w, k * k), D;
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
static void null_vector(work* w, int c, const expr* Y, int width, expr D, expr* z)
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

static void put_vector(work* w, int c, const expr* z)
{
  for (int j = 0; j < w->s->n; j++) w->b->Z[j * w->b->l + w->declared + c] = z[j];
}

// Where may the null vectors become dependent? Each has a free coordinate of its own: they are
// independent where those entries are not zero, and if only one entry can vanish, where that vector
// is not zero. Then it may stay free of divisions; if several can, nothing is lost by dividing, and
// the independent velocities are those of the free coordinates. Returns how many could vanish.
static int settle_vectors(work* w)
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
static void project_axes(work* w)
{
  const mech_system* s = w->s;
  int n = s->n, k = w->k;
  expr* z = take(w, n);
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
static void invert(work* w)
{
  const mech_system* s = w->s;
  int n = s->n, k = w->k, open = n - k, width = open + k;
  expr *K = take(w, k * k), *B = take(w, k * width), *Y = take(w, k * width), *z = take(w, n), D;
  w->right = take(w, n * k);
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
static void distribute(work* w)
{
  int n = w->s->n, k = w->k, l = w->b->l, rank = w->b->rank;
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < w->declared; c++)
      w->b->Z[i * l + c] = mech_tidy(w->s, expr_div(w->s->pool, w->right[i * k + c], w->b->D));
    for (int c = 0; c < rank; c++) w->b->R[i * rank + c] = w->right[i * k + w->declared + c];
  }
}

// ---- names and meanings
// -----------------------------------------------------------------------------

static bool name_taken(const model* m, const char* name)
{
  for (int i = 0; i < m->coords; i++)
    if (strcmp(m->coord[i].name, name) == 0) return true;
  for (int i = 0; i < m->params; i++)
    if (strcmp(m->param[i].name, name) == 0) return true;
  for (int i = 0; i < m->quasis; i++)
    if (strcmp(m->quasi[i].name, name) == 0) return true;
  for (int i = 0; i < m->outputs; i++)
    if (strcmp(m->output[i].name, name) == 0) return true;
  return strcmp(name, "t") == 0;
}

// a name for the i-th of `count` quasi-velocities that nobody has
static const char* fresh_name(const work* w, int i, int count)
{
  static const char* const stems[] = {"v", "u", "w", "nu", "quasi_"};
  for (int stem = 0; stem < 5; stem++) {
    bool taken = false;
    for (int j = 0; j < count; j++) {
      const char* name =
          count == 1 ? stems[stem] : base_arena_printf(w->arena, "%s%d", stems[stem], j + 1);
      taken |= name_taken(w->s->model, name);
    }
    if (taken) continue;
    return count == 1 ? stems[stem] : base_arena_printf(w->arena, "%s%d", stems[stem], i + 1);
  }
  // underscores until it is new
  char* name = base_arena_printf(w->arena, "quasi%d_", i + 1);
  while (name_taken(w->s->model, name)) name = base_arena_printf(w->arena, "%s_", name);
  return name;
}

// is null vector c the velocity of its free coordinate alone, whatever the others are?
static bool is_plain(const work* w, int c)
{
  const expr* z = w->b->Z + w->declared + c;
  int l = w->b->l;
  for (int j = 0; j < w->s->n; j++) {
    if (j == w->free[c]) {
      if (z[j * l] != expr_int(w->s->pool, 1)) return false;
    } else if (!w->direct && z[j * l] != w->s->zero[0]) {
      return false;
    }
  }
  return true;
}

// v of null vector c in terms of q', with the least-norm R_S and z orthogonal to the other vectors:
// z.q' / z.z; otherwise q' in terms of v says it shorter
static expr dual(const work* w, int c)
{
  const mech_system* s = w->s;
  int l = w->b->l, n = s->n;
  const expr* z = w->b->Z + w->declared + c;
  if (w->direct || !s->small || w->b->known[0] == EXPR_NONE) return EXPR_NONE;
  for (int d = 0; d < l; d++) {
    if (d == w->declared + c) continue;
    if (mech_tidy(s, mech_dot(s->pool, n, z, l, w->b->Z + d, l)) != s->zero[0]) return EXPR_NONE;
  }
  expr along = mech_dot(s->pool, n, z, l, s->v, 1), square = mech_dot(s->pool, n, z, l, z, l);
  return mech_tidy(s, expr_div(s->pool, along, mech_tidy(s, square)));
}

static void name_all(work* w)
{
  const mech_system* s = w->s;
  const model* m = s->model;
  mech_basis* b = w->b;
  for (int i = 0; i < w->declared; i++) {
    const model_quasi* u = &m->quasi[w->quasi[i]];
    b->label[i] = u->name;
    b->v[i] = expr_symbol(s->pool, u->name);
    b->meaning[i] = mech_tidy(s, u->value);
  }
  int open = s->n - w->k, count = 0, i = 0;
  for (int c = 0; c < open; c++) count += !is_plain(w, c);
  for (int c = 0; c < open; c++) {
    int at = w->declared + c;
    bool plain = is_plain(w, c);
    b->label[at] = plain ? m->coord[w->free[c]].name : fresh_name(w, i++, count);
    b->v[at] = plain ? s->v[w->free[c]] : expr_symbol(s->pool, b->label[at]);
    b->meaning[at] = plain ? EXPR_NONE : dual(w, c);
  }
}

// S q' = s with s_i = -(part of the i-th quasi-velocity without q'), or minus that of a constraint
static bool offset(const work* w, int i, expr* out)
{
  const mech_system* s = w->s;
  const model* m = s->model;
  expr value;
  if (i < w->declared) {
    const model_quasi* u = &m->quasi[w->quasi[i]];
    if (u->order != 1) return false;
    value = u->value;
  } else {
    const model_constraint* f = &m->constraint[w->b->row[i - w->declared]];
    if (f->order == 2 || !f->linear) return false;
    value = s->f1[w->b->row[i - w->declared]];
  }
  for (int j = 0; j < s->n; j++)
    if (expr_has_any(s->pool, w->S[i * s->n + j], s->n, s->v)) return false;
  *out = expr_neg(s->pool, expr_substitute(s->pool, value, s->n, s->v, s->zero));
  return true;
}

static void find_known(work* w)
{
  const mech_system* s = w->s;
  int n = s->n, k = w->k;
  expr* side = take(w, k);
  w->b->known = take(w, n);
  for (int i = 0; i < k; i++)
    if (!offset(w, i, &side[i])) return;
  for (int j = 0; j < n; j++) {
    expr above = mech_tidy(s, mech_dot(s->pool, k, w->right + j * k, 1, side, 1));
    w->b->known[j] = expr_div(s->pool, above, w->b->D);
  }
}

mech_basis* mech_basis_choose(const mech_system* s, const mech_choice* choice, base_arena* arena,
                              base_notes* notes)
{
  work w = {.s = s, .arena = arena, .notes = notes};
  mech_basis* b = w.b = base_arena_take(arena, sizeof *b);
  int n = s->n;
  b->row = base_arena_take(arena, sizeof(int) * (size_t)(s->m + 1));
  b->assumption = take(&w, 2 * n + 2);
  w.pick = mech_pick_new(s, arena);
  stack(&w, choice);
  b->l = n - b->rank;
  b->Z = take(&w, n * b->l);
  b->R = take(&w, n * b->rank);
  b->v = take(&w, b->l);
  b->meaning = take(&w, b->l);
  b->label = base_arena_take(arena, sizeof(char*) * (size_t)(b->l + 1));
  invert(&w);
  distribute(&w);
  find_known(&w);
  name_all(&w);
  return b;
}
