// A linear model as text, JSON, CSV or LaTeX.
#include <string.h>

#include "out/json_text.h"
#include "out/linearise.h"
#include "out/number.h"
#include "out/out.h"
#include "out/text.h"

enum { DIGITS = 12, WIDTH = 20 };

// ---- symbols ------------------------------------------------------------------------------------

static void write_symbol(const study_linearised* r, int k, int i, bool latex, base_text* out)
{
  (latex ? expr_print_latex : expr_print)(r->model->pool, out, r->symbolic[k][i]);
}

static json_t* symbols_of(const study_linearised* r, const out_matrix m[OUT_MATRICES])
{
  json_t* all = json_object();
  for (int k = 0; k < OUT_MATRICES; k++) {
    json_t* rows = json_array();
    for (int i = 0; i < m[k].rows; i++) {
      json_t* row = json_array();
      for (int j = 0; j < m[k].columns; j++) {
        base_text text = {0};
        write_symbol(r, k, i * m[k].columns + j, false, &text);
        out_json_push(row, out_json_string(text.at));
        base_text_free(&text);
      }
      out_json_push(rows, row);
    }
    out_json_set(all, m[k].name, rows);
  }
  return all;
}

// what is not zero, an entry a line
static void write_symbols(const study_linearised* r, const out_matrix* m, int k, base_text* out)
{
  bool any = false;
  for (int i = 0; i < m->rows * m->columns; i++) {
    if (r->symbolic[k][i] == expr_int(r->model->pool, 0)) continue;
    char *row = out_matrix_label(r, m->row, i / m->columns),
         *column = out_matrix_label(r, m->column, i % m->columns);
    if (!any) base_text_printf(out, "\n%s in symbols; what is not listed is zero\n", m->name);
    any = true;
    base_text_printf(out, "  %s[%s, %s] = ", m->name, row, column);
    write_symbol(r, k, i, false, out);
    base_text_add(out, "\n");
    free(row);
    free(column);
  }
}

// ---- JSON ---------------------------------------------------------------------------------------

static json_t* names(const study_linearised* r, char kind, int count)
{
  json_t* list = json_array();
  for (int i = 0; i < count; i++) {
    char* name = out_matrix_label(r, kind, i);
    out_json_push(list, out_json_string(name));
    free(name);
  }
  return list;
}

static void write_json(const study_linearised* r, base_text* out)
{
  json_t *o = json_object(), *at = json_object(), *eigenvalues = json_array();
  base_text name = {0};
  for (int i = 0; i < r->n; i++)
    out_json_set(at, r->model->coord[i].name,
                 out_json_real(out_matrix_is_state(r, i) ? r->v[i] : r->q[i]));
  for (int i = 0; i < r->n && !out_matrix_is_state(r, i); i++) {
    base_text_free(&name);
    base_text_printf(&name, "%s'", r->model->coord[i].name);
    out_json_set(at, name.at, out_json_real(r->v[i]));
  }
  base_text_free(&name);
  out_json_set(o, "t", out_json_real(r->t));
  out_json_set(o, "at", at);
  out_json_set(o, "states", names(r, 'x', r->states));
  out_json_set(o, "inputs", names(r, 'u', r->inputs));
  out_json_set(o, "outputs", names(r, 'y', r->outputs));
  out_matrix m[OUT_MATRICES];
  out_matrices(r, m);
  for (int k = 0; k < OUT_MATRICES; k++) {
    json_t* rows = json_array();
    for (int i = 0; i < m[k].rows; i++) {
      json_t* row = json_array();
      for (int j = 0; j < m[k].columns; j++)
        out_json_push(row, out_json_real(m[k].at[i * m[k].columns + j]));
      out_json_push(rows, row);
    }
    out_json_set(o, m[k].name, rows);
  }
  for (int i = 0; i < r->states; i++) {
    json_t* one = json_array();
    out_json_push(one, out_json_real(r->re[i]));
    out_json_push(one, out_json_real(r->im[i]));
    out_json_push(eigenvalues, one);
  }
  out_json_set(o, "eigenvalues", eigenvalues);
  if (r->symbolic[0]) out_json_set(o, "symbolic", symbols_of(r, m));
  out_json_print(out, o, true);
}

// ---- text and CSV -------------------------------------------------------------------------------

static void write_state(const study_linearised* r, base_text* out)
{
  base_text_printf(out, "about the state at t = %.10g\n", r->t);
  for (int i = 0; i < r->n; i++) {
    base_text_add(out, "  ");
    out_text_plain(out, r->model->coord[i].name);
    base_text_add(out, " = ");
    out_text_number(out, out_matrix_is_state(r, i) ? r->v[i] : r->q[i], DIGITS);
    base_text_add(out, out_matrix_is_state(r, i) ? "\n" : ", ");
    if (out_matrix_is_state(r, i)) continue;
    out_text_plain(out, r->model->coord[i].name);
    base_text_add(out, "' = ");
    out_text_number(out, r->v[i], DIGITS);
    base_text_add(out, "\n");
  }
}

