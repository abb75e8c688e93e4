// The inertia of each mass against the kinetic energy of all.
#include <dirent.h>

#include "lang/lang.h"
#include "mech/hand.h"
#include "mech/mech.h"

static model* build(lang_tree* tree, base_notes* notes)
{
  return tree && base_notes_errors(notes) == 0 ? model_build(tree, 0, NULL, notes) : NULL;
}

// Lagrange's left sides from T against the sums over the masses, at random states
static void compare(const char* name, model* m)
{
  expr_pool* p = m->pool;
  const int n = m->coords, parts = 3 * model_inertia_make((model*)m);
  expr v[HAND_ROOM], sum[HAND_ROOM], left[HAND_ROOM];
  const expr T = expr_sub(p, m->T, m->T_added);
  CHECK(n <= HAND_ROOM);
  for (int i = 0; i < n; i++) {
    v[i] = m->coord[i].v;
    left[i] = expr_sub(p, expr_total(p, expr_diff(p, T, v[i])), expr_diff(p, T, m->coord[i].q));
  }
  expr* of = base_alloc(sizeof(expr) * (size_t)(2 * parts + 1));
  for (int k = 0; k < parts; k++) {
    of[k] = m->inertia[k / 3].v[k % 3];
    of[parts + k] = m->inertia[k / 3].rate[k % 3];
  }
  expr_pullback(p, parts, of, of + parts, n, v, sum);
  expr all[2 * HAND_ROOM], symbol[256];
  memcpy(all, left, sizeof(expr) * (size_t)n);
  memcpy(all + n, sum, sizeof(expr) * (size_t)n);
  const int symbols = expr_symbols(p, 2 * n, all, 256, symbol);
  CHECK(symbols <= 256);
  uint64_t seed = 7;
  for (int state = 0; state < 20; state++) {
    double value[256], out[2 * HAND_ROOM], size = 1;
    for (int i = 0; i < symbols; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      value[i] = 0.2 + (double)(seed >> 11) / 9007199254740992.0;
    }
    expr_values(p, 2 * n, all, symbols, symbol, value, out);
    for (int i = 0; i < n; i++) size = fmax(size, fabs(out[i]));
    for (int i = 0; i < n; i++)
      if (!(fabs(out[i] - out[n + i]) <= 1e-11 * size))
        check_fail(__FILE__, __LINE__, "%s, %s: %.17g from T, %.17g from the masses", name,
                   m->coord[i].name, out[i], out[n + i]);
  }
  free(of);
}

static model* read(const char* text, base_notes* notes)
{
  base_arena* arena = base_arena_new();
  lang_limits limits = lang_limits_default();
  model* m = build(lang_parse("text", text, strlen(text), NULL, &limits, arena, notes), notes);
  base_arena_free(arena);
  return m;
}

// does the model tell its inertia mass by mass? then it must agree with T
static int inertias_of(const char* name, const char* text)
{
  base_notes* notes = base_notes_new();
  model* m = read(text, notes);
  int count = -1;
  if (m) {
    count = model_inertia_make((model*)m);
    if (count) compare(name, m);
    // a copy, as one with other constraints, has the same, whoever asks first
    model* again = read(text, notes);
    model copy = *again;
    CHECK_INT(model_inertia_make(&copy), count);
    CHECK_INT(model_inertia_make(again), count);
    CHECK(!count || copy.inertia == again->inertia);
    model_free(again);
  } else {
    check_fail(__FILE__, __LINE__, "%s: %s", name, base_notes_text(notes, 0));
  }
  model_free(m);
  base_notes_free(notes);
  return count;
}

TEST(masses_and_energy_give_the_same_left_sides_on_every_model_of_the_gallery)
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
    lang_limits limits = lang_limits_default();
    model* m = build(lang_parse_file(path, &limits, arena, notes), notes);
    // with unit quaternions they agree on the spheres only, which the forms are tested on
    bool whole = m && model_inertia_make((model*)m) && model_constraints_shown(m) == m->constraints;
    if (whole) compare(f->d_name, m), models++;
    model_free(m);
    base_arena_free(arena);
    base_notes_free(notes);
  }
  if (folder) closedir(folder);
  CHECK(models >= 20);
}

TEST(masses_of_every_shape_in_moving_frames_give_what_their_energy_gives)
{
  const int count = inertias_of(
      "shapes", "param m = 2, a = 1, r = 0.3\n"
                "coord x, y, z, u, v, w\n"
                "frame A = world at (x, sin(t), z) rotated z(u) x(v + t)\n"
                "frame B = A at (y, x, a) rotated y(w) z(u)\n"
                "frame C = B rotated x(2*x)\n"
                "particle P mass m*(1 + t) = (a, y, w) in C\n"
                "rod R mass 2 from (0, 0, 0) to (x, a, 0) in B\n"
                "plate L mass 3 corners (0, 0, 0) (a, 0, 0) (0, y, 1) in A\n"
                "ball S mass 1 radius r at (0, 1, 0) in C\n"
                "disc D mass 1 radius r normal (1, 2, 0) at (0, 0, a) in C\n"
                "body K mass 4 inertia (1, 2, 2, 0, 0, 0) at (y, 0, 0) in C\n"
                "body J mass 4 inertia (1, 2, 2.5, 0.1, 0.2, -0.3) at (0, 0.5, 0) in C\n"
                "stage one { set a = 2 over 1; until t >= 3 }\n");
  CHECK_INT(count, 1 + 2 + 3 + 2 + 2 + 2 + 2);
}

