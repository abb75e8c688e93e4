#include "out/fixture.h"

#include <assert.h>
#include <dirent.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- expressions --------------------------------------------------------------------------------

// one factor: a number or a name, with primes
static expr factor(fixture* f, const char** s)
{
  size_t n = strcspn(*s, "*+- ");
  char* text = base_arena_strndup(f->arena, *s, n);
  *s += n;
  return text[0] >= '0' && text[0] <= '9' ? expr_decimal(f->pool, text, n)
                                          : expr_symbol(f->pool, text);
}

expr fixture_read(fixture* f, const char* s)
{
  expr sum = expr_int(f->pool, 0);
  while (*s) {
    bool minus = false;
    for (; *s == ' ' || *s == '+' || *s == '-'; s++) minus ^= *s == '-';
    expr term = factor(f, &s);
    while (*s == '*') {
      s++;
      term = expr_mul(f->pool, term, factor(f, &s));
    }
    sum = minus ? expr_sub(f->pool, sum, term) : expr_add(f->pool, sum, term);
    while (*s == ' ') s++;
  }
  return sum;
}

const char* fixture_text(fixture* f, expr e)
{
  base_text t = {0};
  expr_print(f->pool, &t, e);
  const char* text = base_arena_strdup(f->arena, t.at);
  base_text_free(&t);
  return text;
}

// ---- model --------------------------------------------------------------------------------------

#define TAKE(COUNT, TYPE) ((TYPE*)base_arena_take(f->arena, (size_t)(COUNT) * sizeof(TYPE)))

static void add_coordinates(fixture* f)
{
  model* m = &f->m;
  m->coords = m->places = 2;
  m->T_states = expr_int(f->pool, 0);
  m->coord = TAKE(2, model_coord);
  static const char* const names[2][3] = {{"x", "x'", "x''"}, {"y", "y'", "y''"}};
  for (int i = 0; i < 2; i++)
    m->coord[i] = (model_coord){.name = names[i][0],
                                .unit = "m",
                                .q = expr_symbol(f->pool, names[i][0]),
                                .v = expr_symbol(f->pool, names[i][1]),
                                .a = expr_symbol(f->pool, names[i][2]),
                                .place = BASE_NOWHERE};
}

static void add_params(fixture* f)
{
  static const char* const names[] = {"m", "g", "l"};
  static const char* const units[] = {"kg", "m/s^2", "m"};
  static const double values[] = {2, 9.81, 0.5};
  model* m = &f->m;
  m->params = 3;
  m->param = TAKE(3, model_param);
  for (int i = 0; i < 3; i++)
    m->param[i] = (model_param){.name = names[i],
                                .unit = units[i],
                                .note = i == 0 ? "mass of the bob" : "",
                                .symbol = expr_symbol(f->pool, names[i]),
                                .value = expr_double(f->pool, values[i]),
                                .number = values[i],
                                .place = BASE_NOWHERE};
}

static void add_constraints(fixture* f, int constraints)
{
  model* m = &f->m;
  m->constraints = constraints;
  m->constraint = TAKE(2, model_constraint);
  m->reaction = TAKE(2, expr);
  m->holds = TAKE(2, expr);
  m->holds[0] = fixture_read(f, "holds0");
  m->holds[1] = fixture_read(f, "holds1");
  m->constraint[0] = (model_constraint){.name = "rod",
                                        .f = fixture_read(f, "x*x + y*y - l*l"),
                                        .linear = true,
                                        .place = BASE_NOWHERE};
  m->constraint[1] = (model_constraint){.name = "twin",
                                        .f = fixture_read(f, "3*x*x + 3*y*y - 3*l*l"),
                                        .linear = true,
                                        .place = BASE_NOWHERE};
  m->reaction[0] = expr_symbol(f->pool, "reaction(rod)");
  m->reaction[1] = expr_symbol(f->pool, "reaction(twin)");
}

static void add_energies(fixture* f)
{
  model* m = &f->m;
  m->T = fixture_read(f, "0.5*m*x'*x' + 0.5*m*y'*y'");
  m->V = fixture_read(f, "m*g*y");
  m->Q = TAKE(2, expr);
  m->Q[0] = m->Q[1] = expr_int(f->pool, 0);
  for (int i = 0; i < 2; i++) {
    expr_rate_set(f->pool, m->coord[i].q, m->coord[i].v);
    expr_rate_set(f->pool, m->coord[i].v, m->coord[i].a);
  }
}

static void add_wishes(fixture* f)
{
  model* m = &f->m;
  m->stages = 2;
  m->stage = TAKE(2, model_stage);
  m->stage[0].name = "swing";
  m->stage[1].name = "rest, \"then\" stop";
  m->events = 1;
  m->event = TAKE(1, model_event);
  m->event[0].name = "low";
  m->plots = 1;
  m->plot = TAKE(1, model_plot);
  model_plot* p = &m->plot[0];
  p->title = "Path of the bob";
  p->curves = 1;
  p->y = TAKE(1, expr);
  p->y_label = TAKE(1, const char*);
  p->y[0] = m->coord[1].q;
  p->y_label[0] = "y [m]";
  p->x = m->coord[0].q;
  p->x_label = "x [m]";
  p->same_scale = true;
}

