// A drawing of a mechanism in the plane of the paper, from the data of a page. Private to out.
#pragma once

#include <jansson.h>

#include "out/out.h"

typedef struct out_drawing
{
  json_t* data;
  const json_t *run, *parts;
  base_text floats, shorts, times; // decoded
  int rows, row;
  double between; // rows: at this part of the way to the next
  double right[3], top[3], toward[3];
  double up[3]; // of the world: against gravity, else z
  bool planar;
  bool far;               // it goes many times its own size: seen where it is
  double size;            // of what is drawn as large as it must be to be seen
  double low[2], high[2]; // on the paper, over the whole run
  double scale, margin;   // points of the picture per metre
  base_text* out;
} out_drawing;

// drawing.c: as out_film_write
int out_drawing_write(const char* page, const out_film* f, const char* path, base_notes* notes);

// drawing_read.c
// the data of a page; false with an error noted
bool out_drawing_open(out_drawing* d, const char* page, base_notes* notes);
void out_drawing_close(out_drawing* d);
void out_drawing_seek(out_drawing* d, double t);
double out_drawing_time(const out_drawing* d, int row);
bool out_drawing_is(const json_t* part, const char* kind);
bool out_drawing_flag(const json_t* part, const char* name);
double out_drawing_number(const out_drawing* d, const json_t* channel);
// three numbers of a part; false where it has none of that name
bool out_drawing_vector(const out_drawing* d, const json_t* part, const char* name, double x[3]);
double out_drawing_first(const out_drawing* d, const json_t* part, const char* name, int i);
void out_drawing_turn(const out_drawing* d, const json_t* part, double R[9]);
void out_drawing_quaternion(const double q[4], double R[9]);
// a mesh's points as numbers, to be freed; how many
int out_drawing_mesh(const json_t* part, float** points);

// drawing_frame.c
// Which way is looked, how large it is, and how far it all goes; what goes many times its own size
// is seen where it is at that time.
void out_drawing_frame(out_drawing* d, double t, double width, double height);
void out_drawing_reach(const out_drawing* d, const json_t* p, const double along[3], double out[2]);
// where the wall of a spring stands, so that the motion has room, and its normal; false: it has
// none
bool out_drawing_wall(const out_drawing* d, const json_t* p, double at[3], double n[3]);
// on the paper in metres, and in points of the picture
void out_drawing_project(const out_drawing* d, const double x[3], double p[2]);
void out_drawing_at(const out_drawing* d, const double x[3], double p[2]);
// how far what is drawn at a place reaches from it
double out_drawing_room(const out_drawing* d, const double x[3]);
double out_drawing_dot(const out_drawing* d);

// drawing_pens.c
#define OUT_INK   "#1d232b"
#define OUT_STEEL "#5b6470"
#define OUT_BLUE  "#0072b2"
void out_drawing_line(out_drawing* d, const double a[2], const double b[2], double width,
                      const char* color);
void out_drawing_circle(out_drawing* d, const double at[2], double r, const char* fill,
                        const char* edge);
void out_drawing_polygon(out_drawing* d, int n, double (*at)[2], const char* fill);
// of what bulges; the points are sorted
void out_drawing_outline(out_drawing* d, int n, double (*at)[2], const char* fill);
// of its body; grey where it is but shown, at rest
const char* out_drawing_color(const out_drawing* d, const json_t* part);

// drawing_solids.c
// a box of these edges about a place, its axes the columns of R
void out_drawing_box(out_drawing* d, const double x[3], const double R[9], const double edge[3],
                     const char* fill);
// about that axis of R
void out_drawing_cylinder(out_drawing* d, const double x[3], const double R[9], int axis, double r,
                          double height, const char* fill);
// as far along its axis as its point goes over the run, and some room
void out_drawing_tube(out_drawing* d, const json_t* p);

// drawing_floor.c: ground in space
void out_drawing_floors(out_drawing* d);
// is this one drawn as such a sheet, and not as a line?
bool out_drawing_is_sheet(const out_drawing* d, const json_t* ground);
// a place to the one under it, on what something rolls, rests or skates on; false: there is none
bool out_drawing_under(const out_drawing* d, double x[3]);
// calls `widen` for their corners
void out_drawing_floor_room(const out_drawing* d,
                            void (*widen)(out_drawing* d, const double x[3], double room),
                            out_drawing* to);

// drawing_velocity.c: where a constraint on velocities lets a particle go
void out_drawing_velocity(out_drawing* d, const json_t* force);

// drawing_bodies.c
void out_drawing_body(out_drawing* d, const json_t* p);
void out_drawing_round(out_drawing* d, const json_t* p);
void out_drawing_plate(out_drawing* d, const json_t* p);
void out_drawing_spokes(out_drawing* d, const json_t* p);
void out_drawing_blade(out_drawing* d, const json_t* p);
void out_drawing_surface(out_drawing* d, const json_t* p);
void out_drawing_wire(out_drawing* d, const json_t* p);
void out_drawing_plane(out_drawing* d, const json_t* p);

// drawing_signs.c: one part
void out_drawing_part(out_drawing* d, const json_t* part);
// the path of a point
void out_drawing_trace(out_drawing* d, const json_t* part);
