// Blocks, arenas and lists.
#include "base/base.h"
#include "check.h"

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
