// A ball rolls down a slope in ODE: rolling_ode STEP SECONDS.
// prints: CPU seconds, distance along the slope. The contact is handed over, with friction without
// limit; direct steps (dWorldStep).
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void touch(dWorldID w, dJointGroupID g, dBodyID ball)
{
  const dReal* at = dBodyGetPosition(ball);
  dContact k;
  memset(&k, 0, sizeof k);
  k.surface.mu = dInfinity;
  k.geom.pos[0] = at[0];
  k.geom.pos[1] = at[1];
  k.geom.normal[2] = 1;
  k.geom.depth = at[2] < 0.1 ? (dReal)0.1 - at[2] : 0;
  dJointAttach(dJointCreateContact(w, g, &k), ball, 0);
}

int main(int count, char** word)
{
  const double step = count > 1 ? atof(word[1]) : 1e-3, end = count > 2 ? atof(word[2]) : 2;
  const double gravity = 9.81, tilt = 0.3;
  dInitODE2(0);
  dWorldID w = dWorldCreate();
  dJointGroupID g = dJointGroupCreate(0);
  dBodyID ball = dBodyCreate(w);
  dMass m;
  dWorldSetGravity(w, (dReal)(gravity * sin(tilt)), 0, (dReal)(-gravity * cos(tilt)));
  dMassSetSphereTotal(&m, (dReal)0.2, (dReal)0.1);
  dBodySetMass(ball, &m);
  dBodySetPosition(ball, 0, 0, (dReal)0.1);
  const double began = now();
  for (long k = lround(end / step); k > 0; k--) {
    touch(w, g, ball);
    dWorldStep(w, (dReal)step);
    dJointGroupEmpty(g);
  }
  printf("%.6f %.12g\n", now() - began, (double)dBodyGetPosition(ball)[0]);
  dCloseODE();
  return 0;
}
