// A chain of rods in the angles between neighbours, written by hand.
#pragma once

// from the horizontal; q: the n angles at the end. Returns the steps.
long chain_hand_run(int n, double until, double tolerance, double* q);
