#include "out/gnuplot.h"

#include <stdlib.h>

#include "check.h"
#include "out/fixture.h"

static bool has_gnuplot(void)
{
  return system("command -v gnuplot > /dev/null 2>&1") == 0;
}

TEST(gnuplot_that_fails_says_why)
{
  if (!has_gnuplot()) SKIP("gnuplot is not installed");
  fixture* f = fixture_new(1);
  static const char script[] = "set terminal svg\nplot no_such_thing\n";
  size_t n;
  CHECK(out_gnuplot(script, sizeof script - 1, 30, &n, f->notes) == NULL);
  CHECK(strstr(base_notes_reason(f->notes, 0), "undefined variable: no_such_thing"));
  CHECK(out_gnuplot("", 0, 30, &n, f->notes) == NULL);
  CHECK(strstr(base_notes_reason(f->notes, 1), "drew nothing"));
  fixture_free(f);
}

TEST(gnuplot_that_hangs_is_stopped)
{
  if (!has_gnuplot()) SKIP("gnuplot is not installed");
  fixture* f = fixture_new(1);
  static const char script[] = "while (1) { a = 1 }\n";
  size_t n;
  CHECK(out_gnuplot(script, sizeof script - 1, 0.3, &n, f->notes) == NULL);
  CHECK(strstr(base_notes_reason(f->notes, 0), "too long"));
  fixture_free(f);
}

TEST(gnuplot_that_is_absent_is_named_with_its_package)
{
  fixture* f = fixture_new(1);
  const char* path = getenv("PATH");
  char* before = base_arena_strdup(f->arena, path ? path : "");
  setenv("PATH", "/nowhere", 1);
  size_t n;
  CHECK(out_gnuplot("plot x", 6, 1, &n, f->notes) == NULL);
  CHECK(strstr(base_notes_text(f->notes, 0), "gnuplot-nox"));
  CHECK_INT(out_plot_check("picture.svg", f->notes), 2);
  CHECK_INT(out_plot_check("picture.gp", f->notes), 0);
  setenv("PATH", before, 1);
  fixture_free(f);
}
