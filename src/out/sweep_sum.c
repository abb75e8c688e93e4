// The sum over the rows of a sweep.
#include <assert.h>
#include <string.h>

#include "out/sweep_journal.h"

enum { word_bytes = sizeof(uint64_t), half_word = 32 };

// Rows come by the gigabyte, and from many threads: each word, eight bytes, is stirred with its
// place alone and added, so that no word waits for another. Odd multipliers, the golden section of
// 2^64 and one of Steele, Lea and Flood (2014), carry every bit upwards; shifts bring it down
// again.
#define golden        0x9e3779b97f4a7c15u
#define first_factor  0xbf58476d1ce4e5b9u
#define second_factor 0x94d049bb133111ebu

// placed: the place times the golden section
static inline uint64_t stir(uint64_t placed, uint64_t word)
{
  uint64_t x = (word ^ placed) * first_factor;
  x = (x ^ x >> half_word) * second_factor;
  return x ^ x >> half_word;
}

out_sum out_sum_start(void)
{
  return (out_sum){0};
}

out_sum out_sum_from(uint64_t words)
{
  return (out_sum){.words = words};
}

void out_sum_join(out_sum* s, const out_sum* piece)
{
  assert(!s->held && !piece->held && piece->words >= s->words);
  s->sum += piece->sum;
  s->words = piece->words;
}

// eight bytes, the first the lowest; written out, so that compilers see one load
static uint64_t word_at(const unsigned char* b)
{
  return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
         (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

static void add_byte(out_sum* s, char byte)
{
  s->word |= (uint64_t)(unsigned char)byte << 8 * s->held;
  if (++s->held < word_bytes) return;
  s->sum += stir(++s->words * golden, s->word);
  s->word = 0;
  s->held = 0;
}

// ---- words side by side -------------------------------------------------------------------------

#if defined(__x86_64__)

enum { abreast = 8 };
typedef uint64_t eight_words __attribute__((vector_size(abreast * word_bytes)));

static const eight_words steps = {golden,     2 * golden, 3 * golden, 4 * golden,
                                  5 * golden, 6 * golden, 7 * golden, 8 * golden};

// stir of `count` times eight words, whose places come behind `placed`
#define EIGHTS(NAME, TARGET)                                                             \
  __attribute__((target(TARGET))) static uint64_t NAME(const char* bytes, size_t count,  \
                                                       uint64_t placed)                  \
  {                                                                                      \
    eight_words sum = {0}, place = placed + steps;                                       \
    for (size_t i = 0; i < count; i++, bytes += sizeof sum, place += abreast * golden) { \
      eight_words x;                                                                     \
      memcpy(&x, bytes, sizeof x);                                                       \
      x = (x ^ place) * first_factor;                                                    \
      x = (x ^ x >> half_word) * second_factor;                                          \
      sum += x ^ x >> half_word;                                                         \
    }                                                                                    \
    uint64_t all = 0;                                                                    \
    for (int l = 0; l < abreast; l++) all += sum[l];                                     \
    return all;                                                                          \
  }
EIGHTS(eights_avx2, "avx2")
EIGHTS(eights_avx512, "avx512f,avx512dq")

// as many words as go so: how many
static size_t add_abreast(out_sum* s, const char* bytes, size_t words)
{
  const size_t count = words / abreast;
  const uint64_t placed = s->words * golden;
  if (BASE_HAS_AVX512_DQ)
    s->sum += eights_avx512(bytes, count, placed);
  else if (BASE_HAS_AVX2)
    s->sum += eights_avx2(bytes, count, placed);
  else
    return 0;
  s->words += abreast * count;
  return abreast * count;
}

#else

static size_t add_abreast(out_sum* s, const char* bytes, size_t words)
{
  (void)s, (void)bytes, (void)words;
  return 0;
}

#endif

void out_sum_add(out_sum* s, const char* bytes, size_t n)
{
  for (; n > 0 && s->held; n--) add_byte(s, *bytes++);
  const size_t words = n / word_bytes, done = add_abreast(s, bytes, words);
  bytes += done * word_bytes;
  for (size_t i = done; i < words; i++, bytes += word_bytes)
    s->sum += stir(++s->words * golden, word_at((const unsigned char*)bytes));
  n -= words * word_bytes;
  for (; n > 0; n--) add_byte(s, *bytes++);
}

uint64_t out_sum_value(const out_sum* s)
{
  // zeros that are there differ from zeros that fill the word up
  return s->sum + stir((s->words + 1) * golden, s->word) +
         stir((s->words + 2) * golden, (uint64_t)s->held);
}
