// The scenes of piles.py, as other programs read them:
//   STEP STEPS FRICTION ROLLING HALF_WIDTH   of the box without a lid that all is poured into
//   sphere R X Y Z WX WY WZ | box LX LY LZ X Y Z WX WY WZ   each of mass 1, with its spin
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct solid
{
  int box;
  double size[3], at[3], spin[3]; // radius first
} solid;

typedef struct scene
{
  double step, friction, rolling, half; // rolling, and pivoting: a length
  int steps, count;
  solid* solid;
} scene;

static inline double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int scene_read(const char* path, scene* s)
{
  FILE* f = fopen(path, "r");
  char kind[16];
  memset(s, 0, sizeof *s);
  if (!f) return 1;
  if (fscanf(f, "%lf %d %lf %lf %lf", &s->step, &s->steps, &s->friction, &s->rolling, &s->half) !=
      5)
    return 1;
  while (fscanf(f, "%15s", kind) == 1) {
    solid x = {.box = !strcmp(kind, "box")};
    for (int k = 0; k < (x.box ? 3 : 1); k++)
      if (fscanf(f, "%lf", &x.size[k]) != 1) return 1;
    if (fscanf(f, "%lf %lf %lf", &x.at[0], &x.at[1], &x.at[2]) != 3) return 1;
    if (fscanf(f, "%lf %lf %lf", &x.spin[0], &x.spin[1], &x.spin[2]) != 3) return 1;
    s->solid = realloc(s->solid, sizeof *s->solid * (size_t)(s->count + 1));
    s->solid[s->count++] = x;
  }
  fclose(f);
  return 0;
}

// What is left of the laws in a contact, as a velocity: gaps that close, pushes on what moves away,
// friction beyond its bound. push, drag: impulses over the mass.
static inline double law_left(double closing, double push, double drag, double friction)
{
  const double apart = fmin(fmax(-closing, 0), push), beyond = fmax(drag - friction * push, 0);
  return fmax(fmax(closing, 0), fmax(apart, beyond));
}

// seconds, deepest overlap, laws in the last tenth of the steps, fastest body at the end
static inline void tell(double seconds, double deepest, double laws, double speed)
{
  printf("%.6g %.6g %.6g %.6g\n", seconds, deepest, laws, speed);
}
