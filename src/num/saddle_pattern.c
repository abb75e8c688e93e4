// The pattern of the factor of a sparse saddle-point problem, and where each number goes.
#include "num/saddle.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// 8 + 4 + 4 + 8 bytes each: a factor takes at most 1.5 GB
static const size_t most_entries = (size_t)1 << 26;

// lower triangle in the order of elimination, by columns: what is there before elimination
typedef struct lower
{
  size_t* start;
  int* row;
} lower;

static void lower_pair(const num_saddle* s, int a, int b, int* column, int* row)
{
  const int i = s->place[a], j = s->place[b];
  *column = i < j ? i : j;
  *row = i < j ? j : i;
}

// every entry off the diagonal: `each` is told column and row
typedef void pair_user(void* context, int column, int row);

static void all_pairs(const num_saddle* s, pair_user* each, void* context)
{
  int column, row;
  for (int i = 0; i < s->n; i++)
    for (int p = s->K.start[i]; p < s->K.start[i + 1]; p++) {
      if (s->K.column[p] == i) continue;
      lower_pair(s, i, s->K.column[p], &column, &row);
      each(context, column, row);
    }
  for (int k = 0; k < s->m; k++)
    for (int p = s->A.start[k]; p < s->A.start[k + 1]; p++) {
      lower_pair(s, s->n + k, s->A.column[p], &column, &row);
      each(context, column, row);
      for (int q = s->A.start[k]; s->stiff && q < p; q++) {
        lower_pair(s, s->A.column[p], s->A.column[q], &column, &row);
        each(context, column, row);
      }
    }
}

static void count_one(void* context, int column, int row)
{
  (void)row;
  ((lower*)context)->start[column + 1]++;
}

static void put_one(void* context, int column, int row)
{
  lower* l = context;
  l->row[l->start[column]++] = row;
}

static lower lower_triangle(const num_saddle* s)
{
  lower l = {.start = base_alloc(sizeof(size_t) * (size_t)(s->nodes + 2))};
  all_pairs(s, count_one, &l);
  for (int j = 0; j < s->nodes; j++) l.start[j + 1] += l.start[j];
  l.row = base_alloc(sizeof(int) * (l.start[s->nodes] + 1));
  all_pairs(s, put_one, &l);
  // every start has moved to the end of its column
  memmove(l.start + 1, l.start, sizeof(size_t) * (size_t)s->nodes);
  l.start[0] = 0;
  return l;
}

static int compare(const void* a, const void* b)
{
  return *(const int*)a - *(const int*)b;
}

// Column j of L holds what is below the diagonal in column j, and what the columns hold whose first
// entry is in row j (George and Liu 1981).
static bool columns_of_factor(num_saddle* s, const lower* l)
{
  BASE_LIST(int) rows = {0};
  int* mark = base_alloc(sizeof(int) * (size_t)(s->nodes + 1));
  int* child = base_alloc(sizeof(int) * (size_t)(s->nodes + 1));   // last one found, plus 1
  int* sibling = base_alloc(sizeof(int) * (size_t)(s->nodes + 1)); // the one before it
  bool fits = true;
  for (int j = 0; j < s->nodes && fits; j++) {
    s->start[j] = (size_t)rows.n;
    for (size_t p = l->start[j]; p < l->start[j + 1]; p++)
      if (mark[l->row[p]] != j + 1) {
        mark[l->row[p]] = j + 1;
        base_push(&rows, l->row[p]);
      }
    for (int k = child[j]; k; k = sibling[k - 1])
      for (size_t p = s->start[k - 1]; p < s->start[k]; p++)
        if (rows.at[p] > j && mark[rows.at[p]] != j + 1) {
          mark[rows.at[p]] = j + 1;
          const int row = rows.at[p];
          base_push(&rows, row);
        }
    const size_t count = (size_t)rows.n - s->start[j];
    if (count) {
      qsort(rows.at + s->start[j], count, sizeof(int), compare);
      const int parent = rows.at[s->start[j]];
      sibling[j] = child[parent];
      child[parent] = j + 1;
    }
    s->start[j + 1] = (size_t)rows.n;
    fits = (size_t)rows.n < most_entries;
  }
  s->entries = (size_t)rows.n;
  s->row = base_arena_take(s->arena, sizeof(int) * (s->entries + 1));
  if (rows.n) memcpy(s->row, rows.at, sizeof(int) * s->entries);
  base_list_free(&rows);
  free(mark);
  free(child);
  free(sibling);
  return fits;
}

static void rows_of_factor(num_saddle* s)
{
  s->left_start = base_arena_take(s->arena, sizeof(size_t) * (size_t)(s->nodes + 2));
  s->left_column = base_arena_take(s->arena, sizeof(int) * (s->entries + 1));
  s->left_at = base_arena_take(s->arena, sizeof(size_t) * (s->entries + 1));
  for (size_t p = 0; p < s->entries; p++) s->left_start[s->row[p] + 1]++;
  for (int j = 0; j < s->nodes; j++) s->left_start[j + 1] += s->left_start[j];
  size_t* at = base_alloc(sizeof(size_t) * (size_t)(s->nodes + 1));
  memcpy(at, s->left_start, sizeof(size_t) * (size_t)s->nodes);
  for (int k = 0; k < s->nodes; k++)
    for (size_t p = s->start[k]; p < s->start[k + 1]; p++) {
      const size_t to = at[s->row[p]]++;
      s->left_column[to] = k;
      s->left_at[to] = p;
    }
  free(at);
}

// where the entry of two nodes is
static size_t find(const num_saddle* s, int a, int b)
{
  if (a == b) return s->entries + (size_t)s->place[a];
  int column, row;
  lower_pair(s, a, b, &column, &row);
  size_t low = s->start[column], high = s->start[column + 1];
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    if (s->row[middle] <= row)
      low = middle;
    else
      high = middle;
  }
  assert(low < s->start[column + 1] && s->row[low] == row);
  return low;
}

static void find_places(num_saddle* s)
{
  size_t products = 0;
  for (int k = 0; k < s->m && s->stiff; k++) {
    const size_t c = (size_t)(s->A.start[k + 1] - s->A.start[k]);
    products += c * (c + 1) / 2;
  }
  s->K_at = base_arena_take(s->arena, sizeof(size_t) * (size_t)(s->K.start[s->n] + 1));
  s->A_at = base_arena_take(s->arena, sizeof(size_t) * (size_t)(s->A.start[s->m] + 1));
  s->AA_at = base_arena_take(s->arena, sizeof(size_t) * (products + 1));
  for (int i = 0; i < s->n; i++)
    for (int p = s->K.start[i]; p < s->K.start[i + 1]; p++) s->K_at[p] = find(s, i, s->K.column[p]);
  size_t next = 0;
  for (int k = 0; k < s->m; k++)
    for (int p = s->A.start[k]; p < s->A.start[k + 1]; p++) {
      s->A_at[p] = find(s, s->n + k, s->A.column[p]);
      for (int q = s->A.start[k]; s->stiff && q <= p; q++)
        s->AA_at[next++] = find(s, s->A.column[p], s->A.column[q]);
    }
}

bool num_saddle_pattern(num_saddle* s)
{
  s->start = base_arena_take(s->arena, sizeof(size_t) * (size_t)(s->nodes + 2));
  lower l = lower_triangle(s);
  const bool fits = columns_of_factor(s, &l);
  free(l.start);
  free(l.row);
  if (!fits) return false;
  rows_of_factor(s);
  find_places(s);
  return true;
}
