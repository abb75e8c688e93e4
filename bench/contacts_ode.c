// The column of balls of contacts.py in ODE, iterative steps: contacts_ode BALLS STEPS ITERATIONS.
// Prints ms a step (processor time, contacts given, not searched for) and how far the column sinks.
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

static double height(dBodyID b)
{
  return (double)dBodyGetPosition(b)[2];
}

static void touch(dWorldID w, dJointGroupID g, dBodyID above, dBodyID below)
{
  dContact k;
  memset(&k, 0, sizeof k);
  const double depth = below ? 1 - (height(above) - height(below)) : 0.5 - height(above);
  k.geom.pos[2] = height(above) - 0.5;
  k.geom.normal[2] = 1;
  k.geom.depth = depth > 0 ? depth : 0;
  dJointAttach(dJointCreateContact(w, g, &k), above, below);
}

int main(int count, char** word)
{
  const int n = count > 1 ? atoi(word[1]) : 1000, steps = count > 2 ? atoi(word[2]) : 50;
  const int iterations = count > 3 ? atoi(word[3]) : 20;
  dInitODE2(0);
  dWorldID w = dWorldCreate();
  dJointGroupID g = dJointGroupCreate(0);
  dBodyID* ball = malloc(sizeof *ball * (size_t)n);
  dMass m;
  dWorldSetGravity(w, 0, 0, -9.81);
  dWorldSetQuickStepNumIterations(w, iterations);
  dMassSetSphereTotal(&m, 1, 0.5);
  for (int i = 0; i < n; i++) {
    ball[i] = dBodyCreate(w);
    dBodySetMass(ball[i], &m);
    dBodySetPosition(ball[i], 0, 0, i + 0.5);
  }
  double spent = 0, sunk = 0;
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < n; i++) touch(w, g, ball[i], i ? ball[i - 1] : 0);
    const double t = now();
    dWorldQuickStep(w, 1e-3);
    spent += now() - t;
    dJointGroupEmpty(g);
  }
  for (int i = 0; i < n; i++)
    if (i + 0.5 - height(ball[i]) > sunk) sunk = i + 0.5 - height(ball[i]);
  printf("%.3f %.3g\n", 1e3 * spent / steps, sunk);
  free(ball);
  dCloseODE();
  return 0;
}
