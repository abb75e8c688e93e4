// What every function of the public door asks of its arguments first. Private to api.
#pragma once

#include "api/object.h"
#include "base/base.h"
#include "zwang/zwang.h"

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

typedef enum api_demand {
  API_OBJECT,
  API_LOOK,
  API_GIVEN,
  API_ALL_GIVEN,
  API_SOUND,
  API_TRACKS
} api_demand;

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
// the same, for one that is not changed
#define API_READ(KIND, X)                                         \
  {                                                               \
    .name = #X, .demand = API_LOOK, .at = (X), .kind = API_##KIND \
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
// the same, of a function that may change their systems
#define API_RUNS_OF(X)                                             \
  {                                                                \
    .name = #X, .demand = API_TRACKS, .at = (X), .kind = API_TRACK \
  }

// null where no state is alive there
base_stock* api_state_stock(const zw_state* s);

// A function under way.
typedef struct api_call
{
  base_call base;
  bool open;
  const char* function;
  zw_notes* notes; // null: it has none
  int count;
  const api_argument* argument;
} api_call;

// false where the notes are not alive, or without any memory; with memory from a stock, or null
bool api_call_begin(api_call* c, bool has_notes, base_stock* stock);
// are all arguments of the function as it needs them? If not, the first that is not is noted.
bool api_call_fits(const api_call* c);
// memory ran out: what was taken is given back, what may have been changed is lost, and it is noted
void api_call_give_up(api_call* c);
void api_call_end(api_call* c);

// The first line of a function: whether it has notes and which; what it returns where an argument
// does not fit, and where memory runs out; what it asks of its arguments. Whatever way the function
// is left, the call ends.
#define API_BEGIN(HAS_NOTES, NOTES, STOCK, UNFIT, NO_ROOM, ...) \
  const api_argument arguments_[] = {__VA_ARGS__};              \
  __attribute__((cleanup(api_call_end))) api_call call_;        \
  call_.function = __func__;                                    \
  call_.notes = NOTES;                                          \
  call_.argument = arguments_;                                  \
  call_.count = (int)(sizeof arguments_ / sizeof *arguments_);  \
  if (!api_call_begin(&call_, HAS_NOTES, STOCK)) return UNFIT;  \
  if (setjmp(call_.base.point)) {                               \
    api_call_give_up(&call_);                                   \
    return NO_ROOM;                                             \
  }                                                             \
  if (!api_call_fits(&call_)) return UNFIT

#define API_ENTER(NOTES, FAILED, ...) API_BEGIN(true, NOTES, NULL, FAILED, FAILED, __VA_ARGS__)
// of one that returns a status
#define API_ENTER_STATUS(NOTES, ...) \
  API_BEGIN(true, NOTES, NULL, ZW_BAD_INPUT, ZW_NO_ROOM, __VA_ARGS__)
// of one whose memory comes from the stock of a state
#define API_ENTER_STATE(NOTES, S, ...)                                                   \
  API_BEGIN(true, NOTES, api_state_stock(S), ZW_BAD_INPUT, ZW_NO_ROOM, API_IS(STATE, S), \
            __VA_ARGS__)
// of one that takes memory and has no notes
#define API_ENTER_ALONE(FAILED, ...) API_BEGIN(false, NULL, NULL, FAILED, FAILED, __VA_ARGS__)
// Of one that only looks at an object.
#define API_ENTER_QUIET(FAILED, KIND, X)             \
  do {                                               \
    if (!api_is_alive(API_##KIND, X)) return FAILED; \
  } while (0)
