// gnuplot as a child process, without a shell: script, picture and complaints go through files that
// live in memory only.
#include "out/gnuplot.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "out/text.h"

extern char** environ;

// all three streams of the child
typedef struct streams
{
  int script, picture, words;
} streams;

static void streams_close(streams* s)
{
  if (s->script >= 0) close(s->script);
  if (s->picture >= 0) close(s->picture);
  if (s->words >= 0) close(s->words);
}

static bool write_all(int fd, const char* bytes, size_t n)
{
  while (n > 0) {
    ssize_t k = write(fd, bytes, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    bytes += k;
    n -= (size_t)k;
  }
  return lseek(fd, 0, SEEK_SET) == 0;
}

// a file in memory whose number is none of the child's three, whatever the parent has closed
static int memory_file(const char* name)
{
  int low = memfd_create(name, MFD_CLOEXEC);
  if (low < 0 || low > 2) return low;
  int fd = fcntl(low, F_DUPFD_CLOEXEC, 3);
  close(low);
  return fd;
}

static bool streams_open(streams* s, const char* script, size_t n)
{
  s->script = memory_file("script");
  s->picture = memory_file("picture");
  s->words = memory_file("words");
  return s->script >= 0 && s->picture >= 0 && s->words >= 0 && write_all(s->script, script, n);
}

// everything that was written to fd, ended by a zero byte; null on failure
static char* read_all(int fd, size_t* length)
{
  struct stat s;
  if (fstat(fd, &s) != 0) return NULL;
  size_t n = (size_t)s.st_size, got = 0;
  char* bytes = base_alloc(n + 1);
  while (got < n) {
    ssize_t k = pread(fd, bytes + got, n - got, (off_t)got);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) break;
    got += (size_t)k;
  }
  *length = got;
  return bytes;
}

// 0 or an errno
static int start(const streams* s, pid_t* child)
{
  // -d: nothing from the user's own gnuplot settings
  char name[] = "gnuplot", plain[] = "-d";
  char* const arguments[] = {name, plain, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, s->script, 0);
  posix_spawn_file_actions_adddup2(&actions, s->picture, 1);
  posix_spawn_file_actions_adddup2(&actions, s->words, 2);
  int fault = posix_spawnp(child, name, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return fault;
}

// the exit status as waitpid gives it, or -1 when time ran out and the child was ended
static int wait_for(pid_t child, double seconds)
{
  const struct timespec nap = {0, 2000000};
  struct timespec from, now;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (;;) {
    int status;
    pid_t got = waitpid(child, &status, WNOHANG);
    if (got == child) return status;
    if (got < 0 && errno != EINTR) return -1;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double passed =
        (double)(now.tv_sec - from.tv_sec) + 1e-9 * (double)(now.tv_nsec - from.tv_nsec);
    if (passed > seconds) break;
    nanosleep(&nap, NULL);
  }
  kill(child, SIGKILL);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  return -1;
}

// what gnuplot complained about, as one short line: its last line that says something
static void add_complaint(base_text* out, int fd)
{
  size_t n;
  char* words = read_all(fd, &n);
  if (!words) return;
  while (n > 0 && strchr(" \t\r\n^", words[n - 1])) words[--n] = 0;
  char* last = strrchr(words, '\n');
  last = last ? last + 1 : words;
  last[strnlen(last, 200)] = 0;
  if (last[0]) {
    base_text_add(out, ": ");
    out_text_plain(out, last);
  }
  free(words);
}

static void fail(base_notes* notes, const streams* s, const char* what)
{
  base_text reason = {0};
  base_text_add(&reason, what);
  add_complaint(&reason, s->words);
  base_error(notes, BASE_NOWHERE, "%s", reason.at);
  base_text_free(&reason);
}

static char* run(const streams* s, double seconds, size_t* length, base_notes* notes)
{
  pid_t child;
  int fault = start(s, &child);
  if (fault == ENOENT) {
    base_error(notes, BASE_NOWHERE, "cannot draw: gnuplot is not installed");
    base_help(notes, "install the package gnuplot-nox, or use a name that ends in .gp to keep "
                     "script and data");
    return NULL;
  }
  if (fault) {
    base_error(notes, BASE_NOWHERE, "cannot draw: gnuplot did not start: %s", strerror(fault));
    return NULL;
  }
  int status = wait_for(child, seconds);
  if (status == -1)
    fail(notes, s, "gnuplot took too long and was stopped");
  else if (WIFSIGNALED(status))
    fail(notes, s, "gnuplot was ended by a signal");
  else if (WEXITSTATUS(status) != 0)
    fail(notes, s, "gnuplot failed");
  else {
    char* picture = read_all(s->picture, length);
    if (picture && *length > 0) return picture;
    free(picture);
    fail(notes, s, "gnuplot drew nothing");
  }
  return NULL;
}

char* out_gnuplot(const char* script, size_t n, double seconds, size_t* length, base_notes* notes)
{
  assert(script && seconds > 0);
  streams s = {-1, -1, -1};
  char* picture = NULL;
  if (streams_open(&s, script, n))
    picture = run(&s, seconds, length, notes);
  else
    base_error(notes, BASE_NOWHERE, "cannot draw: no room for the script: %s", strerror(errno));
  streams_close(&s);
  return picture;
}
