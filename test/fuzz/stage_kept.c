// Stages that take files beside models: meshes of shapes, and what was kept of a run that is taken
// up.
#include "api/api.h"
#include "fuzz.h"
#include "lang/lang.h"
#include "model/model.h"
#include "out/out.h"
#include "out/sweep_journal.h"
#include "walk/walk.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put_file(const char* path, const base_text* text)
{
  FILE* f = fopen(path, "w");
  FUZZ_HOLDS(f && fwrite(text->at, 1, text->n, f) == text->n);
  fclose(f);
}

// ---- meshes -------------------------------------------------------------------------------------

// a tetrahedron, each side seen from outside
static const int sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

static float corner(fuzz_choices* c, int i, int k)
{
  static const float odd[] = {NAN, INFINITY, 1e30F, -0.0F, 1e-40F, 0.5F};
  if (fuzz_rarely(c, 200)) return odd[fuzz_pick(c, 6)];
  return i == k + 1 ? 1 : 0;
}

static void put_text_mesh(fuzz_choices* c, int triangles, base_text* out)
{
  base_text_add(out, "solid fuzz\n");
  for (int s = 0; s < triangles; s++) {
    base_text_add(out, "facet normal 0 0 1\nouter loop\n");
    for (int i = 0; i < 3; i++) {
      base_text_add(out, "vertex");
      for (int k = 0; k < 3; k++)
        base_text_printf(out, " %g", (double)corner(c, sides[s % 4][i], k));
      base_text_add(out, "\n");
    }
    base_text_add(out, "endloop\nendfacet\n");
  }
  base_text_add(out, "endsolid\n");
}

static void put_byte_mesh(fuzz_choices* c, int triangles, base_text* out)
{
  static const uint32_t odd[] = {0, 1, 5, 20001, UINT32_MAX, 0x80000000U};
  const char header[80] = {0}, attribute[2] = {0};
  const float normal[3] = {0};
  base_text_addn(out, header, sizeof header);
  uint32_t count = (uint32_t)triangles;
  if (fuzz_rarely(c, 8)) count = odd[fuzz_pick(c, 6)];
  base_text_addn(out, (const char*)&count, sizeof count);
  for (int s = 0; s < triangles; s++) {
    base_text_addn(out, (const char*)normal, sizeof normal);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) {
        const float x = corner(c, sides[s % 4][i], k);
        base_text_addn(out, (const char*)&x, sizeof x);
      }
    base_text_addn(out, attribute, sizeof attribute);
  }
}

void fuzz_feed_mesh(fuzz_choices* c)
{
  base_text mesh = {0}, text = {0};
  char path[64];
  const int triangles = fuzz_rarely(c, 4) ? fuzz_pick(c, 9) : 4;
  base_text_add(&mesh, "");
  if (fuzz_pick(c, 2))
    put_text_mesh(c, triangles, &mesh);
  else
    put_byte_mesh(c, triangles, &mesh);
  if (fuzz_rarely(c, 3)) fuzz_spoil(c, &mesh);
  snprintf(path, sizeof path, "/tmp/fuzz-%d.stl", (int)getpid());
  put_file(path, &mesh);
  base_text_printf(&text,
                   "body B mass 1 inertia (1, 1, 1)\ncontact c: B as hull \"%s\", world as plane\n",
                   strrchr(path, '/') + 1);
  fuzz_show(mesh.at);
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  const lang_tree* tree = lang_parse("fuzz.zw", text.at, text.n, "/tmp", NULL, arena, notes);
  model* m = tree ? model_build(tree, 0, NULL, notes) : NULL;
  FUZZ_HOLDS(m || base_notes_errors(notes));
  model_free(m);
  base_notes_free(notes);
  base_arena_free(arena);
  unlink(path);
  base_text_free(&mesh);
  base_text_free(&text);
}

// ---- a run that was broken off ------------------------------------------------------------------

enum { MOST_KEPT = 4, BETWEEN = 20, PRINT = 7, MOST_STEPS = 100 };

// checkpoints of one run: what was new in its tables, and what it goes on from
static struct kept
{
  zw_notes* notes;
  zw_model* model;
  zw_system* system;
  walk_known known;
  int count;
  base_text tables[MOST_KEPT], onward[MOST_KEPT];
} kept;

static const char run_text[] = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y + x^2\n"
                               "constraint floor: y >= 0 with restitution 0.6 with friction 0.2 "
                               "along x\nevent top: y' = 0 report\noutput E = energy()\n"
                               "initial y = 1\ninitial x' = 2\nrun 0 .. 3\n";

static void no_rows(void* context, const walk_track* t)
{
  (void)context;
  (void)t;
}

