// Whole files, read with a bound.
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* reason(int error)
{
  switch (error) {
  case ENOENT:
  case ENOTDIR:
    return "there is no such file";
  case EACCES:
    return "permission denied";
  case EISDIR:
    return "it is a folder";
  default:
    return strerror(error);
  }
}

static const char* too_large(size_t limit)
{
  static _Thread_local char text[80];
  if (limit % (1 << 20) == 0)
    snprintf(text, sizeof text, "it is larger than the limit of %zu MiB", limit >> 20);
  else
    snprintf(text, sizeof text, "it is larger than the limit of %zu bytes", limit);
  return text;
}

static char* read_all(int file, size_t size, size_t limit, size_t* length, const char** why)
{
  // one byte more than expected, so that a file that grows meanwhile is noticed
  size_t room = size + 2, n = 0;
  char* bytes = base_alloc(room);
  for (;;) {
    ssize_t got = read(file, bytes + n, room - 1 - n);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) *why = reason(errno);
    if (got <= 0) break;
    n += (size_t)got;
    if (n > limit) {
      *why = too_large(limit);
      break;
    }
    if (n == room - 1) bytes = base_realloc(bytes, room *= 2);
  }
  if (*why) {
    free(bytes);
    return NULL;
  }
  bytes[n] = 0;
  *length = n;
  return bytes;
}

void base_file_shut(void* file)
{
  close((int)(intptr_t)file);
}

char* base_file_read(const char* path, size_t limit, size_t* length, const char** why)
{
  *length = 0;
  *why = NULL;
  // without blocking, so that a pipe nobody writes to cannot hold us
  int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) {
    *why = reason(errno);
    return NULL;
  }
  base_hold held = base_hold_begin(base_file_shut, (void*)(intptr_t)file);
  struct stat about;
  char* bytes = NULL;
  if (fstat(file, &about) != 0)
    *why = reason(errno);
  else if (S_ISDIR(about.st_mode))
    *why = "it is a folder";
  else if (!S_ISREG(about.st_mode))
    *why = "it is not a regular file";
  else if ((uintmax_t)about.st_size > limit)
    *why = too_large(limit);
  else
    bytes = read_all(file, (size_t)about.st_size, limit, length, why);
  base_hold_end(held);
  close(file);
  return bytes;
}

char* base_file_real(const char* path)
{
  char room[PATH_MAX];
  return realpath(path, room) ? base_strdup(room) : NULL;
}

// ---- writing ------------------------------------------------------------------------------------

static bool fails(void)
{
  if (!base_fault(BASE_FAULT_WRITE)) return false;
  errno = ENOSPC;
  return true;
}

ssize_t base_file_write(int file, const void* bytes, size_t n)
{
  return fails() ? -1 : write(file, bytes, n);
}

bool base_file_put(FILE* stream, const void* bytes, size_t n)
{
  return n == 0 || (!fails() && fwrite(bytes, 1, n, stream) == n);
}

int base_file_close(FILE* stream)
{
  const bool failed = fails();
  const int closed = fclose(stream);
  if (failed) errno = ENOSPC;
  return failed ? EOF : closed;
}

int base_file_sync(int file)
{
  return fails() ? -1 : fdatasync(file);
}

int base_file_rename(const char* from, const char* to)
{
  return fails() ? -1 : rename(from, to);
}
