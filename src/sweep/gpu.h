// A sweep as text for a GPU, and CUDA opened at run time. Private to sweep.
#pragma once

#include "sweep/sweep.h"

// the table of coefficients, gpu_step.cu and gpu_run.cu or gpu_stretch.cu line by line, null behind
// the last; generated
extern const char *const sweep_gpu_text[], *const sweep_stretch_text[];
// in front of all: plain C stands in for what CUDA has and C has not
extern const char sweep_gpu_prelude[];
// in front of kernels: how sine and cosine are called, where they have so many operations
void sweep_gpu_both(int operations, base_text* out);

// functions of the driver and of the run-time compiler, as their headers declare them
typedef struct sweep_cuda
{
  int (*init)(unsigned);
  int (*device_count)(int*);
  int (*device_get)(int*, int);
  int (*device_attribute)(int*, int, int);
  int (*device_name)(char*, int, int);
  int (*context_flags)(int, unsigned);
  int (*context_retain)(void**, int);
  int (*context_set)(void*);
  int (*module_load)(void**, const void*);
  int (*module_unload)(void*);
  int (*module_function)(void**, void*, const char*);
  int (*memory_take)(unsigned long long*, size_t);
  int (*memory_free)(unsigned long long);
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                void**, void**);
  int (*stream_create)(void**, unsigned);
  int (*stream_destroy)(void*);
  int (*stream_wait)(void*);
  int (*to_device_later)(unsigned long long, const void*, size_t, void*);
  int (*to_host_later)(void*, unsigned long long, size_t, void*);
  int (*host_take)(void**, size_t, unsigned);
  int (*host_free)(void*);
  int (*event_create)(void**, unsigned);
  int (*event_destroy)(void*);
  int (*event_record)(void*, void*);
  int (*event_elapsed)(float*, void*, void*);
  int (*program_create)(void**, const char*, const char*, int, const char* const*,
                        const char* const*);
  int (*program_compile)(void*, int, const char* const*);
  int (*program_size)(void*, size_t*);
  int (*program_code)(void*, char*);
  int (*log_size)(void*, size_t*);
  int (*log_text)(void*, char*);
  int (*program_destroy)(void**);
} sweep_cuda;

// the functions, or null with an error noted that says what is missing
const sweep_cuda* sweep_cuda_open(base_notes* notes);

typedef struct sweep_device
{
  const sweep_cuda* cuda;
  int number, major, minor;
  void* context;
  char name[120];
  void* epoch; // an event: times are counted from it
} sweep_device;

// the first GPU; false with an error noted
bool sweep_device_open(sweep_device* d, base_notes* notes);
// a program for it from its text, and a function of it; false with an error noted
bool sweep_device_load(const sweep_device* d, const char* text, const char* function, void** module,
                       void** at, base_notes* notes);
double sweep_device_now(void); // s

// One thread's way to the device: a queue of its own, memory of the host that the device reads and
// writes by itself, and its own there.
typedef struct sweep_hand
{
  const sweep_device* d;
  void *queue, *begun, *ended; // the latter are events
  void *in, *out;              // of the host
  size_t in_room, out_room;
  unsigned long long at_in, at_out; // there
} sweep_hand;
bool sweep_hand_open(sweep_hand* h, const sweep_device* d);
void sweep_hand_close(sweep_hand* h);
bool sweep_hand_need(sweep_hand* h, size_t in, size_t out);
// From when to when a function was busy, in s since the epoch of the device.
typedef struct sweep_span
{
  double from, to;
} sweep_span;
// `in` bytes go there, count threads of function(count, at_in, at_out, at_out + second) are run,
// `out` bytes come back; false where that failed
bool sweep_hand_run(sweep_hand* h, void* function, int block, long long count, size_t in,
                    size_t second, size_t out, sweep_span* span);
// The runs of a chunk in the order in which threads take them: those next to each other in the
// space of params go together. Made for so many runs at most; value: of each run, by axis.
typedef struct sweep_gpu_order sweep_gpu_order;
sweep_gpu_order* sweep_gpu_order_new(int axes, int runs);
void sweep_gpu_order_free(sweep_gpu_order* o);
void sweep_gpu_order_find(sweep_gpu_order* o, int count, const double* value, int* order);
// Time in which any of several was busy: spans are added as they end.
typedef struct sweep_busy
{
  double seconds, until;
} sweep_busy;
void sweep_busy_add(sweep_busy* b, const sweep_span* span);
