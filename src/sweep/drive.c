// Runs over threads and ranks, rows in order. Chunks of runs are dealt to the ranks in turn; within
// a rank threads take them as they come free. A ring of chunks bounds what waits to be written.
#include "sweep/ranks.h"
#include "sweep/sweep.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_threads = 1024, slots_per_thread = 3 };
// of chunks of few runs there may be more, so that who writes sleeps the longer
enum { few_runs = 64, many_slots_per_thread = 16 };

typedef struct slot
{
  int64_t chunk; // -1: free
  bool done;
  sweep_rows rows;
  double* result; // of the rows, where who makes runs leaves them
  base_text bytes;
} slot;

typedef struct ring
{
  const sweep_job* job;
  int64_t runs, chunks; // all, of all ranks
  int64_t next;         // chunk of this rank to be taken next
  int64_t awaited;      // chunk that is written next
  int ready, enough;    // done and not yet written; from how many on who writes is woken
  int slots;
  slot* slot;
  bool stop, broken, no_room;
  base_call* call; // of the thread that waits
  sweep_status status;
  pthread_mutex_t lock;
  pthread_cond_t free, done;
} ring;

int sweep_threads(void)
{
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set)) return 1;
  const int count = CPU_COUNT(&set);
  return count < 1 ? 1 : count > most_threads ? most_threads : count;
}

// ---- one chunk ----------------------------------------------------------------------------------

static int chunk_size(const sweep_job* j)
{
  return j->maker->chunk > 0 ? j->maker->chunk : 1;
}

static void rows_new(slot* s, const sweep_job* j)
{
  sweep_rows* r = &s->rows;
  const size_t count = (size_t)chunk_size(j);
  r->value = base_alloc(sizeof(double) * (count * (size_t)j->plan->axes + 1));
  s->result = base_alloc(sizeof(double) * (count * (size_t)j->want->count + 1));
  r->basin = base_alloc(sizeof(int) * count);
  r->reason = base_alloc(sizeof *r->reason * count);
  r->quality = base_alloc(sizeof *r->quality * count);
}

// most rows have none
static void forget_texts(sweep_rows* r, int count)
{
  for (int i = 0; i < count && r->told; i++) {
    if (!r->quality[i] && !r->reason[i]) continue;
    free(r->quality[i]);
    free(r->reason[i]);
    r->quality[i] = r->reason[i] = NULL;
  }
  r->told = false;
}

static void rows_free(slot* s, const sweep_job* j)
{
  sweep_rows* r = &s->rows;
  forget_texts(r, chunk_size(j));
  free(r->quality);
  free(r->value);
  free(s->result);
  free(r->basin);
  free(r->reason);
}

static void lay_out(const ring* g, int64_t chunk, sweep_rows* r)
{
  const sweep_plan* p = g->job->plan;
  r->first = g->job->first + chunk * chunk_size(g->job);
  const int64_t left = g->runs - r->first;
  r->count = left < chunk_size(g->job) ? (int)left : chunk_size(g->job);
  sweep_plan_points(p, r->first, r->count, r->value);
}

// ---- threads ------------------------------------------------------------------------------------

static slot* slot_of(const ring* g, int64_t chunk)
{
  return &g->slot[chunk / sweep_ranks() % g->slots];
}

// a chunk to work on, or null when there is none left
static slot* take(ring* g)
{
  pthread_mutex_lock(&g->lock);
  slot* s = NULL;
  while (!g->stop && g->next < g->chunks) {
    s = slot_of(g, g->next);
    if (s->chunk < 0) break;
    s = NULL;
    pthread_cond_wait(&g->free, &g->lock);
  }
  if (g->stop || g->next >= g->chunks) s = NULL;
  if (s) {
    s->chunk = g->next;
    s->done = false;
    g->next += sweep_ranks();
  }
  pthread_mutex_unlock(&g->lock);
  return s;
}

// Is who writes to be woken? To wake a thread takes about as long as a short run, and many threads
// would spend their time with it: a part of the ring goes at once. Without it the clock wakes.
static bool is_time_to_write(const ring* g)
{
  const slot* s = slot_of(g, g->awaited);
  return s->chunk == g->awaited && s->done && (g->ready >= g->enough || g->next >= g->chunks);
}

