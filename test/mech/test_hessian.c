// M and h by passes over T against derivatives symbol by symbol.
#include <dirent.h>

#include "lang/lang.h"
#include "mech/form.h"
#include "mech/hand.h"

// ---- both ways ----------------------------------------------------------------------------------

// M row by row (lower triangle), then h
typedef BASE_LIST(expr) left_sides;

static left_sides by_symbols(const mech_system* s)
{
  expr_pool* p = s->pool;
  left_sides out = {0};
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j <= i; j++)
      base_push(&out, expr_diff(p, expr_diff(p, s->model->T, s->v[i]), s->v[j]));
  for (int i = 0; i < s->n; i++) {
    expr rate = expr_total(p, expr_diff(p, s->model->T, s->v[i]));
    rate = expr_substitute(p, rate, s->n, s->a, s->zero);
    base_push(&out, expr_sub(p, rate, expr_diff(p, s->model->T, s->q[i])));
  }
  return out;
}

static left_sides by_passes(const mech_system* s)
{
  left_sides out = {0};
  expr_slope_list row = {0};
  expr* p = base_alloc(2 * sizeof(expr) * (size_t)s->n + 1);
  mech_hessian* w = mech_hessian_new(s, s->model->T, p);
  for (int i = 0; i < s->n; i++) {
    mech_hessian_row(w, i, &row);
    for (int j = 0; j <= i; j++) base_push(&out, s->zero[0]);
    for (int k = 0; k < row.n; k++) out.at[out.n - i - 1 + row.at[k].number] = row.at[k].value;
  }
  mech_hessian_rest(w, p + s->n);
  for (int i = 0; i < s->n; i++) base_push(&out, p[s->n + i]);
  mech_hessian_free(w);
  base_list_free(&row);
  free(p);
  return out;
}

// what was derived, by whichever way
static left_sides derived(const mech_system* s)
{
  left_sides out = {0};
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j <= i; j++) base_push(&out, s->M[i * s->n + j]);
  for (int i = 0; i < s->n; i++) base_push(&out, s->h[i]);
  return out;
}

static double random_value(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return 0.2 + (double)(*seed >> 11) / 9007199254740992.0;
}

// the same numbers at random states, to the rounding of the largest of M and of h
static void same(const char* name, const mech_system* s, const left_sides* a, const left_sides* b)
{
  enum { ROOM = 2000, STATES = 5 };
  static expr symbol[ROOM];
  static double value[ROOM];
  const int n = a->n, split = n - s->n;
  left_sides all = {0};
  CHECK_INT(b->n, n);
  for (int i = 0; i < n; i++) base_push(&all, a->at[i]);
  for (int i = 0; i < n; i++) base_push(&all, b->at[i]);
  const int symbols = expr_symbols(s->pool, all.n, all.at, ROOM, symbol);
  CHECK(symbols <= ROOM);
  double* out = base_alloc(sizeof(double) * (size_t)all.n + 1);
  uint64_t seed = 11;
  for (int state = 0; state < STATES; state++) {
    double size[2] = {0};
    for (int i = 0; i < symbols; i++) value[i] = random_value(&seed);
    expr_values(s->pool, all.n, all.at, symbols, symbol, value, out);
    for (int i = 0; i < n; i++) size[i >= split] = fmax(size[i >= split], fabs(out[i]));
    for (int i = 0; i < n; i++) {
      const bool neither = isnan(out[i]) && isnan(out[n + i]);
      if (!neither && !(fabs(out[i] - out[n + i]) <= 1e-12 * (1 + size[i >= split])))
        check_fail(__FILE__, __LINE__, "%s, %s %d: %.17g and %.17g", name, i < split ? "M" : "h",
                   i < split ? i : i - split, out[i], out[n + i]);
    }
  }
  free(out);
  base_list_free(&all);
}

static void compare(const char* name, const lang_tree* tree, base_notes* notes)
{
  model* m = tree && !base_notes_errors(notes) ? model_build(tree, 0, NULL, notes) : NULL;
  mech_system* s = m ? mech_derive(m, notes) : NULL;
  if (s) {
    left_sides a = by_symbols(s), b = by_passes(s), c = derived(s);
    same(name, s, &a, &b);
    // with unit quaternions the masses agree with T on the spheres only
    if (model_constraints_shown(m) == m->constraints) same(name, s, &a, &c);
    base_list_free(&a);
    base_list_free(&b);
    base_list_free(&c);
  }
  mech_free(s);
  model_free(m);
}

static void compare_text(const char* name, const char* text)
{
  base_notes* notes = base_notes_new();
  base_arena* arena = base_arena_new();
  const lang_limits limits = lang_limits_default();
  compare(name, lang_parse("text", text, strlen(text), NULL, &limits, arena, notes), notes);
  CHECK_INT(base_notes_errors(notes), 0);
  if (base_notes_errors(notes)) printf("# %s: %s\n", name, base_notes_text(notes, 0));
  base_arena_free(arena);
  base_notes_free(notes);
}

// ---- tests --------------------------------------------------------------------------------------

TEST(passes_and_symbols_give_the_same_left_sides_on_every_model_of_the_gallery)
{
  const char* source = getenv("ZWANG_SOURCE");
  char path[4096];
  snprintf(path, sizeof path, "%s/models", source ? source : ".");
  DIR* folder = opendir(path);
  CHECK(folder != NULL);
  int models = 0;
  for (struct dirent* f = folder ? readdir(folder) : NULL; f; f = readdir(folder)) {
    if (!strstr(f->d_name, ".zw")) continue;
    snprintf(path, sizeof path, "%s/models/%.200s", source ? source : ".", f->d_name);
    base_notes* notes = base_notes_new();
    base_arena* arena = base_arena_new();
    const lang_limits limits = lang_limits_default();
    compare(f->d_name, lang_parse_file(path, &limits, arena, notes), notes);
    models++;
    base_arena_free(arena);
    base_notes_free(notes);
  }
  if (folder) closedir(folder);
  CHECK(models >= 50);
}

