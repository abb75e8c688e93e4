// Embeddings: formulas where there are some, least squares where not, refusals where none exists.
#include "geom/canonical.h"
#include "geom/geom.h"
#include "geom/place.h"

typedef struct shape
{
  base_notes* notes;
  geom_space* space;
  geom_verdict flat;
  geom_embedding* e;
} shape;

static shape make(hand* h, const double* q, double half)
{
  shape w = {.notes = base_notes_new()};
  const place p = place_of(h, q);
  double low[8], high[8];
  for (int i = 0; i < h->m.coords; i++) {
    low[i] = q[i] - half;
    high[i] = q[i] + half;
  }
  w.space = geom_space_make(&h->m, NULL, &(geom_metric){0}, p.n, p.symbol, p.value, w.notes);
  geom_space_curve(w.space);
  w.flat = geom_flat(w.space);
  w.e = geom_embed(w.space, &w.flat, low, high, false);
  return w;
}

static void drop(shape* w)
{
  geom_embedding_free(w->e);
  geom_space_free(w->space);
  base_notes_free(w->notes);
}

// second derivatives of the map against differences of the first
static void expect_smooth(const geom_embedding* e, const double* q)
{
  double up[16], down[16], bend[64], at[4];
  const int n = e->n, N = e->N;
  const double h = 1e-5;
  geom_embedding_at(e, q, NULL, NULL, bend);
  for (int b = 0; b < n; b++) {
    memcpy(at, q, sizeof(double) * (size_t)n);
    at[b] = q[b] + h;
    geom_embedding_at(e, at, NULL, up, NULL);
    at[b] = q[b] - h;
    geom_embedding_at(e, at, NULL, down, NULL);
    for (int i = 0; i < N * n; i++) CHECK_NEAR(bend[i * n + b], (up[i] - down[i]) / (2 * h), 1e-7);
  }
}

TEST(polar_coordinates_give_cartesian_ones)
{
  hand* h = hand_new("r phi", "m=4");
  hand_energies(h, "m/2*(r'^2 + r^2*phi'^2)", "0");
  shape w = make(h, (double[]){1, 0.3}, 0.4);
  CHECK_INT(w.e->N, 2);
  CHECK(w.e->x != NULL);
  if (w.e->x) CHECK_TEXT(hand_print(h, w.e->x[0]), "sqrt(m)*r*cos(phi)");
  drop(&w);
  hand_free(h);
}

TEST(a_pendulum_on_a_cart_is_a_plane_in_numbers)
{
  hand* h = hand_new("x a", "M=2 m=1 l=0.7");
  hand_energies(h, "M/2*x'^2 + m/2*((x' + l*a'*cos(a))^2 + (l*a'*sin(a))^2)", "0");
  shape w = make(h, (double[]){0, 0.3}, 1);
  CHECK_INT(w.flat.flat, EXPR_YES);
  CHECK_INT(w.e->N, 2);
  CHECK(w.e->error < 1e-11);
  expect_smooth(w.e, (double[]){0.1, 0.5});
  drop(&w);
  hand_free(h);
}

TEST(a_metric_of_one_coordinate_is_measured_along_it)
{
  hand* h = hand_new("a", "");
  hand_energies(h, "(1 + 0.3*cos(a)^2)/2*a'^2", "0");
  shape w = make(h, (double[]){0.3}, 2);
  CHECK_INT(w.e->N, 1);
  CHECK(w.e->error < 1e-9);
  drop(&w);
  hand_free(h);
}

TEST(the_double_pendulum_is_a_surface_of_revolution)
{
  hand* h = hand_new("a b", "");
  hand_energies(h, "a'^2 + cos(a - b)*a'*b' + b'^2/2", "0");
  shape w = make(h, (double[]){0.4, 1}, 1.5);
  CHECK_INT(w.e->N, 3);
  CHECK(w.e->error < 1e-10);
  expect_smooth(w.e, (double[]){0.1, 0.5});
  drop(&w);
  hand_free(h);
}

