// Geometry and stability.
#include "bead.h"

#include "check.h"

#include <stdio.h>

TEST(geometry_comes_in_three_styles)
{
  bead b = bead_read(NULL);
  zw_geometry_options o = zw_geometry_defaults();
  static const char* const styles[] = {"text", "latex", "json"};
  for (int i = 0; i < 3; i++) {
    char* text = zw_geometry(b.system, &o, styles[i], b.notes);
    CHECK(text && *text);
    zw_text_free(text);
  }
  char* text = zw_geometry(b.system, &o, "json", b.notes);
  CHECK(text && strstr(text, "\"flat\": \"yes\"") != NULL);
  zw_text_free(text);
  CHECK_INT(zw_notes_errors(b.notes), 0);
  bead_free(&b);
}

TEST(geometry_refuses_what_it_cannot_read)
{
  bead b = bead_read(NULL);
  zw_geometry_options o = zw_geometry_defaults();
  CHECK(zw_geometry(b.system, &o, "c", b.notes) == NULL);
  o.at = "z=1";
  CHECK(zw_geometry(b.system, &o, "text", b.notes) == NULL);
  o = zw_geometry_defaults();
  o.region = "x=1";
  CHECK(zw_geometry(b.system, &o, "text", b.notes) == NULL);
  o = zw_geometry_defaults();
  o.plot = bead_path("surface.xyz");
  CHECK(zw_geometry(b.system, &o, "text", b.notes) == NULL);
  o = (zw_geometry_options){0};
  CHECK(zw_geometry(b.system, &o, "text", b.notes) == NULL);
  CHECK(zw_notes_errors(b.notes) >= 5);
  bead_free(&b);
}

TEST(the_bead_at_the_bottom_is_stable)
{
  bead b = bead_read(NULL);
  zw_stability_options o = zw_stability_defaults();
  o.state = "x=0, y=-1";
  char* text = zw_stability(b.system, &o, "json", b.notes);
  CHECK(text && strstr(text, "\"eigenvalues\"") != NULL);
  // +-i sqrt(g)
  CHECK(text && strstr(text, "3.13209195") != NULL);
  zw_text_free(text);
  text = zw_stability(b.system, &o, "text", b.notes);
  CHECK(text && strstr(text, "stable") != NULL);
  zw_text_free(text);
  bead_free(&b);
}

TEST(stability_refuses_what_it_cannot_read)
{
  bead b = bead_read(NULL);
  zw_stability_options o = zw_stability_defaults();
  CHECK(zw_stability(b.system, &o, "latex", b.notes) == NULL);
  o.state = "z=1";
  CHECK(zw_stability(b.system, &o, "text", b.notes) == NULL);
  o = zw_stability_defaults();
  o.over = "nobody=1..2";
  CHECK(zw_stability(b.system, &o, "text", b.notes) == NULL);
  o = zw_stability_defaults();
  o.over = "g=1";
  CHECK(zw_stability(b.system, &o, "text", b.notes) == NULL);
  o = (zw_stability_options){0};
  CHECK(zw_stability(b.system, &o, "text", b.notes) == NULL);
  CHECK(zw_notes_errors(b.notes) >= 5);
  bead_free(&b);
}

TEST(the_bead_is_followed_over_gravity)
{
  bead b = bead_read(NULL);
  zw_continue_options o = zw_continue_defaults();
  static const char* const styles[] = {"text", "json", "csv"};
  o.over = "g=1..20";
  o.points = 10;
  for (int i = 0; i < 3; i++) {
    char* text = zw_continue(b.system, &o, styles[i], b.notes);
    CHECK(text && *text);
    if (text && i == 1) CHECK(strstr(text, "\"param\": \"g\"") != NULL);
    zw_text_free(text);
  }
  o.second = "m=1..3";
  for (int i = 0; i < 3; i++) {
    char* text = zw_continue(b.system, &o, styles[i], b.notes);
    CHECK(text && *text);
    if (text && i == 1) CHECK(strstr(text, "\"curves\": []") != NULL);
    zw_text_free(text);
  }
  CHECK_INT(zw_notes_errors(b.notes), 0);
  static const char* const wrong[] = {"g=0..20", "m=7..8", "nobody=1..2", "m"};
  for (int i = 0; i < 4; i++) {
    o.second = wrong[i];
    CHECK(zw_continue(b.system, &o, "text", b.notes) == NULL);
  }
  o.second = NULL;
  CHECK(zw_continue(b.system, &o, "latex", b.notes) == NULL);
  o.over = "nobody=1..2";
  CHECK(zw_continue(b.system, &o, "text", b.notes) == NULL);
  o.over = NULL;
  CHECK(zw_continue(b.system, &o, "text", b.notes) == NULL);
  o = (zw_continue_options){0};
  CHECK(zw_continue(b.system, &o, "text", b.notes) == NULL);
  CHECK(zw_notes_errors(b.notes) >= 8);
  bead_free(&b);
}

