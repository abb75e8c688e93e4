// Every form against every other on every model of the gallery that this version can take.
#include <dirent.h>

#include "lang/lang.h"
#include "mech/compare.h"
#include "mech/consistent.h"

enum { STATES = 200, TRIALS = 1000 };

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

// is the rank of the constraints beyond doubt here? (the pivots of their gradients, rows of length
// 1)
static bool is_clear(const hand* h, const mech_system* s, const hand_state* at)
{
  int m = s->m, n = s->n;
  double* A = base_alloc(sizeof(double) * (size_t)(m * n + 1));
  hand_get_all(h, at, m * n, s->A, A);
  for (int i = 0; i < m; i++) {
    double square = 0;
    for (int j = 0; j < n; j++) square += A[i * n + j] * A[i * n + j];
    for (int j = 0; j < n && square > 0; j++) A[i * n + j] /= sqrt(square);
  }
  bool clear = true;
  for (int rank = 0; rank < m && rank < n && clear; rank++) {
    int pi = -1, pj = -1;
    double best = 0;
    for (int i = rank; i < m; i++)
      for (int j = 0; j < n; j++)
        if (fabs(A[i * n + j]) > best) best = fabs(A[i * n + j]), pi = i, pj = j;
    if (best < 1e-11) break;
    clear = best > 1e-3;
    for (int j = 0; j < n; j++) {
      double keep = A[rank * n + j];
      A[rank * n + j] = A[pi * n + j];
      A[pi * n + j] = keep;
    }
    for (int i = rank + 1; i < m; i++) {
      double f = A[i * n + pj] / A[rank * n + pj];
      for (int j = 0; j < n; j++) A[i * n + j] -= f * A[rank * n + j];
      A[i * n + pj] = 0;
    }
  }
  free(A);
  return clear;
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
  return (mech_choice){.rank = rank, .rows = rows, .dependent = columns};
}

// a form with the choice last made for it
typedef struct road
{
  const mech_form* form;
  mech_equations* e;
  compare_system system;
} road;

static bool derive(const hand* h, mech_system* s, const hand_state* at, bool automatic, road* r)
{
  int rows[HAND_ROOM], columns[HAND_ROOM];
  mech_choice choice = choose(h, s, at, rows, columns);
  choice.automatic = automatic;
  base_notes* notes = base_notes_new();
  mech_equations_free(r->e);
  r->e = r->form->derive(s, &choice, notes);
  base_notes_free(notes);
  if (r->e) r->system = compare_make(h, r->e);
  return r->e != NULL;
}

static double apart(const hand* h, const road* r, const hand_state* want, bool reactions)
{
  hand_state b = *want;
  compare_solve(h, &r->system, &b);
  return compare_apart(h, &b, want, reactions);
}

// The form at one state against Lagrange's answer there. A choice made at another state may be
// singular here: then it is made anew, as a simulation does. Returns the difference that is left.
static double walk(const hand* h, mech_system* s, const hand_state* want, bool reactions, road* r)
{
  double off = r->e ? apart(h, r, want, reactions) : INFINITY;
  for (int automatic = 0; automatic < 2 && !(off <= 1e-11); automatic++)
    if (derive(h, s, want, automatic, r)) off = apart(h, r, want, reactions);
  return off;
}

// equations of rolling are long
static int states_of(const hand* h)
{
  return h->m.contacts ? STATES / 20 : STATES;
}

