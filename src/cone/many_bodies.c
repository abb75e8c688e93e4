// Linear equations of an island among the velocities u of its bodies, not among its rows: with
// G = A W^-1 A^T and impulses that depend on velocities by blocks H, one for each contact,
//   (W + A^T H A) u = f.
// Bodies that touch are neighbours; there are six or seven unknowns to each, however many points
// they touch at.
#include "cone/many.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double products_at_once = 4; // of dense fronts, in the time of one of a sweep

static void* larger(void* p, size_t* room, size_t need, size_t size)
{
  if (need <= *room) return p;
  *room = need + need / 2 + 64;
  return base_realloc(p, *room * size);
}

// ---- who is in it -------------------------------------------------------------------------------

static int node_at(cone_many_bodies* s, const cone_many_origin* o, int coordinate)
{
  const int b = o->block_of[coordinate];
  if (s->node_of[b]) return s->node_of[b] - 1;
  base_push(&s->block, b);
  base_push(&s->size, o->block_start[b + 1] - o->block_start[b]);
  base_push(&s->offset, s->unknowns);
  s->unknowns += o->block_start[b + 1] - o->block_start[b];
  s->node_of[b] = s->block.n;
  return s->block.n - 1;
}

// the nodes of the rows of a contact
static void add_nodes(cone_many* f, cone_many_body_contact* c)
{
  cone_many_bodies* s = &f->bodies;
  const cone_many_origin* o = f->island.origin;
  c->node = s->nodes.n;
  for (int a = 0; a < c->rows; a++) {
    const int row = f->island.row[c->row[a]];
    for (int k = o->start[row]; k < o->start[row + 1]; k++) {
      const int node = node_at(s, o, o->column[k]);
      bool known = false;
      for (int i = c->node; i < s->nodes.n && !known; i++) known = s->nodes.at[i] == node;
      if (known) continue;
      base_push(&s->nodes, node);
      c->width += s->size.at[node];
    }
  }
  c->nodes = s->nodes.n - c->node;
}

static void add_values(cone_many* f, cone_many_body_contact* c)
{
  cone_many_bodies* s = &f->bodies;
  const cone_many_origin* o = f->island.origin;
  c->value = s->value.n;
  for (int k = 0; k < c->rows * c->width; k++) base_push(&s->value, 0.0);
  for (int a = 0; a < c->rows; a++) {
    const int row = f->island.row[c->row[a]];
    for (int k = o->start[row]; k < o->start[row + 1]; k++) {
      const int b = o->block_of[o->column[k]];
      int at = o->place[o->column[k]];
      for (int i = 0; s->nodes.at[c->node + i] != s->node_of[b] - 1; i++)
        at += s->size.at[s->nodes.at[c->node + i]];
      s->value.at[c->value + a * c->width + at] += o->value[k];
    }
  }
}

static bool add_contacts(cone_many* f)
{
  const cone_many_problem* p = f->p;
  cone_many_bodies* s = &f->bodies;
  for (int i = 0; i < p->r; i++) {
    if (p->kind[i] == CONE_MANY_TANGENT) continue;
    cone_many_body_contact c = {.rows = 1 + f->first[i + 1] - f->first[i], .at = s->blocks};
    c.row[0] = i;
    s->blocks += c.rows * c.rows;
    for (int k = 1; k < c.rows; k++) c.row[k] = f->tangent[f->first[i] + k - 1];
    add_nodes(f, &c);
    if (!c.nodes) return false; // what moves nothing has no place among velocities
    add_values(f, &c);
    base_push(&s->contact, c);
  }
  return true;
}

