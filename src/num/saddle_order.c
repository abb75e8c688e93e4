// The order in which a sparse saddle-point problem is eliminated, found once.
//
// Coordinates are ordered by approximate minimum degree (AMD, Amestoy, Davis and Duff 1996) on the
// pattern of K + A^T A; a constraint follows the last of its coordinates. Then every pivot exists:
// with K positive definite and independent rows, the pivots of coordinates are positive and those
// of constraints negative (see saddle.c).
#include "num/saddle.h"

#include <stdlib.h>
#include <string.h>
#include <suitesparse/amd.h>

// rows longer than this say nothing about what is near what
enum { longest_row = 60 };
static const size_t most_pairs = (size_t)1 << 28;

// pattern of K + A^T A without the long rows, by columns, both triangles, with doubles
typedef struct graph
{
  int n;
  size_t entries;
  int *start, *other;
} graph;

static int length(const num_rows* r, int k)
{
  return r->start[k + 1] - r->start[k];
}

static void count_pairs(const num_saddle* s, graph* g)
{
  for (int i = 0; i < s->n; i++)
    for (int p = s->K.start[i]; p < s->K.start[i + 1]; p++) {
      g->start[i + 1]++;
      g->start[s->K.column[p] + 1]++;
    }
  for (int k = 0; k < s->m; k++) {
    const int c = length(&s->A, k);
    if (c > longest_row) continue;
    for (int p = s->A.start[k]; p < s->A.start[k + 1]; p++) g->start[s->A.column[p] + 1] += c;
  }
}

static void fill_pairs(const num_saddle* s, graph* g, int* at)
{
  for (int i = 0; i < s->n; i++)
    for (int p = s->K.start[i]; p < s->K.start[i + 1]; p++) {
      const int j = s->K.column[p];
      g->other[at[i]++] = j;
      g->other[at[j]++] = i;
    }
  for (int k = 0; k < s->m; k++) {
    if (length(&s->A, k) > longest_row) continue;
    for (int p = s->A.start[k]; p < s->A.start[k + 1]; p++)
      for (int q = s->A.start[k]; q < s->A.start[k + 1]; q++)
        g->other[at[s->A.column[p]]++] = s->A.column[q];
  }
}

static size_t pairs(const num_saddle* s)
{
  size_t sum = 2 * (size_t)s->K.start[s->n];
  for (int k = 0; k < s->m; k++) {
    const size_t c = (size_t)length(&s->A, k);
    if (c <= longest_row) sum += c * c;
  }
  return sum;
}

// order[i]: the coordinate eliminated i-th among the coordinates
static bool order_coordinates(const num_saddle* s, int* order)
{
  graph g = {.n = s->n, .entries = pairs(s)};
  if (g.entries > most_pairs) return false;
  g.start = base_alloc(sizeof(int) * (size_t)(s->n + 1));
  g.other = base_alloc(sizeof(int) * (g.entries + 1));
  int* at = base_alloc(sizeof(int) * (size_t)(s->n + 1));
  count_pairs(s, &g);
  for (int i = 0; i < s->n; i++) g.start[i + 1] += g.start[i];
  memcpy(at, g.start, sizeof(int) * (size_t)(s->n + 1));
  fill_pairs(s, &g, at);
  const int status = amd_order(s->n, g.start, g.other, order, NULL, NULL);
  free(g.start);
  free(g.other);
  free(at);
  return status == AMD_OK || status == AMD_OK_BUT_JUMBLED;
}

bool num_saddle_order(num_saddle* s)
{
  int* order = base_alloc(sizeof(int) * (size_t)(s->n + 1));
  int* turn = base_alloc(sizeof(int) * (size_t)(s->n + 1));  // of each coordinate
  int* first = base_alloc(sizeof(int) * (size_t)(s->n + 2)); // constraints after a turn
  int* last = base_alloc(sizeof(int) * (size_t)(s->m + 1));  // turn of a constraint
  const bool fine = order_coordinates(s, order);
  for (int i = 0; fine && i < s->n; i++) turn[order[i]] = i;
  for (int k = 0; fine && k < s->m; k++) {
    last[k] = 0;
    for (int p = s->A.start[k]; p < s->A.start[k + 1]; p++)
      if (turn[s->A.column[p]] > last[k]) last[k] = turn[s->A.column[p]];
    first[last[k] + 1]++;
  }
  for (int i = 0; fine && i < s->n; i++) {
    s->place[order[i]] = i + first[i];
    first[i + 1] += first[i];
  }
  // first[i]: constraints placed before turn i; those of turn i follow its coordinate
  for (int k = 0; fine && k < s->m; k++) s->place[s->n + k] = last[k] + 1 + first[last[k]]++;
  free(order);
  free(turn);
  free(first);
  free(last);
  return fine;
}
