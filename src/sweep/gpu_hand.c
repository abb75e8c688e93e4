// Threads at one GPU: each has a queue of its own, so that what one sends, another computes and a
// third fetches at the same time.
#include "sweep/gpu.h"

#include <string.h>

enum { not_with_others = 1 }; // CU_STREAM_NON_BLOCKING

bool sweep_hand_open(sweep_hand* h, const sweep_device* d)
{
  const sweep_cuda* c = d->cuda;
  *h = (sweep_hand){.d = d};
  return !c->context_set(d->context) && !c->stream_create(&h->queue, not_with_others) &&
         !c->event_create(&h->begun, 0) && !c->event_create(&h->ended, 0);
}

static void release(sweep_hand* h)
{
  const sweep_cuda* c = h->d->cuda;
  if (h->in) c->host_free(h->in);
  if (h->out) c->host_free(h->out);
  if (h->at_in) c->memory_free(h->at_in);
  if (h->at_out) c->memory_free(h->at_out);
  h->in = h->out = NULL;
  h->at_in = h->at_out = 0;
  h->in_room = h->out_room = 0;
}

void sweep_hand_close(sweep_hand* h)
{
  if (!h->d || h->d->cuda->context_set(h->d->context)) return;
  const sweep_cuda* c = h->d->cuda;
  release(h);
  if (h->begun) c->event_destroy(h->begun);
  if (h->ended) c->event_destroy(h->ended);
  if (h->queue) c->stream_destroy(h->queue);
  *h = (sweep_hand){0};
}

bool sweep_hand_need(sweep_hand* h, size_t in, size_t out)
{
  const sweep_cuda* c = h->d->cuda;
  if (in <= h->in_room && out <= h->out_room) return true;
  if (in < h->in_room) in = h->in_room;
  if (out < h->out_room) out = h->out_room;
  if (c->context_set(h->d->context)) return false;
  release(h);
  const bool fine = !c->host_take(&h->in, in, 0) && !c->host_take(&h->out, out, 0) &&
                    !c->memory_take(&h->at_in, in) && !c->memory_take(&h->at_out, out);
  if (!fine) return false;
  h->in_room = in;
  h->out_room = out;
  return true;
}

bool sweep_hand_run(sweep_hand* h, void* function, int block, long long count, size_t in,
                    size_t second, size_t out, sweep_span* span)
{
  const sweep_cuda* c = h->d->cuda;
  unsigned long long at_second = h->at_out + second;
  void* arguments[] = {&count, &h->at_in, &h->at_out, &at_second};
  const unsigned blocks = (unsigned)((count + block - 1) / block);
  const bool sent =
      !c->context_set(h->d->context) && !c->to_device_later(h->at_in, h->in, in, h->queue) &&
      !c->event_record(h->begun, h->queue) &&
      !c->launch(function, blocks, 1, 1, (unsigned)block, 1, 1, 0, h->queue, arguments, NULL) &&
      !c->event_record(h->ended, h->queue) && !c->to_host_later(h->out, h->at_out, out, h->queue);
  float from = 0, to = 0;
  if (!sent || c->stream_wait(h->queue) || c->event_elapsed(&from, h->d->epoch, h->begun) ||
      c->event_elapsed(&to, h->d->epoch, h->ended))
    return false;
  *span = (sweep_span){1e-3 * (double)from, 1e-3 * (double)to};
  return true;
}

void sweep_busy_add(sweep_busy* b, const sweep_span* span)
{
  const double from = span->from > b->until ? span->from : b->until;
  if (span->to <= from) return;
  b->seconds += span->to - from;
  b->until = span->to;
}
