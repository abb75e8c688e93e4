// The energy of a spherical pendulum over many periods: how fast rounding lets it drift.
// bench_drift MODEL PERIODS METHOD; the last column of the model's rows is its energy, and it
// swings about sqrt(9.81) / 2 pi times a second.
//
// Rounding errors that do not agree add up like the square root of their number (Brouwer 1937); any
// bias would let the error grow in proportion to the time.
#include "bench.h"

#include <math.h>
#include <stdlib.h>

enum { per_decade = 200 };

int main(int argc, char** argv)
{
  if (argc != 4) return 1;
  bench_model m = bench_read(argv[1]);
  const double periods = atof(argv[2]), period = 2 * acos(-1) / sqrt(9.81);
  const int decades = (int)round(log10(periods)), count = decades * per_decade;
  double* at = base_alloc(sizeof(double) * (size_t)count);
  for (int i = 0; i < count; i++) at[i] = period * pow(10, (i + 1) / (double)per_decade);
  sim_options o = sim_options_default();
  o.tolerance = 1e-15;
  o.method = argv[3];
  o.at_count = count;
  o.at = at;
  sim_track* t = sim_run(m.system, &o, m.notes);
  if (!t || t->status != SIM_DONE) return 1;
  bench_begin("Energy of the spherical pendulum over many periods");
  bench_say("  %s\n", m.model->title);
  bench_say("  %s of order %d, %ld steps, %.3g s\n", t->method, t->counts.order, t->counts.steps,
            t->seconds);
  const double start = t->energy_start;
  double most = 0, first = 0, last = 0;
  for (int i = 0; i < count; i++) {
    const double E = t->table.value[(size_t)(i + 1) * (size_t)t->table.width - 1];
    most = fmax(most, fabs(E - start) / fabs(start));
    if ((i + 1) % per_decade) continue;
    bench_say("  after %8.0f periods: largest relative error so far %.2e\n", at[i] / period, most);
    if (i + 1 == 2 * per_decade) first = most;
    last = most;
  }
  if (decades > 2)
    bench_say("  from 100 periods on it grows like t^%.2f\n", log10(last / first) / (decades - 2));
  sim_track_free(t);
  bench_forget(&m);
  free(at);
  return 0;
}