// Neighbours of each node, ascending, by the contacts that are in. What does not press joins
// nobody: of a pile that is poured that is half of all that may touch, and a factor of what is left
// costs a small part of one of the whole.
static void find_neighbours(cone_many_bodies* s)
{
  const int n = s->block.n;
  s->near_start = larger(s->near_start, &s->near_room, (size_t)n + 2, sizeof(int));
  memset(s->near_start, 0, sizeof(int) * (size_t)(n + 2));
  for (int i = 0; i < n; i++) s->near_start[i + 2] = 1; // itself
  for (int i = 0; i < s->contact.n; i++) {
    const cone_many_body_contact* c = &s->contact.at[i];
    for (int a = 0; c->in && a < c->nodes; a++)
      s->near_start[s->nodes.at[c->node + a] + 2] += c->nodes;
  }
  for (int i = 0; i < n; i++) s->near_start[i + 2] += s->near_start[i + 1];
  const size_t all = (size_t)s->near_start[n + 1];
  s->near = larger(s->near, &s->near_entries, all + 1, sizeof(int));
  for (int i = 0; i < n; i++) s->near[s->near_start[i + 1]++] = i;
  for (int i = 0; i < s->contact.n; i++) {
    const cone_many_body_contact* c = &s->contact.at[i];
    for (int a = 0; c->in && a < c->nodes; a++)
      for (int b = 0; b < c->nodes; b++)
        s->near[s->near_start[s->nodes.at[c->node + a] + 1]++] = s->nodes.at[c->node + b];
  }
  int to = 0, from = 0;
  for (int i = 0; i < n; i++) {
    const int first = to, end = s->near_start[i + 1];
    for (; from < end; from++) {
      const int j = s->near[from];
      int at = to;
      while (at > first && s->near[at - 1] > j) at--;
      if (at > first && s->near[at - 1] == j) continue;
      memmove(s->near + at + 1, s->near + at, sizeof(int) * (size_t)(to - at));
      s->near[at] = j;
      to++;
    }
    s->near_start[i] = first;
  }
  s->near_start[n] = to;
}

bool cone_many_bodies_open(cone_many* f)
{
  cone_many_bodies* s = &f->bodies;
  const cone_many_origin* o = f->island.origin;
  if (s->is_open) return s->fits;
  if (!s->fronts) s->fronts = num_fronts_new();
  s->node_of = larger(s->node_of, &s->node_room, (size_t)o->blocks, sizeof(int));
  memset(s->node_of, 0, sizeof(int) * (size_t)o->blocks);
  s->block.n = s->size.n = s->offset.n = s->contact.n = s->nodes.n = s->value.n = 0;
  s->unknowns = s->blocks = 0;
  s->has_pattern = false;
  s->is_open = true;
  return s->fits = add_contacts(f);
}

void cone_many_bodies_free(cone_many_bodies* s)
{
  num_fronts_free(s->fronts);
  base_list_free(&s->block);
  base_list_free(&s->size);
  base_list_free(&s->offset);
  base_list_free(&s->contact);
  base_list_free(&s->nodes);
  base_list_free(&s->value);
  free(s->node_of);
  free(s->one);
  free(s->pivot);
  free(s->near_start);
  free(s->near);
}

// ---- products -----------------------------------------------------------------------------------

void cone_many_bodies_rows(const cone_many* f, const double* u, double* w)
{
  const cone_many_bodies* s = &f->bodies;
  for (int i = 0; i < s->contact.n; i++) {
    const cone_many_body_contact* c = &s->contact.at[i];
    for (int a = 0; a < c->rows; a++) {
      const double* value = s->value.at + c->value + a * c->width;
      double sum = 0;
      for (int k = 0; k < c->nodes; k++) {
        const int node = s->nodes.at[c->node + k], size = s->size.at[node];
        for (int e = 0; e < size; e++) sum += *value++ * u[s->offset.at[node] + e];
      }
      w[c->row[a]] = sum;
    }
  }
}

void cone_many_bodies_push(const cone_many* f, const double* x, double sign, double* out)
{
  const cone_many_bodies* s = &f->bodies;
  for (int i = 0; i < s->contact.n; i++) {
    const cone_many_body_contact* c = &s->contact.at[i];
    for (int a = 0; a < c->rows; a++) {
      const double *value = s->value.at + c->value + a * c->width, push = sign * x[c->row[a]];
      for (int k = 0; k < c->nodes; k++) {
        const int node = s->nodes.at[c->node + k], size = s->size.at[node];
        for (int e = 0; e < size; e++) out[s->offset.at[node] + e] += *value++ * push;
      }
    }
  }
}

void cone_many_bodies_inertia(const cone_many* f, const double* u, double* out)
{
  const cone_many_bodies* s = &f->bodies;
  const cone_many_origin* o = f->island.origin;
  for (int i = 0; i < s->block.n; i++) {
    const int size = s->size.at[i], at = s->offset.at[i];
    const double* W = o->W + o->W_start[s->block.at[i]];
    for (int r = 0; r < size; r++) {
      double sum = 0;
      for (int c = 0; c < size; c++) sum += W[r * size + c] * u[at + c];
      out[at + r] = sum;
    }
  }
}

