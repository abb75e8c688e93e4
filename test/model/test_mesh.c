// Meshes of triangles: what they enclose, from files of three kinds.

#include "model/mesh.h"

#include <string.h>

#include "check.h"

// the box 0..1, 0..2, 0..3
static const char corners[] =
    "v 0 0 0\nv 0 0 3\nv 0 2 0\nv 0 2 3\nv 1 0 0\nv 1 0 3\nv 1 2 0\nv 1 2 3\n";
static const int face[6][4] = {{1, 2, 4, 3}, {5, 7, 8, 6}, {1, 5, 6, 2},
                               {3, 4, 8, 7}, {1, 3, 7, 5}, {2, 6, 8, 4}};
static const double at[8][3] = {{0, 0, 0}, {0, 0, 3}, {0, 2, 0}, {0, 2, 3},
                                {1, 0, 0}, {1, 0, 3}, {1, 2, 0}, {1, 2, 3}};

static const char* obj_of(base_arena* arena, int faces, bool backwards)
{
  base_text t = {0};
  base_text_printf(&t, "# a box\n%s", corners);
  for (int i = 0; i < faces; i++) {
    base_text_add(&t, "f");
    // texture and normal behind each corner, and corners counted from the end, are other spellings
    for (int k = 0; k < 4; k++)
      base_text_printf(&t, k % 2 ? " %d/1/2" : " %d", backwards ? face[i][3 - k] : face[i][k] - 9);
    base_text_add(&t, "\n");
  }
  const char* text = base_arena_strdup(arena, t.at);
  base_text_free(&t);
  return text;
}

static void is_the_box(const model_mesh* m)
{
  CHECK_INT(m->places, 8);
  CHECK_NEAR(m->volume, 6, 1e-14);
  const double centre[3] = {0.5, 1, 1.5}, J[6] = {13.0 / 2, 5, 5.0 / 2, 0, 0, 0};
  for (int k = 0; k < 3; k++) CHECK_NEAR(m->centre[k], centre[k], 1e-14);
  for (int k = 0; k < 6; k++) CHECK_NEAR(m->J[k], J[k], 1e-13);
}

static const char* take(const char* data, size_t bytes, base_arena* arena, model_mesh* m)
{
  const char* why = model_mesh_read(data, bytes, arena, m);
  return why ? why : model_mesh_integrate(m);
}

TEST(a_box_from_three_kinds_of_files)
{
  base_arena* arena = base_arena_new();
  for (int backwards = 0; backwards < 2; backwards++) {
    model_mesh m = {0};
    const char* text = obj_of(arena, 6, backwards);
    CHECK(take(text, strlen(text), arena, &m) == NULL);
    is_the_box(&m);
  }
  base_text t = {0};
  char bytes[84 + 12 * 50 + 1] = {0};
  bytes[80] = 12;
  base_text_add(&t, "solid box\n");
  for (int i = 0; i < 12; i++) {
    base_text_add(&t, "facet normal 0 0 0\nouter loop\n");
    for (int k = 0; k < 3; k++) {
      const double* p = at[face[i / 2][k == 0 ? 0 : k + i % 2] - 1];
      base_text_printf(&t, "vertex %g %g %g\n", p[0], p[1], p[2]);
      for (int j = 0; j < 3; j++) {
        const float x = (float)p[j];
        memcpy(bytes + 84 + 50 * i + 12 + 12 * k + 4 * j, &x, sizeof x);
      }
    }
    base_text_add(&t, "endloop\nendfacet\n");
  }
  model_mesh by_text = {0}, by_bytes = {0};
  CHECK(take(t.at, t.n, arena, &by_text) == NULL);
  is_the_box(&by_text);
  CHECK(take(bytes, sizeof bytes - 1, arena, &by_bytes) == NULL);
  is_the_box(&by_bytes);
  base_text_free(&t);
  base_arena_free(arena);
}

// corners 0, x, y, z: V = 1/6, centre 1/4, int x^2 = 1/60, int xy = 1/120
TEST(a_tetrahedron_has_products_of_inertia)
{
  base_arena* arena = base_arena_new();
  model_mesh m = {0};
  const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  CHECK(take(text, sizeof text - 1, arena, &m) == NULL);
  CHECK_NEAR(m.volume, 1.0 / 6, 1e-15);
  for (int k = 0; k < 3; k++) CHECK_NEAR(m.centre[k], 0.25, 1e-15);
  for (int k = 0; k < 3; k++) CHECK_NEAR(m.J[k], 2 * (1.0 / 60 - 1.0 / 96), 1e-15);
  for (int k = 3; k < 6; k++) CHECK_NEAR(m.J[k], 1.0 / 96 - 1.0 / 120, 1e-15);
  base_arena_free(arena);
}

static void is_bad(const char* text, const char* why)
{
  base_arena* arena = base_arena_new();
  model_mesh m = {0};
  const char* found = take(text, strlen(text), arena, &m);
  CHECK_TEXT(found ? found : "", why);
  base_arena_free(arena);
}

TEST(bad_meshes_are_refused)
{
  base_arena* arena = base_arena_new();
  is_bad(obj_of(arena, 5, false), "its triangles do not close a body");
  is_bad("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n", "it encloses no volume");
  is_bad("v 0 0 0\nf 1 2 3\n", "a face names a corner that is not there");
  is_bad("v 0 0 0\nv 1 0 0\nf 1 2\n", "a face has fewer than three corners");
  is_bad("v 0 0\nf 1 1 1\n", "a corner has no three numbers");
  is_bad("v 0 0 nan\nf 1 1 1\n", "a corner is no number");
  is_bad("solid x\nvertex 1 2\n", "it is no STL of triangles");
  is_bad("", "it is no STL of triangles");
  base_arena_free(arena);
}
