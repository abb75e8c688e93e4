// Near pairs by sweeping: the boxes in the order of their low ends along the axis over which they
// are spread most; each is compared with those that begin before it ends.
#include "shape/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct end
{
  double low;
  int box;
} end;

struct shape_sweep
{
  int room;
  end* order;
  shape_pairs found;
};

shape_sweep* shape_sweep_new(int boxes)
{
  shape_sweep* s = base_alloc(sizeof *s);
  s->room = boxes;
  s->order = base_alloc(sizeof *s->order * (size_t)(boxes + 1));
  return s;
}

void shape_sweep_free(shape_sweep* s)
{
  if (!s) return;
  base_list_free(&s->found);
  free(s->order);
  free(s);
}

static int by_low(const void* a, const void* b)
{
  const end *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  return x->box - y->box;
}

static int by_numbers(const void* a, const void* b)
{
  const shape_pair *x = a, *y = b;
  return x->i != y->i ? x->i - y->i : x->j - y->j;
}

// sum of squares about the mean of the middles
static int widest_axis(int n, const double* box)
{
  double most = -1;
  int axis = 0;
  for (int k = 0; k < 3; k++) {
    double sum = 0, square = 0;
    int count = 0;
    for (int i = 0; i < n; i++) {
      const double x = (box[6 * i + k] + box[6 * i + 3 + k]) / 2;
      if (!isfinite(x)) continue;
      sum += x;
      square += x * x;
      count++;
    }
    const double spread = count ? square - sum * sum / count : 0;
    if (!(spread > most)) continue;
    most = spread;
    axis = k;
  }
  return axis;
}

static bool overlap(const double* a, const double* b)
{
  for (int k = 0; k < 3; k++)
    if (!(a[k] <= b[3 + k] && b[k] <= a[3 + k])) return false;
  return true;
}

void shape_sweep_find(shape_sweep* s, int n, const double* box, shape_pairs* out)
{
  const int axis = widest_axis(n, box);
  s->found.n = 0;
  for (int i = 0; i < n; i++) s->order[i] = (end){box[6 * i + axis], i};
  qsort(s->order, (size_t)n, sizeof *s->order, by_low);
  for (int a = 0; a < n; a++) {
    const int i = s->order[a].box;
    for (int b = a + 1; b < n && s->order[b].low <= box[6 * i + 3 + axis]; b++) {
      const int j = s->order[b].box;
      if (overlap(box + 6 * i, box + 6 * j))
        base_push(&s->found, ((shape_pair){i < j ? i : j, i < j ? j : i}));
    }
  }
  if (s->found.n) qsort(s->found.at, (size_t)s->found.n, sizeof *s->found.at, by_numbers);
  for (int k = 0; k < s->found.n; k++) base_push(out, s->found.at[k]);
}
