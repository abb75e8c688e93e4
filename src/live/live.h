// zwang in a browser. Takes a model's text, gives notes, equations, rows and what the page shows of
// them, to the worker of a page; does not know pages. Built by `make live` alone.
#pragma once

#include "zwang/zwang.h"

// Notes from number *told on as a JSON list, for free(); *told is then behind the last.
char* live_notes_json(const zw_notes* n, int* told);
