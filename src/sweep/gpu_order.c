// Runs that are alike side by side. The threads of a GPU go by 32 that do the same at a time: those
// whose run has ended, or whose step is tried again, are waited for. Runs from nearby params make
// nearly the same steps, so threads take the runs of a chunk cell by cell of the space of params.
#include "sweep/gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// runs of a cell, about: half of those that go together
enum { runs_a_cell = 16 };

// how many of a chunk tell how far it goes
enum { looked_at = 256 };

// of one axis: `scale` times what is beyond `least` is the part
typedef struct parts_of_axis
{
  double least, scale;
} parts_of_axis;

struct sweep_gpu_order
{
  int axes, *cell, *first; // of each run its cell, of each cell where its runs begin
  parts_of_axis* axis;
};

sweep_gpu_order* sweep_gpu_order_new(int axes, int runs)
{
  sweep_gpu_order* o = base_alloc(sizeof *o);
  o->axes = axes;
  o->cell = base_alloc(sizeof *o->cell * (size_t)runs);
  o->first = base_alloc(sizeof *o->first * (size_t)(runs / runs_a_cell + 2));
  o->axis = base_alloc(sizeof *o->axis * (size_t)(axes + 1));
  return o;
}

void sweep_gpu_order_free(sweep_gpu_order* o)
{
  if (!o) return;
  free(o->cell);
  free(o->first);
  free(o->axis);
  free(o);
}

// so many parts of each axis make no more cells than these; where that is less than two, some axes
// are not parted
static int parts_of(int axes, int cells)
{
  int parts = (int)pow(cells, 1.0 / (axes > 0 ? axes : 1));
  return parts > 1 ? parts : 2;
}

static void measure(sweep_gpu_order* o, int k, int parts, int count, const double* value)
{
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < count; i += count / looked_at + 1) {
    const double x = value[(size_t)i * (size_t)o->axes + (size_t)k];
    least = x < least ? x : least;
    most = x > most ? x : most;
  }
  o->axis[k] = (parts_of_axis){least, most > least ? parts / (most - least) : 0};
}

// The cells of all runs, counted in `first`, one behind. What lies beyond the bounds is of the
// nearest part.
static void part(sweep_gpu_order* o, int parted, int parts, int count, const double* value)
{
  for (int i = 0; i < count; i++, value += o->axes) {
    int cell = 0;
    for (int k = 0; k < parted; k++) {
      const double x = (value[k] - o->axis[k].least) * o->axis[k].scale;
      cell = cell * parts + (x >= parts ? parts - 1 : x > 0 ? (int)x : 0);
    }
    o->cell[i] = cell;
    o->first[cell + 1]++;
  }
}

void sweep_gpu_order_find(sweep_gpu_order* o, int count, const double* value, int* order)
{
  const int most = count / runs_a_cell, parts = parts_of(o->axes, most);
  int cells = 1, parted = 0;
  for (; parted < o->axes && cells <= most / parts; parted++) cells *= parts;
  for (int k = 0; k < parted; k++) measure(o, k, parts, count, value);
  memset(o->first, 0, sizeof *o->first * (size_t)(cells + 1));
  part(o, parted, parts, count, value);
  for (int c = 0; c < cells; c++) o->first[c + 1] += o->first[c];
  for (int i = 0; i < count; i++) order[o->first[o->cell[i]]++] = i;
}
