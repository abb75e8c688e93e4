// Files beside the one that is being made: what is kept of a table while it grows.
#include "out/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "out/file.h"

char* out_beside_path(const char* path, const char* ending)
{
  base_text t = {0};
  char* real = out_file_kind_of(path) == OUT_FILE_PLAIN ? base_file_real(path) : NULL;
  base_text_printf(&t, "%s%s", real ? real : path, ending);
  free(real);
  return base_text_take(&t);
}

// is the open file still the one of that name?
static bool is_named(int fd, const char* path)
{
  struct stat here, there;
  return fstat(fd, &here) == 0 && stat(path, &there) == 0 && here.st_ino == there.st_ino &&
         here.st_dev == there.st_dev;
}

int out_beside_lock(const char* path)
{
  for (;;) {
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return -1;
    // where nothing can be locked, as on some disks of a network, nobody is kept out
    const bool busy = flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
    if (!busy && is_named(fd, path)) return fd;
    close(fd);
    if (busy) return out_beside_busy;
    // whoever had it was done with it and has removed it in this moment
  }
}

void out_beside_tell_busy(const char* path, base_notes* notes)
{
  base_error(notes, BASE_NOWHERE, "another run or sweep is writing `%s` now", path);
  base_help(notes, "wait for it, or choose another file");
}

bool out_beside_is_hurried(void)
{
  return getenv("ZWANG_KEEP_EVERY") != NULL;
}

double out_beside_every(double usual)
{
  const char* said = getenv("ZWANG_KEEP_EVERY");
  return said ? strtod(said, NULL) : usual;
}

int out_beside_put(int fd, const char* bytes, size_t n)
{
  while (n > 0) {
    const ssize_t k = base_file_write(fd, bytes, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return k < 0 ? errno : EIO;
    bytes += k;
    n -= (size_t)k;
  }
  return 0;
}

int out_beside_cut(int fd, int64_t length)
{
  return ftruncate(fd, (off_t)length) || lseek(fd, (off_t)length, SEEK_SET) < 0 ? errno : 0;
}

void out_beside_settle(const char* path)
{
  const char* slash = strrchr(path, '/');
  char* folder = slash ? base_strndup(path, (size_t)(slash - path) + 1) : base_strdup(".");
  const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    fsync(fd);
    close(fd);
  }
  free(folder);
}
