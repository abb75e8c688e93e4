// The forms on every model of the gallery that this version can take.
#include <dirent.h>

#include "lang/lang.h"
#include "mech/compare.h"

// the model of a file in a hand's clothes; null where it is not taken yet
static hand* open_model(const char* path, model** keep)
{
  base_notes* notes = base_notes_new();
  base_arena* arena = base_arena_new();
  lang_limits limits = lang_limits_default();
  lang_tree* tree = lang_parse_file(path, &limits, arena, notes);
  *keep = tree && base_notes_errors(notes) == 0 ? model_build(tree, 0, NULL, notes) : NULL;
  base_arena_free(arena);
  base_notes_free(notes);
  if (!*keep) return NULL;
  hand* h = base_alloc(sizeof *h);
  h->m = **keep;
  return h;
}

// independent rows and dependent columns by numbers, as a simulation would choose them
static mech_choice choose(const hand* h, const mech_system* s, const hand_state* at, int* rows,
                          int* columns)
{
  double* A = base_alloc(sizeof(double) * (size_t)(s->m * s->n + s->m + s->n + 1));
  double *b = A + s->m * s->n, *x = b + s->m;
  hand_get_all(h, at, s->m * s->n, s->A, A);
  int rank = hand_solve_at(s->m, s->n, A, b, x, rows, columns);
  free(A);
  return (mech_choice){.rank = rank, .rows = rows, .dependent = columns, .automatic = true};
}

// Maggi's equations for the last choice made, kept while the choice stays the same
typedef struct maggi
{
  mech_equations* e;
  compare_system system;
  mech_choice choice;
  int rows[HAND_ROOM], columns[HAND_ROOM];
} maggi;

static void follow(const hand* h, mech_system* s, const hand_state* at, base_notes* notes, maggi* k)
{
  int rows[HAND_ROOM], columns[HAND_ROOM];
  mech_choice choice = choose(h, s, at, rows, columns);
  size_t size = sizeof(int) * (size_t)choice.rank;
  if (k->e && choice.rank == k->choice.rank && memcmp(rows, k->rows, size) == 0 &&
      memcmp(columns, k->columns, size) == 0)
    return;
  mech_equations_free(k->e);
  memcpy(k->rows, rows, size);
  memcpy(k->columns, columns, size);
  k->choice = choice;
  k->choice.rows = k->rows;
  k->choice.dependent = k->columns;
  k->e = mech_form_find("maggi")->derive(s, &k->choice, notes);
  k->system = compare_make(h, k->e);
}

// how far the answer moves when every number of the state is rounded differently
static double rounding(const hand* h, const compare_system* system, const hand_state* at,
                       bool reactions)
{
  hand_state moved = *at;
  for (int i = 0; i < moved.n; i++) moved.value[i] *= 1 + (i % 2 ? 4e-16 : -4e-16);
  compare_solve(h, system, &moved);
  return compare_apart(h, &moved, at, reactions);
}

// agreement at random states; returns how many states could be evaluated
static int compare_model(hand* h, const char* name)
{
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  if (!s) check_fail(__FILE__, __LINE__, "%s: %s", name, base_notes_text(notes, 0));
  if (!s) return 0;
  mech_equations* lagrange = mech_form_find("lagrange")->derive(s, NULL, notes);
  compare_system first = compare_make(h, lagrange);
  maggi other = {0};
  uint64_t seed = 99;
  int good = 0;
  for (int trial = 0; trial < 100; trial++) {
    hand_state a = hand_throw(h, &seed), b = a;
    compare_solve(h, &first, &a);
    // out of the domain of some function
    bool finite = true;
    for (int i = 0; i < s->n; i++) finite &= isfinite(hand_get(h, &a, s->a[i]));
    if (!finite) continue;
    follow(h, s, &b, notes, &other);
    compare_solve(h, &other.system, &b);
    const bool reactions = other.choice.rank == s->m;
    double off = compare_apart(h, &b, &a, reactions);
    // near a singular state no form knows more than a rounding of the state allows
    const double allowed = fmax(1e-11, 10 * rounding(h, &first, &a, reactions));
    if (!(off <= allowed)) check_fail(__FILE__, __LINE__, "%s: forms differ by %g", name, off);
    good++;
  }
  mech_equations_free(other.e);
  mech_equations_free(lagrange);
  mech_free(s);
  base_notes_free(notes);
  return good;
}

TEST(maggi_equals_lagrange_on_every_model_of_the_gallery)
{
  const char* source = getenv("ZWANG_SOURCE");
  char path[4096];
  snprintf(path, sizeof path, "%s/models", source ? source : ".");
  DIR* folder = opendir(path);
  CHECK(folder != NULL);
  if (!folder) return;
  int models = 0;
  for (struct dirent* f = readdir(folder); f; f = readdir(folder)) {
    if (!strstr(f->d_name, ".zw")) continue;
    snprintf(path, sizeof path, "%s/models/%.200s", source ? source : ".", f->d_name);
    model* keep;
    hand* h = open_model(path, &keep);
    if (!h) continue;
    if (compare_model(h, f->d_name) < 20)
      check_fail(__FILE__, __LINE__, "%s: hardly any state could be evaluated", f->d_name);
    models++;
    free(h);
    model_free(keep);
  }
  closedir(folder);
  CHECK(models >= 20);
}
