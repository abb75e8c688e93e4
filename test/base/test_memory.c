// Blocks, arenas and lists.
#include "base/base.h"
#include "check.h"

#include <pthread.h>
#include <stdlib.h>

TEST(blocks_are_zeroed_and_texts_copied)
{
  unsigned char* p = base_alloc(1000);
  int sum = 0;
  for (int i = 0; i < 1000; i++) sum += p[i];
  CHECK_INT(sum, 0);
  free(p);
  char* a = base_strdup("blade");
  char* b = base_strndup("blade", 3);
  char* c = base_strndup("blade", 30);
  CHECK_TEXT(a, "blade");
  CHECK_TEXT(b, "bla");
  CHECK_TEXT(c, "blade");
  free(a), free(b), free(c);
}

TEST(an_arena_gives_aligned_zeroed_blocks_of_any_size)
{
  base_arena* a = base_arena_new();
  for (size_t n = 0; n < 300000; n = 2 * n + 1) {
    unsigned char* p = base_arena_take(a, n);
    CHECK_INT((uintptr_t)p % _Alignof(max_align_t), 0);
    size_t dirty = 0;
    for (size_t i = 0; i < n; i++) dirty += p[i] != 0;
    CHECK_INT(dirty, 0);
    memset(p, 0xA5, n);
  }
  base_arena_free(a);
  base_arena_free(NULL);
}

TEST(an_arena_cut_back_gives_the_same_places_again_zeroed)
{
  base_arena* a = base_arena_new();
  int* first = base_arena_take(a, sizeof(int));
  *first = 7;
  size_t mark = base_arena_mark(a);
  char* before = base_arena_take(a, 100);
  memset(before, 1, 100);
  // force several chunks above the mark
  for (int i = 0; i < 100; i++) memset(base_arena_take(a, 5000), 2, 5000);
  CHECK(base_arena_mark(a) >= mark + 500000);
  base_arena_cut(a, mark);
  CHECK_INT(base_arena_mark(a), mark);
  char* after = base_arena_take(a, 100);
  CHECK(after == before);
  CHECK_INT(after[0] + after[99], 0);
  CHECK_INT(*first, 7);
  base_arena_free(a);
}

TEST(a_mark_taken_at_a_full_chunk_cuts_back_to_itself)
{
  base_arena* a = base_arena_new();
  base_arena_take(a, (1 << 14));
  size_t mark = base_arena_mark(a);
  char* p = base_arena_take(a, 1 << 20);
  memset(p, 3, 1 << 20);
  base_arena_cut(a, mark);
  CHECK_INT(base_arena_mark(a), mark);
  base_arena_take(a, 64);
  CHECK_INT(base_arena_mark(a), mark + 64);
  base_arena_free(a);
}

TEST(an_arena_keeps_texts)
{
  base_arena* a = base_arena_new();
  CHECK_TEXT(base_arena_strdup(a, "θ"), "θ");
  CHECK_TEXT(base_arena_strndup(a, "abcdef", 2), "ab");
  CHECK_TEXT(base_arena_printf(a, "%d coordinates of %s", 3, "skater"), "3 coordinates of skater");
  // whatever their length
  for (int n = 0; n < 300; n++) {
    const char* text = base_arena_printf(a, "%0*d", n + 1, 7);
    CHECK(strlen(text) == (size_t)n + 1 && text[n] == '7' && strspn(text, "0") == (size_t)n);
  }
  base_arena_free(a);
}

TEST(a_block_that_fills_a_chunk_by_itself_is_zeroed_and_leaves_the_arena_as_it_was)
{
  enum { large = 1 << 21, small = 100 };
  base_arena* a = base_arena_new();
  const size_t mark = base_arena_mark(a);
  for (int turn = 0; turn < 2; turn++) {
    unsigned char *p = base_arena_take(a, large), *q = base_arena_take(a, small);
    for (int i = 0; i < large; i++) CHECK(p[i] == 0);
    for (int i = 0; i < small; i++) CHECK(q[i] == 0);
    memset(p, 1, large);
    memset(q, 1, small);
    base_arena_cut(a, mark);
  }
  base_arena_free(a);
}

TEST(a_list_keeps_what_is_pushed)
{
  BASE_LIST(double) xs = {0};
  for (int i = 0; i < 1000; i++) base_push(&xs, 0.5 * i);
  CHECK_INT(xs.n, 1000);
  CHECK_NEAR(xs.at[0] + xs.at[999], 499.5, 0);
  base_list_free(&xs);
  CHECK(xs.at == NULL);
  CHECK_INT(xs.n + xs.room, 0);
}

