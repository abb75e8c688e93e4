// Ranks under mpirun: Open MPI's library is opened only where its launcher started the program, so
// that nothing else pays for it and the program runs where there is none.
//
// Its handles are addresses of variables of the library (its binary interface, stable since 1.7);
// the functions below are those of the MPI standard.
#include "sweep/ranks.h"
#include "sweep/sweep.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

enum {
  tag_length = 1,
  tag_bytes = 2,
  tag_number = 3,
  tag_answer = 4,
  thread_serialized = 2,
  most_piece = 1 << 28
};

typedef struct mpi
{
  int (*init_thread)(int*, char***, int, int*);
  int (*comm_rank)(void*, int*);
  int (*comm_size)(void*, int*);
  int (*send)(const void*, int, void*, int, int, void*);
  int (*recv)(void*, int, void*, int, int, void*, void*);
  int (*finalize)(void);
  int (*iprobe)(int, int, void*, int*, void*);
  void *world, *byte;
} mpi;

static mpi lib;
static int rank, size = 1;

int sweep_rank(void)
{
  return rank;
}

int sweep_ranks(void)
{
  return size;
}

// a function of the library; data pointers and function pointers differ in ISO C
#define FIND(FIELD, NAME) (*(void**)& lib.FIELD = dlsym(handle, NAME))

static bool find_all(void* handle)
{
  lib.world = dlsym(handle, "ompi_mpi_comm_world");
  lib.byte = dlsym(handle, "ompi_mpi_byte");
  return lib.world && lib.byte && FIND(init_thread, "MPI_Init_thread") &&
         FIND(comm_rank, "MPI_Comm_rank") && FIND(comm_size, "MPI_Comm_size") &&
         FIND(send, "MPI_Send") && FIND(recv, "MPI_Recv") && FIND(finalize, "MPI_Finalize") &&
         FIND(iprobe, "MPI_Iprobe");
}

bool sweep_ranks_join(base_notes* notes)
{
  const char* launched = getenv("OMPI_COMM_WORLD_SIZE");
  if (!launched) launched = getenv("PMIX_RANK");
  if (!launched || lib.world) return true;
  void* handle = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);
  if (!handle) handle = dlopen("libmpi.so", RTLD_NOW | RTLD_GLOBAL);
  int provided = 0;
  if (!handle || !find_all(handle)) {
    base_error(notes, BASE_NOWHERE, "started by mpirun, but Open MPI's library cannot be opened");
    base_help(notes, "install Open MPI (libopenmpi3) on every machine, or run without mpirun");
    lib.world = NULL;
    return false;
  }
  if (lib.init_thread(NULL, NULL, thread_serialized, &provided) ||
      lib.comm_rank(lib.world, &rank) || lib.comm_size(lib.world, &size)) {
    base_error(notes, BASE_NOWHERE, "Open MPI could not start the ranks");
    return false;
  }
  return true;
}

void sweep_ranks_leave(void)
{
  if (lib.world) lib.finalize();
  lib.world = NULL;
  rank = 0;
  size = 1;
}

// Receiving polls and sleeps: Open MPI's own waiting would take a core from the runs.
static bool receive(void* to, int n, int from, int tag)
{
  struct timespec nap = {0, 20000};
  for (int there = 0; !there;) {
    if (lib.iprobe(from, tag, lib.world, &there, NULL)) return false;
    if (there) break;
    nanosleep(&nap, NULL);
    if (nap.tv_nsec < 200000) nap.tv_nsec += nap.tv_nsec / 4;
  }
  return !lib.recv(to, n, lib.byte, from, tag, lib.world, NULL);
}

bool sweep_ranks_send(const char* bytes, size_t n)
{
  const int64_t length = bytes ? (int64_t)n : -1;
  char answer = 0;
  if (lib.send(&length, sizeof length, lib.byte, 0, tag_length, lib.world)) return false;
  for (size_t at = 0; bytes && at < n; at += most_piece) {
    const size_t piece = n - at < most_piece ? n - at : most_piece;
    if (lib.send(bytes + at, (int)piece, lib.byte, 0, tag_bytes, lib.world)) return false;
  }
  return receive(&answer, 1, 0, tag_answer) && answer;
}

void sweep_ranks_answer(int to, bool go_on)
{
  const char answer = go_on;
  lib.send(&answer, 1, lib.byte, to, tag_answer, lib.world);
}

bool sweep_ranks_receive(int from, base_text* out)
{
  int64_t length = 0;
  if (!receive(&length, sizeof length, from, tag_length) || length < 0) return false;
  out->at = base_realloc(out->at, (size_t)length + 1);
  out->room = (size_t)length + 1;
  out->n = (size_t)length;
  out->at[length] = 0;
  for (size_t at = 0; at < out->n; at += most_piece) {
    const size_t piece = out->n - at < most_piece ? out->n - at : most_piece;
    if (!receive(out->at + at, (int)piece, from, tag_bytes)) return false;
  }
  return true;
}

int64_t sweep_ranks_share(int64_t x)
{
  for (int to = 1; to < size && rank == 0; to++)
    if (lib.send(&x, sizeof x, lib.byte, to, tag_number, lib.world)) return -1;
  if (rank && !receive(&x, sizeof x, 0, tag_number)) return -1;
  return x;
}