// the runs of a chunk and their bytes; false: they cannot be made
static bool make(const ring* g, void* own, slot* s)
{
  const sweep_job* j = g->job;
  lay_out(g, s->chunk, &s->rows);
  s->rows.result = s->result;
  forget_texts(&s->rows, s->rows.count);
  const bool fine = own && j->maker->run(own, &s->rows);
  s->bytes.n = 0;
  if (fine) j->encode(j->context, &s->rows, &s->bytes);
  return fine;
}

static void work(void* context)
{
  ring* g = context;
  const sweep_job* j = g->job;
  void* own = j->maker->open(j->maker->context);
  for (slot* s; (s = take(g));) {
    const bool fine = make(g, own, s);
    pthread_mutex_lock(&g->lock);
    if (!fine) g->broken = g->stop = true;
    s->done = true;
    g->ready++;
    const bool tell = !fine || is_time_to_write(g);
    pthread_mutex_unlock(&g->lock);
    if (tell) pthread_cond_signal(&g->done);
  }
  if (own) j->maker->close(own);
}

// lack of memory in one thread ends all
static void* work_on(void* context)
{
  ring* g = context;
  if (base_try_thread(g->call, work, g)) return NULL;
  pthread_mutex_lock(&g->lock);
  g->no_room = g->broken = g->stop = true;
  pthread_cond_broadcast(&g->done);
  pthread_cond_broadcast(&g->free);
  pthread_mutex_unlock(&g->lock);
  return NULL;
}

// wait for the chunk, asking now and then whether to go on; false: stop
static bool wait_for(ring* g, const slot* s, int64_t chunk, int64_t done)
{
  bool go_on = true;
  pthread_mutex_lock(&g->lock);
  g->awaited = chunk;
  while (go_on && !g->broken && !(s->chunk >= 0 && s->done)) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&g->done, &g->lock, &until);
    pthread_mutex_unlock(&g->lock);
    go_on = !g->job->progress || g->job->progress(g->job->context, done);
    pthread_mutex_lock(&g->lock);
  }
  go_on = go_on && !g->broken;
  pthread_mutex_unlock(&g->lock);
  return go_on;
}

static void release(ring* g, slot* s)
{
  pthread_mutex_lock(&g->lock);
  s->chunk = -1;
  g->ready--;
  pthread_mutex_unlock(&g->lock);
  // there is room for one chunk: all others that wait would wake in vain
  pthread_cond_signal(&g->free);
}

// ---- order --------------------------------------------------------------------------------------

static int64_t done_after(const ring* g, int64_t chunk)
{
  const int64_t done = g->job->first + (chunk + 1) * chunk_size(g->job);
  return done < g->runs ? done : g->runs;
}

// the bytes of a chunk of this rank go out, or to the first rank
static bool pass_on(ring* g, int64_t chunk)
{
  slot* s = slot_of(g, chunk);
  const int64_t before = chunk ? done_after(g, chunk - 1) : g->job->first;
  if (!wait_for(g, s, chunk, before)) {
    if (sweep_rank()) sweep_ranks_send(NULL, 0);
    return false;
  }
  const bool fine =
      sweep_rank() ? sweep_ranks_send(s->bytes.at ? s->bytes.at : "", s->bytes.n)
                   : g->job->write(g->job->context, s->bytes.at, s->bytes.n, done_after(g, chunk));
  release(g, s);
  return fine;
}

// the same for a chunk of another rank
static bool fetch(ring* g, int64_t chunk, base_text* bytes)
{
  const int from = (int)(chunk % sweep_ranks());
  const int64_t done = done_after(g, chunk);
  bool fine = sweep_ranks_receive(from, bytes);
  if (!fine) g->broken = true;
  fine = fine && (!g->job->progress || g->job->progress(g->job->context, done)) &&
         g->job->write(g->job->context, bytes->at, bytes->n, done);
  sweep_ranks_answer(from, fine);
  return fine;
}

// the other ranks hear of it when they come with their next chunk
static void stop_others(int64_t chunks, int64_t last, base_text* bytes)
{
  for (int r = 1; r < sweep_ranks(); r++) {
    int64_t c = last + 1;
    while (c < chunks && c % sweep_ranks() != r) c++;
    if (c >= chunks || last % sweep_ranks() == r) continue;
    sweep_ranks_receive(r, bytes);
    sweep_ranks_answer(r, false);
  }
}

