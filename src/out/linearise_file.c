// A linear model into a file: the ending chooses the writer.
#include "out/linearise.h"

#include <string.h>
#include <strings.h>

#include "out/file.h"
#include "out/hdf5.h"

bool out_matrix_is_state(const study_linearised* r, int coord)
{
  return coord >= r->model->places;
}

// x, or x' of the velocity behind it; to be freed
static char* name_of(const study_linearised* r, int state)
{
  base_text t = {0};
  const int i = r->state[state];
  base_text_printf(&t, i < r->n || out_matrix_is_state(r, i % r->n) ? "%s" : "%s'",
                   r->model->coord[i % r->n].name);
  return base_text_take(&t);
}

void out_matrices(const study_linearised* r, out_matrix out[OUT_MATRICES])
{
  out[0] = (out_matrix){"A", r->states, r->states, r->A, 'x', 'x'};
  out[1] = (out_matrix){"B", r->states, r->inputs, r->B, 'x', 'u'};
  out[2] = (out_matrix){"C", r->outputs, r->states, r->C, 'y', 'x'};
  out[3] = (out_matrix){"D", r->outputs, r->inputs, r->D, 'y', 'u'};
}

char* out_matrix_label(const study_linearised* r, char kind, int i)
{
  if (kind == 'x') return name_of(r, i);
  return base_strdup(kind == 'u' ? r->input[i] : r->output[i]);
}

// ---- HDF5: matrices as datasets, the names of their lines beside them
// -----------------------------

#ifdef ZWANG_HDF5

#include "out/hdf5_file.h"

#include <stdlib.h>

static void write_names(out_hdf5_place p, const study_linearised* r, const char* name, char kind,
                        int count)
{
  char** all = base_alloc(sizeof *all * (size_t)(count + 1));
  for (int i = 0; i < count; i++) all[i] = out_matrix_label(r, kind, i);
  out_hdf5_words(p, name, count, all);
  for (int i = 0; i < count; i++) free(all[i]);
  free(all);
}

static void write_symbols(out_hdf5_place p, const study_linearised* r,
                          const out_matrix m[OUT_MATRICES])
{
  const out_hdf5_place g = out_hdf5_group(p, "symbolic");
  for (int k = 0; g.at >= 0 && k < OUT_MATRICES; k++) {
    const int count = m[k].rows * m[k].columns;
    char** all = base_alloc(sizeof *all * (size_t)(count + 1));
    for (int i = 0; i < count; i++) {
      base_text text = {0};
      expr_print(r->model->pool, &text, r->symbolic[k][i]);
      all[i] = base_text_take(&text);
    }
    out_hdf5_words(g, m[k].name, count, all); // row by row
    for (int i = 0; i < count; i++) free(all[i]);
    free(all);
  }
  if (g.at >= 0) out_h5.Gclose(g.at);
}

static void fill(out_hdf5_place p, const void* of)
{
  const study_linearised* r = of;
  out_matrix m[OUT_MATRICES];
  out_matrices(r, m);
  out_hdf5_set_text(p, "program", "zwang " ZWANG_VERSION);
  out_hdf5_set_text(p, "title", r->model->title);
  for (int k = 0; k < OUT_MATRICES; k++)
    out_hdf5_matrix(p, m[k].name, m[k].rows, m[k].columns, m[k].at);
  write_names(p, r, "states", 'x', r->states);
  write_names(p, r, "inputs", 'u', r->inputs);
  write_names(p, r, "outputs", 'y', r->outputs);
  double* z = base_alloc(sizeof *z * (size_t)(2 * r->states + 1));
  for (int i = 0; i < r->states; i++) {
    z[2 * i] = r->re[i];
    z[2 * i + 1] = r->im[i];
  }
  out_hdf5_matrix(p, "eigenvalues", r->states, 2, z);
  free(z);
  const out_hdf5_place at = out_hdf5_group(p, "at");
  if (at.at < 0) return;
  out_hdf5_set_real(at, "t", r->t);
  for (int i = 0; i < r->n; i++) {
    const bool state = out_matrix_is_state(r, i);
    out_hdf5_set_real(at, r->model->coord[i].name, state ? r->v[i] : r->q[i]);
    base_text rate = {0};
    base_text_printf(&rate, "%s'", r->model->coord[i].name);
    if (!state) out_hdf5_set_real(at, rate.at, r->v[i]);
    base_text_free(&rate);
  }
  out_h5.Gclose(at.at);
  if (r->symbolic[0]) write_symbols(p, r, m);
}

static bool write_hdf5(const study_linearised* r, const char* path, base_notes* notes)
{
  return out_hdf5_file_write(path, fill, r, notes);
}

#else

static bool write_hdf5(const study_linearised* r, const char* path, base_notes* notes)
{
  (void)r, (void)path, (void)notes;
  return false;
}

#endif

// ---- the ending ---------------------------------------------------------------------------------

static const struct
{
  const char *ending, *style;
} kinds[] = {
    {".csv", "csv"}, {".json", "json"}, {".tex", "latex"}, {".txt", "text"}, {".h5", "h5"}};
enum { kind_count = sizeof kinds / sizeof *kinds };

// null: none is told by the ending
static const char* style_of(const char* path)
{
  const char* name = strrchr(path, '/');
  const char* dot = strrchr(name ? name : path, '.');
  for (int i = 0; dot && i < kind_count; i++)
    if (strcasecmp(dot, kinds[i].ending) == 0) return kinds[i].style;
  return NULL;
}

bool out_linearised_check(const char* path, base_notes* notes)
{
  const char* style = style_of(path);
  if (!style) {
    base_error(notes, BASE_NOWHERE, "cannot tell the format of `%s` from its ending", path);
    base_help(notes, "use a name that ends in .csv, .json, .tex, .txt or .h5");
    return false;
  }
  if (strcmp(style, "h5") == 0 && out_hdf5_missing()) {
    base_error(notes, BASE_NOWHERE, "cannot write `%s`: %s", path, out_hdf5_missing());
    base_help(notes, "use a name that ends in .csv or .json");
    return false;
  }
  return out_file_check(path, notes);
}

bool out_linearised_save(const study_linearised* r, const char* path, base_notes* notes)
{
  const char* style = style_of(path);
  if (strcmp(style, "h5") == 0) return write_hdf5(r, path, notes);
  base_text text = {0};
  out_linearised_write(r, style, &text);
  const bool done = out_file_write(path, text.at, text.n, notes);
  base_text_free(&text);
  return done;
}
