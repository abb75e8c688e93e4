#include "out/page.h"

#include <stdlib.h>

#include "check.h"
#include "out/fixture.h"

TEST(a_page_has_a_panel_for_each_plot_with_equal_scales_for_a_path)
{
  fixture* f = fixture_new(1);
  out_page* p = out_page_new(&f->two, f->notes);
  CHECK_INT(p->panels, 1);
  CHECK_INT(p->panel[0].curves, 2);
  CHECK(p->panel[0].same_scale && p->panel[0].path);
  CHECK_TEXT(p->panel[0].curve[1].label, "l = 0.65");
  CHECK(p->panel[0].x_min < -0.6 && p->panel[0].x_max > 0.65);
  // as wide as high in units means as wide as high on the page, within a few points of margins
  CHECK(p->width > p->height);
  out_page_free(p);
  fixture_free(f);
}

TEST(a_page_without_plots_shows_the_coordinates_of_each_unit)
{
  fixture* f = fixture_new(1);
  f->m.plots = 0;
  f->track[0].curves.rows = 0;
  out_page* p = out_page_new(&f->one, f->notes);
  CHECK_INT(p->panels, 1);
  CHECK_TEXT(p->panel[0].y_label, "x, y [m]");
  CHECK_TEXT(p->panel[0].x_label, "t [s]");
  CHECK_TEXT(p->panel[0].curve[1].label, "y");
  out_page_free(p);
  f->m.coord[1].unit = "rad";
  p = out_page_new(&f->one, f->notes);
  CHECK_INT(p->panels, 2);
  CHECK_TEXT(p->panel[1].y_label, "y [rad]");
  CHECK_TEXT(p->panel[1].curve[0].label, "");
  out_page_free(p);
  fixture_free(f);
}

TEST(a_constant_with_rounding_noise_is_drawn_flat)
{
  fixture* f = fixture_new(1);
  for (int i = 0; i < f->track[0].curves.rows; i++)
    f->track[0].curves.value[3 * i + 2] = 5 + 1e-14 * (i % 7);
  f->m.plot[0].same_scale = false;
  out_page* p = out_page_new(&f->one, f->notes);
  CHECK_NEAR(p->panel[0].y_min, 4.5, 1e-9);
  CHECK_NEAR(p->panel[0].y_max, 5.5, 1e-9);
  out_page_free(p);
  fixture_free(f);
}

TEST(plots_without_recorded_curves_are_refused)
{
  fixture* f = fixture_new(1);
  f->track[0].curves.rows = 0;
  CHECK(out_page_new(&f->one, f->notes) == NULL);
  CHECK_INT(base_notes_errors(f->notes), 1);
  fixture_free(f);
}

TEST(thinning_keeps_ends_gaps_and_extremes)
{
  enum { N = 100000 };
  double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
  for (int i = 0; i < N; i++) x[i] = i, y[i] = sin(i * 0.9);
  y[54321] = 7;
  y[70000] = NAN;
  int n = out_page_thin(N, x, y, N, 8, true), gaps = 0;
  double most = 0;
  for (int i = 0; i < n; i++) {
    gaps += isnan(y[i]);
    most = fmax(most, y[i]);
    if (i > 0) CHECK(x[i] > x[i - 1]);
  }
  CHECK(n < 20000);
  CHECK_INT(gaps, 1);
  CHECK_NEAR(most, 7, 0);
  CHECK_NEAR(x[0], 0, 0);
  CHECK_NEAR(x[n - 1], N - 1, 0);

  // a slow curve needs few points, and none of those left is far from the curve
  for (int i = 0; i < N; i++) x[i] = i, y[i] = i * 1e-5;
  n = out_page_thin(N, x, y, N, 1, false);
  CHECK(n > 1000 && n < 6000);
  free(x);
  free(y);
}

TEST(quotes_at_the_beginning_of_words_stand_before_their_quotes)
{
  static const char* const cases[][2] = {
      {"'", "\"'\".''"}, {"''a'b", "\"''\".'a''b'"}, {"a'", "'a'''"}, {"", "''"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    base_text out = {0};
    out_page_quoted(&out, cases[i][0], 0);
    CHECK_TEXT(out.at, cases[i][1]);
    base_text_free(&out);
  }
}

TEST(scripts_hold_words_only_in_single_quotes)
{
  fixture* f = fixture_new(1);
  f->m.title = "it's `touch pwned` \"q\" @macro\nsystem('x')";
  out_page* p = out_page_new(&f->one, f->notes);
  base_text out = {0};
  out_page_script(p, OUT_SVG, "", &out);
  CHECK(strstr(out.at, " title 'it''s `touch pwned` \"q\" @macro system(''x'')' noenhanced"));
  CHECK(!strstr(out.at, "\nsystem"));
  base_text_free(&out);
  out_page_free(p);
  fixture_free(f);
}
