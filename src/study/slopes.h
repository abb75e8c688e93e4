// Slopes of large expressions by numbers. Private to study.
#pragma once

#include "engine/engine.h"

typedef struct study_slopes study_slopes;

// Null where they are short enough to be differentiated as expressions, or cannot be evaluated in
// the complex plane. widely: symbols they will be differentiated by.
study_slopes* study_slopes_new(engine* e, int count, const expr* list, int widely);
void study_slopes_free(study_slopes* s);
// d list[i] / d input[j] at the engine's state, into out[i * stride + j]
void study_slopes_at(study_slopes* s, int inputs, const int* input, int stride, double* out);
// the numbers of the coordinates and then of the velocities among the inputs of kernels
void study_slopes_inputs(const engine* e, int* input);