static void keep(void* context, const walk_track* t, const char* bytes, size_t n)
{
  (void)context;
  if (kept.count == MOST_KEPT) return;
  walk_track_pack(t, &kept.known, &kept.tables[kept.count]);
  base_text_addn(&kept.onward[kept.count++], bytes, n);
}

static bool has_steps(void* context, const walk_progress* p)
{
  (void)context;
  return p->steps < MOST_STEPS;
}

static walk_options run_options(void)
{
  walk_options o = walk_options_default();
  o.between_checkpoints = BETWEEN;
  o.points = 30;
  o.progress = has_steps;
  return o;
}

// once: it is not what is tried here
static void make_run(void)
{
  if (kept.notes) return;
  kept.notes = zw_notes_new();
  kept.model = zw_model_read_text("fuzz.zw", run_text, sizeof run_text - 1, NULL, 0, kept.notes);
  FUZZ_HOLDS(kept.model);
  kept.system = zw_derive(kept.model, kept.notes);
  FUZZ_HOLDS(kept.system);
  const walk_keeper keeper = {NULL, no_rows, keep};
  walk_options o = run_options();
  o.progress = NULL;
  o.keeper = &keeper;
  base_notes* notes = base_notes_new();
  walk_track_free(walk_run(kept.system->system, &o, notes));
  base_notes_free(notes);
  FUZZ_HOLDS(kept.count > 1);
}

// A checkpoint whose sums are right. Its tables may be others; what the run goes on from is vouched
// for by the sum alone, and is whole or cut short.
static void put_checkpoint(fuzz_choices* c, int which, base_text* out)
{
  base_text all = {0};
  const base_text *tables = &kept.tables[which], *onward = &kept.onward[which];
  base_text_addn(&all, tables->at, tables->n);
  for (int n = fuzz_rarely(c, 2) ? fuzz_pick(c, 4) : 0; n > 0; n--) {
    const size_t at = (size_t)(256 * fuzz_pick(c, 256) + fuzz_pick(c, 256));
    if (tables->n) all.at[at % tables->n] = (char)fuzz_pick(c, 256);
  }
  if (fuzz_rarely(c, 8)) all.n -= all.n > 40 ? (size_t)fuzz_pick(c, 40) : 0;
  const size_t left = fuzz_rarely(c, 8) ? onward->n / 2 : onward->n;
  base_text_addn(&all, onward->at, left);
  out_sum sum = out_sum_start();
  out_sum_add(&sum, all.at, all.n);
  const size_t said = fuzz_rarely(c, 12) ? (size_t)fuzz_pick(c, 256) : left;
  base_text line = {0};
  base_text_printf(&line, "checkpoint %zu %zu %016" PRIx64, all.n, said, out_sum_value(&sum));
  out_journal_end_line(&line);
  base_text_addn(out, line.at, line.n);
  base_text_addn(out, all.at, all.n);
  base_text_free(&line);
  base_text_free(&all);
}

static void put_run_journal(fuzz_choices* c, base_text* out)
{
  base_text_add(out, "");
  base_text_printf(out, "zwang run %016x", fuzz_rarely(c, 12) ? fuzz_pick(c, 256) : PRINT);
  out_journal_end_line(out);
  const int count = 1 + fuzz_pick(c, kept.count);
  for (int i = 0; i < count; i++) put_checkpoint(c, fuzz_rarely(c, 8) ? 0 : i, out);
  if (fuzz_rarely(c, 4)) fuzz_spoil(c, out);
}

static void go_on(const out_run_keep* k, base_notes* notes)
{
  walk_onward onward;
  walk_options o = run_options();
  if (!out_run_keep_onward(k, &onward)) return;
  o.onward = &onward;
  walk_track* t = walk_run(kept.system->system, &o, notes);
  FUZZ_HOLDS(t || base_notes_errors(notes));
  walk_track_free(t);
}

void fuzz_feed_kept(fuzz_choices* c)
{
  make_run();
  base_text journal = {0};
  char path[64], part[80], book[80];
  int code;
  snprintf(path, sizeof path, "/tmp/fuzz-%d.csv", (int)getpid());
  snprintf(part, sizeof part, "%s.part", path);
  snprintf(book, sizeof book, "%s.journal", path);
  put_run_journal(c, &journal);
  fuzz_show(journal.at);
  put_file(book, &journal);
  base_notes* notes = base_notes_new();
  out_run_keep* k = out_run_keep_open(path, PRINT, true, kept.system->model, &code, notes);
  FUZZ_HOLDS(k || base_notes_errors(notes));
  if (k) go_on(k, notes);
  out_run_keep_close(k, false, false, notes);
  base_notes_free(notes);
  unlink(part);
  unlink(book);
  base_text_free(&journal);
}
