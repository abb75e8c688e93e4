// A ball rolls down a slope in Simbody: rolling_simbody ACCURACY SECONDS.
// prints: CPU seconds, distance along the slope. Contact and rolling are constraints there.
#include <Simbody.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace SimTK;

static double cpu_seconds()
{
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

int main(int count, char** word)
{
  const double accuracy = count > 1 ? std::atof(word[1]) : 1e-6;
  const double end = count > 2 ? std::atof(word[2]) : 2;
  const double g = 9.81, tilt = 0.3, m = 0.2, R = 0.1;
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::Gravity gravity(forces, matter, Vec3(g * std::sin(tilt), 0, -g * std::cos(tilt)));
  Body::Rigid body(MassProperties(m, Vec3(0), m * UnitInertia::sphere(R)));
  MobilizedBody::Free ball(matter.Ground(), Transform(), body, Transform());
  // the plane of x and y, its normal along z
  Constraint::SphereOnPlaneContact roll(matter.Ground(), Transform(), ball, Vec3(0), R, true);
  State start = system.realizeTopology();
  ball.setQToFitTranslation(start, Vec3(0, 0, R));
  system.realize(start, Stage::Dynamics);
  RungeKuttaMersonIntegrator method(system);
  method.setAccuracy(accuracy);
  TimeStepper stepper(system, method);
  stepper.initialize(start);
  const double began = cpu_seconds();
  stepper.stepTo(end);
  const double seconds = cpu_seconds() - began;
  system.realize(stepper.getState(), Stage::Position);
  std::printf("%.6f %.12g\n", seconds, ball.getBodyOriginLocation(stepper.getState())[0]);
  return 0;
}
