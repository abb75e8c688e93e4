// Large sparse linear equations made of blocks: LU by fronts.
//
// Eliminating a node changes the blocks among its neighbours that are left: a dense matrix, the
// front, of which what is left is added to the front of the parent in the tree of elimination (Duff
// and Reid 1983). So all work is done on dense matrices. Pivots are looked for inside of a front
// only: enough where the symmetric part of the matrix is positive definite, or not far from it.
#include "num/fronts.h"

#include <stdlib.h>
#include <string.h>

num_fronts* num_fronts_new(void)
{
  return base_alloc(sizeof(num_fronts));
}

void num_fronts_free(num_fronts* s)
{
  if (!s) return;
  void* all[] = {s->size,  s->offset, s->start,    s->other, s->block_at, s->block,
                 s->order, s->place,  s->parent,   s->mark,  s->next,     s->head,
                 s->first, s->front,  s->factor,   s->stack, s->dense,    s->below_start,
                 s->at,    s->index,  s->gathered, s->swap};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  base_list_free(&s->below);
  free(s);
}

void num_fronts_clear(num_fronts* s)
{
  memset(s->block, 0, s->blocks * sizeof(double));
}

double* num_fronts_block(num_fronts* s, int i, int j)
{
  int low = s->start[i], high = s->start[i + 1];
  while (low < high) {
    const int middle = (low + high) / 2;
    if (s->other[middle] < j)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s->start[i + 1] && s->other[low] == j ? s->block + s->block_at[low] : NULL;
}

// ---- a front ------------------------------------------------------------------------------------

// where its nodes stand in it
static void take_places(num_fronts* s, int k)
{
  int at = 0, count;
  for (int j = s->first[k]; j < s->first[k + 1]; j++) {
    s->at[j] = at;
    at += s->size[s->order[j]];
  }
  const int* border = num_fronts_border(s, k, &count);
  at = s->front[k].pivots;
  for (int i = 0; i < count; i++) {
    s->at[border[i]] = at;
    at += s->size[s->order[border[i]]];
  }
}

static void add_block(num_fronts* s, int k, int entry, int i, int j)
{
  const size_t rows = (size_t)s->front[k].rows;
  const int height = s->size[i], width = s->size[j];
  const double* from = s->block + s->block_at[entry];
  double* to = s->dense + (size_t)s->at[s->place[i]] * rows + s->at[s->place[j]];
  for (int r = 0; r < height; r++)
    for (int c = 0; c < width; c++) to[(size_t)r * rows + (size_t)c] += from[r * width + c];
}

// blocks of the matrix among its nodes and those that are left
static void add_matrix(num_fronts* s, int k)
{
  for (int j = s->first[k]; j < s->first[k + 1]; j++) {
    const int i = s->order[j];
    for (int e = s->start[i]; e < s->start[i + 1]; e++) {
      const int o = s->other[e], place = s->place[o];
      if (place < s->first[k]) continue;
      add_block(s, k, e, i, o);
      if (place < s->first[k + 1]) continue;
      int back = s->start[o]; // the block on the other side
      while (s->other[back] != i) back++;
      add_block(s, k, back, o, i);
    }
  }
}

// rows of the border of front c in the front under way
static int list_border(num_fronts* s, int c)
{
  int count, n = 0;
  const int* border = num_fronts_border(s, c, &count);
  for (int i = 0; i < count; i++)
    for (int r = 0; r < s->size[s->order[border[i]]]; r++) s->index[n++] = s->at[border[i]] + r;
  return n;
}

static void add_child(num_fronts* s, int k, int c, const double* left)
{
  const size_t rows = (size_t)s->front[k].rows,
               width = (size_t)(s->front[c].rows - s->front[c].pivots);
  const int n = list_border(s, c);
  for (int r = 0; r < n; r++) {
    double* to = s->dense + (size_t)s->index[r] * rows;
    const double* from = left + (size_t)r * width;
    for (int i = 0; i < n; i++) to[s->index[i]] += from[i];
  }
}

static void keep_factor(num_fronts* s, const num_front* f)
{
  const size_t p = (size_t)f->pivots, m = (size_t)f->rows;
  double* to = s->factor + f->at;
  memcpy(to, s->dense, p * m * sizeof(double));
  to += p * m;
  for (size_t r = p; r < m; r++) memcpy(to + (r - p) * p, s->dense + r * m, p * sizeof(double));
}

bool num_fronts_factor(num_fronts* s)
{
  int *waits = s->head, depth = 0;
  size_t top = 0;
  for (int k = 0; k < s->fronts; k++) {
    const num_front* f = &s->front[k];
    const size_t m = (size_t)f->rows, border = m - (size_t)f->pivots;
    int used = 0;
    memset(s->dense, 0, m * m * sizeof(double));
    take_places(s, k);
    add_matrix(s, k);
    for (int j = s->first[k]; j < s->first[k + 1]; j++) used += s->size[s->order[j]];
    for (int i = used; i < f->pivots; i++) s->dense[(size_t)i * m + (size_t)i] = 1;
    while (depth && s->front[waits[depth - 1]].parent == k) {
      const int c = waits[--depth];
      const size_t width = (size_t)(s->front[c].rows - s->front[c].pivots);
      top -= width * width;
      add_child(s, k, c, s->stack + top);
    }
    if (!num_fronts_dense(f->pivots, f->rows, s->dense, s->swap + f->swap)) return false;
    keep_factor(s, f);
    if (f->parent < 0) continue;
    for (size_t r = 0; r < border; r++)
      memcpy(s->stack + top + r * border,
             s->dense + (r + (size_t)f->pivots) * m + (size_t)f->pivots, border * sizeof(double));
    top += border * border;
    waits[depth++] = k;
  }
  return true;
}

// ---- solving ------------------------------------------------------------------------------------

// unknowns of a front out of x, or back into it
static void move(const num_fronts* s, int k, double* x, bool back, bool border_too)
{
  int at = 0, count;
  const int* border = num_fronts_border(s, k, &count);
  const int own = s->first[k + 1] - s->first[k];
  for (int i = 0; i < own + (border_too ? count : 0); i++) {
    if (i == own) at = s->front[k].pivots;
    const int node = s->order[i < own ? s->first[k] + i : border[i - own]];
    const size_t bytes = sizeof(double) * (size_t)s->size[node];
    if (back)
      memcpy(x + s->offset[node], s->gathered + at, bytes);
    else
      memcpy(s->gathered + at, x + s->offset[node], bytes);
    at += s->size[node];
  }
}

// sums of products in eight parts: one part waits for no other
typedef double eight __attribute__((vector_size(64), aligned(8)));
#pragma GCC diagnostic ignored "-Wpsabi"

static double dot(const double* a, const double* b, int from, int to)
{
  eight sum = {0};
  double rest = 0;
  for (; from < to && from % NUM_FRONT_STEP; from++) rest += a[from] * b[from];
  for (; from + NUM_FRONT_STEP <= to; from += NUM_FRONT_STEP)
    sum += *(const eight*)(a + from) * *(const eight*)(b + from);
  for (; from < to; from++) rest += a[from] * b[from];
  return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7])) + rest;
}

