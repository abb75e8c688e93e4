// The page of a moving picture while it is written. Private to out.
//
// The page reads one JSON object. Numbers of a motion are channels: a constant, or [offset, k] with
// the k-th block of 32-bit floats of the run's binary data, to which the offset is added. Attitudes
// are four constants w, x, y, z, or [k]: the k-th block of quaternions as 16-bit integers, 32767
// for 1.
#pragma once

#include <jansson.h>

#include "out/out.h"

// the binary data of one run
typedef struct out_pack
{
  int rows, blocks, turns;
  base_text floats; // blocks of rows floats
  base_text shorts; // blocks of 4 * rows integers
} out_pack;

void out_pack_free(out_pack* p);
// one column of a table as a channel
json_t* out_pack_column(out_pack* p, const walk_table* t, int column);
// `count` neighbouring columns as a list of channels
json_t* out_pack_columns(out_pack* p, const walk_table* t, int column, int count);
// nine columns, a rotation row by row, as an attitude
json_t* out_pack_turn(out_pack* p, const walk_table* t, int column);
// quaternion (w, x, y, z) of a rotation matrix
void out_pack_quaternion(const double R[9], double q[4]);
json_t* out_pack_doubles(const double* x, int n, int stride); // base64 of 64-bit floats
json_t* out_pack_floats(const double* x, size_t n);           // base64 of 32-bit floats
json_t* out_pack_bytes(const base_text* bytes);
// the bytes of base64, up to the end of the line; where that ends
const char* out_pack_decode(const char* from, base_text* out);

// Where the expressions of a part stand in the track's table of watched ones (view_watch.c):
// at 3, to 3, third 3, rotation 9, size 3, normal 3, mass 1, inertia 6, force 3, touch 2
enum {
  OUT_SEEN_AT = 0,
  OUT_SEEN_TO = 3,
  OUT_SEEN_THIRD = 6,
  OUT_SEEN_TURN = 9,
  OUT_SEEN_SIZE = 18,
  OUT_SEEN_NORMAL = 21,
  OUT_SEEN_MASS = 24,
  OUT_SEEN_INERTIA = 25,
  OUT_SEEN_FORCE = 31,
  OUT_SEEN_TOUCH = 34,
  OUT_SEEN_PART = 36,
  // before the parts: kinetic and potential energy, gravity
  OUT_SEEN_ENERGY = 0,
  OUT_SEEN_GRAVITY = 2,
  OUT_SEEN_FIRST = 5
};
static inline int out_seen_part(int part, int offset)
{
  return OUT_SEEN_FIRST + OUT_SEEN_PART * part + offset;
}
// plots: behind the parts, x then the curves of each
int out_seen_plot(const model* m, const model_scene* s, int plot);
// forces of constraints: behind the plots, reaction, gradient and jacobian of each part of the kind
int out_seen_force(const model* m, const model_scene* s, int part);

// how a constraint may act: at one point, at two with opposite forces, at two that no coordinate
// moves together
typedef enum out_force_kind {
  OUT_FORCE_SINGLE,
  OUT_FORCE_OPPOSITE,
  OUT_FORCE_APART
} out_force_kind;
// the forces of such parts at every row, three columns each; false where the constraint does not
// act so
bool out_view_force(const model* m, const model_scene* s, const int part[2], out_force_kind kind,
                    const walk_table* seen, double* const force[2]);
// does any coordinate move the point of such a part?
bool out_view_moves(const model* m, const model_scene* s, int part, const walk_table* seen);
// eigenvalues (on the diagonal of A) and eigenvectors (columns of V, a rotation) of a symmetric
// matrix by Jacobi rotations
void out_view_eigen(double A[3][3], double V[3][3]);

// parts of one run: what they are, and their channels
json_t* out_view_parts(const model* m, const model_scene* s, const walk_track* t, out_pack* p);
// a surface as a grid of points {"nu", "nv", "points"}; null where it is a plane or not finite
json_t* out_view_mesh(const model* m, const model_part* part, const double range[4]);
// a curve r(u) as such a grid, nv = 0; null where it is not finite
json_t* out_view_wire(const model* m, const model_part* part, const double range[2]);
// a curve as pieces of nine floats: both ends, and the direction to where f is positive
json_t* out_view_curve(const model* m, const model_scene* s, int part, const walk_table* seen);
// all of one run; `embedding` may be null
json_t* out_view_run(const out_view* v, int run);
// one form: {"name", "title", "whole", "groups": [{"title", "lines": [{"tex", "label"}]}]}, groups
// only where they fit into the bytes that are left
json_t* out_view_equations(const mech_system* s, const mech_equations* e, size_t* room);
