// Runs over threads: in order and complete, or ended with the reason.
#include "check.h"
#include "sweep/sweep.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct made
{
  int64_t fails_at; // run at which the maker gives up, -1
  int64_t stops_at; // runs after which the writer says no, -1
  int64_t rows, done;
  bool in_order;
  pthread_t caller;
  bool here; // the caller's thread alone made runs
} made;

static void* open_one(void* context)
{
  return context;
}

static void close_one(void* worker)
{
  (void)worker;
}

static bool run_one(void* worker, sweep_rows* rows)
{
  made* m = worker;
  if (!pthread_equal(pthread_self(), m->caller)) m->here = false;
  for (int i = 0; i < rows->count; i++) {
    if (rows->first + i == m->fails_at) return false;
    rows->result[i] = rows->value[i] * rows->value[i];
    rows->basin[i] = -1;
  }
  return true;
}

static void encode(void* context, const sweep_rows* rows, base_text* out)
{
  (void)context;
  for (int i = 0; i < rows->count; i++)
    base_text_printf(out, "%d %.17g\n", (int)rows->first + i, rows->result[i]);
}

static bool take(void* context, const char* bytes, size_t n, int64_t done)
{
  made* m = context;
  for (const char* at = bytes; at < bytes + n;) {
    char* end;
    const long run = strtol(at, &end, 10);
    const double x = 10 + (double)run, got = strtod(end, &end);
    m->in_order = m->in_order && run == m->rows && got == x * x;
    m->rows++;
    at = end + 1;
  }
  m->done = done;
  return m->stops_at < 0 || done < m->stops_at;
}

static bool ask(void* context, int64_t done)
{
  (void)context, (void)done;
  return true;
}

TEST(a_sweep_is_written_in_order_or_ends_and_says_so)
{
  enum { runs = 500 };
  const sweep_axis axis = {
      .name = "a", .kind = SWEEP_GRID, .from = 10, .to = 10 + runs - 1, .count = runs};
  const sweep_plan plan = {.axes = 1, .axis = &axis};
  const sweep_wanted wanted = {0};
  const sweep_results want = {.count = 1, .wanted = &wanted};
  for (int threads = 1; threads <= 3; threads++)
    for (int how = 0; how < 6; how++) {
      const int end = how % 3;
      made m = {end == 1 ? 300 : -1, end == 2 ? 200 : -1, 0, 0, true, pthread_self(), true};
      const sweep_maker maker = {&m, open_one, run_one, close_one, 7};
      const sweep_job job = {.plan = &plan,
                             .want = &want,
                             .maker = &maker,
                             .threads = threads,
                             .context = &m,
                             .encode = encode,
                             .write = take,
                             .progress = how < 3 ? ask : NULL};
      const sweep_status got = sweep_drive(&job);
      CHECK_INT(got, end == 0 ? SWEEP_DONE : end == 1 ? SWEEP_BROKEN : SWEEP_STOPPED);
      CHECK(m.in_order && m.rows == m.done);
      CHECK(end == 0 ? m.rows == runs : end == 1 ? m.rows <= 300 : m.rows >= 200 && m.rows < runs);
      // nobody asks: no thread is started for one
      CHECK(m.here == (threads == 1 && how >= 3));
    }
}