TEST(a_metric_without_symmetry_is_fitted)
{
  hand* h = hand_new("a b", "");
  hand_energies(h, "a'^2 + cos(a - b)*a'*b' + b'^2/2 + cos(a)^2*a'^2/2", "0");
  shape w = make(h, (double[]){0, 0}, 0.3);
  CHECK_INT(w.e->N, 3);
  CHECK(w.e->error < 1e-9);
  expect_smooth(w.e, (double[]){0.1, -0.1});
  // Gauss's equation holds for the map: b11 b22 - b12^2 = R_1212
  double dx[6], ddx[12], nu[3], b[3] = {0};
  geom_embedding_at(w.e, (double[]){0.1, -0.1}, NULL, dx, ddx);
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    nu[k] = dx[i * 2] * dx[j * 2 + 1] - dx[j * 2] * dx[i * 2 + 1];
  }
  const double size = sqrt(nu[0] * nu[0] + nu[1] * nu[1] + nu[2] * nu[2]);
  for (int k = 0; k < 3; k++) {
    b[0] += ddx[k * 4] * nu[k] / size;
    b[1] += ddx[k * 4 + 1] * nu[k] / size;
    b[2] += ddx[k * 4 + 3] * nu[k] / size;
  }
  geom_place* p = geom_place_make(w.space, (double[]){0.1, -0.1});
  CHECK_NEAR(b[0] * b[2] - b[1] * b[1], p->at->riemann[0], 1e-6);
  geom_place_free(p);
  drop(&w);
  hand_free(h);
}

// what the notes say about a hypersurface
static void expect_words(const char* coords, const char* T, const double* q, const char* words,
                         int N)
{
  hand* h = hand_new(coords, "");
  hand_energies(h, T, "0");
  shape w = make(h, q, 0.4);
  bool found = false;
  for (int i = 0; i < w.e->notes; i++) found |= strstr(w.e->note[i], words) != NULL;
  if (!found) check_fail(__FILE__, __LINE__, "no note says `%s`", words);
  CHECK_INT(w.e->N, N);
  CHECK(w.e->error < 1e-6);
  drop(&w);
  hand_free(h);
}

TEST(hypersurfaces_are_refused_for_the_right_reason)
{
  const double q[4] = {0.2, 1, 0.3, 0.7};
  // tops: J1 = J2 = 1
  expect_words("p a f", "(a'^2 + p'^2*sin(a)^2)/2 + (f' + p'*cos(a))^2/4", q, "Codazzi's fail", 6);
  expect_words("p a f", "(a'^2 + p'^2*sin(a)^2)/2 + 0.9*(f' + p'*cos(a))^2", q, "negative", 6);
  expect_words("p a f", "(a'^2 + p'^2*sin(a)^2)/2 + (f' + p'*cos(a))^2/2", q,
               "fewer than 4 dimensions do not", 4);
  // two sliders on one arm
  expect_words("r s a", "(r'^2 + s'^2 + (1 + r^2 + s^2)*a'^2)/2", q, "rank 2", 5);
  // a chain of four links of one length and mass
  expect_words("a b c d",
               "2*a'^2 + 1.5*b'^2 + c'^2 + d'^2/2 + 3*cos(a - b)*a'*b' + 2*cos(a - c)*a'*c' + "
               "cos(a - d)*a'*d' + 2*cos(b - c)*b'*c' + cos(b - d)*b'*d' + cos(c - d)*c'*d'",
               q, "no solution", 6);
}

TEST(a_product_is_embedded_factor_by_factor)
{
  const double q[4] = {1, 0.1, 1.1, 0.2};
  expect_words("a b c d", "(1.44*(a'^2 + sin(a)^2*b'^2) + 0.81*(c'^2 + sin(c)^2*d'^2))/2", q,
               "product of 2 spaces", 6);
  // two surfaces of revolution, one of them in numbers
  expect_words("a b c d",
               "((cos(a)^2 + 0.5*sin(a)^2)*a'^2 + sin(a)^2*b'^2 + c'^2*(2 + cos(d)) + d'^2)/2", q,
               "product of 2 spaces", 6);
}

