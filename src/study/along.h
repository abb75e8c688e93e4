// What is told along a periodic motion: part of study's door.
#pragma once

// What happens along a periodic motion
typedef struct study_happening
{
  const char* name;
  double t;               // s since the start of the period
  double *before, *after; // q, then v
} study_happening;

// A coordinate along a periodic motion: mean + amplitude cos(2 pi t/T - lag) + higher harmonics
typedef struct study_swing
{
  double least, most;
  double mean, amplitude, lag; // nan: it does not come back, or they are not known
  double *at_least, *at_most;  // the states where it is least and greatest: q, v
} study_swing;
