// Closed meshes of triangles from files: STL, as text or as bytes, and OBJ; what they enclose.

#include "model/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_triangles = 20000 };   // of a file
enum { header = 80, record = 50 }; // bytes of an STL: in front, and of each triangle

static uint32_t whole_at(const char* p)
{
  const unsigned char* b = (const unsigned char*)p;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

// null, or what is wrong
static const char* read_bytes(const char* text, size_t length, base_arena* arena, model_mesh* out)
{
  const size_t count = length >= header + 4 ? whole_at(text + header) : 0;
  if (count > most_triangles) return "it has too many triangles";
  if (!count || length < header + 4 + count * record) return "it is no STL of triangles";
  out->triangles = (int)count;
  out->corner = base_arena_take(arena, sizeof *out->corner * 3 * count);
  for (size_t i = 0; i < 3 * count; i++)
    for (size_t k = 0; k < 3; k++) {
      const uint32_t bits = whole_at(text + header + 4 + i / 3 * record + 12 + i % 3 * 12 + 4 * k);
      float x;
      memcpy(&x, &bits, sizeof bits);
      out->corner[i][k] = (double)x;
    }
  return NULL;
}

// "vertex x y z", three to each facet; the text ends with a zero byte
static const char* read_text(const char* text, base_arena* arena, model_mesh* out)
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
      out->corner[i][k] = strtod(from, &end);
      if (end == from) return "a corner has no three numbers";
    }
    p = end;
  }
  return NULL;
}

// ---- OBJ ----------------------------------------------------------------------------------------

// the number in front of `/`, from 1, or from the last backwards; 0: none
static long index_at(const char** p, long count)
{
  char* end;
  const long k = strtol(*p, &end, 10);
  if (end == *p) return 0;
  *p = end + strcspn(end, " \t\r\n");
  if (k < 0) return count + k + 1 > 0 ? count + k + 1 : 0;
  return k <= count ? k : 0;
}

typedef BASE_LIST(int) corners;
typedef BASE_LIST(double) places;

// a face of any number of corners is a fan of triangles
static const char* read_face(const char* p, long count, corners* out)
{
  long first = 0, last = 0;
  int n = 0;
  for (p += strspn(p, " \t"); *p && *p != '\n' && *p != '\r'; p += strspn(p, " \t"), n++) {
    const long k = index_at(&p, count);
    if (!k) return "a face names a corner that is not there";
    if (n >= 2) {
      base_push(out, (int)first - 1);
      base_push(out, (int)last - 1);
      base_push(out, (int)k - 1);
    }
    first = n ? first : k;
    last = k;
    if (out->n > 3 * most_triangles) return "it has too many triangles";
  }
  return n < 3 ? "a face has fewer than three corners" : NULL;
}

static const char* read_lines(const char* text, places* at, corners* face)
{
  const char* why = NULL;
  for (const char* line = text; line && !why; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (line[0] == 'v' && (line[1] == ' ' || line[1] == '\t')) {
      const char* from = line + 1;
      for (int k = 0; k < 3 && !why; k++) {
        char* end;
        base_push(at, strtod(from, &end));
        if (end == from) why = "a corner has no three numbers";
        from = end;
      }
      if (at->n > 9 * most_triangles) why = "it has too many corners";
    } else if (line[0] == 'f' && (line[1] == ' ' || line[1] == '\t')) {
      why = read_face(line + 1, at->n / 3, face);
    }
  }
  return why;
}

static const char* read_obj(const char* text, base_arena* arena, model_mesh* out)
{
  places at = {0};
  corners face = {0};
  const char* why = read_lines(text, &at, &face);
  if (!why && !face.n) why = "it has no faces";
  if (!why) {
    out->triangles = face.n / 3;
    out->corner = base_arena_take(arena, sizeof *out->corner * (size_t)face.n);
    for (int i = 0; i < face.n; i++)
      for (int k = 0; k < 3; k++) out->corner[i][k] = at.at[3 * face.at[i] + k];
  }
  base_list_free(&at);
  base_list_free(&face);
  return why;
}

