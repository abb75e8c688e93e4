// The order in which a matrix of blocks is eliminated, and its fronts.
//
// Nodes are ordered by approximate minimum degree (AMD, Amestoy, Davis and Duff 1996). In that
// order, made a postorder of the tree of elimination (Liu 1990), column j of the factor holds its
// neighbours behind it and what its children hold behind it. Nodes that follow each other in the
// tree become one front where their columns are alike, or small.
#include "num/fronts.h"

#include <stdlib.h>
#include <string.h>
#include <suitesparse/amd.h>

static const double spare = 0.15; // of the numbers of a front: zeros worth a larger front
enum { small_front = 24 };        // unknowns of a front that is worth few more

static void make_room(num_fronts* s, int nodes, int entries)
{
  if (nodes + 2 > s->room) {
    const size_t room = (size_t)(s->room = nodes + nodes / 2 + 16);
    int** all[] = {&s->size, &s->start, &s->order, &s->place,       &s->parent, &s->mark,
                   &s->next, &s->head,  &s->first, &s->below_start, &s->at};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
      *all[i] = base_realloc(*all[i], room * sizeof(int));
    s->offset = base_realloc(s->offset, room * sizeof *s->offset);
    s->front = base_realloc(s->front, room * sizeof *s->front);
  }
  if (entries > s->entries) {
    s->entries = entries + entries / 2;
    s->other = base_realloc(s->other, (size_t)s->entries * sizeof(int));
    s->block_at = base_realloc(s->block_at, (size_t)s->entries * sizeof(size_t));
  }
}

static void take_graph(num_fronts* s, const int* size, const num_rows* near)
{
  s->blocks = 0;
  size_t offset = 0;
  for (int i = 0; i < s->nodes; i++) {
    s->size[i] = size[i];
    s->offset[i] = offset;
    offset += (size_t)size[i];
    s->start[i] = near->start[i];
    for (int k = near->start[i]; k < near->start[i + 1]; k++) {
      s->other[k] = near->column[k];
      s->block_at[k] = s->blocks;
      s->blocks += (size_t)size[i] * (size_t)size[near->column[k]];
    }
  }
  s->offset[s->nodes] = offset;
  s->start[s->nodes] = near->start[s->nodes];
}

// ---- the tree -----------------------------------------------------------------------------------

// parent[j] of position j in the tree of elimination, -1
static void grow_tree(num_fronts* s)
{
  int* up = s->next; // a short cut towards the root
  for (int j = 0; j < s->nodes; j++) {
    s->parent[j] = up[j] = -1;
    const int node = s->order[j];
    for (int k = s->start[node]; k < s->start[node + 1]; k++)
      for (int i = s->place[s->other[k]], to; i != -1 && i < j; i = to) {
        to = up[i];
        up[i] = j;
        if (to == -1) s->parent[i] = j;
      }
  }
}

// positions such that children come right before their parent
static void walk_tree(num_fronts* s)
{
  int *turn = s->mark, *stack = s->at, at = 0;
  for (int j = 0; j <= s->nodes; j++) s->head[j] = -1;
  for (int j = s->nodes - 1; j >= 0; j--) {
    const int up = s->parent[j] < 0 ? s->nodes : s->parent[j];
    s->next[j] = s->head[up];
    s->head[up] = j;
  }
  for (int root = s->head[s->nodes]; root != -1; root = s->next[root]) {
    int depth = 0;
    stack[depth++] = root;
    while (depth) {
      const int j = stack[depth - 1], child = s->head[j];
      if (child != -1) {
        s->head[j] = s->next[child];
        stack[depth++] = child;
      } else {
        turn[j] = at++;
        depth--;
      }
    }
  }
  for (int i = 0; i < s->nodes; i++) s->place[i] = turn[s->place[i]];
  for (int i = 0; i < s->nodes; i++) s->order[s->place[i]] = i;
}

static void add_below(num_fronts* s, int j, int i)
{
  if (i <= j || s->mark[i] == j) return;
  s->mark[i] = j;
  base_push(&s->below, i);
}

// what column j holds below its diagonal; children are in the lists of `head`
static void find_columns(num_fronts* s)
{
  s->below.n = 0;
  for (int j = 0; j <= s->nodes; j++) s->head[j] = s->mark[j] = -1;
  for (int j = 0; j < s->nodes; j++) {
    const int node = s->order[j];
    s->below_start[j] = s->below.n;
    for (int k = s->start[node]; k < s->start[node + 1]; k++)
      add_below(s, j, s->place[s->other[k]]);
    for (int c = s->head[j]; c != -1; c = s->next[c])
      for (int k = s->below_start[c]; k < s->below_start[c + 1]; k++)
        add_below(s, j, s->below.at[k]);
    s->below_start[j + 1] = s->below.n;
    int up = s->nodes;
    for (int k = s->below_start[j]; k < s->below.n; k++)
      if (s->below.at[k] < up) up = s->below.at[k];
    s->parent[j] = up < s->nodes ? up : -1;
    if (up == s->nodes) continue;
    s->next[j] = s->head[up];
    s->head[up] = j;
  }
}

// ---- fronts -------------------------------------------------------------------------------------

static int rounded(int n)
{
  return (n + NUM_FRONT_STEP - 1) / NUM_FRONT_STEP * NUM_FRONT_STEP;
}

static int unknowns_below(const num_fronts* s, int j)
{
  int sum = 0;
  for (int k = s->below_start[j]; k < s->below_start[j + 1]; k++)
    sum += s->size[s->order[s->below.at[k]]];
  return sum;
}

