// Parts of the scene for the page: what each is, and its channels.
#include "out/view.h"

#include <math.h>
#include <string.h>

#include "out/json_text.h"

static const char* const kinds[] = {"point", "particle", "body",    "rod",  "plate",
                                    "disc",  "ball",     "box",     "link", "surface",
                                    "frame", "trace",    "contact", "force"};

typedef struct parts
{
  const model* m;
  const model_scene* s;
  const sim_table* seen;
  out_pack* pack;
} parts;

static double first(const parts* x, int column)
{
  return x->seen->rows ? x->seen->value[column] : NAN;
}

// ---- a body of which the inertia is known -------------------------------------------------------

// Eigenvalues and eigenvectors (columns of V) of a symmetric matrix by Jacobi rotations
static void eigen(double A[3][3], double V[3][3])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) V[i][j] = i == j;
  for (int sweep = 0; sweep < 40; sweep++)
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        if (A[p][q] == 0) continue;
        const double angle = 0.5 * atan2(2 * A[p][q], A[q][q] - A[p][p]);
        const double c = cos(angle), s = sin(angle);
        for (int k = 0; k < 3; k++) {
          const double a = A[k][p], b = A[k][q];
          A[k][p] = c * a - s * b, A[k][q] = s * a + c * b;
        }
        for (int k = 0; k < 3; k++) {
          const double a = A[p][k], b = A[q][k];
          A[p][k] = c * a - s * b, A[q][k] = s * a + c * b;
        }
        for (int k = 0; k < 3; k++) {
          const double a = V[k][p], b = V[k][q];
          V[k][p] = c * a - s * b, V[k][q] = s * a + c * b;
        }
      }
}

// The uniform box of the same mass and moments: an edge along axis 1 is
//   a^2 = 6 (I2 + I3 - I1)/m
static void equal_box(const parts* x, int part, json_t* j)
{
  const double m = first(x, out_seen_part(part, OUT_SEEN_MASS));
  double I[6], edge[3], V[3][3], most = 0;
  for (int i = 0; i < 6; i++) I[i] = first(x, out_seen_part(part, OUT_SEEN_INERTIA + i));
  double A[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
  eigen(A, V);
  const double sum = A[0][0] + A[1][1] + A[2][2];
  if (!(m > 0) || !(sum > 0) || !isfinite(sum)) return;
  for (int i = 0; i < 3; i++) {
    edge[i] = sqrt(fmax(0, 6 * (sum - 2 * A[i][i]) / m));
    most = fmax(most, edge[i]);
  }
  // V is a rotation: products of rotations started from one
  double R[9], q[4];
  for (int i = 0; i < 9; i++) R[i] = V[i / 3][i % 3];
  out_pack_quaternion(R, q);
  json_t *edges = json_array(), *turn = json_array();
  // what has no thickness is drawn thin
  for (int i = 0; i < 3; i++) out_json_push(edges, out_json_real(fmax(edge[i], 0.06 * most)));
  for (int i = 0; i < 4; i++) out_json_push(turn, out_json_real(q[i]));
  out_json_set(j, "edges", edges);
  out_json_set(j, "principal", turn);
}

// ---- surfaces -----------------------------------------------------------------------------------

static void add_surface(const parts* x, int part, json_t* j)
{
  const model_part* p = &x->s->part[part];
  double range[4] = {INFINITY, -INFINITY, INFINITY, -INFINITY};
  for (int i = 0; i < x->seen->rows; i++)
    for (int k = 0; k < 2; k++) {
      const double c = x->seen->value[(size_t)i * (size_t)x->seen->width +
                                      (size_t)out_seen_part(part, OUT_SEEN_TOUCH + k)];
      if (!isfinite(c)) continue;
      range[2 * k] = fmin(range[2 * k], c);
      range[2 * k + 1] = fmax(range[2 * k + 1], c);
    }
  json_t* list = json_array();
  for (int i = 0; i < 4; i++) out_json_push(list, out_json_real(isfinite(range[i]) ? range[i] : 0));
  out_json_set(j, "range", list);
  out_json_set(j, "base", json_boolean(p->is_base));
  out_json_set(j, "inside", json_boolean(p->inside));
  out_json_set(j, "plane", json_boolean(p->chart == MODEL_CHART_PLANE));
  json_t* mesh = out_view_mesh(x->m, p, range);
  if (mesh) out_json_set(j, "mesh", mesh);
}

// ---- all ----------------------------------------------------------------------------------------

static void set_columns(const parts* x, int part, json_t* j, const char* name, int offset,
                        int count)
{
  out_json_set(j, name, out_pack_columns(x->pack, x->seen, out_seen_part(part, offset), count));
}

static json_t* one_part(const parts* x, int part)
{
  const model_part* p = &x->s->part[part];
  json_t* j = json_object();
  out_json_set(j, "kind", json_string(kinds[p->kind]));
  out_json_set(j, "name", out_json_string(p->name));
  out_json_set(j, "carrier", out_json_string(p->carrier));
  if (p->shown) out_json_set(j, "shown", json_true());
  set_columns(x, part, j, "at", OUT_SEEN_AT, 3);
  const bool two = p->kind == MODEL_PART_ROD || p->kind == MODEL_PART_LINK;
  if (two || p->kind == MODEL_PART_PLATE || p->kind == MODEL_PART_FORCE)
    set_columns(x, part, j, "to", OUT_SEEN_TO, 3);
  if (p->kind == MODEL_PART_PLATE) set_columns(x, part, j, "third", OUT_SEEN_THIRD, 3);
  if (p->turns)
    out_json_set(j, "turn", out_pack_turn(x->pack, x->seen, out_seen_part(part, OUT_SEEN_TURN)));
  if (p->kind == MODEL_PART_BALL || p->kind == MODEL_PART_DISC)
    set_columns(x, part, j, "size", OUT_SEEN_SIZE, 1);
  if (p->kind == MODEL_PART_BOX) set_columns(x, part, j, "size", OUT_SEEN_SIZE, 3);
  if (p->kind == MODEL_PART_DISC) set_columns(x, part, j, "normal", OUT_SEEN_NORMAL, 3);
  if (p->kind == MODEL_PART_PARTICLE) set_columns(x, part, j, "mass", OUT_SEEN_MASS, 1);
  if (p->kind == MODEL_PART_BODY) equal_box(x, part, j);
  if (p->kind == MODEL_PART_SURFACE) add_surface(x, part, j);
  if (p->kind == MODEL_PART_CONTACT) set_columns(x, part, j, "force", OUT_SEEN_FORCE, 3);
  return j;
}

json_t* out_view_parts(const model* m, const model_scene* s, const sim_track* t, out_pack* p)
{
  const parts x = {m, s, &t->watched, p};
  json_t* list = json_array();
  for (int i = 0; i < s->parts; i++) out_json_push(list, one_part(&x, i));
  return list;
}