TEST(the_bead_keeps_its_energy_alone)
{
  bead b = bead_read(NULL);
  zw_structure_options o = zw_structure_defaults();
  char* text = zw_structure(b.system, &o, "json", b.notes);
  CHECK(text && strstr(text, "\"symmetries\": 0") != NULL);
  zw_text_free(text);
  text = zw_structure(b.system, &o, "text", b.notes);
  CHECK(text && strstr(text, "Liouville") != NULL);
  zw_text_free(text);
  CHECK_INT(zw_notes_errors(b.notes), 0);
  CHECK(zw_structure(b.system, &o, "latex", b.notes) == NULL);
  o.at = "nothing=1";
  CHECK(zw_structure(b.system, &o, "text", b.notes) == NULL);
  o = (zw_structure_options){0};
  CHECK(zw_structure(b.system, &o, "text", b.notes) == NULL);
  CHECK(zw_structure(NULL, NULL, "text", b.notes) == NULL);
  CHECK(zw_notes_errors(b.notes) >= 4);
  bead_free(&b);
}

TEST(integrals_that_are_found_are_watched)
{
  static const char text[] = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + "
                             "y^2)\ninitial x = 1\ninitial y' = 1.1\nrun 0 .. 3\n";
  zw_notes* notes = zw_notes_new();
  zw_model* model = zw_model_read_text("kepler", text, strlen(text), NULL, 0, notes);
  zw_system* system = zw_derive_watching(model, notes);
  CHECK(system);
  const zw_run_options o = zw_run_defaults();
  zw_track* track = zw_run(system, &o, notes);
  char* summary = zw_track_summary(track);
  CHECK(summary && strstr(summary, "F1 = 1.1, drift") && strstr(summary, "G3 = "));
  zw_text_free(summary);
  zw_track_free(track);
  zw_system_free(system);
  CHECK_INT(zw_notes_errors(notes), 0);
  zw_model_free(model);
  static const char timed[] = "coord x\nkinetic x'^2/2\npotential cos(t)*x\n";
  model = zw_model_read_text("timed", timed, strlen(timed), NULL, 0, notes);
  CHECK(zw_derive_watching(model, notes) == NULL);
  CHECK(zw_derive_watching(NULL, notes) == NULL);
  CHECK(zw_notes_errors(notes) >= 2);
  zw_model_free(model);
  zw_notes_free(notes);
}

TEST(the_bead_is_not_chaotic)
{
  bead b = bead_read(NULL);
  zw_chaos_options o = zw_chaos_defaults();
  o.until = 200;
  o.section = "x = 0";
  o.out = bead_path("section.csv");
  char* text = zw_chaos(b.system, &o, "json", b.notes);
  CHECK(text && strstr(text, "\"chaotic\": false") != NULL);
  CHECK(text && strstr(text, "\"exponents\"") != NULL);
  zw_text_free(text);
  o.out = NULL;
  text = zw_chaos(b.system, &o, "text", b.notes);
  CHECK(text && strstr(text, "no chaos") != NULL);
  zw_text_free(text);
  CHECK_INT(zw_notes_errors(b.notes), 0);
  CHECK(zw_chaos(b.system, &o, "latex", b.notes) == NULL);
  o.section = "t = -1";
  CHECK(zw_chaos(b.system, &o, "text", b.notes) == NULL);
  o.section = NULL;
  o.plot = bead_path("section.svg");
  CHECK(zw_chaos(b.system, &o, "text", b.notes) == NULL);
  // a bead on a wire has no saddle; a section is not asked for beside manifolds, nor no time
  o = zw_chaos_defaults();
  o.manifolds = 1;
  CHECK(zw_chaos(b.system, &o, "text", b.notes) == NULL);
  o.section = "x = 0";
  CHECK(zw_chaos(b.system, &o, "text", b.notes) == NULL);
  o.section = NULL;
  o.until = -1;
  CHECK(zw_chaos(b.system, &o, "text", b.notes) == NULL);
  o = zw_chaos_defaults();
  o.period = 1;
  CHECK(zw_chaos(b.system, &o, "text", b.notes) == NULL);
  o = (zw_chaos_options){0};
  CHECK(zw_chaos(b.system, &o, "text", b.notes) == NULL);
  CHECK(zw_chaos(NULL, NULL, "text", b.notes) == NULL);
  CHECK(zw_notes_errors(b.notes) >= 9);
  bead_free(&b);
}

