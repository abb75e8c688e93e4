// A sweep as asked for, taken apart. Private to api.
#pragma once

#include "api/api.h"
#include "sweep/sweep.h"

typedef struct api_sweep
{
  const zw_model* source;
  const zw_sweep_options* o;
  base_arena* arena;
  sweep_plan plan;
  model_varied* varied; // one per axis
  sweep_results want;
  out_sweep_head head;
  uint64_t sources; // sum over the texts of the model
  bool binary;
} api_sweep;

// Each takes its part of the options; false with errors noted.
bool api_sweep_read_axes(api_sweep* s, base_notes* notes);
bool api_sweep_read_results(api_sweep* s, base_notes* notes);

// Fowler, Noll and Vo (1991): a sum over bytes, to tell texts apart
uint64_t api_sum(uint64_t sum, const void* bytes, size_t n);
extern const uint64_t api_sum_start;
// over all files a model was read from
uint64_t api_sum_sources(const base_notes* notes);

// one run after the other by the ordinary engine
sweep_maker api_sweep_one_by_one(api_sweep* s);
