// The map of an embedding for other programs: coefficients as JSON, or a C function.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "code/code.h"
#include "out/file.h"
#include "out/geometry.h"
#include "out/json_text.h"

static bool ends_with(const char* path, const char* ending)
{
  const size_t n = strlen(path), m = strlen(ending);
  return n > m && !strcmp(path + n - m, ending);
}

int out_map_check(const char* path, base_notes* notes)
{
  if (!ends_with(path, ".c") && !ends_with(path, ".json")) {
    base_error(notes, BASE_NOWHERE, "a map is written as .c or .json, not as `%s`", path);
    return 1;
  }
  return out_file_check(path, notes) ? 0 : 2;
}

// ---- JSON ---------------------------------------------------------------------------------------

static void write_json(const out_geometry* g, const geom_map_series* s, base_text* out)
{
  const geom_embedding* e = g->embedding;
  json_t *o = json_object(), *names = json_array(), *powers = json_array(), *c = json_array();
  for (int i = 0; i < s->n; i++)
    out_json_push(names, out_json_string(e->s->m->coord[e->s->coord[i]].name));
  for (int b = 0; b < s->basis; b++) {
    json_t* row = json_array();
    for (int i = 0; i < s->n; i++) out_json_push(row, json_integer(s->power[b * s->n + i]));
    out_json_push(powers, row);
  }
  for (int k = 0; k < s->N; k++) out_json_push(c, out_json_reals(s->basis, s->c + k * s->basis));
  out_json_set(o, "coordinates", names);
  out_json_set(o, "dimension", json_integer(s->N));
  out_json_set(o, "basis",
               out_json_string("products of Chebyshev polynomials T_k(xi_i), xi_i = "
                               "(2 q_i - low_i - high_i)/(high_i - low_i)"));
  out_json_set(o, "low", out_json_reals(s->n, s->low));
  out_json_set(o, "high", out_json_reals(s->n, s->high));
  out_json_set(o, "degrees", powers);
  out_json_set(o, "coefficients", c);
  out_json_set(o, "error_of_series", out_json_real(s->error));
  out_json_set(o, "error_of_metric", out_json_real(e->error));
  out_json_print(out, o, true);
}

// ---- C ------------------------------------------------------------------------------------------

static void write_numbers(base_text* out, const char* type, const char* name, int n,
                          const double* x)
{
  base_text_printf(out, "static const %s %s[%d] = {", type, name, n > 0 ? n : 1);
  for (int i = 0; i < n; i++)
    base_text_printf(out, "%s%s%.17g", i ? "," : "", i % 8 ? " " : "\n  ", x[i]);
  base_text_add(out, "};\n");
}

static void write_head(const out_geometry* g, base_text* out)
{
  const geom_embedding* e = g->embedding;
  base_text_printf(out,
                   "/* A map x(q) of %d coordinates into %d dimensions with the metric of the "
                   "kinetic energy.\n   C99, needs <math.h>. q:",
                   e->n, e->N);
  for (int i = 0; i < e->n; i++)
    base_text_printf(out, " %d %s,", i, e->s->m->coord[e->s->coord[i]].name);
  base_text_printf(out, " errors of the metric up to %.2g */\n#include <math.h>\n\n", e->error);
}

// Chebyshev polynomials and their slopes by recursion
static const char series_body[] =
    "/* x: N numbers; dx (or null): N by n, dx_k/dq_i. Returns 0, or 1 outside of the box. */\n"
    "int zwang_map(const double* q, double* x, double* dx)\n"
    "{\n"
    "  double T[ZWANG_MAP_N][ZWANG_MAP_DEGREE + 2], D[ZWANG_MAP_N][ZWANG_MAP_DEGREE + 2];\n"
    "  int i, j, k, b, outside = 0;\n"
    "  for (i = 0; i < ZWANG_MAP_N; i++) {\n"
    "    const double width = map_high[i] - map_low[i];\n"
    "    const double xi = (2*q[i] - map_low[i] - map_high[i])/width;\n"
    "    if (!(fabs(xi) <= 1 + 1e-12)) outside = 1;\n"
    "    T[i][0] = 1;\n"
    "    D[i][0] = 0;\n"
    "    T[i][1] = xi;\n"
    "    D[i][1] = 2/width;\n"
    "    for (k = 2; k <= ZWANG_MAP_DEGREE; k++) {\n"
    "      T[i][k] = 2*xi*T[i][k - 1] - T[i][k - 2];\n"
    "      D[i][k] = 4/width*T[i][k - 1] + 2*xi*D[i][k - 1] - D[i][k - 2];\n"
    "    }\n"
    "  }\n"
    "  for (k = 0; k < ZWANG_MAP_DIMENSION; k++) {\n"
    "    x[k] = 0;\n"
    "    for (i = 0; dx && i < ZWANG_MAP_N; i++) dx[k*ZWANG_MAP_N + i] = 0;\n"
    "  }\n"
    "  for (b = 0; b < ZWANG_MAP_TERMS; b++) {\n"
    "    const int* power = map_degree + b*ZWANG_MAP_N;\n"
    "    double value = 1;\n"
    "    for (i = 0; i < ZWANG_MAP_N; i++) value *= T[i][power[i]];\n"
    "    for (k = 0; k < ZWANG_MAP_DIMENSION; k++) x[k] += map_c[k*ZWANG_MAP_TERMS + b]*value;\n"
    "    for (j = 0; dx && j < ZWANG_MAP_N; j++) {\n"
    "      double slope = D[j][power[j]];\n"
    "      for (i = 0; i < ZWANG_MAP_N; i++)\n"
    "        if (i != j) slope *= T[i][power[i]];\n"
    "      for (k = 0; k < ZWANG_MAP_DIMENSION; k++)\n"
    "        dx[k*ZWANG_MAP_N + j] += map_c[k*ZWANG_MAP_TERMS + b]*slope;\n"
    "    }\n"
    "  }\n"
    "  return outside;\n"
    "}\n";