// a spherical pendulum on a cart in a plane: the curvature has rank one and leaves b open
TEST(a_hypersurface_that_is_one_is_not_denied)
{
  hand* h = hand_new("x y a b", "");
  hand_energies(h,
                "x'^2 + y'^2 + ((x' + b'*cos(b)*cos(a) - a'*sin(b)*sin(a))^2 + (y' + "
                "b'*cos(b)*sin(a) + a'*sin(b)*cos(a))^2 + (b'*sin(b))^2)/2",
                "0");
  shape w = make(h, (double[]){0, 0, 0.2, 1}, 0.4);
  CHECK_INT(w.e->N, 5);
  CHECK(w.e->error < 1e-9);
  for (int i = 0; i < w.e->notes; i++)
    if (strstr(w.e->note[i], "no hypersurface"))
      check_fail(__FILE__, __LINE__, "it says: %s", w.e->note[i]);
  drop(&w);
  hand_free(h);
}

TEST(the_motion_on_the_sphere_is_that_of_the_spherical_pendulum)
{
  hand* h = hand_new("a b", "");
  hand_energies(h, "(a'^2 + sin(a)^2*b'^2)/2", "-cos(a)");
  shape w = make(h, (double[]){1, 0}, 0.5);
  const double t[3] = {0, 1, 2};
  geom_motion* m = geom_motion_run(w.e, (double[]){1, 0}, (double[]){0, 0.8}, 3, t, 1e-11);
  CHECK_INT(m->rows, 3);
  // angular momentum about the vertical and energy are kept
  for (int i = 1; i < m->rows; i++) {
    const double* x = m->x + 3 * i;
    CHECK_NEAR(x[0] * x[0] + x[1] * x[1] + x[2] * x[2], 1, 1e-9);
  }
  // normal acceleration at the start: |v|^2 of the unit sphere
  CHECK_NEAR(m->reaction[0], pow(0.8 * sin(1), 2), 1e-10);
  geom_motion_free(m);
  drop(&w);
  hand_free(h);
}

// a double pendulum on a cart: a line and a surface
TEST(a_line_splits_off_and_the_rest_is_embedded)
{
  hand* h = hand_new("x a b", "");
  hand_energies(h, "3*x'^2/2 + x'*(cos(a)*a' + cos(b)*b') + a'^2 + b'^2/2 + cos(a - b)*a'*b'", "0");
  shape w = make(h, (double[]){0, 0.5, 0.3}, 0.3);
  CHECK_INT(w.e->N, 4);
  CHECK(w.e->error < 1e-8);
  expect_smooth(w.e, (double[]){0.1, 0.4, 0.2});
  drop(&w);
  hand_free(h);
}

// masses at the joints: every other link is a line; uniform rods: one
TEST(chains_of_links_have_formulas)
{
  static const struct
  {
    const char *coords, *T;
    int N;
  } chain[] = {
      {"a b c",
       "1.5*a'^2 + b'^2 + c'^2/2 + 2*cos(a - b)*a'*b' + cos(a - c)*a'*c' + cos(b - c)*b'*c'", 4},
      {"a b c",
       "7*a'^2/6 + 2*b'^2/3 + c'^2/6 + 3*cos(a - b)*a'*b'/2 + cos(a - c)*a'*c'/2 + "
       "cos(b - c)*b'*c'/2",
       5},
      {"p q r",
       "1.5*p'^2 + (p' + q')^2 + (p' + q' + r')^2/2 + 2*cos(q)*p'*(p' + q') + "
       "cos(q + r)*p'*(p' + q' + r') + cos(r)*(p' + q')*(p' + q' + r')",
       4}};
  for (int i = 0; i < 3; i++) {
    hand* h = hand_new(chain[i].coords, "");
    hand_energies(h, chain[i].T, "0");
    shape w = make(h, (double[]){0.2, 1, 0.3}, 0.4);
    CHECK_INT(w.e->N, chain[i].N);
    CHECK(w.e->x != NULL && w.e->error == 0);
    drop(&w);
    hand_free(h);
  }
}