// ---- corners that are the same ------------------------------------------------------------------

typedef struct place
{
  double x[3];
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
static int number_places(const model_mesh* m, int* number, int* first)
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
static bool is_closed(const model_mesh* m, const int* number)
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

// ---- all ----------------------------------------------------------------------------------------

// OBJ has lines of corners and faces; text and bytes of an STL are told apart by a word of the text
static const char* read_any(const char* data, size_t bytes, base_arena* arena, model_mesh* out)
{
  if (bytes > 5 && memcmp(data, "solid", 5) == 0 && strstr(data, "vertex"))
    return read_text(data, arena, out);
  const bool obj = strlen(data) == bytes && (strncmp(data, "f ", 2) == 0 || strstr(data, "\nf "));
  return obj ? read_obj(data, arena, out) : read_bytes(data, bytes, arena, out);
}

const char* model_mesh_read(const char* data, size_t bytes, base_arena* arena, model_mesh* out)
{
  const char* why = read_any(data, bytes, arena, out);
  if (why) return why;
  const size_t n = 3 * (size_t)out->triangles;
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      if (!isfinite(out->corner[i][k])) return "a corner is no number";
  int* number = base_arena_take(arena, sizeof(int) * n);
  out->first = base_arena_take(arena, sizeof(int) * n);
  out->places = number_places(out, number, out->first);
  return is_closed(out, number) ? NULL : "its triangles do not close a body";
}

// what encloses less than this part of the cube around it encloses nothing
static const double least_volume = 1e-9;

// Sums over the tetrahedra from the middle of all corners to each triangle a, b, c, D = a.(b x c):
//   V = D/6,   V r = D (a + b + c)/24,   int x_i x_j = D ((a+b+c)_i (a+b+c)_j + a_i a_j + ...)/120
static void add_triangle(double x[3][3], double* V, double r[3], double S[6])
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double sum[3], D = 0;
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    D += x[0][k] * (x[1][i] * x[2][j] - x[1][j] * x[2][i]);
    sum[k] = x[0][k] + x[1][k] + x[2][k];
  }
  *V += D / 6;
  for (int k = 0; k < 3; k++) r[k] += D * sum[k] / 24;
  for (int k = 0; k < 6; k++) {
    double all = sum[row[k]] * sum[column[k]];
    for (int i = 0; i < 3; i++) all += x[i][row[k]] * x[i][column[k]];
    S[k] += D * all / 120;
  }
}

const char* model_mesh_integrate(model_mesh* m)
{
  const int n = 3 * m->triangles;
  double middle[3] = {0}, r[3] = {0}, S[6] = {0}, V = 0, reach = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) middle[k] += m->corner[i][k] / n;
  for (int i = 0; i < n; i += 3) {
    double x[3][3];
    for (int j = 0; j < 9; j++) {
      x[j / 3][j % 3] = m->corner[i + j / 3][j % 3] - middle[j % 3];
      reach = fmax(reach, fabs(x[j / 3][j % 3]));
    }
    add_triangle(x, &V, r, S);
  }
  if (!(fabs(V) > least_volume * 8 * reach * reach * reach)) return "it encloses no volume";
  const double sign = V < 0 ? -1 : 1; // all triangles may look inwards
  m->volume = sign * V;
  for (int k = 0; k < 3; k++) {
    r[k] /= V;
    m->centre[k] = middle[k] + r[k];
  }
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int k = 0; k < 6; k++) S[k] = sign * (S[k] - V * r[row[k]] * r[column[k]]);
  for (int k = 0; k < 3; k++) m->J[k] = S[(k + 1) % 3] + S[(k + 2) % 3];
  for (int k = 3; k < 6; k++) m->J[k] = -S[k];
  return NULL;
}
