// Do the steps of a run get on? Private to walk.
#pragma once

#include <stdbool.h>

// The last places of the motion, some hundred attempts apart. Counts alone decide, no clock: the
// same run is judged alike on every machine.
enum { walk_watchdog_samples = 5, walk_watchdog_rows = walk_watchdog_samples + 1 };
typedef struct walk_watchdog
{
  int n;            // coordinates
  double tolerance; // of the run
  double from;      // where the run began
  double* place;    // walk_watchdog_rows of n: the last are the largest seen
  int apart;        // attempts between them
  // what steps are held to beside the tolerance of a place itself, by coordinate; null: nothing
  const double* absolute;
  double t[walk_watchdog_samples];
  int count;        // of them, the last is the newest
  long looked;      // attempts at the newest
  int hopeless;     // looks in a row
  double effort;    // operations of an attempt; few do not count
  char reason[160]; // where they do not
} walk_watchdog;

// place: room for walk_watchdog_rows of n
void walk_watchdog_start(walk_watchdog* p, int n, double* place, double tolerance, double t);
// what was seen so far says nothing about the steps to come
void walk_watchdog_forget(walk_watchdog* p);
// At t after `attempts` steps, made or rejected, of a run that goes to `end`: false with the reason
// where they do not get on. history: steps go on from several before.
bool walk_watchdog_look(walk_watchdog* p, double t, double end, long attempts, const double* q,
                        bool history);
// Are steps far shorter than the motion asks for, so that a method whose steps are not limited by
// stability would be done far sooner? Asked of a watchdog of its own; the reason is told in it.
void walk_watchdog_start_for_others(walk_watchdog* p, int n, double* place, double tolerance,
                                    const double* absolute, double t);
bool walk_watchdog_drags(walk_watchdog* p, double t, double end, long attempts, const double* q);
