// A model as text inside a C program: a pendulum in Cartesian coordinates, its period measured by
// an event and compared with the series of the complete elliptic integral.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zwang/zwang.h>

static const char text[] = "model \"Pendulum in Cartesian coordinates\"\n"
                           "param m = 2 [kg], l = 1.5 [m], g = 9.81 [m/s^2]\n"
                           "coord x, y [m]\n"
                           "kinetic m/2*(x'^2 + y'^2)\n"
                           "potential m*g*y\n"
                           "constraint rod: x^2 + y^2 = l^2\n"
                           "initial x = l*sin(1.2)\n"
                           "initial y ~ -l*cos(1.2)\n"
                           "event bottom: x = 0 falling report\n"
                           "run 0 .. 12\n";

// K(k) by the arithmetic-geometric mean
static double complete_elliptic(double k)
{
  double a = 1, b = sqrt(1 - k * k);
  for (int i = 0; i < 8; i++) {
    const double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return acos(-1.0) / (2 * a);
}

static int complain(const zw_notes* notes)
{
  for (int i = 0; i < zw_notes_count(notes); i++) fprintf(stderr, "%s\n", zw_notes_text(notes, i));
  return 1;
}

int main(void)
{
  zw_notes* notes = zw_notes_new();
  zw_model* model = zw_model_read_text("pendulum.zw", text, strlen(text), NULL, 0, notes);
  if (!model) return complain(notes);
  zw_system* system = zw_derive(model, notes);
  if (!system) return complain(notes);
  zw_run_options o = zw_run_defaults();
  o.tolerance = 1e-12;
  zw_track* track = zw_run(system, &o, notes);
  if (!track || zw_track_events(track) < 2) return complain(notes);

  double first, second;
  zw_track_event(track, 0, &first);
  zw_track_event(track, 1, &second);
  const double period = second - first;
  const double exact = 4 * sqrt(1.5 / 9.81) * complete_elliptic(sin(0.6));
  printf("period %.12f s, exact %.12f s, off by %.1e s\n", period, exact, period - exact);
  printf("largest residual of the constraint %.1e\n", zw_track_residual(track));
  const int wrong = fabs(period - exact) > 1e-9 || zw_track_residual(track) > 1e-10;

  zw_track_free(track);
  zw_system_free(system);
  zw_model_free(model);
  zw_notes_free(notes);
  return wrong;
}
