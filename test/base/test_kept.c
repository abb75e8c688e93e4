// Things kept for all threads: each is made once, and found whole by who did not make it.
#include "base/base.h"
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { threads = 8, things = 200, turns = 20 };

static base_kept* kept;
static atomic_int made[things], wrong;

typedef struct thing
{
  int number, twice;
} thing;

static const thing* thing_of(int number)
{
  const base_key key = {number % 2 ? "odd" : "even", &number, sizeof number};
  void* found;
  base_kept_open(kept);
  if (!base_kept_find(kept, key, &found)) {
    thing* x = base_alloc(sizeof *x);
    *x = (thing){number, 2 * number};
    atomic_fetch_add(&made[number], 1);
    // what is made may ask for something else
    if (number > 0) thing_of(number / 2);
    base_kept_add(kept, key, x, base_free);
    found = x;
  }
  base_kept_unlock(kept);
  return found;
}

static void* ask(void* context)
{
  const int first = *(const int*)context;
  for (int k = 0; k < turns * things; k++) {
    const int number = (first + 7 * k) % things;
    const thing* x = thing_of(number);
    if (x->number != number || x->twice != 2 * number) atomic_fetch_add(&wrong, 1);
  }
  return NULL;
}

TEST(what_is_kept_is_made_once_by_whoever_asks_first)
{
  pthread_t thread[threads];
  int first[threads];
  kept = base_kept_new();
  for (int i = 0; i < threads; i++) {
    first[i] = 25 * i;
    pthread_create(&thread[i], NULL, ask, &first[i]);
  }
  for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
  CHECK_INT(wrong, 0);
  for (int i = 0; i < things; i++) CHECK_INT(made[i], 1);
  CHECK_INT(base_kept_count(kept, "even"), things / 2);
  CHECK_INT(base_kept_held(), 0);
  base_kept_free(kept);
}

TEST(a_lock_for_looking_is_taken_where_nothing_is_found)
{
  void* found = NULL;
  kept = base_kept_new();
  const base_key none = {"none", NULL, 0};
  base_kept_open(kept);
  base_kept_open(kept);
  CHECK(!base_kept_find(kept, none, &found));
  base_kept_add(kept, none, NULL, base_free);
  base_kept_unlock(kept);
  CHECK_INT(base_kept_held(), 1);
  CHECK(base_kept_find(kept, none, &found));
  CHECK(!found);
  base_kept_release(0);
  CHECK_INT(base_kept_held(), 0);
  base_kept_free(kept);
}
