// Choices from bytes, random numbers, bytes made from bytes.
#include "fuzz.h"

#include <string.h>

int fuzz_pick(fuzz_choices* c, int n)
{
  if (n < 2 || c->next >= c->n) return 0;
  return c->at[c->next++] % n;
}

bool fuzz_rarely(fuzz_choices* c, int of_a)
{
  return fuzz_pick(c, of_a) == of_a - 1;
}

const char* fuzz_pick_word(fuzz_choices* c, const char* const* words, int n)
{
  return words[fuzz_pick(c, n)];
}

// Steele, Lea and Flood (2014): SplitMix
uint64_t fuzz_random(uint64_t* state)
{
  uint64_t x = *state += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

int fuzz_random_below(uint64_t* state, int n)
{
  return n < 2 ? 0 : (int)(fuzz_random(state) % (unsigned)n);
}

// short ones are the most
size_t fuzz_bytes_fresh(uint64_t* state, uint8_t* to, size_t room)
{
  const int most = 8 << fuzz_random_below(state, 6);
  size_t n = 4 + (size_t)fuzz_random_below(state, most);
  if (n > room) n = room;
  for (size_t i = 0; i < n; i++) to[i] = (uint8_t)fuzz_random(state);
  return n;
}

static size_t below(uint64_t* state, size_t n)
{
  return (size_t)fuzz_random_below(state, (int)n);
}

// m bytes of `from` put in before byte `at`
static size_t put_in(uint8_t* bytes, size_t n, size_t room, size_t at, const uint8_t* from,
                     size_t m)
{
  uint8_t copy[64];
  if (m > sizeof copy) m = sizeof copy;
  if (n + m > room) m = room - n;
  memcpy(copy, from, m);
  memmove(bytes + at + m, bytes + at, n - at);
  memcpy(bytes + at, copy, m);
  return n + m;
}

static size_t change_once(uint64_t* state, uint8_t* bytes, size_t n, size_t room,
                          const uint8_t* other, size_t other_n)
{
  const size_t at = below(state, n), length = 1 + below(state, 8);
  const size_t rest = length < n - at ? length : n - at;
  uint8_t fresh[8];
  switch (fuzz_random_below(state, 7)) {
  case 0:
    bytes[at] ^= (uint8_t)(1u << below(state, 8));
    return n;
  case 1:
    bytes[at] = (uint8_t)fuzz_random(state);
    return n;
  case 2:
    bytes[at] = (uint8_t)(bytes[at] + 1 + below(state, 4));
    return n;
  case 3:
    if (rest >= n) return n;
    memmove(bytes + at, bytes + at + rest, n - at - rest);
    return n - rest;
  case 4:
    for (size_t i = 0; i < sizeof fresh; i++) fresh[i] = (uint8_t)fuzz_random(state);
    return put_in(bytes, n, room, at, fresh, length);
  case 5:
    return put_in(bytes, n, room, below(state, n), bytes + at, rest);
  default: {
    if (!other_n) return n;
    const size_t from = below(state, other_n), most = 1 + below(state, 64);
    return put_in(bytes, n, room, at, other + from, most < other_n - from ? most : other_n - from);
  }
  }
}

size_t fuzz_bytes_change(uint64_t* state, uint8_t* bytes, size_t n, size_t room,
                         const uint8_t* other, size_t other_n)
{
  const int times = 1 << fuzz_random_below(state, 4);
  for (int i = 0; i < times && n > 0; i++) n = change_once(state, bytes, n, room, other, other_n);
  return n;
}
