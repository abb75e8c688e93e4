// Which places of a program are reached; for tools/reached.py, which lists them and loads this
// before the program.
//
// FOLDER/PROGRAM.places lists addresses of instructions, ascending, as they stand in the file;
// FOLDER/PROGRAM.met has a byte for each of them. On every place a breakpoint is put. The first
// time one is met it is taken away again and its byte is set: the program runs at its own speed,
// and what it met is known however it ends. A program that has no list is left alone. For Linux on
// x86-64.
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

enum { breakpoint = 0xcc };

static const uint64_t* place;
static uint8_t *met, *was;
static size_t count;
static uintptr_t loaded_at;

static int first_object(struct dl_phdr_info* info, size_t size, void* data)
{
  (void)size;
  (void)data;
  loaded_at = info->dlpi_addr;
  return 1;
}

static void on_breakpoint(int sig, siginfo_t* info, void* context)
{
  (void)info;
  greg_t* rip = &((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP];
  uint64_t at = (uint64_t)*rip - 1 - loaded_at;
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (place[middle] < at)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == count || place[low] != at) {
    signal(sig, SIG_DFL);
    return;
  }
  // where two threads meet it at once both write the same
  met[low] = 1;
  *(volatile uint8_t*)(loaded_at + at) = was[low];
  *rip -= 1;
}

static void* mapped(const char* folder, const char* name, const char* ending, int flags,
                    size_t* size)
{
  char path[4096];
  struct stat told;
  snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
  int file = open(path, flags);
  if (file < 0 || fstat(file, &told) != 0) return NULL;
  *size = (size_t)told.st_size;
  int access = flags == O_RDWR ? PROT_READ | PROT_WRITE : PROT_READ;
  void* bytes = mmap(NULL, *size, access, MAP_SHARED, file, 0);
  close(file);
  return bytes == MAP_FAILED ? NULL : bytes;
}

__attribute__((constructor)) static void put_breakpoints(void)
{
  char program[4096];
  const char* folder = getenv("ZWANG_REACHED");
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (!folder || length <= 0) return;
  program[length] = '\0';
  const char* name = strrchr(program, '/') + 1;
  size_t bytes, marks;
  place = mapped(folder, name, "places", O_RDONLY, &bytes);
  if (!place) return;
  met = mapped(folder, name, "met", O_RDWR, &marks);
  count = bytes / sizeof *place;
  was = malloc(count);
  if (!met || !was || marks < count || count == 0) return;
  dl_iterate_phdr(first_object, NULL);
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (loaded_at + place[0]) & ~(page - 1);
  uintptr_t to = loaded_at + place[count - 1] + 1;
  if (mprotect((void*)from, to - from, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return;
  struct sigaction action = {.sa_sigaction = on_breakpoint, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGTRAP, &action, NULL);
  for (size_t i = 0; i < count; i++) {
    uint8_t* code = (uint8_t*)(loaded_at + place[i]);
    was[i] = *code;
    // what another process of the same test has met is known
    if (!met[i]) *code = breakpoint;
  }
}
