// The chain of models/hanging_chain.zw in Simbody: N rods on pins, let go from the horizontal.
//   chain_simbody N ACCURACY SECONDS
// prints: CPU seconds, largest relative error of the energy, steps tried, height of the free end.
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
  const int n = count > 1 ? std::atoi(word[1]) : 16;
  const double accuracy = count > 2 ? std::atof(word[2]) : 1e-6;
  const double end = count > 3 ? std::atof(word[3]) : 10;
  const double l = 10.0 / n, m = 5.0 / n, g = 9.81;

  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::Gravity gravity(forces, matter, Vec3(0, -g, 0));
  // a thin rod along x, its frame at its centre
  const double J = m * l * l / 12;
  Body::Rigid rod(MassProperties(m, Vec3(0), Inertia(1e-9 * J, J, J)));
  MobilizedBody before = matter.Ground();
  for (int i = 0; i < n; i++) {
    const Vec3 at = i ? Vec3(l / 2, 0, 0) : Vec3(0);
    before = MobilizedBody::Pin(before, Transform(at), rod, Transform(Vec3(-l / 2, 0, 0)));
  }
  State start = system.realizeTopology();
  system.realize(start, Stage::Dynamics);
  // energies against the scale of the motion: the fall of the whole chain by its half length
  const double from = system.calcEnergy(start), scale = n * m * g * 5;

  RungeKuttaMersonIntegrator method(system);
  method.setAccuracy(accuracy);
  TimeStepper stepper(system, method);
  stepper.initialize(start);
  const double began = cpu_seconds();
  double worst = 0;
  for (int k = 1; k <= 20; k++) {
    stepper.stepTo(end * k / 20);
    system.realize(stepper.getState(), Stage::Dynamics);
    worst = std::fmax(worst, std::fabs(system.calcEnergy(stepper.getState()) - from) / scale);
  }
  const double seconds = cpu_seconds() - began;
  system.realize(stepper.getState(), Stage::Position);
  const Vec3 tip = before.findStationLocationInGround(stepper.getState(), Vec3(l / 2, 0, 0));
  std::printf("%.3f %.3e %d %.9f\n", seconds, worst, method.getNumStepsAttempted(), tip[1]);
  return 0;
}