TEST(passes_and_symbols_give_the_same_left_sides_of_written_energies)
{
  static const char* const text[][2] = {
      {"trailers", "param N = 24, m = 1.2, J = 0.3, l = 0.7\ncoord x, y, a[0]\nlet u[0] = x'\nlet "
                   "w[0] = y'\nkinetic m/2*(x'^2 + y'^2) + J/2*a[0]'^2\nfor i in 1..N {\n coord "
                   "a[i]\n let u[i] = u[i-1] + l*sin(a[i])*a[i]'\n let w[i] = w[i-1] - "
                   "l*cos(a[i])*a[i]'\n kinetic m/2*(u[i]^2 + w[i]^2) + J/2*a[i]'^2\n}\n"},
      {"relative angles", "param N = 20, m = 1.2, l = 0.7\nlet s[0] = 0\nlet x[0] = 0\nlet y[0] = "
                          "0\nfor i in 1..N {\n coord q[i]\n let s[i] = s[i-1] + q[i]\n let x[i] = "
                          "x[i-1] + l*sin(s[i])\n let y[i] = y[i-1] - l*cos(s[i])\n kinetic "
                          "m/2*(x[i]'^2 + y[i]'^2) + l*s[i]'^2\n}\n"},
      {"sums", "param N = 30, m = 1.2, l = 0.7\nfor i in 1..N { coord q[i] }\nfor k in 1..N {\n "
               "kinetic m/2*(sum(i in 1..k: l*cos(q[i])*q[i]')^2 + sum(i in 1..k: "
               "l*sin(q[i])*q[i]')^2)\n}\n"},
      {"double sum", "param N = 12\nfor i in 1..N { coord q[i] }\nkinetic sum(i in 1..N: sum(j in "
                     "1..N: (2*N - i - j)*cos(q[i] - q[j])*q[i]'*q[j]'))/2\n"},
      {"about the mean",
       "param N = 40\nfor i in 1..N { coord x[i] }\nlet c = sum(i in 1..N: "
       "i*x[i])/N^2\nfor i in 1..N {\n kinetic i*(x[i]' - c')^2/2 + x[i]'^2\n}\n"},
      {"moving with time",
       "param N = 24, w = 0.3\nlet x[0] = 0\nlet y[0] = 0\nfor i in 1..N {\n "
       "coord q[i]\n let x[i] = x[i-1] + cos(q[i] + w*t)\n let y[i] = y[i-1] + "
       "sin(q[i] + w*t)\n kinetic (x[i]'^2 + y[i]'^2)/2 + w*q[i]'*cos(q[i])\n}\n"},
      {"masses of the place", "param N = 24\nlet u[0] = 0\nfor i in 1..N {\n coord q[i]\n let u[i] "
                              "= u[i-1] + sin(q[i])*q[i]'\n kinetic (2 + cos(q[i] + "
                              "q[1]))*u[i]^2/2 + q[i]'^2\n}\n"},
      {"not of second degree",
       "param N = 24\nlet u[0] = 0\nfor i in 1..N {\n coord q[i]\n let u[i] = u[i-1] + "
       "cos(q[i])*q[i]'\n kinetic u[i]^2/2 + q[i]'^2/2 + q[i]'^4/40 - sqrt(4 - u[i]^2/N^2) + "
       "exp(q[i]'/9) + atan2(q[i]', 3 + q[i]'^2) + q[i]'^2*max(q[i], 1)\n}\n"},
      {"turning axes",
       "param N = 16\ncoord x, y, a[1]\nlet u[1] = x'*cos(a[1]) + y'*sin(a[1])\nlet w[1] = "
       "y'*cos(a[1]) - x'*sin(a[1])\nkinetic (u[1]^2 + w[1]^2 + a[1]'^2)/2\nfor i in 2..N {\n "
       "coord "
       "a[i]\n let d[i] = a[i] - a[i-1]\n let u[i] = u[i-1]*cos(d[i]) + (w[i-1] - "
       "a[i-1]')*sin(d[i])\n let w[i] = (w[i-1] - a[i-1]')*cos(d[i]) - u[i-1]*sin(d[i]) - a[i]'\n "
       "kinetic (u[i]^2 + w[i]^2 + a[i]'^2)/2\n}\n"},
      {"masses and energies",
       "param N = 24\nlet s[0] = 0\nlet x[0] = 0\nlet y[0] = 0\nfor i in 1..N {\n coord q[i]\n let "
       "s[i] = s[i-1] + q[i]\n let x[i] = x[i-1] + sin(s[i])\n let y[i] = y[i-1] - cos(s[i])\n "
       "particle P[i] mass 1 = (x[i], y[i], 0) in world\n kinetic s[i]'^2/20 + "
       "q[i]'*cos(q[i])\n}\n"},
      {"many", "param N = 70\nlet s[0] = 0\nfor i in 1..N {\n coord q[i]\n let s[i] = s[i-1] + "
               "sin(q[i])\n kinetic s[i]'^2/2 + q[i]'^2\n}\n"},
      {"many masses",
       "param N = 40\ncoord x[0], y[0]\nfor i in 1..N {\n coord x[i], y[i]\n particle "
       "P[i] mass 1 = (x[i], y[i], 0) in world\n kinetic (x[i]' - x[i-1]')^2/7\n}\n"
       "kinetic x[0]'^2 + y[0]'^2\n"},
  };
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) compare_text(text[i][0], text[i][1]);
}
