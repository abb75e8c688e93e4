// The problem of the rows of a step: G = A W^-1 A^T, by which their impulses move each other, made
// from the neighbours of each row and nothing else, and its answer.
#include "num/num.h"
#include "walk/moreau.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  many_rows = 100, // fewer are solved without knowing where G comes from
  least_size = 8,  // of a block whose right-hand sides are solved together, and their number
  least_sides = 3
};

// A^T of a row, behind the others, and what of it is still to be solved with W
static void spread_row(walk_moreau* s, int row)
{
  walk_row* r = &s->row[row];
  r->spread = s->reached.n;
  for (int p = 0; p < r->count; p++) {
    const int b = s->block_of[r->column[p]], from = s->block_start[b];
    const int size = s->block_start[b + 1] - from;
    bool seen = false;
    for (int o = 0; o < p && !seen; o++) seen = s->block_of[r->column[o]] == b;
    if (seen) continue;
    if (size == 1) {
      double sum = 0;
      for (int o = p; o < r->count; o++)
        if (r->column[o] == r->column[p]) sum += r->sign * r->value[o];
      base_push(&s->reached, r->column[p]);
      base_push(&s->spread, sum / s->W[s->W_start[b]]);
      continue;
    }
    const int at = s->reached.n;
    for (int i = 0; i < size; i++) {
      base_push(&s->reached, s->block_coord[from + i]);
      base_push(&s->spread, 0);
    }
    for (int o = p; o < r->count; o++)
      if (s->block_of[r->column[o]] == b)
        s->spread.at[at + s->place[r->column[o]]] += r->sign * r->value[o];
    base_push(&s->sides, ((walk_side){.at = at, .next = s->first_side[b]}));
    s->first_side[b] = s->sides.n;
    if (s->sides.at[s->sides.n - 1].next == 0) base_push(&s->sided, b);
  }
  s->row[row + 1].spread = s->reached.n;
}

// The right-hand sides of a block are solved side by side. Few, or of a small block, take longer to
// be laid so than one by one, to the same bits.
static void solve_sides(walk_moreau* s, int b)
{
  const int from = s->block_start[b], size = s->block_start[b + 1] - from;
  int count = 0;
  for (int k = s->first_side[b]; k; k = s->sides.at[k - 1].next) count++;
  const double* W = s->W + s->W_start[b];
  if (size < least_size || count < least_sides) {
    for (int k = s->first_side[b]; k; k = s->sides.at[k - 1].next)
      num_lu_solve(size, W, s->pivot + from, s->spread.at + s->sides.at[k - 1].at);
    return;
  }
  const int columns = (count + NUM_LU_COLUMNS - 1) / NUM_LU_COLUMNS * NUM_LU_COLUMNS;
  if (size * columns > s->beside_room) {
    s->beside_room = size * columns;
    s->beside = base_realloc(s->beside, sizeof(double) * (size_t)s->beside_room);
  }
  memset(s->beside, 0, sizeof(double) * (size_t)(size * columns));
  for (int k = s->first_side[b], c = 0; k; k = s->sides.at[k - 1].next, c++)
    for (int i = 0; i < size; i++)
      s->beside[i * columns + c] = s->spread.at[s->sides.at[k - 1].at + i];
  num_lu_solve_many(size, W, s->pivot + from, columns, s->beside);
  for (int k = s->first_side[b], c = 0; k; k = s->sides.at[k - 1].next, c++)
    for (int i = 0; i < size; i++)
      s->spread.at[s->sides.at[k - 1].at + i] = s->beside[i * columns + c];
}

// W^-1 A^T of all rows
static void spread_rows(walk_moreau* s)
{
  s->reached.n = s->spread.n = s->sides.n = s->sided.n = 0;
  for (int row = 0; row < s->rows; row++) spread_row(s, row);
  for (int k = 0; k < s->sided.n; k++) {
    solve_sides(s, s->sided.at[k]);
    s->first_side[s->sided.at[k]] = 0;
  }
}

// which rows have an entry at each coordinate
static void list_met(walk_moreau* s)
{
  int total = 0;
  memset(s->met, 0, sizeof(int) * (size_t)(s->n + 2));
  for (int row = 0; row < s->rows; row++) {
    const walk_row* r = &s->row[row];
    for (int p = 0; p < r->count; p++) s->met[r->column[p] + 2]++;
    total += r->count;
  }
  if (total > s->met_room) {
    s->met_room = total + total / 2;
    s->met_row = base_realloc(s->met_row, sizeof(int) * (size_t)s->met_room);
    s->met_value = base_realloc(s->met_value, sizeof(double) * (size_t)s->met_room);
    s->A_column = base_realloc(s->A_column, sizeof(int) * (size_t)s->met_room);
    s->A_value = base_realloc(s->A_value, sizeof(double) * (size_t)s->met_room);
  }
  for (int i = 0; i < s->n; i++) s->met[i + 2] += s->met[i + 1];
  for (int row = 0; row < s->rows; row++) {
    const walk_row* r = &s->row[row];
    for (int p = 0; p < r->count; p++) {
      const int at = s->met[r->column[p] + 1]++;
      s->met_row[at] = row;
      s->met_value[at] = r->sign * r->value[p];
    }
  }
}

