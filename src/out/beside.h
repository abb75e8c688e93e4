// Files beside the one that is being made: what is kept of a table while it grows. Private to out.
#pragma once

#include "base/base.h"

// FILE.ending, for the file that a path leads to (links followed); the caller's
char* out_beside_path(const char* path, const char* ending);

// A file that one program at a time has open so, made where there is none. -1 with errno;
// out_beside_busy: another program has it. It is free again when that program ends, however it
// does.
enum { out_beside_busy = -2 };
int out_beside_lock(const char* path);
// told where another program writes the table `path`
void out_beside_tell_busy(const char* path, base_notes* notes);

// How often something is written down, in s: as is usual, or as ZWANG_KEEP_EVERY in the
// surroundings says, for those who want it at once. Does it?
double out_beside_every(double usual);
bool out_beside_is_hurried(void);

// all bytes at the end of the file; 0, or errno
int out_beside_put(int fd, const char* bytes, size_t n);
// the file ends here, and what is written next goes behind it; 0, or errno
int out_beside_cut(int fd, int64_t length);
// the names in the folder of a path survive a power cut
void out_beside_settle(const char* path);
