// Packing of motions for the page, and reactions as forces.
#include "out/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const double pi = 3.14159265358979324;

// rotation about a unit axis, row by row
static void rotation(const double u[3], double angle, double R[9])
{
  const double c = cos(angle), s = sin(angle);
  const double cross[9] = {0, -u[2], u[1], u[2], 0, -u[0], -u[1], u[0], 0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      R[3 * i + j] = c * (i == j) + (1 - c) * u[i] * u[j] + s * cross[3 * i + j];
}

TEST(quaternions_are_those_of_the_axis_and_half_the_angle)
{
  static const double axes[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2.0 / 7, 3.0 / 7, -6.0 / 7}};
  for (int k = 0; k < 4; k++)
    for (int i = -12; i <= 12; i++) {
      const double angle = i * pi / 12;
      double R[9], q[4];
      rotation(axes[k], angle, R);
      out_pack_quaternion(R, q);
      const double want[4] = {cos(angle / 2), sin(angle / 2) * axes[k][0],
                              sin(angle / 2) * axes[k][1], sin(angle / 2) * axes[k][2]};
      double along = 0;
      for (int j = 0; j < 4; j++) along += q[j] * want[j];
      // q and -q are the same rotation
      for (int j = 0; j < 4; j++) CHECK_NEAR(q[j], along < 0 ? -want[j] : want[j], 1e-12);
    }
}

static walk_table table_of(int rows, int width, double* value)
{
  return (walk_table){.rows = rows, .width = width, .value = value};
}

static float float_at(const out_pack* p, int i)
{
  float x;
  memcpy(&x, p->floats.at + sizeof x * (size_t)i, sizeof x);
  return x;
}

TEST(columns_are_constants_or_floats_that_keep_their_digits)
{
  double value[] = {5, 1e-7, 1e9 + 0.25, 5, 0, 1e9 + 0.5, 5, -3, 1e9};
  const walk_table t = table_of(3, 3, value);
  out_pack p = {.rows = 3};
  json_t* constant = out_pack_column(&p, &t, 0);
  CHECK(json_is_real(constant));
  CHECK_NEAR(json_real_value(constant), 5, 0);
  json_t* small = out_pack_column(&p, &t, 1);
  // small values keep their digits, zero stays zero
  CHECK_NEAR(json_real_value(json_array_get(small, 0)), 0, 0);
  CHECK_NEAR(float_at(&p, 0), 1e-7, 1e-14);
  CHECK_NEAR(float_at(&p, 1), 0, 0);
  json_t* far = out_pack_column(&p, &t, 2);
  const double offset = json_real_value(json_array_get(far, 0));
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(offset + (double)float_at(&p, 3 + i), value[3 * i + 2], 1e-7);
  // the same column again is the same block
  json_t* again = out_pack_column(&p, &t, 1);
  CHECK(json_equal(again, small));
  CHECK_INT(p.blocks, 2);
  CHECK_INT((int)p.floats.n, (int)(2 * 3 * sizeof(float)));
  json_decref(constant);
  json_decref(small);
  json_decref(far);
  json_decref(again);
  out_pack_free(&p);
}

TEST(values_that_are_not_finite_stay_so)
{
  double value[] = {1, NAN, 2, INFINITY};
  const walk_table t = table_of(4, 1, value);
  out_pack p = {.rows = 4};
  json_t* j = out_pack_column(&p, &t, 0);
  CHECK(json_is_array(j));
  CHECK(isnan(float_at(&p, 1)) && isinf(float_at(&p, 3)));
  json_decref(j);
  double nothing[] = {NAN, NAN};
  const walk_table empty = table_of(2, 1, nothing);
  j = out_pack_column(&p, &empty, 0);
  CHECK(json_is_null(j));
  json_decref(j);
  out_pack_free(&p);
}

TEST(bytes_are_written_in_base64)
{
  static const char* const cases[][2] = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}};
  for (int i = 0; i < 5; i++) {
    base_text t = {0};
    base_text_add(&t, cases[i][0]);
    json_t* j = out_pack_bytes(&t);
    CHECK_TEXT(json_string_value(j), cases[i][1]);
    json_decref(j);
    base_text_free(&t);
  }
}