// ---- threads of a call --------------------------------------------------------------------------

enum { hands = 4, blocks_each = 500 };

typedef struct crew
{
  base_call* call;
  char* block[hands][blocks_each]; // of each thread
  int released;
  bool lacks; // the threads run out of memory in the end
  pthread_barrier_t met;
} crew;

typedef struct hand
{
  crew* c;
  int number;
  bool fine;
} hand;

static void count_release(void* thing)
{
  __atomic_add_fetch(&((crew*)thing)->released, 1, __ATOMIC_RELAXED);
}

// takes blocks, and frees every other one of a neighbour while that one does the same
static void lend_a_hand(void* context)
{
  hand* h = context;
  crew* c = h->c;
  for (int i = 0; i < blocks_each; i++) {
    c->block[h->number][i] = base_alloc(50);
    c->block[h->number][i] = base_realloc(c->block[h->number][i], 80 + (size_t)i);
  }
  base_hold held = base_hold_begin(count_release, c);
  pthread_barrier_wait(&c->met);
  char** other = c->block[(h->number + 1) % hands];
  for (int i = 0; i < blocks_each; i += 2) {
    free(base_alloc(10));
    free(other[i]);
    other[i] = NULL;
  }
  if (c->lacks) base_no_room();
  base_hold_end(held);
}

static void* begin_hand(void* context)
{
  hand* h = context;
  h->fine = base_try_thread(h->c->call, lend_a_hand, h);
  return NULL;
}

static void all_hands(crew* c, bool fine)
{
  pthread_t thread[hands];
  hand h[hands];
  c->call = base_call_share();
  pthread_barrier_init(&c->met, NULL, hands);
  for (int i = 0; i < hands; i++) {
    h[i] = (hand){c, i, !fine};
    CHECK_INT(pthread_create(&thread[i], NULL, begin_hand, &h[i]), 0);
  }
  for (int i = 0; i < hands; i++) {
    pthread_join(thread[i], NULL);
    CHECK_INT(h[i].fine, fine);
  }
  pthread_barrier_destroy(&c->met);
}

TEST(blocks_of_threads_stay_when_their_call_ends)
{
  crew c[2] = {0}; // the second work with the ledgers of threads that have ended
  base_call call;
  CHECK(base_call_begin(&call));
  for (int n = 0; n < 2; n++) all_hands(&c[n], true);
  base_call_end(&call);
  CHECK_INT(c[0].released + c[1].released, 0);
  int left = 0;
  for (int k = 0; k < 2 * hands; k++)
    for (int i = 0; i < blocks_each; i++) {
      char* block = c[k / hands].block[k % hands][i];
      left += block != NULL;
      free(block);
    }
  CHECK_INT(left, hands * blocks_each);
}

typedef struct again
{
  bool lacks;
  char *used, *left, **owner;
} again;

static void work_again(again* w)
{
  w->used = base_alloc(5000);
  w->left = base_strdup("left");
  if (w->lacks) base_no_room();
  base_keep_with(w->owner, w->left);
  free(w->used);
}

static bool try_again(base_stock* stock, again* w)
{
  base_call c = {0};
  if (setjmp(c.point) == 0) {
    base_call_begin_with(&c, stock);
    work_again(w);
    base_call_end(&c);
    return true;
  }
  base_call_give_up(&c);
  return false;
}

// the second time has the blocks of the first; what has an owner outside goes with its call
TEST(work_done_again_takes_the_blocks_it_gave_back)
{
  base_call call;
  CHECK(base_call_begin(&call));
  base_stock* stock = base_stock_new();
  again w = {.owner = base_alloc(8)};
  CHECK(try_again(stock, &w));
  const char *first = w.used, *left = w.left;
  CHECK(try_again(stock, &w));
  CHECK(w.used == first);
  CHECK(w.left != left);
  CHECK_TEXT(left, "left");
  w.lacks = true;
  CHECK(!try_again(stock, &w));
  w.lacks = false;
  CHECK(try_again(stock, &w));
  base_stock_free(stock);
  base_call_give_up(&call);
}

// valgrind and the sanitizers see the blocks
TEST(a_call_given_up_takes_what_its_threads_hold_with_it)
{
  crew c = {.lacks = true};
  base_call call;
  CHECK(base_call_begin(&call));
  all_hands(&c, false);
  CHECK_INT(c.released, 0);
  base_call_give_up(&call);
  CHECK_INT(c.released, hands);
}
