// Random chains of frames: vel, acc, omega and alpha against finite differences of places and axes.

#include <stdarg.h>
#include <stdio.h>

#include "check.h"
#include "given.h"

enum { chains = 40, most_frames = 5, room = 4000 };

typedef struct chain
{
  unsigned state; // of the random numbers
  int frames;
  size_t used;
  char text[room];
} chain;

static unsigned draw(chain* c, unsigned below)
{
  c->state = c->state * 1664525u + 1013904223u;
  return (c->state >> 8) % below;
}

static void write(chain* c, const char* form, ...)
{
  va_list list;
  va_start(list, form);
  c->used += (size_t)vsnprintf(c->text + c->used, room - c->used, form, list);
  va_end(list);
  CHECK(c->used < room);
}

// a coordinate, or a function of several and of the time
static void write_scalar(chain* c)
{
  const unsigned i = draw(c, 4), j = draw(c, 4), k = 1 + draw(c, 9);
  switch (draw(c, 6)) {
  case 0:
    write(c, "q%u", i);
    break;
  case 1:
    write(c, "0.%u*q%u", k, i);
    break;
  case 2:
    write(c, "q%u*q%u/%u", i, j, k);
    break;
  case 3:
    write(c, "0.%u*t + q%u", k, i);
    break;
  case 4:
    write(c, "sin(0.%u*q%u + t)", k, i);
    break;
  default:
    write(c, "cos(q%u)*t^2/%u", i, k);
  }
}

static void write_place(chain* c)
{
  for (int i = 0; i < 3; i++) {
    write(c, i ? ", " : "(");
    write_scalar(c);
  }
  write(c, ")");
}

// frame k hangs on the world or on any frame before it
static void write_frame(chain* c, int k)
{
  const unsigned parent = draw(c, (unsigned)k + 1);
  write(c, "frame F%d = ", k + 1);
  write(c, parent ? "F%u" : "world", parent);
  if (draw(c, 4)) {
    write(c, " at ");
    write_place(c);
  }
  write(c, " rotated");
  for (unsigned turns = 1 + draw(c, 3); turns > 0; turns--) {
    write(c, " %c(", "xyz"[draw(c, 3)]);
    write_scalar(c);
    write(c, ")");
  }
  write(c, "\n");
}

static void write_chain(chain* c, unsigned seed)
{
  *c = (chain){.state = seed * 2654435761u};
  write(c, "coord q0, q1, q2, q3\nkinetic q0'^2 + q1'^2 + q2'^2 + q3'^2\n");
  c->frames = 1 + (int)draw(c, most_frames);
  for (int k = 0; k < c->frames; k++) write_frame(c, k);
  write(c, "point P = ");
  write_place(c);
  write(c, " in F%d\n", c->frames);
  const unsigned in = 1 + draw(c, (unsigned)c->frames);
  write(c,
        "point ex = (1, 0, 0) in F%d\npoint ey = (0, 1, 0) in F%d\npoint ez = (0, 0, 1) in F%d\n",
        c->frames, c->frames, c->frames);
  write(c,
        "point dx = (1, 0, 0) in F%u\npoint dy = (0, 1, 0) in F%u\npoint dz = (0, 0, 1) in F%u\n",
        in, in, in);
  write(c,
        "output p = pos(P)\noutput v = vel(P)\noutput a = acc(P)\n"
        "output w = omega(F%d)\noutput al = alpha(F%d)\n",
        c->frames, c->frames);
  for (int k = 0; k < 3; k++) {
    write(c, "output e%c = pos(e%c) - pos(F%d)\n", "xyz"[k], "xyz"[k], c -> frames);
    write(c, "output d%c = pos(d%c) - pos(F%u)\n", "xyz"[k], "xyz"[k], in);
  }
  write(c,
        "output vin = vel(P, F%u)\noutput ain = acc(P, F%u)\noutput win = omega(F%d, F%u)\n"
        "output alin = alpha(F%d, F%u)\n",
        in, in, c->frames, in, c->frames, in);
}

static void vector(given* g, const char* name, motion at, double out[3])
{
  for (int i = 0; i < 3; i++) {
    char full[16];
    snprintf(full, sizeof full, "%s.%c", name, "xyz"[i]);
    const expr e = given_output(g, full);
    out[i] = e == EXPR_NONE ? NAN : given_value(g, e, at);
  }
}

// central difference of order six
static void rate(given* g, const char* name, motion at, double out[3])
{
  static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  const double h = 2e-3;
  for (int i = 0; i < 3; i++) out[i] = 0;
  for (int k = 0; k < 3; k++) {
    double after[3], before[3];
    vector(g, name, (motion){at.seed, at.t + (k + 1) * h}, after);
    vector(g, name, (motion){at.seed, at.t - (k + 1) * h}, before);
    for (int i = 0; i < 3; i++) out[i] += weight[k] / h * (after[i] - before[i]);
  }
}

static double size(const double a[3])
{
  return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static void near_vector(const double got[3], const double want[3], double allowed)
{
  for (int i = 0; i < 3; i++) CHECK_NEAR(got[i], want[i], allowed * (1 + size(want)));
}

static void near_rate(given* g, const char* name, const char* of, motion at)
{
  double got[3], want[3];
  vector(g, name, at, got);
  rate(g, of, at, want);
  near_vector(got, want, 1e-8);
}

// e' = omega x e for the three axes of the frame
static void near_turning(given* g, motion at)
{
  double w[3];
  vector(g, "w", at, w);
  for (int k = 0; k < 3; k++) {
    const char name[3] = {'e', "xyz"[k], 0};
    double e[3], want[3];
    vector(g, name, at, e);
    rate(g, name, at, want);
    const double got[3] = {w[1] * e[2] - w[2] * e[1], w[2] * e[0] - w[0] * e[2],
                           w[0] * e[1] - w[1] * e[0]};
    near_vector(got, want, 1e-8);
  }
}

// the vector `name` is `whole` on the axes of the other frame
static void near_resolved(given* g, const char* name, const char* whole, motion at)
{
  double got[3], v[3], want[3];
  vector(g, name, at, got);
  vector(g, whole, at, v);
  for (int k = 0; k < 3; k++) {
    const char axis[3] = {'d', "xyz"[k], 0};
    double d[3];
    vector(g, axis, at, d);
    want[k] = v[0] * d[0] + v[1] * d[1] + v[2] * d[2];
  }
  near_vector(got, want, 1e-11);
}

TEST(random_chains_of_frames_move_as_finite_differences_say)
{
  static chain c;
  for (unsigned seed = 1; seed <= chains; seed++) {
    write_chain(&c, seed);
    given g = given_text(c.text);
    CHECK_TEXT(given_errors(&g), "");
    for (unsigned state = 1; g.m && state <= 2; state++) {
      const motion at = {state, 0.4};
      near_rate(&g, "v", "p", at);
      near_rate(&g, "a", "v", at);
      near_rate(&g, "al", "w", at);
      near_turning(&g, at);
      near_resolved(&g, "vin", "v", at);
      near_resolved(&g, "ain", "a", at);
      near_resolved(&g, "win", "w", at);
      near_resolved(&g, "alin", "al", at);
    }
    given_free(&g);
  }
}
