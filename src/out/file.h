// Files that appear whole or not at all.
#pragma once

#include <stdio.h>

#include "base/base.h"

// what a path leads to
typedef enum out_file_kind {
  OUT_FILE_NEW,     // nothing there yet
  OUT_FILE_PLAIN,   // a plain file, to be replaced
  OUT_FILE_SPECIAL, // a device, a pipe: written in place
  OUT_FILE_FOLDER
} out_file_kind;
out_file_kind out_file_kind_of(const char* path);

// Can a file be made there? Notes an error and returns false if not.
bool out_file_check(const char* path, base_notes* notes);

// A file being written: beside the path and renamed at the end, or in place when the path is no
// plain file. "-" is stdout.
typedef struct out_file_held out_file_held;
typedef struct out_file
{
  FILE* stream;
  char* path;      // where it will be (links followed)
  char* temporary; // where it is until then; null: written in place
  int fault;       // errno of the first thing that went wrong
  out_file_held* held;
  base_hold hold;
} out_file;

bool out_file_open(out_file* f, const char* path, base_notes* notes);
bool out_file_add(out_file* f, const char* bytes, size_t n);
// done: the file appears; on any failure an error is noted, the temporary removed, false returned
bool out_file_close(out_file* f, base_notes* notes);

// all of it at once
bool out_file_write(const char* path, const char* bytes, size_t n, base_notes* notes);