static void write_series(const out_geometry* g, const geom_map_series* s, base_text* out)
{
  int degree = 1;
  for (int i = 0; i < s->basis * s->n; i++) degree = s->power[i] > degree ? s->power[i] : degree;
  write_head(g, out);
  base_text_printf(out,
                   "enum { ZWANG_MAP_N = %d, ZWANG_MAP_DIMENSION = %d, ZWANG_MAP_TERMS = %d, "
                   "ZWANG_MAP_DEGREE = %d };\n",
                   s->n, s->N, s->basis, degree);
  write_numbers(out, "double", "map_low", s->n, s->low);
  write_numbers(out, "double", "map_high", s->n, s->high);
  double* power = base_alloc(sizeof(double) * (size_t)(s->basis * s->n + 1));
  for (int i = 0; i < s->basis * s->n; i++) power[i] = s->power[i];
  write_numbers(out, "int", "map_degree", s->basis * s->n, power);
  write_numbers(out, "double", "map_c", s->basis * s->N, s->c);
  free(power);
  base_text_add(out, series_body);
}

// the formulas of the map and its slopes with the params as they are
static bool write_formulas(const out_geometry* g, base_text* out)
{
  const geom_embedding* e = g->embedding;
  const geom_space* s = e->s;
  expr_pool* p = s->pool;
  const int n = e->n, N = e->N, count = N * (1 + n);
  expr *list = base_alloc(sizeof(expr) * (size_t)(count + 2 * s->symbols + 1)),
       *from = list + count, *to = from + s->symbols;
  int known = 0;
  for (int i = 0; i < s->symbols; i++) {
    bool own = false;
    for (int k = 0; k < n; k++) own = own || s->symbol[i] == s->q[k];
    if (own || !isfinite(s->value[i])) continue;
    from[known] = s->symbol[i];
    to[known++] = expr_double(p, s->value[i]);
  }
  for (int k = 0; k < N; k++) {
    list[k] = expr_substitute(p, e->x[k], known, from, to);
    for (int i = 0; i < n; i++) list[N + k * n + i] = expr_diff(p, list[k], s->q[i]);
  }
  code_kernel* kernel = code_build(p, count, list, n, s->q, NULL);
  free(list);
  if (!kernel) return false;
  write_head(g, out);
  base_text_add(out, "static ");
  code_print_c(kernel, "map_formulas", out);
  base_text_printf(out,
                   "\n/* x: %d numbers; dx (or null): %d by %d, dx_k/dq_i. Returns 0. */\n"
                   "int zwang_map(const double* q, double* x, double* dx)\n{\n"
                   "  double all[%d];\n  int i;\n  map_formulas(q, all);\n"
                   "  for (i = 0; i < %d; i++) x[i] = all[i];\n"
                   "  for (i = 0; dx && i < %d; i++) dx[i] = all[%d + i];\n  return 0;\n}\n",
                   N, N, n, count, N, N * n, N);
  code_free(kernel);
  return true;
}

int out_map_write(const out_geometry* g, const char* path, base_notes* notes)
{
  const geom_embedding* e = g->embedding;
  base_arena* arena = base_arena_new();
  geom_map_series s = {0};
  base_text text = {0};
  bool made = false;
  if (e && e->N > 0) {
    const bool c = ends_with(path, ".c");
    if (c && e->x) made = write_formulas(g, &text);
    if (!made && geom_embedding_series(e, arena, &s)) {
      made = true;
      if (c)
        write_series(g, &s, &text);
      else
        write_json(g, &s, &text);
    }
  }
  if (!made)
    base_error(notes, BASE_NOWHERE, "there is no map to write: %s",
               !e         ? "no embedding was asked for"
               : e->N > 0 ? "it has no values on its region"
                          : "no embedding was found");
  const bool done = made && out_file_write(path, text.at, text.n, notes);
  base_text_free(&text);
  base_arena_free(arena);
  return done ? 0 : 2;
}