// entries of a step beyond the most so far need more room; a motion has soon met its most
static void make_room(walk_moreau* s, int need)
{
  if (need <= s->G_room) return;
  s->G_room = need + need / 2 + 64;
  const size_t room = (size_t)s->G_room;
  s->G = base_realloc(s->G, room * sizeof *s->G);
  s->G_column = base_realloc(s->G_column, room * sizeof *s->G_column);
  s->col = base_realloc(s->col, room * sizeof *s->col);
  s->col_row = base_realloc(s->col_row, room * sizeof *s->col_row);
}

// column j of G: the rows that meet what row j moves. What presses dry friction moves itself alone.
static int add_column(walk_moreau* s, int j, int at)
{
  const int from = at;
  if (!s->row[j].count) {
    s->mark[j] = j + 1;
    s->sum[j] = 1;
    make_room(s, at + 1);
    s->col_row[at++] = j;
  }
  for (int p = s->row[j].spread; p < s->row[j + 1].spread; p++) {
    const int c = s->reached.at[p];
    const double move = s->spread.at[p];
    make_room(s, at + s->met[c + 1] - s->met[c]);
    for (int t = s->met[c]; t < s->met[c + 1]; t++) {
      const int i = s->met_row[t];
      if (s->mark[i] != j + 1) {
        s->mark[i] = j + 1;
        s->sum[i] = 0;
        s->col_row[at++] = i;
      }
      s->sum[i] += s->met_value[t] * move;
    }
  }
  for (int p = from; p < at; p++) s->col[p] = s->sum[s->col_row[p]];
  return at;
}

static void transpose(walk_moreau* s, int entries)
{
  memset(s->G_start, 0, sizeof(int) * (size_t)(s->rows + 1));
  for (int p = 0; p < entries; p++) s->G_start[s->col_row[p] + 1]++;
  for (int i = 0; i < s->rows; i++) s->G_start[i + 1] += s->G_start[i];
  memcpy(s->G_fill, s->G_start, sizeof(int) * (size_t)s->rows);
  for (int j = 0; j < s->rows; j++)
    for (int p = s->col_start[j]; p < s->col_start[j + 1]; p++) {
      const int at = s->G_fill[s->col_row[p]]++;
      s->G_column[at] = j;
      s->G[at] = s->col[p];
    }
}

static void say_no_gradient(walk_moreau* s, int j)
{
  const int of = s->row[j].of, normal = s->normal[j] >= 0 ? s->row[s->normal[j]].of : of;
  const int k = of < s->m ? of : normal;
  snprintf(s->e->reason, sizeof s->e->reason, "the constraint `%s` has no gradient there",
           k < s->m ? s->e->model->constraint[k].name : "of a contact");
}

int walk_moreau_assemble(walk_moreau* s)
{
  int at = 0;
  if (!s->rows) return 0;
  list_met(s);
  spread_rows(s);
  memset(s->mark, 0, sizeof(int) * (size_t)(s->rows + 1));
  for (int j = 0; j < s->rows; j++) {
    s->col_start[j] = at;
    at = add_column(s, j, at);
    if (s->mark[j] == j + 1 && s->sum[j] > 0 && isfinite(s->sum[j])) continue;
    say_no_gradient(s, j);
    return 1;
  }
  s->col_start[s->rows] = at;
  transpose(s, at);
  return 0;
}

// the rows one after the other
static void list_rows(walk_moreau* s)
{
  int at = 0;
  for (int row = 0; row < s->rows; row++) {
    const walk_row* r = &s->row[row];
    s->A_start[row] = at;
    for (int p = 0; p < r->count; p++, at++) {
      s->A_column[at] = r->column[p];
      s->A_value[at] = r->sign * r->value[p];
    }
  }
  s->A_start[s->rows] = at;
}

static void solve(walk_moreau* s, bool may_fail)
{
  const cone_many_origin origin = {.start = s->A_start,
                                   .column = s->A_column,
                                   .value = s->A_value,
                                   .blocks = s->blocks,
                                   .block_start = s->block_start,
                                   .block_of = s->block_of,
                                   .place = s->place,
                                   .W_start = s->W_start,
                                   .W = s->inertia};
  if (s->rows >= many_rows) list_rows(s);
  const cone_many_problem p = {.r = s->rows,
                               .start = s->G_start,
                               .column = s->G_column,
                               .G = s->G,
                               .q = s->shift,
                               .kind = s->kind,
                               .of = s->normal,
                               .pair = s->pair,
                               .mu = s->mu,
                               .origin = s->rows >= many_rows ? &origin : NULL,
                               .may_fail = may_fail,
                               .may_halve = s->may_halve,
                               .graded = engine_moreau_coarse,
                               .effort = s->effort};
  const cone_many_result out = cone_many_solve(s->many, &p, s->x, s->w);
  s->solved++;
  s->sweeps += out.sweeps;
  s->turns += out.turns;
  s->most_rows = s->rows > s->most_rows ? s->rows : s->most_rows;
  s->fault = out.fault;
  s->allowed = out.allowed;
}

// Gaps below zero are asked to part, so that they are open at the end. Where many touch there may
// be no impulses that do that to all of them: then they are kept from closing further.
static bool is_eased(const walk_moreau* s)
{
  for (int r = 0; r < s->rows; r++)
    if (s->row[r].ease > 0) return true;
  return false;
}

void walk_moreau_solve(walk_moreau* s)
{
  const bool eased = is_eased(s);
  solve(s, eased);
  if (!(s->fault > fmax(s->allowed, engine_moreau_told) && eased)) return;
  for (int r = 0; r < s->rows; r++) s->shift[r] += s->row[r].ease;
  solve(s, false);
}
