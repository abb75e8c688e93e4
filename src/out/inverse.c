// The forces that make a motion, as CSV or JSON.
#include <string.h>

#include "out/csv.h"
#include "out/json_text.h"
#include "out/number.h"
#include "out/out.h"

static char* name_of(const study_inverse* r, int force)
{
  base_text t = {0};
  base_text_printf(&t, "force.%s", r->model->coord[r->along[force]].name);
  return base_text_take(&t);
}

static void write_csv(const study_inverse* r, base_text* out)
{
  base_text_add(out, "t");
  for (int i = 0; i < r->n && i < r->model->places; i++) {
    base_text_add(out, ",");
    out_csv_field(out, r->model->coord[i].name);
  }
  for (int j = 0; j < r->forces; j++) {
    char* name = name_of(r, j);
    base_text_add(out, ",");
    out_csv_field(out, name);
    free(name);
  }
  base_text_add(out, "\n");
  for (int k = 0; k < r->rows; k++) {
    out_number_add(out, r->t[k]);
    out_numbers_add(out, r->model->places, r->q + k * r->n);
    out_numbers_add(out, r->forces, r->force + k * r->forces);
    base_text_add(out, "\n");
  }
}

static void write_json(const study_inverse* r, base_text* out)
{
  json_t *o = json_object(), *columns = json_array(), *rows = json_array();
  out_json_push(columns, out_json_string("t"));
  for (int i = 0; i < r->model->places; i++)
    out_json_push(columns, out_json_string(r->model->coord[i].name));
  for (int j = 0; j < r->forces; j++) {
    char* name = name_of(r, j);
    out_json_push(columns, out_json_string(name));
    free(name);
  }
  for (int k = 0; k < r->rows; k++) {
    json_t* row = json_array();
    out_json_push(row, out_json_real(r->t[k]));
    for (int i = 0; i < r->model->places; i++)
      out_json_push(row, out_json_real(r->q[k * r->n + i]));
    for (int j = 0; j < r->forces; j++)
      out_json_push(row, out_json_real(r->force[k * r->forces + j]));
    out_json_push(rows, row);
  }
  out_json_set(o, "freedoms", json_integer(r->freedoms));
  out_json_set(o, "redundant", json_integer(r->redundant));
  out_json_set(o, "columns", columns);
  out_json_set(o, "rows", rows);
  out_json_print(out, o, true);
}

bool out_inverse_write(const study_inverse* r, const char* style, base_text* out)
{
  const bool json = !strcmp(style, "json");
  if (!json && strcmp(style, "csv") != 0) return false;
  if (r) (json ? write_json : write_csv)(r, out);
  return true;
}