// agreement at random states on the constraints; returns how many there were
static int compare_model(hand* h, const char* name, int* walked)
{
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  if (!s) check_fail(__FILE__, __LINE__, "%s: %s", name, base_notes_text(notes, 0));
  if (!s) return 0;
  road first = {.form = mech_form_find("lagrange")}, *other;
  const int forms = mech_form_count();
  other = base_alloc(sizeof *other * (size_t)forms);
  for (int f = 0; f < forms; f++) {
    const mech_form* form = mech_form_at(f);
    if (form->unsuited(s, s->arena) == NULL) other[f].form = form;
  }
  uint64_t seed = 99;
  int good = 0;
  for (int trial = 0; trial < TRIALS && good < states_of(h); trial++) {
    hand_state a;
    if (!consistent_throw(h, s, &seed, &a) || !is_clear(h, s, &a)) continue;
    int rows[HAND_ROOM], columns[HAND_ROOM];
    const bool reactions = choose(h, s, &a, rows, columns).rank == s->m;
    if (!first.e) derive(h, s, &a, false, &first);
    compare_solve(h, &first.system, &a);
    // out of the domain of some function, or so near a singular state that no form knows more than
    // a rounding of the state allows
    bool finite = true;
    for (int i = 0; i < s->n; i++) finite &= isfinite(hand_get(h, &a, s->a[i]));
    if (!finite || !(compare_rounding(h, &first.system, &a, reactions) < 1e-12)) continue;
    for (int f = 0; f < forms; f++) {
      if (!other[f].form) continue;
      const double off = walk(h, s, &a, reactions, &other[f]);
      // a form may be singular where Lagrange's is not
      const double own = off <= 1e-10 || !other[f].e
                             ? 0
                             : 100 * compare_rounding(h, &other[f].system, &a, reactions);
      if (!(off <= fmax(1e-10, own)))
        check_fail(__FILE__, __LINE__, "%s: %s differs by %g (%g)", name, other[f].form->name, off,
                   own);
      walked[f] += off <= 1e-10;
    }
    good++;
  }
  for (int f = 0; f < forms; f++) mech_equations_free(other[f].e);
  mech_equations_free(first.e);
  free(other);
  mech_free(s);
  base_notes_free(notes);
  return good;
}

// Inequalities are compared as equations, all of them at once; more than there are coordinates
// never hold together.
static bool can_all_hold(const hand* h)
{
  bool unilateral = false;
  for (int k = 0; k < h->m.constraints; k++) unilateral |= h->m.constraint[k].sense != 0;
  return !unilateral || h->m.constraints <= h->m.coords;
}

// Is the problem linear in accelerations and reactions? The others need the numbers of a motion and
// are compared where those are: in the tests of sim.
static bool is_linear_problem(const hand* h)
{
  const model* m = &h->m;
  bool linear = true;
  for (int k = 0; k < m->constraints; k++)
    linear = linear && !m->constraint[k].along &&
             (m->constraint[k].order < 2 || m->constraint[k].linear);
  for (int i = 0; i < m->coords; i++)
    linear = linear && !expr_has_any(m->pool, m->Q[i], m->constraints, m->reaction);
  return linear;
}

TEST(all_forms_agree_on_every_model_of_the_gallery)
{
  const char* source = getenv("ZWANG_SOURCE");
  char path[4096];
  snprintf(path, sizeof path, "%s/models", source ? source : ".");
  DIR* folder = opendir(path);
  CHECK(folder != NULL);
  if (!folder) return;
  int models = 0;
  const int forms = mech_form_count();
  int* walked = base_alloc(sizeof(int) * (size_t)forms);
  for (struct dirent* f = readdir(folder); f; f = readdir(folder)) {
    if (!strstr(f->d_name, ".zw")) continue;
    snprintf(path, sizeof path, "%s/models/%.200s", source ? source : ".", f->d_name);
    model* keep;
    hand* h = open_model(path, &keep);
    if (!h) continue;
    if (!is_linear_problem(h) || !can_all_hold(h)) {
      free(h);
      model_free(keep);
      continue;
    }
    const int states = compare_model(h, f->d_name, walked);
    if (states < states_of(h) / 2)
      check_fail(__FILE__, __LINE__, "%s: only %d states could be evaluated", f->d_name, states);
    models++;
    free(h);
    model_free(keep);
  }
  closedir(folder);
  CHECK(models >= 20);
  // no form is left out
  for (int f = 0; f < forms; f++)
    // some forms are for bodies that roll
    if (walked[f] < (strcmp(mech_form_at(f)->name, "bychkov") == 0 ? STATES / 2 : 10 * STATES))
      check_fail(__FILE__, __LINE__, "%s was compared at %d states only", mech_form_at(f)->name,
                 walked[f]);
  free(walked);
}