static void write_matrix(const study_linearised* r, const out_matrix* m, base_text* out)
{
  if (!m->rows || !m->columns) return;
  base_text_printf(out, "\n%-*s", WIDTH, m->name);
  for (int j = 0; j < m->columns; j++) {
    char* name = out_matrix_label(r, m->column, j);
    out_text_pad(out, name, WIDTH);
    free(name);
  }
  base_text_add(out, "\n");
  for (int i = 0; i < m->rows; i++) {
    char* name = out_matrix_label(r, m->row, i);
    base_text_add(out, "  ");
    out_text_pad(out, name, WIDTH - 2);
    free(name);
    for (int j = 0; j < m->columns; j++) {
      base_text value = {0};
      out_text_number(&value, m->at[i * m->columns + j], DIGITS);
      out_text_pad(out, value.at, WIDTH);
      base_text_free(&value);
    }
    base_text_add(out, "\n");
  }
}

static void write_text(const study_linearised* r, base_text* out)
{
  out_matrix m[OUT_MATRICES];
  out_matrices(r, m);
  out_text_plain(out, r->model->title[0] ? r->model->title : "model without a title");
  base_text_add(out, ": z' = A z + B u, y = C z + D u\n");
  write_state(r, out);
  for (int k = 0; k < OUT_MATRICES; k++) write_matrix(r, &m[k], out);
  for (int k = 0; k < OUT_MATRICES && r->symbolic[0]; k++) write_symbols(r, &m[k], k, out);
  base_text_add(out, "\neigenvalues of A\n");
  for (int i = 0; i < r->states; i++)
    base_text_printf(out, "  %.12g %+.12gi\n", r->re[i], r->im[i]);
}

// one line for each entry that there is: matrix, row, column, value
static void write_csv(const study_linearised* r, base_text* out)
{
  out_matrix m[OUT_MATRICES];
  out_matrices(r, m);
  base_text_printf(out, "matrix,row,column,value%s\n", r->symbolic[0] ? ",symbolic" : "");
  for (int k = 0; k < OUT_MATRICES; k++)
    for (int i = 0; i < m[k].rows * m[k].columns; i++) {
      char *row = out_matrix_label(r, m[k].row, i / m[k].columns),
           *column = out_matrix_label(r, m[k].column, i % m[k].columns);
      base_text_printf(out, "%s,%s,%s", m[k].name, row, column);
      out_numbers_add(out, 1, &m[k].at[i]);
      base_text_add(out, r->symbolic[0] ? ",\"" : "\n");
      if (r->symbolic[0]) write_symbol(r, k, i, false, out);
      if (r->symbolic[0]) base_text_add(out, "\"\n");
      free(row);
      free(column);
    }
}

static void write_latex(const study_linearised* r, base_text* out)
{
  out_matrix m[OUT_MATRICES];
  out_matrices(r, m);
  base_text_add(out, "\\begin{align*}\nz &= (");
  for (int i = 0; i < r->states; i++) {
    char* name = out_matrix_label(r, 'x', i);
    base_text_add(out, i ? ",\\ " : "");
    expr_latex_name(out, name);
    free(name);
  }
  base_text_add(out, ")^{T} ");
  for (int k = 0; k < OUT_MATRICES; k++) {
    if (!m[k].rows || !m[k].columns) continue;
    base_text_printf(out, "\\\\\n%s &= \\begin{pmatrix}\n", m[k].name);
    for (int i = 0; i < m[k].rows; i++) {
      for (int j = 0; j < m[k].columns; j++) {
        base_text_add(out, j ? " & " : "  ");
        if (r->symbolic[0])
          write_symbol(r, k, i * m[k].columns + j, true, out);
        else
          base_text_printf(out, "%.12g", m[k].at[i * m[k].columns + j]);
      }
      base_text_add(out, " \\\\\n");
    }
    base_text_add(out, "\\end{pmatrix}");
  }
  base_text_add(out, "\n\\end{align*}\n");
}

bool out_linearised_write(const study_linearised* r, const char* style, base_text* out)
{
  static const struct
  {
    const char* style;
    void (*write)(const study_linearised* r, base_text* out);
  } styles[] = {
      {"text", write_text}, {"json", write_json}, {"csv", write_csv}, {"latex", write_latex}};
  for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
    if (strcmp(styles[i].style, style) != 0) continue;
    if (r) styles[i].write(r, out);
    return true;
  }
  return false;
}
