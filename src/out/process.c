// Child processes with their three streams in memory.
#include "out/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
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
  int input, output, words;
} streams;

static void streams_close(void* held)
{
  streams* s = held;
  if (s->input >= 0) close(s->input);
  if (s->output >= 0) close(s->output);
  if (s->words >= 0) close(s->words);
}

static bool write_all(int fd, const char* bytes, size_t n)
{
  while (n > 0) {
    ssize_t k = base_file_write(fd, bytes, n);
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

static bool streams_open(streams* s, const char* input, size_t n)
{
  s->input = memory_file("input");
  s->output = memory_file("output");
  s->words = memory_file("words");
  return s->input >= 0 && s->output >= 0 && s->words >= 0 && write_all(s->input, input, n);
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

// 0 or an errno; the child leads a group of its own, so that what it starts can be ended with it
static int start(const streams* s, const char* const* arguments, pid_t* child)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, s->input, 0);
  posix_spawn_file_actions_adddup2(&actions, s->output, 1);
  posix_spawn_file_actions_adddup2(&actions, s->words, 2);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int fault = posix_spawnp(child, arguments[0], &actions, &attributes,
                                 (char* const*)(uintptr_t)arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return fault;
}

enum { ran_out = -1, unwanted = -2 };

// the exit status as waitpid gives it; or why the child was ended before it ended itself
static int wait_for(pid_t child, const out_process_limit* limit)
{
  int why = ran_out;
  const struct timespec nap = {0, 2000000};
  struct timespec from, now;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (;;) {
    int status;
    pid_t got = waitpid(child, &status, WNOHANG);
    if (got == child) return status;
    if (got < 0 && errno != EINTR) return ran_out;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double passed =
        (double)(now.tv_sec - from.tv_sec) + 1e-9 * (double)(now.tv_nsec - from.tv_nsec);
    if (passed > limit->seconds) break;
    if (limit->go_on && !limit->go_on(limit->context)) {
      why = unwanted;
      break;
    }
    nanosleep(&nap, NULL);
  }
  kill(-child, SIGKILL);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  return why;
}

void out_process_complaint(const out_process* p, base_text* out)
{
  if (!p->words) return;
  size_t n = strlen(p->words);
  while (n > 0 && strchr(" \t\r\n^", p->words[n - 1])) n--;
  size_t from = n;
  while (from > 0 && p->words[from - 1] != '\n') from--;
  char* last = base_strndup(p->words + from, n - from < 200 ? n - from : 200);
  if (last[0]) {
    base_text_add(out, ": ");
    out_text_plain(out, last);
  }
  free(last);
}

static out_process_end finish(const streams* s, pid_t child, const out_process_limit* limit,
                              out_process* p)
{
  const int status = wait_for(child, limit);
  size_t n;
  p->output = read_all(s->output, &p->length);
  p->words = read_all(s->words, &n);
  if (status == ran_out) return OUT_PROCESS_TOO_LONG;
  if (status == unwanted) return OUT_PROCESS_STOPPED;
  if (WIFSIGNALED(status)) return OUT_PROCESS_KILLED;
  return WEXITSTATUS(status) == 0 ? OUT_PROCESS_DONE : OUT_PROCESS_FAILED;
}

out_process_end out_process_run(const char* const* arguments, const char* input, size_t n,
                                const out_process_limit* limit, out_process* p)
{
  *p = (out_process){0};
  streams* s = base_alloc(sizeof *s);
  *s = (streams){-1, -1, -1};
  base_hold hold = base_hold_begin(streams_close, s);
  out_process_end end = OUT_PROCESS_NO_START;
  pid_t child;
  if (streams_open(s, input, n))
    p->fault = start(s, arguments, &child);
  else
    p->fault = errno;
  if (p->fault == ENOENT)
    end = OUT_PROCESS_NOT_THERE;
  else if (!p->fault)
    end = finish(s, child, limit, p);
  base_hold_end(hold);
  streams_close(s);
  free(s);
  return end;
}

void out_process_free(out_process* p)
{
  free(p->output);
  free(p->words);
  *p = (out_process){0};
}

bool out_process_has(const char* program)
{
  const char* path = getenv("PATH");
  bool found = false;
  base_text name = {0};
  while (path && *path && !found) {
    size_t n = strcspn(path, ":");
    name.n = 0;
    base_text_addn(&name, path, n);
    base_text_printf(&name, "/%s", program);
    found = access(name.at, X_OK) == 0;
    path += n + (path[n] == ':');
  }
  base_text_free(&name);
  return found;
}
