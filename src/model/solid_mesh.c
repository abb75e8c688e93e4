// Corners of a body from a closed mesh of triangles: STL, as text or as bytes.

#include "model/meeting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// triangles of a file: more are no shape to touch with
enum { most_triangles = 20000 };
enum { header = 80, record = 50 }; // bytes of an STL: in front, and of each triangle

typedef struct mesh
{
  int triangles;
  float (*corner)[3]; // three to each
} mesh;

static uint32_t whole_at(const char* p)
{
  const unsigned char* b = (const unsigned char*)p;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

// null, or what is wrong
static const char* read_bytes(const char* text, size_t length, base_arena* arena, mesh* out)
{
  const size_t count = length >= header + 4 ? whole_at(text + header) : 0;
  if (count > most_triangles) return "it has too many triangles";
  if (!count || length < header + 4 + count * record) return "it is no STL of triangles";
  out->triangles = (int)count;
  out->corner = base_arena_take(arena, sizeof *out->corner * 3 * count);
  for (size_t i = 0; i < 3 * count; i++)
    for (size_t k = 0; k < 3; k++) {
      const uint32_t bits = whole_at(text + header + 4 + i / 3 * record + 12 + i % 3 * 12 + 4 * k);
      memcpy(&out->corner[i][k], &bits, sizeof bits);
    }
  return NULL;
}

// "vertex x y z", three to each facet; the text ends with a zero byte
static const char* read_text(const char* text, base_arena* arena, mesh* out)
{
  size_t count = 0;
  for (const char* p = text; (p = strstr(p, "vertex")); p += 6) count++;
  if (!count || count % 3) return "it is no STL of triangles";
  if (count / 3 > most_triangles) return "it has too many triangles";
  out->triangles = (int)(count / 3);
  out->corner = base_arena_take(arena, sizeof *out->corner * count);
  const char* p = text;
  for (size_t i = 0; i < count; i++) {
    char* end = (char*)strstr(p, "vertex") + 6;
    for (int k = 0; k < 3; k++) {
      const char* from = end;
      out->corner[i][k] = strtof(from, &end);
      if (end == from) return "a corner has no three numbers";
    }
    p = end;
  }
  return NULL;
}

// ---- corners that are the same ------------------------------------------------------------------

typedef struct place
{
  float x[3];
  int corner;
} place;

static int by_place(const void* a, const void* b)
{
  const place *x = a, *y = b;
  for (int k = 0; k < 3; k++)
    if (x->x[k] != y->x[k]) return x->x[k] < y->x[k] ? -1 : 1;
  return x->corner - y->corner;
}

// the number of the place of each corner; how many places there are, one corner of each first
static int number_places(const mesh* m, int* number, int* first)
{
  const int n = 3 * m->triangles;
  place* list = base_alloc(sizeof *list * (size_t)(n + 1));
  int count = 0;
  for (int i = 0; i < n; i++) {
    memcpy(list[i].x, m->corner[i], sizeof list[i].x);
    list[i].corner = i;
  }
  qsort(list, (size_t)n, sizeof *list, by_place);
  for (int i = 0; i < n; i++) {
    if (!i || memcmp(list[i].x, list[i - 1].x, sizeof list[i].x) != 0)
      first[count++] = list[i].corner;
    number[list[i].corner] = count - 1;
  }
  free(list);
  return count;
}

// ---- closed -------------------------------------------------------------------------------------

typedef struct edge
{
  int from, to;
} edge;

static int by_ends(const void* a, const void* b)
{
  const edge *x = a, *y = b;
  return x->from != y->from ? x->from - y->from : x->to - y->to;
}

// every edge is gone along once each way
static bool is_closed(const mesh* m, const int* number)
{
  const int n = 3 * m->triangles;
  edge *there = base_alloc(sizeof *there * (size_t)(n + 1)),
       *back = base_alloc(sizeof *back * (size_t)(n + 1));
  for (int i = 0; i < n; i++) {
    const int next = i % 3 == 2 ? i - 2 : i + 1;
    there[i] = (edge){number[i], number[next]};
    back[i] = (edge){number[next], number[i]};
  }
  qsort(there, (size_t)n, sizeof *there, by_ends);
  qsort(back, (size_t)n, sizeof *back, by_ends);
  bool closed = memcmp(there, back, sizeof *there * (size_t)n) == 0;
  for (int i = 1; i < n; i++) closed = closed && by_ends(&there[i - 1], &there[i]) != 0;
  free(there);
  free(back);
  return closed;
}

static const char* read_mesh(model_scope* s, const lang_solid* x, model_solid* out)
{
  mesh m = {0};
  const bool text = x->bytes > 5 && memcmp(x->data, "solid", 5) == 0 && strstr(x->data, "vertex");
  const char* why =
      text ? read_text(x->data, s->arena, &m) : read_bytes(x->data, x->bytes, s->arena, &m);
  if (why) return why;
  const size_t n = 3 * (size_t)m.triangles;
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      if (!isfinite(m.corner[i][k])) return "a corner is no number";
  int *number = base_arena_take(s->arena, sizeof(int) * n),
      *first = base_arena_take(s->arena, sizeof(int) * n);
  const int count = number_places(&m, number, first);
  if (!is_closed(&m, number)) return "its triangles do not close a body";
  out->points = count;
  out->point = base_arena_take(s->arena, sizeof *out->point * (size_t)(count + 1));
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++)
      out->point[i][k] = expr_double(s->pool, (double)m.corner[first[i]][k]);
  return NULL;
}

bool model_solid_mesh(model_scope* s, const lang_solid* x, model_solid* out)
{
  if (!x->file || x->sizes) {
    base_error(s->notes, x->place, "a hull is written hull \"part.stl\"");
    return false;
  }
  const char* why = read_mesh(s, x, out);
  if (why) base_error(s->notes, x->file_place, "no hull comes from this file: %s", why);
  return !why;
}
