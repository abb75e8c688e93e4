// The energy of a motion over many periods: how fast rounding lets it drift.
// bench_drift MODEL PERIOD PERIODS STARTS METHOD; the last column of the model's rows is its
// energy, its param `start` chooses where the motion begins.
//
// Rounding errors that do not agree add up like the square root of their number (Brouwer 1937); any
// bias would let the error grow in proportion to the time. One walk tells little about its law, so
// several are made, from starts 0, 1, ..., and the root of their mean squares is taken.
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// rows of a decade of time, and the length of the window, in rows, whose mean square is taken
enum { per_decade = 48, window = 12 };

typedef struct walks
{
  int decades, rows;
  double *at, *sum, *square; // instants; sums of the relative error there and of its squares
  double worst;              // of all
  long steps;
  double seconds;
  const char* method;
  int order;
} walks;

static walks walks_new(double period, double periods)
{
  walks w = {.decades = (int)round(log10(periods))};
  w.rows = w.decades * per_decade;
  w.at = base_alloc(sizeof(double) * 3 * (size_t)w.rows);
  w.sum = w.at + w.rows;
  w.square = w.sum + w.rows;
  for (int i = 0; i < w.rows; i++) w.at[i] = period * pow(10, (i + 1) / (double)per_decade);
  return w;
}

static bool walk(walks* w, const char* path, int start, const char* method)
{
  char value[20];
  snprintf(value, sizeof value, "%d", start);
  const model_override chosen = {"start", value};
  bench_model m = bench_read_with(path, 1, &chosen);
  sim_options o = sim_options_default();
  o.tolerance = 1e-15;
  o.method = method;
  o.at_count = w->rows;
  o.at = w->at;
  sim_track* t = sim_run(m.system, &o, m.notes);
  const bool fine = t && t->status == SIM_DONE;
  for (int i = 0; fine && i < w->rows; i++) {
    const double E = t->table.value[(size_t)(i + 1) * (size_t)t->table.width - 1];
    const double off = (E - t->energy_start) / t->energy_start;
    w->sum[i] += off;
    w->square[i] += off * off;
    w->worst = fmax(w->worst, fabs(off));
  }
  if (fine) {
    w->steps += t->counts.steps;
    w->seconds += t->seconds;
    w->order = t->counts.order;
  }
  if (fine && start == 0)
    bench_say("  %s by %s of order %d\n", m.model->title, t->method, t->counts.order);
  sim_track_free(t);
  bench_forget(&m);
  return fine;
}

// of the walks and the rows of a window that ends here
static double rms(const walks* w, int last, int starts)
{
  double sum = 0;
  for (int i = last - window + 1; i <= last; i++) sum += w->square[i];
  return sqrt(sum / (window * starts));
}

// the slope of log rms over log t by least squares, from 100 periods on
static double exponent(const walks* w, int starts)
{
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (int i = 2 * per_decade + window - 1; i < w->rows; i += window) {
    const double a = log(w->at[i]), b = log(rms(w, i, starts));
    n++;
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

int main(int argc, char** argv)
{
  if (argc != 6) return 1;
  const double period = atof(argv[2]), periods = atof(argv[3]);
  const int starts = atoi(argv[4]);
  if (!(period > 0) || !(periods >= 1000) || starts < 1) return 1;
  walks w = walks_new(period, periods);
  bench_begin("Energy over many periods: relative error, root of the mean square over the starts");
  for (int k = 0; k < starts; k++)
    if (!walk(&w, argv[1], k, argv[5])) return 1;
  bench_say("  %d starts, %ld steps, %.3g s\n", starts, w.steps, w.seconds);
  for (int d = 1; d <= w.decades; d++)
    bench_say("  after %8.0f periods: %.2e, mean %.1e\n", pow(10, d),
              rms(&w, d * per_decade - 1, starts), w.sum[d * per_decade - 1] / starts);
  bench_say("  largest %.2e; from 100 periods on it grows like t^%.2f\n", w.worst,
            exponent(&w, starts));
  free(w.at);
  return 0;
}
