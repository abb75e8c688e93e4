// CUDA opened at run time: the driver's library and the run-time compiler, if they are there.
#include "sweep/gpu.h"

#include <dlfcn.h>
#include <stdlib.h>

static sweep_cuda cuda;

static void* open_first(const char* const* names, int count)
{
  void* handle = NULL;
  for (int i = 0; i < count && !handle; i++) handle = dlopen(names[i], RTLD_NOW);
  return handle;
}

// the compiler's library may lie where CUDA was installed, outside the loader's folders
static void* open_compiler(void)
{
  static const char* const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                      "libnvrtc.so"};
  static const char* const places[] = {"CUDA_PATH", "CUDA_HOME"};
  void* handle = open_first(names, 4);
  for (int i = 0; i < 2 && !handle; i++) {
    const char* folder = getenv(places[i]);
    if (!folder) continue;
    base_text path = {0};
    base_text_printf(&path, "%s/lib64/libnvrtc.so", folder);
    handle = dlopen(path.at, RTLD_NOW);
    base_text_free(&path);
  }
  return handle;
}

// a pointer to data and one to a function differ in ISO C
#define FIND(HANDLE, FIELD, NAME) (*(void**)& cuda.FIELD = dlsym(HANDLE, NAME))

static bool find_queues(void* h)
{
  return FIND(h, stream_create, "cuStreamCreate") &&
         FIND(h, stream_destroy, "cuStreamDestroy_v2") &&
         FIND(h, stream_wait, "cuStreamSynchronize") &&
         FIND(h, to_device_later, "cuMemcpyHtoDAsync_v2") &&
         FIND(h, to_host_later, "cuMemcpyDtoHAsync_v2") && FIND(h, host_take, "cuMemHostAlloc") &&
         FIND(h, host_free, "cuMemFreeHost") && FIND(h, event_create, "cuEventCreate") &&
         FIND(h, event_destroy, "cuEventDestroy_v2") && FIND(h, event_record, "cuEventRecord") &&
         FIND(h, event_elapsed, "cuEventElapsedTime");
}

static bool find_driver(void* h)
{
  return FIND(h, init, "cuInit") && FIND(h, device_count, "cuDeviceGetCount") &&
         FIND(h, device_get, "cuDeviceGet") && FIND(h, device_attribute, "cuDeviceGetAttribute") &&
         FIND(h, device_name, "cuDeviceGetName") &&
         FIND(h, context_retain, "cuDevicePrimaryCtxRetain") &&
         FIND(h, context_flags, "cuDevicePrimaryCtxSetFlags_v2") &&
         FIND(h, context_set, "cuCtxSetCurrent") && FIND(h, module_load, "cuModuleLoadData") &&
         FIND(h, module_unload, "cuModuleUnload") &&
         FIND(h, module_function, "cuModuleGetFunction") && FIND(h, memory_take, "cuMemAlloc_v2") &&
         FIND(h, memory_free, "cuMemFree_v2") && FIND(h, launch, "cuLaunchKernel") &&
         find_queues(h);
}

static bool find_compiler(void* h)
{
  return FIND(h, program_create, "nvrtcCreateProgram") &&
         FIND(h, program_compile, "nvrtcCompileProgram") &&
         FIND(h, program_size, "nvrtcGetCUBINSize") && FIND(h, program_code, "nvrtcGetCUBIN") &&
         FIND(h, log_size, "nvrtcGetProgramLogSize") && FIND(h, log_text, "nvrtcGetProgramLog") &&
         FIND(h, program_destroy, "nvrtcDestroyProgram");
}

const sweep_cuda* sweep_cuda_open(base_notes* notes)
{
  static const char* const driver_names[] = {"libcuda.so.1", "libcuda.so"};
  void* driver = open_first(driver_names, 2);
  if (!driver || !find_driver(driver)) {
    base_error(notes, BASE_NOWHERE, "--device gpu: there is no NVIDIA driver on this machine");
    base_help(notes, "without --device the runs are made on its processors");
    return NULL;
  }
  int count = 0;
  if (cuda.init(0) || cuda.device_count(&count) || count < 1) {
    base_error(notes, BASE_NOWHERE, "--device gpu: the driver finds no GPU on this machine");
    base_help(notes, "without --device the runs are made on its processors");
    return NULL;
  }
  void* compiler = open_compiler();
  if (!compiler || !find_compiler(compiler)) {
    base_error(notes, BASE_NOWHERE,
               "--device gpu: CUDA's run-time compiler (libnvrtc) is not on this machine");
    base_help(notes, "install it, or say with CUDA_PATH where CUDA is");
    return NULL;
  }
  return &cuda;
}
