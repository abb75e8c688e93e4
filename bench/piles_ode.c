// A scene of piles.py in ODE: piles_ode SCENE ITERATIONS; what it prints: piles_scene.h. Iterations
// 0: its exact solver (dWorldStep).
#include "piles_scene.h"

#include <ode/ode.h>

enum { most_points = 8 };

typedef struct point
{
  dBodyID a, b;
  dContactGeom at;
  dJointFeedback force;
} point;

static struct
{
  dWorldID world;
  dJointGroupID group;
  point* point;
  int count, room;
  double friction, rolling, deepest;
} all;

static void meet(void* unused, dGeomID a, dGeomID b)
{
  dContact c[most_points];
  (void)unused;
  const dBodyID A = dGeomGetBody(a), B = dGeomGetBody(b);
  if (!A && !B) return;
  const int n = dCollide(a, b, most_points, &c[0].geom, sizeof *c);
  for (int i = 0; i < n; i++) {
    memset(&c[i].surface, 0, sizeof c[i].surface);
    c[i].surface.mode = dContactApprox1 | (all.rolling > 0 ? dContactRolling : 0);
    c[i].surface.mu = all.friction;
    c[i].surface.rho = c[i].surface.rho2 = c[i].surface.rhoN = all.rolling;
    if (all.count == all.room) continue;
    point* p = &all.point[all.count++];
    const dJointID j = dJointCreateContact(all.world, all.group, &c[i]);
    dJointAttach(j, A, B);
    p->a = A;
    p->b = B;
    p->at = c[i].geom;
    dJointSetFeedback(j, &p->force);
    all.deepest = fmax(all.deepest, (double)c[i].geom.depth);
  }
}

static double laws(double step)
{
  double worst = 0;
  for (int i = 0; i < all.count; i++) {
    const point* p = &all.point[i];
    dVector3 u = {0}, v = {0};
    if (p->a) dBodyGetPointVel(p->a, p->at.pos[0], p->at.pos[1], p->at.pos[2], u);
    if (p->b) dBodyGetPointVel(p->b, p->at.pos[0], p->at.pos[1], p->at.pos[2], v);
    double away = 0, push = 0, all_of_it = 0;
    for (int k = 0; k < 3; k++) {
      const double f = (double)(p->a ? p->force.f1[k] : -p->force.f2[k]);
      away += (double)((u[k] - v[k]) * p->at.normal[k]);
      push += f * (double)p->at.normal[k];
      all_of_it += f * f;
    }
    const double drag = sqrt(fmax(0, all_of_it - push * push));
    worst = fmax(worst, law_left(-away, push * step, drag * step, all.friction));
  }
  return worst;
}

int main(int count, char** word)
{
  scene s;
  if (count < 3 || scene_read(word[1], &s)) return 2;
  const int iterations = atoi(word[2]);
  dInitODE2(0);
  all.world = dWorldCreate();
  all.group = dJointGroupCreate(0);
  all.friction = s.friction;
  all.rolling = s.rolling;
  all.room = 40 * s.count + 100;
  all.point = calloc((size_t)all.room, sizeof *all.point);
  const dSpaceID space = dHashSpaceCreate(0);
  dWorldSetGravity(all.world, 0, 0, -9.81);
  if (iterations) dWorldSetQuickStepNumIterations(all.world, iterations);
  dCreatePlane(space, 0, 0, 1, 0);
  dCreatePlane(space, 1, 0, 0, -s.half);
  dCreatePlane(space, -1, 0, 0, -s.half);
  dCreatePlane(space, 0, 1, 0, -s.half);
  dCreatePlane(space, 0, -1, 0, -s.half);
  dBodyID* body = malloc(sizeof *body * (size_t)s.count);
  for (int i = 0; i < s.count; i++) {
    const solid* x = &s.solid[i];
    dMass m;
    if (x->box)
      dMassSetBoxTotal(&m, 1, x->size[0], x->size[1], x->size[2]);
    else
      dMassSetSphereTotal(&m, 1, x->size[0]);
    body[i] = dBodyCreate(all.world);
    dBodySetMass(body[i], &m);
    dGeomSetBody(x->box ? dCreateBox(space, x->size[0], x->size[1], x->size[2])
                        : dCreateSphere(space, x->size[0]),
                 body[i]);
    dBodySetPosition(body[i], x->at[0], x->at[1], x->at[2]);
    dBodySetAngularVel(body[i], x->spin[0], x->spin[1], x->spin[2]);
  }
  double left = 0, speed = 0, spent = 0;
  for (int k = 0; k < s.steps; k++) {
    const double from = now();
    all.count = 0;
    dSpaceCollide(space, 0, meet);
    if (iterations)
      dWorldQuickStep(all.world, s.step);
    else
      dWorldStep(all.world, s.step);
    spent += now() - from;
    if (10 * k >= 9 * s.steps) left = fmax(left, laws(s.step));
    dJointGroupEmpty(all.group);
  }
  for (int i = 0; i < s.count; i++) {
    const dReal* v = dBodyGetLinearVel(body[i]);
    speed = fmax(speed, sqrt((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])));
  }
  tell(spent, all.deepest, left, speed);
  return 0;
}
