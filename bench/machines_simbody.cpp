// Two of the models of bench/machines in Simbody, in angles between neighbours.
//   machines_simbody beam N ACCURACY SECONDS     a cantilever, stiff at its hinges: BDF of CPodes
//   machines_simbody closed N ACCURACY SECONDS   a closed chain, hung at one link:
//   Runge-Kutta-Merson
// prints: CPU seconds of the motion, steps tried, the height the model puts out at the end.
#include <Simbody.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>

using namespace SimTK;

static double cpu_seconds()
{
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// a thin rod along x, its frame at its centre
static Body::Rigid rod_of(double m, double l)
{
  const double J = m * l * l / 12;
  return Body::Rigid(MassProperties(m, Vec3(0), Inertia(1e-9 * J, J, J)));
}

int main(int count, char** word)
{
  if (count < 5) return 2;
  const bool closed = std::strcmp(word[1], "closed") == 0;
  const int n = std::atoi(word[2]);
  const double accuracy = std::atof(word[3]), end = std::atof(word[4]);
  const double R = 1, l = closed ? 2 * R * std::sin(Pi / n) : 2.0 / n, m = (closed ? 4.0 : 3.0) / n;
  const double k = 40 / l, c = 0.01 * k;

  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::Gravity gravity(forces, matter, Vec3(0, -9.81, 0));
  const Body::Rigid rod = rod_of(m, l);
  const Vec3 hook = closed ? Vec3(R, 0, 0) : Vec3(0);
  MobilizedBody before = matter.Ground(), middle = before;
  for (int i = 0; i < n; i++) {
    const Vec3 at = i ? Vec3(l / 2, 0, 0) : hook;
    MobilizedBody::Pin link(before, Transform(at), rod, Transform(Vec3(-l / 2, 0, 0)));
    if (closed)
      link.setDefaultAngle(i ? 2 * Pi / n : Pi / 2 + Pi / n);
    else {
      // half an element to the wall
      const double stiff = i ? 1 : 2;
      Force::MobilityLinearSpring(forces, link, MobilizerQIndex(0), stiff * k, 0);
      Force::MobilityLinearDamper(forces, link, MobilizerUIndex(0), stiff * c);
    }
    before = link;
    if (i == n / 2 - 1) middle = link;
  }
  if (closed)
    Constraint::PointOnLine(matter.Ground(), UnitVec3(0, 0, 1), hook, before, Vec3(l / 2, 0, 0));
  State start = system.realizeTopology();

  std::unique_ptr<Integrator> method;
  if (closed)
    method.reset(new RungeKuttaMersonIntegrator(system));
  else
    method.reset(new CPodesIntegrator(system, CPodes::BDF, CPodes::Newton));
  method->setAccuracy(accuracy);
  TimeStepper stepper(system, *method);
  stepper.initialize(start);
  const double began = cpu_seconds();
  stepper.stepTo(end);
  const double seconds = cpu_seconds() - began;
  system.realize(stepper.getState(), Stage::Position);
  const MobilizedBody& seen = closed ? middle : before;
  const Vec3 at =
      seen.findStationLocationInGround(stepper.getState(), Vec3(closed ? 0 : l / 2, 0, 0));
  std::printf("%.3f %d %.9f\n", seconds, method->getNumStepsAttempted(), at[1]);
  return 0;
}
