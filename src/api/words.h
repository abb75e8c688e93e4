// Options of a run that are words: what each means; false with an error noted.
#pragma once

#include "base/base.h"
#include "model/model.h"
#include "walk/walk.h"

bool api_words_solver(const char* name, bool* siconos, base_notes* notes);
bool api_words_contacts(const char* name, walk_contacts* contacts, base_notes* notes);
bool api_words_beyond(const char* word, model_beyond* beyond, base_notes* notes);
