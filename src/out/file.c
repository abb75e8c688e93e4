// Files that appear whole or not at all: written beside, then renamed.
#include "out/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

out_file_kind out_file_kind_of(const char* path)
{
  struct stat s;
  if (stat(path, &s) != 0) {
    // a link to nowhere is followed by open(), which makes its target
    return lstat(path, &s) == 0 && S_ISLNK(s.st_mode) ? OUT_FILE_SPECIAL : OUT_FILE_NEW;
  }
  if (S_ISDIR(s.st_mode)) return OUT_FILE_FOLDER;
  return S_ISREG(s.st_mode) ? OUT_FILE_PLAIN : OUT_FILE_SPECIAL;
}

// the folder part of a path, with its slash; "./" if there is none
static char* folder_of(const char* path)
{
  const char* slash = strrchr(path, '/');
  return slash ? base_strndup(path, (size_t)(slash - path) + 1) : base_strdup("./");
}

static bool refuse(base_notes* notes, const char* path, int fault)
{
  base_error(notes, BASE_NOWHERE, "cannot write `%s`: %s", path, strerror(fault));
  return false;
}

bool out_file_check(const char* path, base_notes* notes)
{
  if (strcmp(path, "-") == 0) return true;
  out_file_kind kind = out_file_kind_of(path);
  if (kind == OUT_FILE_FOLDER) return refuse(notes, path, EISDIR);
  if (kind != OUT_FILE_NEW && access(path, W_OK) != 0 && errno != ENOENT)
    return refuse(notes, path, errno);
  if (kind == OUT_FILE_SPECIAL) return true;

  char* folder = folder_of(path);
  struct stat s;
  int fault = 0;
  if (stat(folder, &s) != 0 || access(folder, W_OK | X_OK) != 0) fault = errno;
  if (fault == ENOENT)
    base_error(notes, BASE_NOWHERE, "cannot write `%s`: there is no folder `%s`", path, folder);
  else if (fault)
    refuse(notes, path, fault);
  free(folder);
  return fault == 0;
}

// where a call is given up nothing is left behind: the file is closed, and its beginning removed
struct out_file_held
{
  FILE* stream;
  int fd;
  char temporary[]; // "": written in place
};

static void abandon(void* held)
{
  out_file_held* h = held;
  if (h->stream)
    fclose(h->stream);
  else if (h->fd >= 0)
    close(h->fd);
  if (*h->temporary) unlink(h->temporary);
}

enum { longest_name = 64 }; // beside the path

static void hold(out_file* f)
{
  f->held = base_alloc(sizeof *f->held + strlen(f->path) + longest_name);
  f->held->fd = -1;
  f->hold = base_hold_begin(abandon, f->held);
}

// a fresh file beside the path, with the rights a new file (or the replaced one) has
static int open_beside(out_file* f)
{
  char* folder = folder_of(f->path);
  base_text name = {0};
  int fd = -1;
  for (int i = 0; i < 1000; i++) {
    if (name.at) name.n = 0;
    base_text_printf(&name, "%s.zwang-%ld-%d.part", folder, (long)getpid(), i);
    fd = open(name.at, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) break;
  }
  f->fault = fd < 0 ? errno : 0;
  struct stat s;
  if (fd >= 0 && stat(f->path, &s) == 0) (void)!fchmod(fd, s.st_mode & 0777);
  if (fd >= 0) {
    f->held->fd = fd;
    strcpy(f->held->temporary, name.at);
    f->temporary = base_text_take(&name);
  } else {
    base_text_free(&name);
  }
  free(folder);
  return fd;
}

bool out_file_open(out_file* f, const char* path, base_notes* notes)
{
  *f = (out_file){0};
  if (strcmp(path, "-") == 0) {
    f->path = base_strdup("standard output");
    f->stream = stdout;
    return true;
  }
  out_file_kind kind = out_file_kind_of(path);
  if (kind == OUT_FILE_FOLDER) return refuse(notes, path, EISDIR);
  // replace what a link points at, not the link
  char* real = kind == OUT_FILE_PLAIN ? base_file_real(path) : NULL;
  f->path = base_strdup(real ? real : path);
  free(real);
  hold(f);

  int fd;
  if (kind == OUT_FILE_SPECIAL) {
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    f->fault = fd < 0 ? errno : 0;
    f->held->fd = fd;
  } else {
    fd = open_beside(f);
  }
  if (fd >= 0 && !(f->stream = fdopen(fd, "wb"))) {
    f->fault = errno;
    close(fd);
    f->held->fd = -1;
  }
  f->held->stream = f->stream;
  return f->fault ? out_file_close(f, notes) : true;
}

bool out_file_add(out_file* f, const char* bytes, size_t n)
{
  assert(f->stream);
  if (f->fault) return false;
  errno = 0;
  // a line-buffered stream may take the bytes and fail to pass them on: ask it as well
  bool taken = base_file_put(f->stream, bytes, n);
  if (!taken || ferror(f->stream)) f->fault = errno ? errno : EIO;
  return f->fault == 0;
}

bool out_file_close(out_file* f, base_notes* notes)
{
  base_hold_end(f->hold);
  free(f->held);
  errno = 0;
  if (f->stream) {
    // stdout stays open for others; a full disk may show only when the buffer is written out
    bool failed = ferror(f->stream);
    failed |= (f->stream == stdout ? fflush(stdout) : base_file_close(f->stream)) != 0;
    if (failed && !f->fault) f->fault = errno ? errno : EIO;
    if (f->stream == stdout) clearerr(stdout);
  }
  if (f->temporary && !f->fault && base_file_rename(f->temporary, f->path) != 0) f->fault = errno;
  if (f->temporary && f->fault) unlink(f->temporary);
  // who reads a pipe may have seen enough of it
  bool done = f->fault == 0 || (f->stream == stdout && f->fault == EPIPE);
  if (!done) refuse(notes, f->path, f->fault);
  free(f->temporary);
  free(f->path);
  *f = (out_file){0};
  return done;
}

bool out_file_write(const char* path, const char* bytes, size_t n, base_notes* notes)
{
  out_file f;
  if (!out_file_open(&f, path, notes)) return false;
  out_file_add(&f, bytes, n);
  return out_file_close(&f, notes);
}