// does the column j + 1 go into the front of j, which has so many pivots and zeros to spare?
static bool joins(const num_fronts* s, int j, int pivots, double* zeros)
{
  if (s->parent[j] != j + 1) return false;
  const int next = s->size[s->order[j + 1]], border = unknowns_below(s, j + 1);
  const double more = *zeros + (double)pivots * (next + border - unknowns_below(s, j));
  const double all = (double)(pivots + next) * (pivots + next + border);
  if (more > spare * all && pivots + next > small_front) return false;
  *zeros = more;
  return true;
}

static void find_fronts(num_fronts* s)
{
  s->fronts = 0;
  for (int j = 0; j < s->nodes; s->fronts++) {
    int pivots = s->size[s->order[j]];
    double zeros = 0;
    s->first[s->fronts] = j;
    for (; j + 1 < s->nodes && joins(s, j, pivots, &zeros); j++) pivots += s->size[s->order[j + 1]];
    s->front[s->fronts].pivots = rounded(pivots);
    s->front[s->fronts].rows = rounded(pivots) + rounded(unknowns_below(s, j));
    j++;
  }
  s->first[s->fronts] = s->nodes;
}

// what they need, and whose parent is who
static void measure(num_fronts* s)
{
  int* of = s->mark; // front of a position
  for (int k = 0; k < s->fronts; k++)
    for (int j = s->first[k]; j < s->first[k + 1]; j++) of[j] = k;
  s->factor_count = 0;
  s->work = 0;
  s->most_rows = s->swaps = 0;
  for (int k = 0; k < s->fronts; k++) {
    num_front* f = &s->front[k];
    const int up = s->parent[s->first[k + 1] - 1];
    const size_t p = (size_t)f->pivots, m = (size_t)f->rows;
    f->parent = up < 0 ? -1 : of[up];
    f->at = s->factor_count;
    f->swap = s->swaps;
    s->swaps += f->pivots;
    s->factor_count += p * m + (m - p) * p;
    s->work += (double)p * (double)m * (double)m;
    if (f->rows > s->most_rows) s->most_rows = f->rows;
  }
}

// what waits for its parent at one time, at most
static size_t find_stack(const num_fronts* s)
{
  size_t now = 0, most = 0;
  int* waits = s->head;
  int depth = 0;
  for (int k = 0; k < s->fronts; k++) {
    while (depth && s->front[waits[depth - 1]].parent == k) {
      const num_front* c = &s->front[waits[--depth]];
      now -= (size_t)(c->rows - c->pivots) * (size_t)(c->rows - c->pivots);
    }
    if (s->front[k].parent < 0) continue;
    const size_t border = (size_t)(s->front[k].rows - s->front[k].pivots);
    now += border * border;
    waits[depth++] = k;
    if (now > most) most = now;
  }
  return most;
}

static void make_factor_room(num_fronts* s)
{
  if (s->factor_count > s->factor_room) {
    s->factor_room = s->factor_count + s->factor_count / 4;
    s->factor = base_realloc(s->factor, s->factor_room * sizeof(double));
  }
  if (s->stack_count > s->stack_room) {
    s->stack_room = s->stack_count + s->stack_count / 4;
    s->stack = base_realloc(s->stack, s->stack_room * sizeof(double));
  }
  if (s->blocks > s->block_room) {
    s->block_room = s->blocks + s->blocks / 4;
    s->block = base_realloc(s->block, s->block_room * sizeof(double));
  }
  if (s->swaps > s->swap_room)
    s->swap = base_realloc(s->swap, sizeof(int) * (size_t)(s->swap_room = s->swaps + s->swaps / 4));
  if (s->most_rows <= s->dense_room) return;
  const size_t rows = (size_t)(s->dense_room = s->most_rows + s->most_rows / 8);
  s->dense = base_realloc(s->dense, rows * rows * sizeof(double));
  s->gathered = base_realloc(s->gathered, rows * sizeof(double));
  s->index = base_realloc(s->index, rows * sizeof(int));
}

const int* num_fronts_border(const num_fronts* s, int k, int* count)
{
  const int last = s->first[k + 1] - 1;
  *count = s->below_start[last + 1] - s->below_start[last];
  return s->below.at + s->below_start[last];
}

static bool is_same(const num_fronts* s, int nodes, const int* size, const num_rows* near)
{
  if (nodes != s->nodes || near->start[nodes] != s->start[nodes]) return false;
  const size_t entries = (size_t)near->start[nodes];
  return !memcmp(size, s->size, sizeof(int) * (size_t)nodes) &&
         !memcmp(near->start, s->start, sizeof(int) * (size_t)nodes) &&
         !memcmp(near->column, s->other, sizeof(int) * entries);
}

bool num_fronts_pattern(num_fronts* s, int nodes, const int* size, const num_rows* near)
{
  if (s->nodes && is_same(s, nodes, size, near)) return true;
  make_room(s, nodes, near->start[nodes]);
  s->nodes = nodes;
  take_graph(s, size, near);
  const int status = amd_order(nodes, near->start, near->column, s->order, NULL, NULL);
  if (status != AMD_OK && status != AMD_OK_BUT_JUMBLED) {
    s->nodes = 0;
    return false;
  }
  for (int j = 0; j < nodes; j++) s->place[s->order[j]] = j;
  grow_tree(s);
  walk_tree(s);
  find_columns(s);
  find_fronts(s);
  measure(s);
  s->stack_count = find_stack(s);
  make_factor_room(s);
  return true;
}

double num_fronts_work(const num_fronts* s)
{
  return s->work;
}
