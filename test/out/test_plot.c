#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "out/fixture.h"

static bool has_gnuplot(void)
{
  return system("command -v gnuplot > /dev/null 2>&1") == 0;
}

TEST(pictures_of_all_kinds_are_drawn)
{
  if (!has_gnuplot()) SKIP("gnuplot is not installed");
  fixture* f = fixture_new(1);
  char* folder = fixture_folder(f);
  static const char* const names[] = {"a.svg", "a.png", "a.pdf", "a.gp"};
  static const char* const starts[] = {"<?xml", "\x89PNG", "%PDF", "# a picture"};
  for (int i = 0; i < 4; i++) {
    char* path = base_arena_printf(f->arena, "%s/%s", folder, names[i]);
    CHECK_INT(out_plot_check(path, f->notes), 0);
    CHECK_INT(out_plot_write(&f->two, path, f->notes), 0);
    size_t n = 0;
    char* bytes = fixture_file(f, path, &n);
    CHECK(bytes && n > 1000 && memcmp(bytes, starts[i], strlen(starts[i])) == 0);
  }
  CHECK_INT(fixture_files_in(folder), 4);
  CHECK_INT(base_notes_count(f->notes), 0);
  // the kept script draws the picture by itself
  CHECK_INT(system(base_arena_printf(f->arena, "cd '%s' && rm a.svg && gnuplot a.gp", folder)), 0);
  CHECK(strstr(fixture_file(f, base_arena_printf(f->arena, "%s/a.svg", folder), NULL), "</svg>"));
  fixture_free(f);
}

TEST(hostile_words_in_a_picture_do_nothing)
{
  if (!has_gnuplot()) SKIP("gnuplot is not installed");
  fixture* f = fixture_new(1);
  char* folder = fixture_folder(f);
  char* pwned = base_arena_printf(f->arena, "%s/pwned", folder);
  char* words = base_arena_printf(f->arena,
                                  "`touch %s` '`touch %s`' \"`touch %s`\" ' ; system('touch %s') # "
                                  "\\\n!touch %s\n' @x <script>&amp; \xce\xb8 {/=50 x}",
                                  pwned, pwned, pwned, pwned, pwned);
  f->m.title = f->m.plot[0].title = f->m.plot[0].x_label = f->m.plot[0].y_label[0] = words;
  out_runs r = f->two;
  r.varied = words;
  char* path = base_arena_printf(f->arena, "%s/a.svg", folder);
  CHECK_INT(out_plot_write(&r, path, f->notes), 0);
  CHECK(access(pwned, F_OK) != 0);
  char* svg = fixture_file(f, path, NULL);
  CHECK(svg && !strstr(svg, "<script>"));
  char* gp = base_arena_printf(f->arena, "%s/it's `a`.gp", folder);
  CHECK_INT(out_plot_write(&r, gp, f->notes), 0);
  CHECK_INT(system(base_arena_printf(f->arena, "cd '%s' && gnuplot *.gp", folder)), 0);
  CHECK(access(pwned, F_OK) != 0);
  fixture_free(f);
}

TEST(words_in_a_picture_are_shown_as_written)
{
  if (!has_gnuplot()) SKIP("gnuplot is not installed");
  fixture* f = fixture_new(1);
  f->m.title = "<b> it's {/=50 x}_2 ^3 \xce\xb8 & co";
  char* path = fixture_path(f, "a.svg");
  CHECK_INT(out_plot_write(&f->one, path, f->notes), 0);
  char* svg = fixture_file(f, path, NULL);
  CHECK(strstr(svg, "&lt;b> it's {/=50 x}_2 ^3 \xce\xb8 &amp; co"));
  fixture_free(f);
}

TEST(a_picture_without_finite_numbers_is_still_a_picture)
{
  if (!has_gnuplot()) SKIP("gnuplot is not installed");
  fixture* f = fixture_new(1);
  for (int i = 0; i < 3 * f->track[0].curves.rows; i++)
    f->track[0].curves.value[i] = i % 2 ? NAN : INFINITY;
  char* path = fixture_path(f, "a.svg");
  CHECK_INT(out_plot_write(&f->one, path, f->notes), 0);
  CHECK(strstr(fixture_file(f, path, NULL), "no finite values"));
  // and one point is enough
  f->track[1].curves.rows = 1;
  f->one.track = f->tracks + 1;
  CHECK_INT(out_plot_write(&f->one, path, f->notes), 0);
  fixture_free(f);
}

TEST(a_picture_that_cannot_be_written_is_reported)
{
  if (!has_gnuplot()) SKIP("gnuplot is not installed");
  fixture* f = fixture_new(1);
  CHECK_INT(out_plot_check("a.jpg", f->notes), 1);
  CHECK_INT(out_plot_write(&f->one, "a", f->notes), 1);
  char* folder = fixture_folder(f);
  char* missing = base_arena_printf(f->arena, "%s/no/a.svg", folder);
  CHECK_INT(out_plot_check(missing, f->notes), 2);
  CHECK_INT(out_plot_write(&f->one, missing, f->notes), 2);
  char* full = base_arena_printf(f->arena, "%s/full.svg", folder);
  if (access("/dev/full", W_OK) == 0 && symlink("/dev/full", full) == 0) {
    CHECK_INT(out_plot_write(&f->one, full, f->notes), 2);
    CHECK(strstr(base_notes_reason(f->notes, base_notes_count(f->notes) - 1), "No space left"));
  }
  fixture_free(f);
}

TEST(more_plots_than_a_page_holds_are_counted)
{
  if (!has_gnuplot()) SKIP("gnuplot is not installed");
  fixture* f = fixture_new(1);
  enum { MANY = 40 };
  model_plot* plot = base_arena_take(f->arena, MANY * sizeof *plot);
  for (int i = 0; i < MANY; i++) plot[i] = f->m.plot[0];
  f->m.plot = plot;
  f->m.plots = MANY;
  walk_table* c = &f->track[0].curves;
  double* value = base_arena_take(f->arena, (size_t)c->rows * (1 + 2 * MANY) * sizeof *value);
  for (int i = 0; i < c->rows; i++)
    for (int k = 0; k < 2 * MANY; k++)
      value[i * (1 + 2 * MANY) + 1 + k] = c->value[3 * i + 1 + k % 2];
  c->width = 1 + 2 * MANY;
  c->value = value;
  CHECK_INT(out_plot_write(&f->one, fixture_path(f, "a.svg"), f->notes), 0);
  CHECK_INT(base_notes_count(f->notes), 1);
  CHECK(strstr(base_notes_reason(f->notes, 0), "first 36 plots; 4 more"));
  fixture_free(f);
}
