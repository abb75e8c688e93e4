// A free symmetric body over a long time: the norm of its quaternion, and its attitude against the
// closed form. bench_attitude MODEL SECONDS
//
// The last decades tell what rounding does: a relative error of one bit in the angular velocity,
// which the closed form has as well, is 1e-16 times the angle turned.
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double value(const sim_track* t, int row, const char* name)
{
  for (int i = 0; i < t->columns; i++)
    if (strcmp(t->column[i], name) == 0)
      return t->table.value[(size_t)row * (size_t)t->table.width + (size_t)i];
  return NAN;
}

int main(int argc, char** argv)
{
  static const char* const off[4] = {"off_w", "off_x", "off_y", "off_z"};
  if (argc != 3) return 1;
  bench_model m = bench_read(argv[1]);
  const int decades = (int)round(log10(atof(argv[2])));
  double* at = base_alloc(sizeof(double) * (size_t)(decades + 1));
  for (int i = 0; i < decades; i++) at[i] = pow(10, i + 1);
  sim_options o = sim_options_default();
  o.tolerance = 1e-15;
  o.method = "taylor";
  o.at_count = decades;
  o.at = at;
  o.until = at[decades - 1];
  sim_track* t = sim_run(m.system, &o, m.notes);
  if (!t || t->status != SIM_DONE) return 1;
  bench_begin("Attitude of a free symmetric body over a long time");
  bench_say("  %s of order %d, %ld steps, %.3g s\n", t->method, t->counts.order, t->counts.steps,
            t->seconds);
  for (int i = 0; i < decades; i++) {
    double sum = 0;
    for (int k = 0; k < 4; k++) sum += pow(value(t, i, off[k]), 2);
    bench_say("  after %7.0f s: norm off by %8.1e, attitude by %.1e rad\n", at[i],
              value(t, i, "off_norm"), 2 * sqrt(sum));
  }
  sim_track_free(t);
  bench_forget(&m);
  free(at);
  return 0;
}
