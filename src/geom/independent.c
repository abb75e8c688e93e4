// Vectors that are independent of each other, and the order in which formulas are looked at.
#include "geom/closed.h"

#include <math.h>
#include <string.h>

static const double independent = 1e-7; // what is left of a vector that is independent, relative

geom_independent geom_independent_make(int length, int room, base_arena* arena)
{
  return (geom_independent){
      .length = length,
      .room = room,
      .at = base_arena_take(arena, sizeof(double) * (size_t)(length * (room + 1) + 1))};
}

bool geom_independent_take(geom_independent* w, const double* x, double size)
{
  if (w->count == w->room) return false;
  double* y = w->at + w->count * w->length;
  memcpy(y, x, sizeof(double) * (size_t)w->length);
  for (int round = 0; round < 2; round++)
    for (int k = 0; k < w->count; k++) {
      double c = 0;
      for (int i = 0; i < w->length; i++) c += y[i] * w->at[k * w->length + i];
      for (int i = 0; i < w->length; i++) y[i] -= c * w->at[k * w->length + i];
    }
  double left = 0;
  for (int i = 0; i < w->length; i++) left += y[i] * y[i];
  left = sqrt(left);
  if (!(left > independent * size)) return false;
  for (int i = 0; i < w->length; i++) y[i] /= left;
  w->count++;
  return true;
}

int* geom_closed_order(int count, int columns, const double* R, const int* degree,
                       base_arena* arena)
{
  int *order = base_arena_take(arena, sizeof(int) * (size_t)(2 * count + 1)), *cost = order + count;
  for (int i = 0; i < count; i++) {
    order[i] = i;
    for (int j = 0; j < columns; j++)
      if (R[i * columns + j] != 0) cost[i] += 1 + degree[j];
  }
  for (int i = 0; i < count; i++)
    for (int k = i + 1; k < count; k++)
      if (cost[order[k]] < cost[order[i]]) {
        const int x = order[i];
        order[i] = order[k];
        order[k] = x;
      }
  return order;
}