static void in_order(void* context)
{
  ring* g = context;
  base_text bytes = {0};
  bool fine = true;
  int64_t c = 0;
  for (; c < g->chunks && fine; c++) {
    const bool own = c % sweep_ranks() == sweep_rank();
    if (own)
      fine = pass_on(g, c);
    else if (sweep_rank() == 0)
      fine = fetch(g, c, &bytes);
  }
  if (!fine && sweep_rank() == 0) stop_others(g->chunks, c - 1, &bytes);
  base_text_free(&bytes);
  g->status = fine ? SWEEP_DONE : g->broken ? SWEEP_BROKEN : SWEEP_STOPPED;
}

// threads: 0 where this one makes all
static void ring_open(ring* g, const sweep_job* job, int threads)
{
  const int64_t size = chunk_size(job);
  g->job = job;
  g->runs = sweep_plan_runs(job->plan);
  g->chunks = (g->runs - job->first + size - 1) / size;
  g->next = sweep_rank();
  g->slots = (size > few_runs ? slots_per_thread : many_slots_per_thread) * threads;
  if (!threads) g->slots = 1;
  // another rank may wait for a chunk of this one
  g->enough = sweep_ranks() > 1 || g->slots < 4 ? 1 : g->slots / 4;
  g->slot = base_alloc(sizeof *g->slot * (size_t)g->slots);
  for (int i = 0; i < g->slots; i++) {
    g->slot[i].chunk = -1;
    rows_new(&g->slot[i], job);
  }
  pthread_mutex_init(&g->lock, NULL);
  pthread_cond_init(&g->free, NULL);
  pthread_cond_init(&g->done, NULL);
}

static void ring_close(ring* g)
{
  for (int i = 0; i < g->slots; i++) {
    rows_free(&g->slot[i], g->job);
    base_text_free(&g->slot[i].bytes);
  }
  free(g->slot);
  pthread_mutex_destroy(&g->lock);
  pthread_cond_destroy(&g->free);
  pthread_cond_destroy(&g->done);
}

// ---- one thread for all -------------------------------------------------------------------------

// Where one thread makes the runs, nobody is asked meanwhile whether to go on, and no rank waits
// for this one, it is the thread that is here already: none is started, none wakes another.
static bool is_alone(const sweep_job* job)
{
  return job->threads <= 1 && !job->progress && sweep_ranks() == 1;
}

static sweep_status drive_alone(const sweep_job* job)
{
  ring g = {0};
  ring_open(&g, job, 0);
  slot* s = g.slot;
  void* own = job->maker->open(job->maker->context);
  g.status = SWEEP_DONE;
  for (s->chunk = 0; s->chunk < g.chunks && g.status == SWEEP_DONE; s->chunk++) {
    const int64_t done = done_after(&g, s->chunk);
    if (!make(&g, own, s))
      g.status = SWEEP_BROKEN;
    else if (!job->write(job->context, s->bytes.at, s->bytes.n, done))
      g.status = SWEEP_STOPPED;
  }
  if (own) job->maker->close(own);
  ring_close(&g);
  return g.status;
}

// ---- all of them --------------------------------------------------------------------------------

static sweep_status drive_threads(const sweep_job* job)
{
  const int threads = job->threads < 1              ? 1
                      : job->threads > most_threads ? most_threads
                                                    : job->threads;
  ring g = {0};
  ring_open(&g, job, threads);
  pthread_t* thread = base_alloc(sizeof *thread * (size_t)threads);
  g.call = base_call_share();
  int started = 0;
  while (started < threads && !pthread_create(&thread[started], NULL, work_on, &g)) started++;
  if (!started) g.broken = true;
  // threads use what lies on this stack: they end first, whatever happens
  const bool in_memory = base_try(in_order, &g);
  pthread_mutex_lock(&g.lock);
  g.stop = true;
  pthread_cond_broadcast(&g.free);
  pthread_mutex_unlock(&g.lock);
  for (int i = 0; i < started; i++) pthread_join(thread[i], NULL);
  if (!in_memory || g.no_room) base_no_room();
  free(thread);
  ring_close(&g);
  return g.status;
}

sweep_status sweep_drive(const sweep_job* job)
{
  return is_alone(job) ? drive_alone(job) : drive_threads(job);
}
