// S = L D L^T on a tape, right-looking (Golub and Van Loan, Matrix Computations, 4th ed., section
// 4.1.2), unknowns in an order of least degree (Markowitz 1957; Tinney and Walker 1967), so that
// entries that are zero in every state cost nothing: neither on the tape nor to whoever makes it,
// who goes through lists of those that are there.
#include "code/solve.h"

#include <assert.h>
#include <stdlib.h>

typedef struct entry
{
  int other; // unknown
  uint32_t value;
} entry;

typedef BASE_LIST(entry) entries;

// an unknown that may be next, with the degree it had when it was put down
typedef struct candidate
{
  int degree, unknown;
} candidate;

struct code_symmetric
{
  code_maker* m;
  int n, positive;
  entries*
      near; // by unknown, ascending: those not done that it meets; of one done, its column of L
  uint32_t* pivot; // by unknown
  int* waits;      // by unknown: how many of `near` are of the positive block
  uint32_t* scale; // by unknown: the pivot before elimination, or what elimination alone made of it
  bool* done;
  bool* given;               // by unknown: its pivot is as it was put, of the positive block
  BASE_LIST(candidate) heap; // the least first; old ones are dropped where they come up
  double tolerance;
  uint32_t *y, *guard;
};

// ---- entries ------------------------------------------------------------------------------------