// squares as they are written: a graph over three coordinates
TEST(a_sum_of_squares_is_an_embedding)
{
  hand* h = hand_new("x y z", "");
  hand_energies(h, "x'^2/2 + y'^2/2 + z'^2/2 + (y*z*x' + x*z*y' + x*y*z')^2/2", "0");
  shape w = make(h, (double[]){0.5, 0.4, 0.6}, 0.3);
  CHECK_INT(w.e->N, 4);
  CHECK(w.e->x != NULL && w.e->error == 0);
  drop(&w);
  hand_free(h);
}

// the same sphere, but no formula solves its constraint; and two links whose angle hangs on another
TEST(a_surface_of_unsolved_constraints_is_embedded_in_numbers)
{
  const double x = 0.3, y = 0.2, z = sqrt(1 - x * x - y * y);
  hand* h = hand_new("x y z", "");
  hand_energies(h, "(x'^2 + y'^2 + z'^2)/2", "2*z");
  hand_constraint(h, "ball", "exp(x^2 + y^2 + z^2) + x^2 + y^2 + z^2 - exp(1) - 1");
  shape w = make(h, (double[]){x, y, z}, 0.3);
  CHECK_INT(w.space->rest, 1);
  CHECK_INT(w.e->n, 2);
  CHECK_INT(w.e->N, 3);
  CHECK(w.e->error < 1e-10);
  // b = g of the unit sphere, whichever way it is turned
  double b[4];
  CHECK(geom_embedding_second(w.e, (double[]){x, y}, b));
  CHECK_NEAR(b[0] * b[3] - b[1] * b[1], 1 / (z * z), 1e-6);
  // a point slides down a meridian: theta'' = 2 sin(theta)
  const double t[3] = {0, 0.2, 0.4};
  geom_motion* m = geom_motion_run(w.e, (double[]){x, y}, (double[]){0, 0}, 3, t, 1e-11);
  CHECK_INT(m->rows, 3);
  double theta = acos(z), rate = 0;
  for (int i = 1; i < m->rows; i++) {
    const double step = 1e-4;
    for (int k = 0; k < 2000; k++) {
      // Stoermer and Verlet, of fourth order by its composition
      static const double part[3] = {1.3512071919596578, -1.7024143839193153, 1.3512071919596578};
      for (int j = 0; j < 3; j++) {
        theta += part[j] * step / 2 * rate;
        rate += part[j] * step * 2 * sin(theta);
        theta += part[j] * step / 2 * rate;
      }
    }
    CHECK_NEAR(m->q[2 * i + 1] / m->q[2 * i], y / x, 1e-8);
    CHECK_NEAR(hypot(m->q[2 * i], m->q[2 * i + 1]), sin(theta), 1e-9);
  }
  geom_motion_free(m);
  drop(&w);
  hand_free(h);
}

// Thirteen straight lines beside a sphere: each may be taken off first, and the sphere is never
// flat. Not all orders are tried for that.
TEST(a_metric_that_is_flat_but_for_a_part_is_given_up_soon)
{
  enum { n = 15 };
  expr_pool* p = expr_pool_new(0);
  expr q[n], g[n * n], x[n];
  char name[8];
  for (int i = 0; i < n; i++) {
    snprintf(name, sizeof name, "x%d", i);
    q[i] = expr_symbol(p, name);
  }
  for (int i = 0; i < n * n; i++) g[i] = expr_int(p, i % (n + 1) == 0);
  const expr s = expr_fn1(p, EXPR_SIN, q[n - 2]);
  g[n * n - 1] = expr_mul(p, s, s);
  CHECK(!geom_canonical_find(p, n, q, g, x));
  // without it all are found
  g[n * n - 1] = expr_int(p, 1);
  CHECK(geom_canonical_find(p, n, q, g, x));
  expr_pool_free(p);
}
