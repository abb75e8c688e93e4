// Many contacts fall apart into islands: rows that know of each other through G or by a law. Each
// is solved by itself, in rows of its own that lie together, in the order of Cuthill and McKee
// (1969): rows that meet stand near one another.
#include "cone/many.h"

#include <stdlib.h>
#include <string.h>

void cone_many_hang(cone_many* f)
{
  const cone_many_problem* p = f->p;
  memset(f->first, 0, sizeof(int) * (size_t)(p->r + 1));
  for (int i = 0; i < p->r; i++)
    if (p->kind[i] == CONE_MANY_TANGENT) f->first[p->of[i] + 1]++;
  for (int i = 0; i < p->r; i++) f->first[i + 1] += f->first[i];
  int* fill = f->index;
  memcpy(fill, f->first, sizeof(int) * (size_t)p->r);
  // two in space one behind the other
  for (int i = 0; i < p->r; i++) {
    const int o = cone_many_pair(f, i);
    if (p->kind[i] != CONE_MANY_TANGENT || (o >= 0 && o < i)) continue;
    f->tangent[fill[p->of[i]]++] = i;
    if (o >= 0) f->tangent[fill[p->of[i]]++] = o;
  }
}

static int degree(const cone_many* f, int i)
{
  return f->p->start[i + 1] - f->p->start[i];
}

// row j goes behind *end, those with few neighbours first
static void append_unseen(cone_many* f, int j, int from, int* end)
{
  f->seen[j] = true;
  int place = (*end)++;
  for (; place > from && degree(f, f->order[place - 1]) > degree(f, j); place--)
    f->order[place] = f->order[place - 1];
  f->order[place] = j;
}

static inline void append(cone_many* f, int j, int from, int* end)
{
  if (!f->seen[j]) append_unseen(f, j, from, end);
}

static void append_neighbours(cone_many* f, int at, int* end)
{
  const cone_many_problem* p = f->p;
  const int from = *end, i = f->order[at];
  for (int k = p->start[i]; k < p->start[i + 1]; k++) append(f, p->column[k], from, end);
  for (int k = f->first[i]; k < f->first[i + 1]; k++) append(f, f->tangent[k], from, end);
  if (p->kind[i] == CONE_MANY_TANGENT) append(f, p->of[i], from, end);
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
  cone_many_hang(f);
  memset(f->seen, 0, (size_t)r * sizeof *f->seen);
  for (int i = 0; i < r; i++) {
    if (f->seen[i]) continue;
    // start anew at the far end: levels are narrowest from there
    int end = spread(f, i, from);
    const int far = f->order[end - 1];
    for (int k = from; k < end; k++) f->seen[f->order[k]] = false;
    end = spread(f, far, from);
    f->end[from] = end;
    from = end;
  }
}

int cone_many_end(const cone_many* f, int from)
{
  return f->end[from];
}

static void make_room(cone_many_island* s, int rows, int entries)
{
  if (rows > s->room) {
    const size_t room = (size_t)(s->room = rows + rows / 2 + 16) + 1;
    s->start = base_realloc(s->start, room * sizeof(int));
    s->of = base_realloc(s->of, room * sizeof(int));
    s->pair = base_realloc(s->pair, room * sizeof(int));
    s->q = base_realloc(s->q, room * sizeof(double));
    s->mu = base_realloc(s->mu, room * sizeof(double));
    s->x = base_realloc(s->x, room * sizeof(double));
    s->w = base_realloc(s->w, room * sizeof(double));
    s->kind = base_realloc(s->kind, room * sizeof *s->kind);
  }
  if (entries > s->entries) {
    const size_t room = (size_t)(s->entries = entries + entries / 2 + 64);
    s->column = base_realloc(s->column, room * sizeof(int));
    s->G = base_realloc(s->G, room * sizeof(double));
  }
}

void cone_many_enter(cone_many* f, const cone_many_problem* p, const double* x, int from, int to)
{
  cone_many_island* s = &f->island;
  int entries = 0, at = 0;
  for (int k = from; k < to; k++) {
    const int i = f->order[k];
    f->place[i] = k - from;
    entries += p->start[i + 1] - p->start[i];
  }
  make_room(s, to - from, entries);
  f->width = 0;
  for (int k = from; k < to; k++) {
    const int i = f->order[k], here = k - from;
    const bool tangent = p->kind[i] == CONE_MANY_TANGENT;
    s->start[here] = at;
    s->q[here] = p->q[i];
    for (int e = p->start[i]; e < p->start[i + 1]; e++) {
      const int place = f->place[p->column[e]];
      if (place < 0) {
        s->q[here] += p->G[e] * x[p->column[e]];
        continue;
      }
      s->column[at] = place;
      s->G[at++] = p->G[e];
      if (abs(place - here) > f->width) f->width = abs(place - here);
    }
    s->kind[here] = p->kind[i];
    s->of[here] = tangent ? f->place[p->of[i]] : -1;
    s->pair[here] = tangent && p->pair && p->pair[i] >= 0 ? f->place[p->pair[i]] : -1;
    s->mu[here] = tangent ? p->mu[i] : 0;
    s->x[here] = x[i];
  }
  s->start[to - from] = at;
  s->problem = (cone_many_problem){.r = to - from,
                                   .start = s->start,
                                   .column = s->column,
                                   .G = s->G,
                                   .q = s->q,
                                   .kind = s->kind,
                                   .of = s->of,
                                   .mu = s->mu,
                                   .pair = s->pair,
                                   .may_fail = p->may_fail,
                                   .may_halve = p->may_halve,
                                   .graded = f->is_patch ? 0 : p->graded,
                                   .effort = p->effort};
  s->origin = p->origin;
  f->bodies.is_open = false;
  s->row = f->order + from;
  f->p = &s->problem;
  f->x = s->x;
  f->w = s->w;
}

void cone_many_leave(cone_many* f, int from, int to, double* x, double* w)
{
  for (int k = from; k < to; k++) {
    x[f->order[k]] = f->island.x[k - from];
    w[f->order[k]] = f->island.w[k - from];
  }
}