static void add_system(fixture* f)
{
  mech_system* s = &f->s;
  s->model = &f->m;
  s->pool = f->pool;
  s->arena = f->arena;
  s->n = 2;
  s->m = s->written = f->m.constraints;
  s->role = TAKE(2, mech_role);
  s->role[0].ideal = s->role[1].ideal = true;
  s->M = TAKE(4, expr);
  s->F = TAKE(2, expr);
  s->A = TAKE(4, expr);
  s->c = TAKE(2, expr);
  s->q = TAKE(2, expr);
  s->v = TAKE(2, expr);
  s->a = TAKE(2, expr);
  s->zero = TAKE(2, expr);
  for (int i = 0; i < 2; i++) {
    s->q[i] = f->m.coord[i].q;
    s->v[i] = f->m.coord[i].v;
    s->a[i] = f->m.coord[i].a;
    s->zero[i] = expr_int(f->pool, 0);
  }
  s->M[0] = s->M[3] = fixture_read(f, "m");
  s->M[1] = s->M[2] = s->F[0] = fixture_read(f, "0");
  s->F[1] = fixture_read(f, "-m*g");
  s->A[0] = fixture_read(f, "2*x");
  s->A[1] = fixture_read(f, "2*y");
  s->A[2] = fixture_read(f, "6*x");
  s->A[3] = fixture_read(f, "6*y");
  s->c[0] = fixture_read(f, "-2*x'*x' - 2*y'*y'");
  s->c[1] = fixture_read(f, "-6*x'*x' - 6*y'*y'");
}

static void add_equations(fixture* f)
{
  mech_equations* e = &f->e;
  f->form =
      (mech_form){.name = "lagrange", .aliases = "", .title = "Lagrange's equations", .needs = ""};
  e->form = &f->form;
  e->definitions = 1;
  e->definition = TAKE(1, mech_equation);
  e->definition[0] = (mech_equation){"u", fixture_read(f, "u"), fixture_read(f, "x*y' - y*x'"), 0};
  e->count = 3;
  e->equation = TAKE(3, mech_equation);
  e->equation[0] =
      (mech_equation){"x", fixture_read(f, "m*x''"), fixture_read(f, "2*reaction(rod)*x"), 0};
  e->equation[1] =
      (mech_equation){"y", fixture_read(f, "m*y''"), fixture_read(f, "2*reaction(rod)*y - m*g"), 0};
  e->equation[2] = (mech_equation){"rod", fixture_read(f, "2*x*x'' + 2*y*y''"), f->s.c[0], 0};
  e->reactions = 1;
  e->reaction = TAKE(1, mech_equation);
  e->reaction[0] = (mech_equation){"rod", f->m.reaction[0], fixture_read(f, "m*g*y - m*x'*x'"), 0};
  e->assumptions = 1;
  e->assumption = TAKE(1, expr);
  e->assumption[0] = fixture_read(f, "x");
}

// ---- runs ---------------------------------------------------------------------------------------

enum { ROWS = 3, FINE = 200 };

static void add_track(fixture* f, int run, double l)
{
  static const char* const columns[] = {"t", "x", "y", "x'", "y'", "reaction.rod", "E"};
  static const char* const units[] = {"s", "m", "m", "m/s", "m/s", "", "J"};
  walk_track* t = &f->track[run];
  t->model = &f->m;
  t->arena = f->arena;
  t->reason = "";
  t->columns = 7;
  t->column = TAKE(7, const char*);
  t->unit = TAKE(7, const char*);
  memcpy(t->column, columns, sizeof columns);
  memcpy(t->unit, units, sizeof units);
  t->table = (walk_table){.width = 7, .rows = ROWS, .room = ROWS};
  t->table.value = TAKE(7 * ROWS, double);
  t->table.stage = TAKE(ROWS, int);
  t->table.event = TAKE(ROWS, int);
  for (int i = 0; i < ROWS; i++) {
    double* v = t->table.value + 7 * i;
    v[0] = 0.1 * i;
    v[1] = l * (1 - 0.25 * i);
    v[2] = -l * i / 3;
    v[3] = 1.0 / 3;
    v[4] = -1e-20;
    v[5] = i == 1 ? NAN : 1e22;
    v[6] = -0.0;
    t->table.stage[i] = i == 2 ? 1 : 0;
    t->table.event[i] = i == 1 ? 0 : -1;
  }
  t->curve_columns = 3;
  t->curves = (walk_table){.width = 3, .rows = FINE, .room = FINE};
  t->curves.value = TAKE(3 * FINE, double);
  for (int i = 0; i < FINE; i++) {
    double s = i / (FINE - 1.0), *v = t->curves.value + 3 * i;
    v[0] = s;
    v[1] = l * cos(3.1 * s);
    v[2] = -l * sin(3.1 * s);
  }
  t->happenings = 1;
  t->happening = TAKE(1, walk_happening);
  t->happening[0] =
      (walk_happening){.event = 0, .t = 0.1, .direction = -1, .row = t->table.value + 7};
  t->method = "dop853";
  t->tolerance = 1e-10;
  t->t_to = 0.2;
  t->t_reached = 0.2;
  t->counts = (step_counts){
      .steps = 12, .rejected = 1, .evaluations = 156, .smallest_step = 1e-3, .largest_step = 0.05};
  t->restarts = 2;
  t->basis_changes = 1;
  t->residual = TAKE(2, walk_residual);
  t->residual[0] = (walk_residual){1.5e-16, 2.5e-15, NAN};
  t->residual[1] = (walk_residual){4.5e-16, NAN, NAN};
  t->energy_start = 1.25;
  t->energy_end = 1.5;
  t->energy_work = 0.25;
  t->energy_balance = 3e-13;
  t->energy_scale = 1.5;
  t->redundant = f->m.constraints - 1;
  t->redundant_row = TAKE(1, int);
  t->redundant_row[0] = 1;
  t->guesses = (walk_guesses){f->arena, 1, TAKE(1, walk_guess)};
  t->guesses.at[0] = (walk_guess){"x ~ 0.5", 0.15};
  t->seconds = 0.0042;
}