TEST(the_bead_at_the_bottom_has_a_linear_model)
{
  bead b = bead_read(NULL);
  zw_linearise_options o = zw_linearise_defaults();
  o.state = "x=0, y=-1, x'=0, y'=0";
  o.outputs = "x";
  char* text = zw_linearise(b.system, &o, "json", b.notes);
  CHECK(text && strstr(text, "\"eigenvalues\"") != NULL);
  // +-i sqrt(g)
  CHECK(text && strstr(text, "3.13209195") != NULL);
  zw_text_free(text);
  static const char* const styles[] = {"text", "csv", "latex"};
  for (int i = 0; i < 3; i++) {
    text = zw_linearise(b.system, &o, styles[i], b.notes);
    CHECK(text && *text);
    zw_text_free(text);
  }
  CHECK(zw_linearise_save(b.system, &o, bead_path("linear.tex"), b.notes));
  CHECK_INT(zw_notes_errors(b.notes), 0);
  CHECK(!zw_linearise_save(b.system, &o, bead_path("linear.c"), b.notes));
  CHECK(!zw_linearise_save(b.system, &o, NULL, b.notes));
  CHECK(zw_linearise(b.system, &o, "c", b.notes) == NULL);
  o.outputs = "z";
  CHECK(zw_linearise(b.system, &o, "text", b.notes) == NULL);
  o = (zw_linearise_options){0};
  CHECK(zw_linearise(b.system, &o, "text", b.notes) == NULL);
  CHECK(zw_linearise(NULL, NULL, "text", b.notes) == NULL);
  CHECK(zw_notes_errors(b.notes) >= 6);
  bead_free(&b);
}

static const char crank_text[] = "rod crank from (0, 0, 0) to (1, 0, 0)\njoint A: hinge crank on "
                                 "world\noutput x = cos(A.angle)\n";

TEST(a_mechanism_is_driven_and_assembled)
{
  zw_notes* n = zw_notes_new();
  const char* const drive[] = {"A.angle=0..2"};
  zw_model* m =
      zw_mechanism_read_text("crank", crank_text, strlen(crank_text), NULL, 0, drive, 1, 4, n);
  zw_system* s = zw_derive(m, n);
  zw_run_options o = zw_run_defaults();
  o.points = 3;
  zw_track* t = zw_run(s, &o, n);
  CHECK(t != NULL);
  if (t) {
    CHECK_NEAR(zw_track_value(t, 1, zw_track_column(t, "A.angle")), 1, 1e-14);
    CHECK_NEAR(zw_track_value(t, 1, zw_track_column(t, "A.angle'")), 0.5, 1e-14);
    const zw_track* const list[] = {t};
    const zw_runs runs = {.track = list, .count = 1};
    char* json = zw_table_json(&runs, n);
    CHECK(json && strstr(json, "A.angle''") != NULL);
    zw_text_free(json);
  }
  char* text = zw_assemblies(s, "json", n);
  CHECK(text && strstr(text, "\"assemblies\"") != NULL);
  zw_text_free(text);
  text = zw_assemblies(s, "text", n);
  CHECK(text && strstr(text, "1 assembly at t = 0") != NULL);
  zw_text_free(text);
  CHECK_INT(zw_notes_errors(n), 0);
  CHECK(zw_assemblies(s, "csv", n) == NULL);
  CHECK(zw_mechanism_read("no such file.zw", NULL, 0, NULL, 0, 1, n) == NULL);
  CHECK_INT(zw_notes_errors(n), 2);
  zw_track_free(t);
  zw_system_free(s);
  zw_model_free(m);
  zw_notes_free(n);
}

TEST(forces_that_make_a_motion)
{
  bead b = bead_read(NULL);
  const char* path = bead_path("motion.csv");
  FILE* f = fopen(path, "w");
  if (f) fputs("t,x,x',x''\n0,0.6,0,0\n", f);
  if (f) fclose(f);
  char* text = zw_inverse(b.system, path, "x", "csv", b.notes);
  CHECK(text && strstr(text, "t,x,y,force.x") != NULL);
  zw_text_free(text);
  text = zw_inverse(b.system, path, NULL, "json", b.notes);
  CHECK(text && strstr(text, "\"freedoms\"") != NULL);
  zw_text_free(text);
  CHECK_INT(zw_notes_errors(b.notes), 0);
  CHECK(zw_inverse(b.system, path, "z", "csv", b.notes) == NULL);
  CHECK(zw_inverse(b.system, path, NULL, "latex", b.notes) == NULL);
  CHECK(zw_inverse(b.system, "no such file.csv", NULL, "csv", b.notes) == NULL);
  CHECK_INT(zw_notes_errors(b.notes), 3);
  bead_free(&b);
}
