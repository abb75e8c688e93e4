// Private to num: the parts of a sparse LU by fronts.
#pragma once

#include "num/num.h"

// Nodes are counted as given; a position is a turn in the order of elimination. Front k eliminates
// the nodes of the positions first[k] .. first[k + 1) at once; those of its border stay behind. Its
// matrix is dense: the pivots, rounded up to NUM_FRONT_STEP by ones on the diagonal, then the
// border, rounded up by zeros.
enum { NUM_FRONT_STEP = 8 };

typedef struct num_front
{
  int pivots, rows; // rounded up
  int parent;       // -1
  size_t at;        // its factor: `pivots` by `rows`, then rows - pivots by `pivots`
  int swap;         // where its changes of rows begin
} num_front;

struct num_fronts
{
  int nodes, room;
  int* size;
  size_t* offset; // of the unknowns of a node in x
  // neighbours of each node, the node itself among them, and where their blocks are
  int *start, *other;
  size_t *block_at, blocks;
  double* block;
  int entries; // room for neighbours
  int *order, *place, *parent, *mark, *next, *head;
  BASE_LIST(int) below; // positions below the diagonal of each column, column by column
  int* below_start;
  // fronts
  int fronts;
  int* first;
  num_front* front;
  double work;         // multiplications of a factorisation
  size_t factor_count; // numbers of all factors
  size_t stack_count;  // the most that waits for its parent at one time
  int most_rows;       // of a front
  double *factor, *stack, *dense, *gathered;
  size_t factor_room, stack_room, block_room;
  int dense_room;
  int *at, *index; // where a position stands in the front under way; of a border
  int *swap, swaps, swap_room;
};

// fronts_dense.c: F (rows by rows, row-major) = L U in its first `pivots` columns, what is left in
// the rest; row k has changed places with row swap[k]; false: a pivot is nothing
bool num_fronts_dense(int pivots, int rows, double* F, int* swap);
// fronts_pattern.c: the border of a front as positions, and how many
const int* num_fronts_border(const num_fronts* s, int k, int* count);