TEST(eigenvectors_put_a_symmetric_matrix_together)
{
  const double A[3][3] = {{4, 1, -2}, {1, 3, 0.5}, {-2, 0.5, 1}};
  double D[3][3], V[3][3];
  memcpy(D, A, sizeof D);
  out_view_eigen(D, V);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double sum = 0, unit = 0;
      for (int k = 0; k < 3; k++) {
        sum += V[i][k] * D[k][k] * V[j][k];
        unit += V[i][k] * V[j][k];
      }
      CHECK_NEAR(sum, A[i][j], 1e-13);
      CHECK_NEAR(unit, i == j, 1e-14);
    }
}

// one constraint, coordinates x, y of a point in the plane
static bool force_of(double gx, double gy, double turn, double* force)
{
  model m = {.coords = 3, .places = 3};
  model_part part = {.kind = MODEL_PART_FORCE};
  const model_scene s = {.parts = 1, .part = &part};
  double value[200] = {0};
  double* row = value + out_seen_force(&m, &s, 0);
  row[0] = 10;
  row[1] = gx;
  row[2] = gy;
  row[3] = turn;
  row[4] = 1;     // dx/dx
  row[4 + 4] = 1; // dy/dy
  const walk_table seen = table_of(1, 200, value);
  return out_view_force(&m, &s, (int[2]){0, 0}, OUT_FORCE_SINGLE, &seen,
                        (double* [2]){force, NULL});
}

TEST(a_reaction_is_a_force_at_a_point_only_where_it_turns_nothing_else)
{
  double force[3];
  CHECK(force_of(0.6, -0.8, 0, force));
  CHECK_NEAR(force[0], 6, 1e-14);
  CHECK_NEAR(force[1], -8, 1e-14);
  CHECK_NEAR(force[2], 0, 0);
  CHECK(!force_of(0.6, -0.8, 0.01, force));
}

// one constraint, coordinates x of one point and u, w of another in the plane
static bool forces_of(const double g[3], double shared, out_force_kind kind, double force[2][3])
{
  model m = {.coords = 3, .places = 3};
  model_part part[2] = {{.kind = MODEL_PART_FORCE}, {.kind = MODEL_PART_FORCE}};
  const model_scene s = {.parts = 2, .part = part};
  double value[200] = {0};
  for (int k = 0; k < 2; k++) {
    double* row = value + out_seen_force(&m, &s, k);
    row[0] = 10;
    memcpy(row + 1, g, 3 * sizeof *g);
    row[4 + (k ? 1 : 0)] = 1; // dx/dx of the first, dx/du of the second
    if (k) row[4] = shared;   // dx/dx of the second
    if (k) row[4 + 3 + 2] = 1;
  }
  const walk_table seen = table_of(1, 200, value);
  return out_view_force(&m, &s, (int[2]){0, 1}, kind, &seen, (double* [2]){force[0], force[1]});
}

TEST(a_reaction_between_two_points_is_a_force_and_its_opposite)
{
  double force[2][3];
  // a rod with the direction (0.6, 0.8) from the second to the first
  CHECK(forces_of((double[3]){0.6, -0.6, -0.8}, 0, OUT_FORCE_OPPOSITE, force));
  CHECK_NEAR(force[0][0], 6, 1e-13);
  CHECK_NEAR(force[0][1], 8, 1e-13);
  CHECK_NEAR(force[1][0], -6, 1e-13);
  CHECK_NEAR(force[1][1], -8, 1e-13);
  // a rope over a pulley: x + u = const
  CHECK(!forces_of((double[3]){1, 1, 0}, 0, OUT_FORCE_OPPOSITE, force));
  CHECK(forces_of((double[3]){1, 1, 0}, 0, OUT_FORCE_APART, force));
  CHECK_NEAR(force[0][0], 10, 1e-13);
  CHECK_NEAR(force[1][0], 10, 1e-13);
  // where a coordinate moves both, how they share it is not known
  CHECK(!forces_of((double[3]){1, 1, 0}, 1, OUT_FORCE_APART, force));
}
