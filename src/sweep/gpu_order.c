// Runs that are alike side by side. The threads of a GPU go by 32 that do the same at a time: those
// whose run has ended, or whose step is tried again, are waited for. Runs from nearby params make
// nearly the same steps, so threads take the runs of a chunk cell by cell of the space of params.
#include "sweep/gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// runs of a cell, about: half of those that go together
enum { runs_a_cell = 16 };

struct sweep_gpu_order
{
  int axes, *cell, *first; // of each run its cell, of each cell where its runs begin
};

sweep_gpu_order* sweep_gpu_order_new(int axes, int runs)
{
  sweep_gpu_order* o = base_alloc(sizeof *o);
  o->axes = axes;
  o->cell = base_alloc(sizeof *o->cell * (size_t)runs);
  o->first = base_alloc(sizeof *o->first * (size_t)(runs / runs_a_cell + 2));
  return o;
}

void sweep_gpu_order_free(sweep_gpu_order* o)
{
  if (!o) return;
  free(o->cell);
  free(o->first);
  free(o);
}

// so many parts of each axis make no more cells than these; of axes beyond those that can be parted
// there is one
static int parts_of(int axes, int cells)
{
  int parts = (int)pow(cells, 1.0 / (axes > 0 ? axes : 1));
  return parts > 1 ? parts : 2;
}

// the cell of each run parted further along one axis
static void part(sweep_gpu_order* o, int axis, int parts, int count, const double* value)
{
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < count; i++) {
    const double x = value[(size_t)i * (size_t)o->axes + (size_t)axis];
    least = x < least ? x : least;
    most = x > most ? x : most;
  }
  const double scale = most > least ? parts / (most - least) : 0;
  for (int i = 0; i < count; i++) {
    const double x = (value[(size_t)i * (size_t)o->axes + (size_t)axis] - least) * scale;
    o->cell[i] = o->cell[i] * parts + (x >= parts ? parts - 1 : x > 0 ? (int)x : 0);
  }
}

void sweep_gpu_order_find(sweep_gpu_order* o, int count, const double* value, int* order)
{
  const int most = count / runs_a_cell, parts = parts_of(o->axes, most);
  int cells = 1;
  memset(o->cell, 0, sizeof *o->cell * (size_t)count);
  for (int axis = 0; axis < o->axes && cells <= most / parts; axis++) {
    part(o, axis, parts, count, value);
    cells *= parts;
  }
  memset(o->first, 0, sizeof *o->first * (size_t)(cells + 1));
  for (int i = 0; i < count; i++) o->first[o->cell[i] + 1]++;
  for (int c = 0; c < cells; c++) o->first[c + 1] += o->first[c];
  for (int i = 0; i < count; i++) order[o->first[o->cell[i]]++] = i;
}
