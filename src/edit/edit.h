// edit: what an editor asks of a text that is being written: faults, words, meanings, other names.
// Takes messages of the language server protocol; gives those to be sent. Reads no files but those
// that a model takes in by `use`; runs nothing.
#pragma once

#include "base/base.h"

typedef struct edit_server edit_server;

edit_server* edit_server_new(void);
void edit_server_free(edit_server* s);
// The messages to be sent for one that has come, each on a line of its own; to be freed.
char* edit_server_take(edit_server* s, const char* message, size_t length);
// has the editor said that it ends? 0: in good order (`shutdown` before `exit`), else 1
bool edit_server_ended(const edit_server* s, int* status);
