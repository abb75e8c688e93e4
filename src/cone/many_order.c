// Rows that meet stand near one another: the order of Cuthill and McKee (1969).
#include "cone/many.h"

#include <string.h>

static int degree(const cone_many* f, int i)
{
  return f->p->start[i + 1] - f->p->start[i];
}

// the neighbours of the row at f->order[at] go behind *end, those with few neighbours first
static void append_neighbours(cone_many* f, int at, int* end)
{
  const cone_many_problem* p = f->p;
  const int from = *end, i = f->order[at];
  for (int k = p->start[i]; k < p->start[i + 1]; k++) {
    const int j = p->column[k];
    if (f->seen[j]) continue;
    f->seen[j] = true;
    int place = (*end)++;
    for (; place > from && degree(f, f->order[place - 1]) > degree(f, j); place--)
      f->order[place] = f->order[place - 1];
    f->order[place] = j;
  }
}

// all rows that hang together with `first`, breadth first; the end of them
static int spread(cone_many* f, int first, int from)
{
  int end = from;
  f->order[end++] = first;
  f->seen[first] = true;
  for (int at = from; at < end; at++) append_neighbours(f, at, &end);
  return end;
}

void cone_many_sort(cone_many* f)
{
  const int r = f->p->r;
  int from = 0;
  memset(f->seen, 0, (size_t)r * sizeof *f->seen);
  for (int i = 0; i < r; i++) {
    if (f->seen[i]) continue;
    // start anew at the far end: levels are narrowest from there
    for (int turn = 0; turn < 2; turn++) {
      const int end = spread(f, turn ? f->order[from] : i, from);
      if (turn) {
        from = end;
        break;
      }
      const int far = f->order[end - 1];
      for (int k = from; k < end; k++) f->seen[f->order[k]] = false;
      f->order[from] = far;
    }
  }
}