TEST(masses_that_do_not_tell_the_whole_are_left_to_the_energy)
{
  // a mass that depends on a coordinate, a disc that turns by a law of its own
  CHECK_INT(inertias_of("mass", "coord x\nparticle P mass 1 + x^2 = (x, 0, 0) in world\n"), 0);
  CHECK_INT(inertias_of("disc", "coord x\ndisc D mass 1 radius 1 normal (cos(x), sin(x), 0) at "
                                "(x, 0, 0) in world\n"),
            0);
}

TEST(masses_tell_their_part_beside_a_given_energy)
{
  CHECK_INT(inertias_of("given", "coord x, y\nkinetic y'^2 + x*x'\nparticle P mass 1 = (x, x*y, 0) "
                                 "in world\n"),
            1);
}

// ---- made to move, and to be read ---------------------------------------------------------------

// rods hinged to each other in angles between neighbours, and what is said beside
static model* chain(int links, const char* beside, base_notes* notes)
{
  char text[2000];
  snprintf(text, sizeof text,
           "param N = %d, m = 1.2, l = 0.7\ngravity (0, -9.81, 0)\ncoord q[1]\n"
           "frame F[1] = world rotated z(q[1])\n"
           "rod R[1] mass m from (0, 0, 0) to (l, 0, 0) in F[1]\n"
           "for i in 2..N {\n  coord q[i]\n  frame F[i] = F[i-1] at (l, 0, 0) rotated z(q[i])\n"
           "  rod R[i] mass m from (0, 0, 0) to (l, 0, 0) in F[i]\n}\n%s",
           links, beside);
  model* m = read(text, notes);
  if (!m) check_fail(__FILE__, __LINE__, "%d links: %s", links, base_notes_text(notes, 0));
  return m;
}

// largest difference of M and h, at random states, beside their largest entry
static double apart(const mech_system* a, const mech_system* b)
{
  const int n = a->n, count = n * n + n;
  expr all[2 * HAND_ROOM * HAND_ROOM], symbol[256];
  CHECK(2 * count <= 2 * HAND_ROOM * HAND_ROOM);
  memcpy(all, mech_mass(a), sizeof(expr) * (size_t)(n * n));
  memcpy(all + n * n, a->h, sizeof(expr) * (size_t)n);
  memcpy(all + count, mech_mass(b), sizeof(expr) * (size_t)(n * n));
  memcpy(all + count + n * n, b->h, sizeof(expr) * (size_t)n);
  const int symbols = expr_symbols(a->pool, 2 * count, all, 256, symbol);
  double worst = 0, size = 0;
  for (int state = 0; state < 5; state++) {
    double value[256], out[2 * HAND_ROOM * HAND_ROOM];
    for (int i = 0; i < symbols; i++) value[i] = 0.3 + fmod(0.618 * (i + 1) * (state + 2), 1);
    expr_values(a->pool, 2 * count, all, symbols, symbol, value, out);
    for (int i = 0; i < count; i++) {
      size = fmax(size, fabs(out[i]));
      worst = fmax(worst, fabs(out[i] - out[count + i]));
    }
  }
  return worst / size;
}

TEST(chains_that_only_move_are_derived_from_T_for_who_reads_them)
{
  base_notes* notes = base_notes_new();
  for (int links = 1; links <= 6; links++) {
    model* m = chain(links, "", notes);
    mech_system* s = mech_derive(m, notes);
    const mech_system* r = mech_to_read(s);
    CHECK_INT(s->moves, links >= 3 && links <= 5);
    CHECK(s->moves == (r != s) && !r->moves);
    CHECK(r == mech_to_read(s) && r == mech_to_read(r));
    CHECK_INT(r->small, links <= 5);
    CHECK(!s->moves || !s->small);
    CHECK(apart(s, r) < 1e-14);
    mech_free(s);
    model_free(m);
  }
  base_notes_free(notes);
}

TEST(what_binds_or_adds_to_a_chain_leaves_it_as_T_gives_it)
{
  const char* const beside[] = {"constraint k: q[1]' + q[2]'*cos(q[3]) = 0\n",
                                "kinetic q[1]'^2*q[2]^2\n"};
  base_notes* notes = base_notes_new();
  for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
    model* m = chain(4, beside[i], notes);
    mech_system* s = mech_derive(m, notes);
    CHECK(!s->moves && mech_to_read(s) == s);
    mech_free(s);
    model_free(m);
  }
  base_notes_free(notes);
}