// the first of a list that is not before `other`
static int place_of(const entries* l, int other)
{
  int from = 0, to = l->n;
  if (to && l->at[to - 1].other < other) return to;
  while (from < to) {
    const int middle = (from + to) / 2;
    if (l->at[middle].other < other)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

static bool is_at(const entries* l, int place, int other)
{
  return place < l->n && l->at[place].other == other;
}

static uint32_t value_of(const code_symmetric* f, int i, int k)
{
  if (i == k) return f->pivot[i];
  const int at = place_of(&f->near[i], k);
  return is_at(&f->near[i], at, k) ? f->near[i].at[at].value : CODE_ABSENT;
}

static void take_out(code_symmetric* f, int i, int k)
{
  entries* l = &f->near[i];
  const int at = place_of(l, k);
  if (!is_at(l, at, k)) return;
  for (int x = at; x + 1 < l->n; x++) l->at[x] = l->at[x + 1];
  l->n--;
  f->waits[i] -= k < f->positive;
}

static void set_half(code_symmetric* f, int i, int k, uint32_t value)
{
  entries* l = &f->near[i];
  const int at = place_of(l, k);
  if (is_at(l, at, k)) {
    l->at[at].value = value;
    return;
  }
  base_push(l, (entry){k, value});
  for (int x = l->n - 1; x > at; x--) l->at[x] = l->at[x - 1];
  l->at[at] = (entry){k, value};
  f->waits[i] += k < f->positive;
}

static void set(code_symmetric* f, int i, int k, uint32_t value)
{
  if (i == k) {
    f->pivot[i] = value;
  } else if (value == CODE_ABSENT) {
    take_out(f, i, k);
    take_out(f, k, i);
  } else {
    set_half(f, i, k, value);
    set_half(f, k, i, value);
  }
}

// ---- the order ----------------------------------------------------------------------------------

static bool is_before(candidate a, candidate b)
{
  return a.degree < b.degree || (a.degree == b.degree && a.unknown < b.unknown);
}

// a pivot of the second block is made by the first: all its neighbours there go before it
static void put_down(code_symmetric* f, int i)
{
  if (i >= f->positive && f->waits[i]) return;
  const candidate c = {f->near[i].n, i};
  base_push(&f->heap, c);
  candidate* h = f->heap.at;
  int at = f->heap.n - 1;
  for (; at && is_before(c, h[(at - 1) / 2]); at = (at - 1) / 2) h[at] = h[(at - 1) / 2];
  h[at] = c;
}

static candidate take_least(code_symmetric* f)
{
  candidate* h = f->heap.at;
  const candidate least = h[0], last = h[--f->heap.n];
  int at = 0;
  for (int child; (child = 2 * at + 1) < f->heap.n; at = child) {
    if (child + 1 < f->heap.n && is_before(h[child + 1], h[child])) child++;
    if (!is_before(h[child], last)) break;
    h[at] = h[child];
  }
  h[at] = last;
  return least;
}

static int next_unknown(code_symmetric* f)
{
  for (;;) {
    assert(f->heap.n);
    const candidate c = take_least(f);
    const bool waits = c.unknown >= f->positive && f->waits[c.unknown];
    if (!f->done[c.unknown] && !waits && c.degree == f->near[c.unknown].n) return c.unknown;
  }
}

// ---- elimination --------------------------------------------------------------------------------

// the pivot's size against its scale; untouched by elimination it only has to be above zero
static void watch(code_symmetric* f, int k)
{
  code_maker* m = f->m;
  const uint32_t pivot = f->pivot[k];
  const uint32_t size = k < f->positive ? pivot : code_solve_neg(m, pivot);
  const bool touched = k < f->positive ? pivot != f->scale[k] : size != f->scale[k];
  const uint32_t part = code_make_const(m, f->tolerance);
  f->given[k] = k < f->positive && !touched;
  code_solve_guard(m, f->guard, touched ? code_solve_sub(m, size, part, f->scale[k]) : size);
}

// *inverse: of the pivot; absent where it would serve only once, for then a quotient is as cheap
// and rounded once: near 1 the roundings of inverses lean to one side
static void eliminate(code_symmetric* f, int k, uint32_t* inverse)
{
  code_maker* m = f->m;
  entries* near = &f->near[k];
  double number;
  watch(f, k);
  f->done[k] = true;
  const uint32_t pivot = code_solve_present(m, f->pivot[k]);
  *inverse = CODE_ABSENT;
  if (!near->n && !code_is_const(m, pivot, &number)) return;
  *inverse = code_solve_inverse(m, pivot);
  for (int a = 0; a < near->n; a++) {
    const int i = near->at[a].other;
    const uint32_t own = near->at[a].value, l = code_solve_times(m, own, *inverse);
    take_out(f, i, k);
    for (int b = 0; b <= a; b++) {
      const int j = near->at[b].other;
      set(f, i, j, code_solve_sub(m, value_of(f, i, j), l, near->at[b].value));
    }
    if (i >= f->positive && k < f->positive) f->scale[i] = code_solve_add(m, f->scale[i], l, own);
    f->y[i] = code_solve_sub(m, f->y[i], l, f->y[k]);
  }
  for (int a = 0; a < near->n; a++) {
    near->at[a].value = code_solve_times(m, near->at[a].value, *inverse);
    put_down(f, near->at[a].other);
  }
}

// y[k] of its own row alone
static void divide(code_symmetric* f, int k, uint32_t inverse)
{
  if (inverse != CODE_ABSENT)
    f->y[k] = code_solve_times(f->m, f->y[k], inverse);
  else if (f->y[k] != CODE_ABSENT)
    f->y[k] = code_make(f->m, CODE_DIV, f->y[k], f->pivot[k], 0);
}

// y[k] from those eliminated after it, the last of all first
static void put_back(code_symmetric* f, int k, const int* turn)
{
  code_maker* m = f->m;
  entries* l = &f->near[k];
  uint32_t* y = f->y;
  for (int a = 1; a < l->n; a++) {
    const entry x = l->at[a];
    int b = a;
    for (; b && turn[l->at[b - 1].other] < turn[x.other]; b--) l->at[b] = l->at[b - 1];
    l->at[b] = x;
  }
  for (int a = 0; a < l->n; a++) y[k] = code_solve_sub(m, y[k], l->at[a].value, y[l->at[a].other]);
}

// ---- the way ------------------------------------------------------------------------------------

static void go_by(code_symmetric* f, uint32_t value)
{
  if (value != CODE_ABSENT) base_push(&f->m->tape.way, value);
}

// The factors of an unknown, its right side and its guard belong together. What is eliminated by a
// pivot as it was put waits until another needs it.
static void go_down(code_symmetric* f, int k)
{
  if (f->given[k]) return;
  for (int a = 0; a < f->near[k].n; a++) go_by(f, f->near[k].at[a].value);
  go_by(f, f->y[k]);
  go_by(f, *f->guard);
}

// Up again in the opposite order; those with given pivots as soon as all they need is known.
// after[k]: the first of them behind unknown k, next: another one
static void go_up(code_symmetric* f, const int* order)
{
  const int n = f->n;
  int *after = base_alloc(2 * (size_t)n * sizeof *after + 1), *next = after + n;
  for (int k = 0; k < n; k++) after[k] = next[k] = -1;
  for (int k = 0; k < n; k++) {
    if (!f->given[k] || !f->near[k].n) continue;
    // sorted by put_back: the last is the first that was eliminated
    const int behind = f->near[k].at[f->near[k].n - 1].other;
    next[k] = after[behind];
    after[behind] = k;
  }
  for (int at = n - 1; at >= 0; at--) {
    const int k = order[at];
    if (f->given[k]) continue;
    go_by(f, f->y[k]);
    for (int i = after[k]; i >= 0; i = next[i]) go_by(f, f->y[i]);
  }
  free(after);
}

// ---- the door -----------------------------------------------------------------------------------

code_symmetric* code_symmetric_new(code_maker* m, int n, int positive)
{
  const size_t room = (size_t)n + 1;
  code_symmetric* f = base_alloc(sizeof *f);
  *f = (code_symmetric){.m = m, .n = n, .positive = positive};
  f->near = base_alloc(room * sizeof *f->near);
  f->pivot = code_solve_block(room);
  f->waits = base_alloc(room * sizeof *f->waits);
  f->scale = base_alloc(room * sizeof *f->scale);
  f->done = base_alloc(room * sizeof *f->done);
  f->given = base_alloc(room * sizeof *f->given);
  return f;
}

void code_symmetric_put(code_symmetric* f, int i, int k, uint32_t value)
{
  if (value != CODE_ABSENT) set(f, i, k, value);
}

static void let_go(code_symmetric* f)
{
  for (int i = 0; i < f->n; i++) base_list_free(&f->near[i]);
  base_list_free(&f->heap);
  free(f->near);
  free(f->pivot);
  free(f->waits);
  free(f->scale);
  free(f->done);
  free(f->given);
  free(f);
}

void code_symmetric_solve(code_symmetric* f, uint32_t* y, double tolerance, uint32_t* guard)
{
  const int n = f->n;
  int *order = base_alloc(2 * (size_t)n * sizeof *order + 1), *turn = order + n;
  f->y = y;
  f->tolerance = tolerance;
  f->guard = guard;
  for (int i = 0; i < n; i++) {
    f->scale[i] = i < f->positive ? f->pivot[i] : code_solve_neg(f->m, f->pivot[i]);
    put_down(f, i);
  }
  for (int at = 0; at < n; at++) {
    order[at] = next_unknown(f);
    turn[order[at]] = at;
    uint32_t inverse;
    eliminate(f, order[at], &inverse);
    divide(f, order[at], inverse);
    go_down(f, order[at]);
  }
  for (int at = n - 1; at >= 0; at--) put_back(f, order[at], turn);
  go_up(f, order);
  free(order);
  let_go(f);
}

void code_ldl(code_maker* m, int n, int positive, const uint32_t* S, uint32_t* y, double tolerance,
              uint32_t* guard)
{
  code_symmetric* f = code_symmetric_new(m, n, positive);
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++) code_symmetric_put(f, i, k, S[i * n + k]);
  code_symmetric_solve(f, y, tolerance, guard);
}

void code_solve_whole(code_problem* p)
{
  const int n = p->n, N = n + p->rows;
  uint32_t *S = code_solve_block((size_t)(N * N)), *y = code_solve_block((size_t)N);
  for (int i = 0; i < n; i++) {
    y[i] = p->F[i];
    for (int k = 0; k <= i; k++) S[i * N + k] = p->M[i * n + k];
  }
  for (int r = 0; r < p->rows; r++) {
    y[n + r] = code_solve_neg(p->m, p->b[r]);
    for (int k = 0; k < n; k++) S[(n + r) * N + k] = p->A[r * n + k];
  }
  code_ldl(p->m, N, n, S, y, p->tolerance, &p->guard);
  for (int i = 0; i < n; i++) p->a[i] = y[i];
  for (int r = 0; r < p->rows; r++) p->lambda[r] = code_solve_neg(p->m, y[n + r]);
  free(S);
  free(y);
}
