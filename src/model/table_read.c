// The rows of a table in a file: numbers with commas, semicolons, tabs or blanks between, a first
// line of names where there is one, lines that begin with `#` passed over.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/table.h"

enum { most_rows = 100000, most_columns = 1000 };

typedef struct reader
{
  model_scope* s;
  const lang_table* t;
  const char* at;
  int line;
} reader;

static bool refuse(const reader* r, const char* why)
{
  base_error(r->s->notes, r->t->file_place, "line %d of `%s`: %s", r->line, r->t->file, why);
  return false;
}

// to the next line that says something; false at the end
static bool next_line(reader* r)
{
  while (*r->at) {
    r->at += strspn(r->at, " \t\r");
    const bool says = *r->at != '\n' && *r->at != '#' && *r->at;
    if (says) return true;
    r->at += strcspn(r->at, "\n");
    if (*r->at == '\n') {
      r->at++;
      r->line++;
    }
  }
  return false;
}

static bool ends(const reader* r)
{
  return !*r->at || *r->at == '\n' || *r->at == '\r';
}

// behind a field: one comma or semicolon, or blanks
static void pass_between(reader* r)
{
  r->at += strspn(r->at, " \t");
  if (*r->at == ',' || *r->at == ';') r->at++;
  r->at += strspn(r->at, " \t");
}

// a name of the first line, with or without quotes
static bool is_named(reader* r, const char* name)
{
  const bool quoted = *r->at == '"';
  const char* from = r->at + quoted;
  const size_t n = strcspn(from, quoted ? "\"\n" : ",;\t\r\n");
  size_t length = n;
  while (length && (from[length - 1] == ' ')) length--;
  r->at = from + n + (quoted && from[n] == '"');
  pass_between(r);
  return name && strlen(name) == length && memcmp(name, from, length) == 0;
}

// the number of the column of the value; -1 with an error noted
static int find_column(reader* r, int usual)
{
  char* end;
  strtod(r->at, &end);
  const bool names = end == r->at;
  int found = r->t->column ? -1 : usual;
  for (int i = 0; names && !ends(r) && i < most_columns; i++)
    if (is_named(r, r->t->column)) found = i;
  if (found >= 0 || !r->t->column) return found;
  base_error(r->s->notes, r->t->column_place, "`%s` has no column `%s`", r->t->file, r->t->column);
  if (!names) base_help(r->s->notes, "its first line is no line of names");
  return -1;
}

static bool read_row(reader* r, int arguments, int column, double row[3])
{
  int got = 0;
  for (int i = 0; i <= column && !ends(r); i++) {
    char* end;
    const double x = strtod(r->at, &end);
    if (end == r->at || !isfinite(x)) return refuse(r, "a number was expected");
    if (i < arguments) row[i] = x;
    if (i == column) row[arguments] = x;
    r->at = end;
    pass_between(r);
    got++;
  }
  if (got <= column || column < arguments) return refuse(r, "it has too few columns");
  r->at += strcspn(r->at, "\n");
  return true;
}

bool model_table_read(model_scope* s, const lang_statement* st, model_table_rows* out)
{
  reader r = {.s = s, .t = st->table, .at = st->table->data, .line = 1};
  if (strlen(r.at) != r.t->bytes) return refuse(&r, "this is no text");
  if (!next_line(&r)) return refuse(&r, "there is nothing in it");
  const int column = find_column(&r, st->params);
  if (column < 0) return false;
  BASE_LIST(double) all = {0};
  bool fine = true;
  while (fine && next_line(&r)) {
    double row[3] = {0};
    fine = read_row(&r, st->params, column, row);
    for (int i = 0; i < 3; i++) base_push(&all, row[i]);
    if (all.n > 3 * most_rows) fine = refuse(&r, "a table has at most 100000 rows");
  }
  out->rows = all.n / 3;
  out->at = base_arena_take(s->arena, sizeof *out->at * (size_t)(out->rows + 1));
  if (all.n) memcpy(out->at, all.at, sizeof(double) * (size_t)all.n);
  base_list_free(&all);
  return fine;
}
