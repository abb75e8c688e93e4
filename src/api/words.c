// Options of a run that are words.
#include "api/words.h"

#include "cone/cone.h"

#include <string.h>

bool api_words_solver(const char* name, bool* siconos, base_notes* notes)
{
  *siconos = name && !strcmp(name, "siconos");
  if (name && !*siconos && strcmp(name, "own") != 0) {
    base_error(notes, BASE_NOWHERE, "there is no solver of contacts `%s`: `own` or `siconos`",
               name);
    return false;
  }
  const char* why = *siconos ? cone_siconos_absent() : NULL;
  if (!why) return true;
  base_error(notes, BASE_NOWHERE, "contacts cannot be solved by Siconos: %s", why);
  base_help(notes, "`own`, which needs nothing, is the default");
  return false;
}

bool api_words_contacts(const char* name, walk_contacts* contacts, base_notes* notes)
{
  *contacts = !name                       ? WALK_CONTACTS_UNSAID
              : strcmp(name, "auto") == 0 ? WALK_CONTACTS_BY_NEED
                                          : WALK_CONTACTS_EVENTS;
  if (!name || *contacts == WALK_CONTACTS_BY_NEED || strcmp(name, "events") == 0) return true;
  base_error(notes, BASE_NOWHERE, "contacts go by `events` or `auto`, not by `%s`", name);
  return false;
}

bool api_words_beyond(const char* word, model_beyond* beyond, base_notes* notes)
{
  *beyond = word ? model_beyond_of(word) : MODEL_BEYOND_NONE;
  if (*beyond != MODEL_BEYONDS && !(word && !*word)) return true;
  base_error(notes, BASE_NOWHERE, "beyond a paradox is `impact`, `slip` or `stop`, not `%s`", word);
  return false;
}
