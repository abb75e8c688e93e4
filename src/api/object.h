// The objects that users of the library hold. Private to api.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum api_kind {
  API_NOTES,
  API_MODEL,
  API_SYSTEM,
  API_POINT,
  API_TRACK,
  API_CERTIFICATE,
  API_PROGRAM,
  API_STATE,
  API_EDITOR,
  API_TEXT // characters, not an object
} api_kind;

// Every object begins with this.
typedef struct api_object
{
  api_kind kind;
  int users;                // who handed it out, and what was made of it
  bool was_out;             // a user of the library has seen its address
  bool lost;                // memory ran out while it was changed
  void* hold;               // of the call that makes it
  struct api_object* of[2]; // what it was made of, which lives as long as it does
} api_object;

// zeroed, with one user; `of` and `too` may be null
void* api_object_new(api_kind kind, size_t size, void* of, void* too);
// a further one that it was made of
void api_object_keep(void* object, void* of);
// One user fewer; without users it is gone, and what it was made of has one user fewer. Null is
// fine.
void api_object_drop(void* object);

// Handed to a user of the library, alive until it comes back; null is fine.
void* api_hand_out(void* object);
char* api_hand_out_text(char* text);
// false where nothing of that kind is alive at this address
bool api_take_back(api_kind kind, const void* at);
bool api_is_alive(api_kind kind, const void* at);

// Memory ran out in a call that may have changed the object and what it was made of, notes aside:
// none of them can be relied on.
void api_object_lose(void* object);
bool api_object_is_lost(const void* object);