void num_fronts_solve(const num_fronts* s, double* x)
{
  double* g = s->gathered;
  for (int k = 0; k < s->fronts; k++) {
    const num_front* f = &s->front[k];
    const int p = f->pivots, m = f->rows;
    const double *U = s->factor + f->at, *L = U + (size_t)p * (size_t)m;
    memset(g, 0, sizeof(double) * (size_t)m);
    move(s, k, x, false, true);
    for (int r = 0; r < p; r++) {
      const double kept = g[r];
      g[r] = g[s->swap[f->swap + r]];
      g[s->swap[f->swap + r]] = kept;
    }
    for (int r = 1; r < p; r++) g[r] -= dot(U + (size_t)r * (size_t)m, g, 0, r);
    for (int r = p; r < m; r++, L += p) g[r] -= dot(L, g, 0, p);
    move(s, k, x, true, true);
  }
  for (int k = s->fronts - 1; k >= 0; k--) {
    const num_front* f = &s->front[k];
    const int p = f->pivots, m = f->rows;
    const double* U = s->factor + f->at;
    memset(g, 0, sizeof(double) * (size_t)m);
    move(s, k, x, false, true);
    for (int r = p - 1; r >= 0; r--) {
      const double* row = U + (size_t)r * (size_t)m;
      g[r] = (g[r] - dot(row, g, r + 1, m)) / row[r];
    }
    move(s, k, x, true, false);
  }
}