static void add_point(fixture* f)
{
  study_point* p = &f->point;
  p->operations = 12;
  double* numbers = TAKE(18, double);
  p->n = 2;
  p->m = f->m.constraints;
  p->q = numbers;
  p->v = numbers + 2;
  p->a = numbers + 4;
  p->lambda = numbers + 6;
  p->WK = numbers + 8;
  p->WL = numbers + 10;
  p->Gamma = numbers + 12;
  p->position = numbers + 14;
  p->velocity = numbers + 16;
  p->q[0] = 0.5;
  p->v[1] = 2;
  p->a[0] = -8;
  p->a[1] = -9.81;
  p->lambda[0] = -16;
  p->WK[0] = -8;
  p->WL[1] = -9.81;
  p->rank = 1;
  p->redundant = p->m - 1;
  p->redundant_row = TAKE(1, int);
  p->redundant_row[0] = 1;
  p->form = "lagrange";
}

fixture* fixture_new(int constraints)
{
  base_arena* arena = base_arena_new();
  fixture* f = base_arena_take(arena, sizeof *f);
  f->arena = arena;
  f->notes = base_notes_new();
  f->pool = expr_pool_new(0);
  f->m.arena = arena;
  f->m.pool = f->pool;
  f->m.title = "A pendulum";
  f->m.t = expr_symbol(f->pool, "t");
  add_params(f);
  add_coordinates(f);
  add_constraints(f, constraints);
  add_energies(f);
  add_wishes(f);
  add_system(f);
  add_equations(f);
  f->value[0] = 0.5;
  f->value[1] = 0.65;
  for (int i = 0; i < 2; i++) {
    add_track(f, i, f->value[i]);
    f->tracks[i] = &f->track[i];
  }
  add_point(f);
  f->one = (out_runs){.count = 1, .track = f->tracks, .notes = f->notes};
  f->two = (out_runs){
      .count = 2, .track = f->tracks, .varied = "l", .value = f->value, .notes = f->notes};
  return f;
}

// no test leaves anything behind
static int remove_entry(const char* path, const struct stat* s, int kind, struct FTW* where)
{
  (void)s, (void)kind, (void)where;
  return remove(path);
}

void fixture_free(fixture* f)
{
  for (int i = 0; i < f->folders; i++) nftw(f->folder[i], remove_entry, 8, FTW_DEPTH | FTW_PHYS);
  expr_pool_free(f->pool);
  base_notes_free(f->notes);
  base_arena_free(f->arena);
}

// ---- files --------------------------------------------------------------------------------------

char* fixture_folder(fixture* f)
{
  const char* root = getenv("TMPDIR");
  char* folder = base_arena_printf(f->arena, "%s/zwang-test-XXXXXX", root && *root ? root : "/tmp");
  assert(f->folders < FOLDERS);
  return f->folder[f->folders++] = mkdtemp(folder);
}

char* fixture_path(fixture* f, const char* name)
{
  return base_arena_printf(f->arena, "%s/%s", fixture_folder(f), name);
}

char* fixture_file(fixture* f, const char* path, size_t* n)
{
  const char* why;
  size_t length = 0;
  char* bytes = base_file_read(path, 1 << 26, &length, &why);
  if (!bytes) return NULL;
  char* copy = base_arena_take(f->arena, length + 1);
  memcpy(copy, bytes, length);
  free(bytes);
  if (n) *n = length;
  return copy;
}

int fixture_files_in(const char* folder)
{
  int n = 0;
  DIR* d = opendir(folder);
  for (struct dirent* e; d && (e = readdir(d));)
    n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
  if (d) closedir(d);
  return n;
}