void cone_many_bodies_freely(cone_many* f, double* x)
{
  cone_many_bodies* s = &f->bodies;
  const cone_many_origin* o = f->island.origin;
  for (int i = 0; i < s->block.n; i++) {
    const int size = s->size.at[i], at = s->offset.at[i];
    const size_t all = (size_t)(size * size);
    s->one = larger(s->one, &s->one_room, all, sizeof(double));
    s->pivot = larger(s->pivot, &s->pivot_room, (size_t)size, sizeof(int));
    memcpy(s->one, o->W + o->W_start[s->block.at[i]], sizeof(double) * all);
    if (num_lu(size, s->one, s->pivot)) num_lu_solve(size, s->one, s->pivot, x + at);
  }
}

double cone_many_bodies_size(const cone_many* f, const double* x)
{
  const cone_many_bodies* s = &f->bodies;
  const cone_many_origin* o = f->island.origin;
  double sum = 0;
  for (int i = 0; i < s->block.n; i++) {
    const int size = s->size.at[i], at = s->offset.at[i];
    const double* W = o->W + o->W_start[s->block.at[i]];
    for (int r = 0; r < size; r++) sum += x[at + r] * x[at + r] / W[r * size + r];
  }
  return sqrt(sum);
}

// ---- equations ----------------------------------------------------------------------------------

// to += A_i^T (H A)_j of two of its bodies, height by width, from their columns of A and H A
static void add_pair(const cone_many_body_contact* c, const double* A, const double* HA, int height,
                     int width, double* to)
{
  for (int l = 0; l < c->rows; l++, A += c->width, HA += c->width)
    for (int r = 0; r < height; r++)
      for (int e = 0; e < width; e++) to[r * width + e] += A[r] * HA[e];
}

static void add_stiffness(cone_many_bodies* s, const cone_many_body_contact* c, const double* H)
{
  const double* A = s->value.at + c->value;
  s->one = larger(s->one, &s->one_room, (size_t)(c->rows * c->width), sizeof(double));
  for (int k = 0; k < c->rows; k++)
    for (int e = 0; e < c->width; e++) {
      double sum = 0;
      for (int l = 0; l < c->rows; l++) sum += H[k * c->rows + l] * A[l * c->width + e];
      s->one[k * c->width + e] = sum;
    }
  int row = 0;
  for (int a = 0; a < c->nodes; a++) {
    const int i = s->nodes.at[c->node + a], height = s->size.at[i];
    int column = 0;
    for (int b = 0; b < c->nodes; b++) {
      const int j = s->nodes.at[c->node + b], width = s->size.at[j];
      add_pair(c, A + row, s->one + column, height, width, num_fronts_block(s->fronts, i, j));
      column += width;
    }
    row += height;
  }
}

static bool does_anything(const cone_many_body_contact* c, const double* H)
{
  for (int k = 0; k < c->rows * c->rows; k++)
    if (H[k] != 0) return true;
  return false;
}

// a pattern with all contacts that do anything
static bool make_pattern(cone_many_bodies* s, const double* H)
{
  bool missing = !s->has_pattern;
  for (int i = 0; i < s->contact.n && !missing; i++)
    missing = !s->contact.at[i].in && does_anything(&s->contact.at[i], H + s->contact.at[i].at);
  if (!missing) return true;
  for (int i = 0; i < s->contact.n; i++)
    s->contact.at[i].in = does_anything(&s->contact.at[i], H + s->contact.at[i].at);
  find_neighbours(s);
  const num_rows near = {s->near_start, s->near};
  return s->has_pattern = num_fronts_pattern(s->fronts, s->block.n, s->size.at, &near);
}

bool cone_many_bodies_factor(cone_many* f, const double* H)
{
  cone_many_bodies* s = &f->bodies;
  const cone_many_origin* o = f->island.origin;
  if (!make_pattern(s, H)) return false;
  f->work += num_fronts_work(s->fronts) / products_at_once;
  num_fronts_clear(s->fronts);
  for (int i = 0; i < s->block.n; i++) {
    const int size = s->size.at[i];
    memcpy(num_fronts_block(s->fronts, i, i), o->W + o->W_start[s->block.at[i]],
           sizeof(double) * (size_t)(size * size));
  }
  for (int i = 0; i < s->contact.n; i++)
    if (s->contact.at[i].in) add_stiffness(s, &s->contact.at[i], H + s->contact.at[i].at);
  return num_fronts_factor(s->fronts);
}
