// The referee: the end of a motion in long arithmetic, from the text of the model and a first row.
//   zwang run MODEL --points 2 --out - --quiet | referee MODEL [--set NAME=VALUE] [--until T]
//   [--digits N] [--prove]
// It shares the reading and the derivation with zwang and nothing of what evaluates or integrates.
// Prints one line for each coordinate and velocity: name, value, error.
#include "certify/certify.h"
#include "lang/lang.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_sets = 64, usual_digits = 30, longest_line = 1 << 20 };

typedef struct wish
{
  const char* path;
  int sets;
  model_override set[most_sets];
  lang_setting setting[most_sets];
  certify_request request;
} wish;

static int fail(const char* what)
{
  fprintf(stderr, "referee: %s\n", what);
  return 2;
}

static bool add_set(wish* w, char* text)
{
  char* sign = strchr(text, '=');
  if (!sign || w->sets == most_sets) return false;
  *sign = 0;
  w->set[w->sets] = (model_override){text, sign + 1};
  w->setting[w->sets++] = (lang_setting){text, sign + 1};
  return true;
}

static bool read_arguments(wish* w, int count, char** arg)
{
  w->request.until = NAN;
  w->request.digits = usual_digits;
  for (int i = 1; i < count; i++) {
    const bool more = i + 1 < count;
    if (!strcmp(arg[i], "--prove"))
      w->request.proves = true;
    else if (!strcmp(arg[i], "--until") && more)
      w->request.until = atof(arg[++i]);
    else if (!strcmp(arg[i], "--digits") && more)
      w->request.digits = atoi(arg[++i]);
    else if (!strcmp(arg[i], "--set") && more) {
      if (!add_set(w, arg[++i])) return false;
    } else if (arg[i][0] != '-' && !w->path)
      w->path = arg[i];
    else
      return false;
  }
  return w->path && w->request.digits > 0;
}

// ---- the first row ------------------------------------------------------------------------------

// the next cell of a line, cut out of it; quotation marks are left aside
static char* next_cell(char** at)
{
  if (!*at) return NULL;
  char* cell = *at;
  char* end = strpbrk(cell, ",\r\n");
  *at = end && *end == ',' ? end + 1 : NULL;
  if (end) *end = 0;
  if (*cell == '"') {
    cell++;
    if (*cell) cell[strlen(cell) - 1] = 0;
  }
  return cell;
}

// "x' [m/s]" is the column of x'
static bool is_column(const char* head, const char* name)
{
  const size_t n = strlen(name);
  return !strncmp(head, name, n) && (head[n] == 0 || !strncmp(head + n, " [", 2));
}

static int read_row(const mech_system* s, FILE* in, double* q, double* v)
{
  char *head = malloc(longest_line), *row = malloc(longest_line);
  int found = 0;
  if (fgets(head, longest_line, in) && fgets(row, longest_line, in)) {
    char *h = head, *r = row, *name, *cell;
    while ((name = next_cell(&h)) && (cell = next_cell(&r)))
      for (int i = 0; i < s->n; i++) {
        if (is_column(name, expr_name(s->pool, s->q[i]))) {
          q[i] = atof(cell);
          found++;
        }
        if (is_column(name, expr_name(s->pool, s->v[i]))) {
          v[i] = atof(cell);
          found++;
        }
      }
  }
  free(head);
  free(row);
  return found;
}

// ---- the work -----------------------------------------------------------------------------------

static void print(const mech_system* s, const certify_end* e)
{
  for (int i = 0; i < e->n; i++)
    printf("%s,%s,%.3e\n", expr_name(s->pool, s->q[i]), e->q[i], e->q_error[i]);
  for (int i = 0; i < e->n; i++)
    printf("%s,%s,%.3e\n", expr_name(s->pool, s->v[i]), e->v[i], e->v_error[i]);
  fprintf(stderr, "t = %.17g, %d steps, order %d, %d bits, +- %.2e, constraints off by at most %.2e\n",
          e->until, e->steps, e->order, e->bits, e->width, e->drift);
}

static int judge(wish* w, mech_system* s, base_notes* notes)
{
  double* q = calloc((size_t)(2 * s->n + 1), sizeof(double));
  int status = 1;
  if (read_row(s, stdin, q, q + s->n) != 2 * s->n) {
    free(q);
    return fail("the first row does not have all coordinates and velocities");
  }
  w->request.q = q;
  w->request.v = q + s->n;
  certify_system* c = certify_system_new(s, notes);
  certify_end* e = c ? certify_run(c, &w->request, notes) : NULL;
  if (e) {
    print(s, e);
    status = 0;
  }
  certify_end_free(e);
  certify_system_free(c);
  free(q);
  return status;
}

int main(int count, char** arg)
{
  wish w = {0};
  if (!read_arguments(&w, count, arg))
    return fail(
        "usage: referee MODEL [--set NAME=VALUE] [--until T] [--digits N] [--prove] < TABLE");
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  const lang_limits limits = lang_limits_default();
  const lang_tree* tree = lang_parse_file(w.path, &limits, arena, notes);
  if (tree) tree = lang_parse_again(tree, w.sets, w.setting, arena, notes);
  model* m = tree && !base_notes_errors(notes) ? model_build(tree, w.sets, w.set, notes) : NULL;
  mech_system* s = m ? mech_derive(m, notes) : NULL;
  const int status = s ? judge(&w, s, notes) : 2;
  for (int i = 0; i < base_notes_count(notes); i++)
    if (base_notes_level(notes, i) == BASE_ERROR)
      fprintf(stderr, "%s\n", base_notes_text(notes, i));
  mech_free(s);
  model_free(m);
  base_notes_free(notes);
  base_arena_free(arena);
  return status;
}
