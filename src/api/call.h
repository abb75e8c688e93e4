// What every function of the public door asks of its arguments first. Private to api.
#pragma once

#include "api/object.h"

// ---- options ------------------------------------------------------------------------------------

typedef enum api_type { API_INT, API_LONG, API_DOUBLE, API_NUMBERS, API_WORDS } api_type;

// One member of a struct of options; lists have their count in another member.
typedef struct api_member
{
  const char* name;
  api_type type;
  size_t at, count_at;
  double least, most; // nan is none of them
} api_member;

#define API_MEMBER(TYPE, STRUCT, NAME, LEAST, MOST)     \
  {                                                     \
#NAME, TYPE, offsetof(STRUCT, NAME), 0, LEAST, MOST \
  }
#define API_LIST(TYPE, STRUCT, NAME, COUNT, MOST)                         \
  {                                                                       \
#NAME, TYPE, offsetof(STRUCT, NAME), offsetof(STRUCT, COUNT), 0, MOST \
  }

typedef struct api_options
{
  const char* maker; // the function that makes them and sets the cookie
  int cookie;
  size_t cookie_at;
  int members;
  const api_member* member;
} api_options;

// ---- arguments ----------------------------------------------------------------------------------

typedef enum api_demand { API_OBJECT, API_GIVEN, API_ALL_GIVEN, API_SOUND, API_TRACKS } api_demand;

typedef struct api_argument
{
  const char* name;
  api_demand demand;
  const void* at;
  api_kind kind;
  int count;
  const api_options* options;
} api_argument;

// an object of that kind that is alive
#define API_IS(KIND, X)                                             \
  {                                                                 \
    .name = #X, .demand = API_OBJECT, .at = (X), .kind = API_##KIND \
  }
// anything but null
#define API_HAS(X)                             \
  {                                            \
    .name = #X, .demand = API_GIVEN, .at = (X) \
  }
// so many texts, none of them null
#define API_HAS_ALL(X, COUNT)                                        \
  {                                                                  \
    .name = #X, .demand = API_ALL_GIVEN, .at = (X), .count = (COUNT) \
  }
// options made by their own function, each member where it may be
#define API_FIT(X, OPTIONS)                                           \
  {                                                                   \
    .name = #X, .demand = API_SOUND, .at = (X), .options = &(OPTIONS) \
  }
// a zw_runs with at least one track, all of them alive
#define API_RUNS(X)                             \
  {                                             \
    .name = #X, .demand = API_TRACKS, .at = (X) \
  }

// are all arguments of the function as it needs them? If not, the first that is not is noted, where
// the notes are alive.
bool api_call_fits(const char* function, zw_notes* notes, const api_argument* argument, int count);

// The first line of a function that leaves notes: what it returns where an argument does not fit,
// then what it asks of them.
#define API_ENTER(NOTES, FAILED, ...)                                       \
  do {                                                                      \
    const api_argument arguments_[] = {__VA_ARGS__};                        \
    const int count_ = (int)(sizeof arguments_ / sizeof *arguments_);       \
    if (!api_call_fits(__func__, NOTES, arguments_, count_)) return FAILED; \
  } while (0)
// The same for one that has none.
#define API_ENTER_QUIET(FAILED, KIND, X)             \
  do {                                               \
    if (!api_is_alive(API_##KIND, X)) return FAILED; \
  } while (0)
