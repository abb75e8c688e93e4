// Polygons in the plane in Box2D: piles_box2d SCENE VELOCITY_ITERATIONS POSITION_ITERATIONS. The
// scene has lines `polygon X Y A SPIN N` with N corners behind STEP STEPS FRICTION; what it prints:
// piles_scene.h, without laws.
#include <box2d/box2d.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static double now()
{
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int count, char** word)
{
  if (count < 4) return 2;
  FILE* f = std::fopen(word[1], "r");
  double step, friction, x, y, a, spin;
  int steps, corners;
  char kind[16];
  if (!f || std::fscanf(f, "%lf %d %lf", &step, &steps, &friction) != 3) return 2;
  b2World world(b2Vec2(0, -9.81f));
  b2BodyDef still;
  b2EdgeShape floor;
  floor.SetTwoSided(b2Vec2(-100, 0), b2Vec2(100, 0));
  world.CreateBody(&still)->CreateFixture(&floor, 0)->SetFriction((float)friction);
  std::vector<b2Body*> bodies;
  while (std::fscanf(f, "%15s %lf %lf %lf %lf %d", kind, &x, &y, &a, &spin, &corners) == 6) {
    b2BodyDef moving;
    moving.type = b2_dynamicBody;
    moving.position.Set((float)x, (float)y);
    moving.angle = (float)a;
    moving.angularVelocity = (float)spin;
    std::vector<b2Vec2> corner;
    for (int i = 0; i < corners; i++) {
      double u, v;
      if (std::fscanf(f, "%lf %lf", &u, &v) != 2) return 2;
      corner.push_back(b2Vec2((float)u, (float)v));
    }
    b2PolygonShape shape;
    shape.Set(corner.data(), corners);
    b2MassData mass;
    shape.ComputeMass(&mass, 1);
    b2FixtureDef made;
    made.shape = &shape;
    made.density = 1 / mass.mass;
    made.friction = (float)friction;
    b2Body* body = world.CreateBody(&moving);
    body->CreateFixture(&made);
    bodies.push_back(body);
  }
  double deepest = 0, spent = 0, speed = 0;
  for (int k = 0; k < steps; k++) {
    const double from = now();
    world.Step((float)step, std::atoi(word[2]), std::atoi(word[3]));
    spent += now() - from;
    for (b2Contact* c = world.GetContactList(); c; c = c->GetNext()) {
      b2WorldManifold m;
      if (!c->IsTouching()) continue;
      c->GetWorldManifold(&m);
      // surfaces as Box2D draws them, without its skin
      const double skin = c->GetFixtureA()->GetShape()->m_radius + c->GetFixtureB()->GetShape()->m_radius;
      for (int i = 0; i < c->GetManifold()->pointCount; i++)
        deepest = std::fmax(deepest, -(double)m.separations[i] - skin);
    }
  }
  for (const b2Body* b : bodies) speed = std::fmax(speed, (double)b->GetLinearVelocity().Length());
  std::printf("%.6g %.6g nan %.6g\n", spent, deepest, speed);
  return 0;
}
