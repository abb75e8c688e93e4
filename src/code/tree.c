// Motions, forces and inertias from one node of a tree to the next.
//
// Legend: V = (w, v) of a node in its own axes, f = (moment, force) on it, T its turn: a vector x
// of its axes is T x in those of the parent, where its origin is at r.
//   w = T^T w_p,   v = T^T (v_p + w_p x r);   f_p = (T moment + r x T force, T force)
// K = (A B; B^T D) in the same order, so that 2 x energy = V . K V, becomes by turn and shift
//   D_p = T D T^T,   B_p = T B T^T + [r] D_p,   A_p = T A T^T - B_p [r] + [r] (T B T^T)^T
// with [r] x = r x x (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapters 2 and 7).
#include "code/tree.h"

#include <math.h>
#include <string.h>

static uint32_t plus(code_maker* m, uint32_t a, uint32_t b)
{
  return code_solve_add(m, a, b, code_make_const(m, 1));
}

static uint32_t minus(code_maker* m, uint32_t a, uint32_t b)
{
  return code_solve_sub(m, a, b, code_make_const(m, 1));
}

static void none(int n, uint32_t* x)
{
  for (int i = 0; i < n; i++) x[i] = CODE_ABSENT;
}

code_six code_six_none(void)
{
  code_six x;
  none(6, x.at);
  return x;
}

uint32_t code_six_dot(code_maker* m, const code_six* a, const code_six* b)
{
  uint32_t part[2] = {CODE_ABSENT, CODE_ABSENT};
  for (int i = 0; i < 6; i++) part[i / 3] = code_solve_add(m, part[i / 3], a->at[i], b->at[i]);
  return part[0] == CODE_ABSENT ? part[1] : plus(m, part[0], part[1]);
}

void code_six_add(code_maker* m, code_six* x, const code_six* a, uint32_t s)
{
  for (int i = 0; i < 6; i++) x->at[i] = code_solve_add(m, x->at[i], a->at[i], s);
}

// ---- vectors ------------------------------------------------------------------------------------

// out = T x, or T^T x
static void turn(code_maker* m, const code_limb* l, bool back, const uint32_t* x, uint32_t* out)
{
  uint32_t made[3];
  for (int i = 0; i < 3; i++) {
    made[i] = CODE_ABSENT;
    for (int k = 0; k < 3; k++)
      made[i] = code_solve_add(m, made[i], l->T[back ? 3 * k + i : 3 * i + k], x[k]);
  }
  memcpy(out, l->turns ? made : x, 3 * sizeof *out);
}

// sum += a x b
static void add_cross(code_maker* m, const uint32_t* a, const uint32_t* b, uint32_t* sum)
{
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sum[i] = code_solve_add(m, sum[i], a[j], b[k]);
    sum[i] = code_solve_sub(m, sum[i], a[k], b[j]);
  }
}

code_six code_limb_motion(code_maker* m, const code_limb* l, const code_six* parent)
{
  code_six x = *parent;
  if (l->shifts) add_cross(m, parent->at, l->r, x.at + 3);
  turn(m, l, true, x.at, x.at);
  turn(m, l, true, x.at + 3, x.at + 3);
  return x;
}

code_six code_limb_force(code_maker* m, const code_limb* l, const code_six* own)
{
  code_six f;
  turn(m, l, false, own->at, f.at);
  turn(m, l, false, own->at + 3, f.at + 3);
  if (l->shifts) add_cross(m, l->r, f.at + 3, f.at);
  return f;
}

static const int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}}; // of J

static void tensor(const code_inertia* b, uint32_t X[9])
{
  for (int i = 0; i < 9; i++) X[i] = b->J[place[i / 3][i % 3]];
}

// ---- motion -------------------------------------------------------------------------------------

// With w = w^ + s, w^ = T^T w_p, accelerations of a node and its origin are
//   w' = T^T w_p' + s' + w^ x s,   a = T^T (a_p + w_p' x r + w_p x (w_p x r + 2 r') + r'')
// and on its masses act, seen from the origin, beside K (w', a)
//   moment w x J w,   force w x (w x h)
// all of which take the products of w alone, P = w w^T:
//   (w x J w)_i = (J_kk - J_jj) P_jk + J_jk (P_jj - P_kk) + J_ik P_ij - J_ij P_ik
//   (w x (w x h))_i = P_ij h_j + P_ik h_k - (P_jj + P_kk) h_i
// with i, j, k in cycle. To fall in a field is to be pulled against it by the world.

static void make_products(code_maker* m, code_limb* l)
{
  for (int i = 0; i < 3; i++)
    for (int k = 0; k <= i; k++) l->ww[place[i][k]] = code_solve_times(m, l->w[i], l->w[k]);
}

// sum += w x (w x h)
static void add_whirl(code_maker* m, const code_limb* l, const uint32_t h[3], uint32_t* sum)
{
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const uint32_t both = h[i] == CODE_ABSENT ? CODE_ABSENT : plus(m, l->ww[j], l->ww[k]);
    sum[i] = code_solve_add(m, sum[i], l->ww[place[i][j]], h[j]);
    sum[i] = code_solve_add(m, sum[i], l->ww[place[i][k]], h[k]);
    sum[i] = code_solve_sub(m, sum[i], both, h[i]);
  }
}

// sum += w x J w
static void add_gyration(code_maker* m, const code_limb* l, uint32_t* sum)
{
  const uint32_t *J = l->own.J, *P = l->ww;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const int jk = place[j][k], ik = place[i][k], ij = place[i][j];
    sum[i] = code_solve_add(m, sum[i], minus(m, J[k], J[j]), P[jk]);
    if (J[jk] != CODE_ABSENT) sum[i] = code_solve_add(m, sum[i], J[jk], minus(m, P[j], P[k]));
    sum[i] = code_solve_add(m, sum[i], J[ik], P[ij]);
    sum[i] = code_solve_sub(m, sum[i], J[ij], P[ik]);
  }
}

void code_limb_moves(code_maker* m, code_limb* l, const code_limb* parent,
                     const uint32_t gravity[3])
{
  const uint32_t two = code_make_const(m, 2);
  uint32_t carried[3], around[3];
  none(3, carried);
  none(3, around);
  memcpy(l->bias.at, l->spin_rate, sizeof l->spin_rate);
  memcpy(l->bias.at + 3, l->drift_rate, sizeof l->drift_rate);
  if (parent) {
    turn(m, l, true, parent->w, carried);
    add_cross(m, carried, l->spin, l->bias.at);
    for (int i = 0; i < 3; i++) around[i] = code_solve_times(m, two, l->drift[i]);
    add_cross(m, parent->w, around, l->bias.at + 3);
    if (l->shifts) add_whirl(m, parent, l->r, l->bias.at + 3);
  } else {
    for (int i = 0; i < 3; i++) l->bias.at[3 + i] = minus(m, l->bias.at[3 + i], gravity[i]);
  }
  turn(m, l, true, l->bias.at + 3, l->bias.at + 3);
  for (int i = 0; i < 3; i++) l->w[i] = plus(m, carried[i], l->spin[i]);
  make_products(m, l);
  add_gyration(m, l, l->force.at);
  add_whirl(m, l, l->own.h, l->force.at + 3);
}

// ---- matrices -----------------------------------------------------------------------------------

// T turns about axis i by an angle with sine *s and cosine *c
static bool turns_about(const code_maker* m, const uint32_t T[9], int i, uint32_t* s, uint32_t* c)
{
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  double one;
  if (T[4 * i] == CODE_ABSENT || !code_is_const(m, T[4 * i], &one) || one != 1) return false;
  if (T[3 * i + j] != CODE_ABSENT || T[3 * i + k] != CODE_ABSENT) return false;
  if (T[3 * j + i] != CODE_ABSENT || T[3 * k + i] != CODE_ABSENT) return false;
  bool minus = false;
  *s = T[3 * k + j];
  *c = T[4 * j];
  return *s != CODE_ABSENT && *c != CODE_ABSENT && T[4 * k] == *c &&
         code_solve_unsigned(m, *s, &minus) == code_solve_unsigned(m, T[3 * j + k], &minus) &&
         minus;
}

// About axis i the square of the two others is turned by twice the angle: with
//   u = s^2 (X_jj - X_kk) + c s (X_jk + X_kj),   v = c s (X_jj - X_kk) - s^2 (X_jk + X_kj)
// X_jj loses and X_kk gains u, X_jk and X_kj gain v.
static void turn_square(code_maker* m, int i, uint32_t s, uint32_t c, uint32_t X[9])
{
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  const uint32_t ss = code_solve_times(m, s, s), cs = code_solve_times(m, c, s);
  const uint32_t odd = minus(m, X[4 * j], X[4 * k]), even = plus(m, X[3 * j + k], X[3 * k + j]);
  const uint32_t u = code_solve_add(m, code_solve_times(m, ss, odd), cs, even);
  const uint32_t v = code_solve_sub(m, code_solve_times(m, cs, odd), ss, even);
  X[4 * j] = minus(m, X[4 * j], u);
  X[4 * k] = plus(m, X[4 * k], u);
  X[3 * j + k] = plus(m, X[3 * j + k], v);
  X[3 * k + j] = plus(m, X[3 * k + j], v);
  const uint32_t row[3] = {X[3 * i], X[3 * i + 1], X[3 * i + 2]};
  const uint32_t column[3] = {X[i], X[3 + i], X[6 + i]};
  X[3 * i + j] = code_solve_sub(m, code_solve_times(m, c, row[j]), s, row[k]);
  X[3 * i + k] = code_solve_add(m, code_solve_times(m, c, row[k]), s, row[j]);
  X[3 * j + i] = code_solve_sub(m, code_solve_times(m, c, column[j]), s, column[k]);
  X[3 * k + i] = code_solve_add(m, code_solve_times(m, c, column[k]), s, column[j]);
}

// out = T X T^T
static void turn_both(code_maker* m, const code_limb* l, const uint32_t X[9], bool even,
                      uint32_t out[9])
{
  uint32_t half[9], s, c;
  memmove(out, X, 9 * sizeof *out);
  if (!l->turns) return;
  for (int i = 0; i < 3; i++) {
    if (!turns_about(m, l->T, i, &s, &c)) continue;
    turn_square(m, i, s, c, out);
    return;
  }
  X = out;
  for (int k = 0; k < 3; k++) {
    // column k of T X
    const uint32_t x[3] = {X[k], X[3 + k], X[6 + k]};
    uint32_t y[3];
    turn(m, l, false, x, y);
    for (int i = 0; i < 3; i++) half[3 * i + k] = y[i];
  }
  for (int i = 0; i < 3; i++) turn(m, l, false, half + 3 * i, out + 3 * i);
  for (int i = 0; i < 3 && even; i++)
    for (int k = 0; k < i; k++) out[3 * k + i] = out[3 * i + k];
}

// [r] X by columns, or X [r] = ([r]^T X^T)^T by rows
static void cross_left(code_maker* m, const uint32_t r[3], const uint32_t X[9], uint32_t out[9])
{
  for (int k = 0; k < 3; k++) {
    const uint32_t x[3] = {X[k], X[3 + k], X[6 + k]};
    uint32_t y[3];
    none(3, y);
    add_cross(m, r, x, y);
    for (int i = 0; i < 3; i++) out[3 * i + k] = y[i];
  }
}

// row i of X [r] is x_i x r for the row x_i of X
static void cross_right(code_maker* m, const uint32_t X[9], const uint32_t r[3], uint32_t out[9])
{
  for (int i = 0; i < 3; i++) {
    none(3, out + 3 * i);
    add_cross(m, X + 3 * i, r, out + 3 * i);
  }
}

static void block(const uint32_t K[36], int row, int column, uint32_t out[9])
{
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) out[3 * i + k] = K[6 * (3 * row + i) + 3 * column + k];
}

static void add_block(code_maker* m, uint32_t K[36], int row, int column, const uint32_t X[9])
{
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      uint32_t* x = &K[6 * (3 * row + i) + 3 * column + k];
      *x = plus(m, *x, X[3 * i + k]);
    }
}

static void hang_matrix(code_maker* m, const code_limb* l, uint32_t to[36])
{
  uint32_t A[9], B[9], D[9], G[9], H[9], BT[9];
  block(l->K, 0, 0, A);
  block(l->K, 0, 1, B);
  block(l->K, 1, 1, D);
  turn_both(m, l, A, true, A);
  turn_both(m, l, B, false, B);
  turn_both(m, l, D, true, D);
  if (l->shifts) {
    memcpy(G, B, sizeof G);
    cross_left(m, l->r, D, H);
    for (int i = 0; i < 9; i++) G[i] = plus(m, G[i], H[i]);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) BT[3 * i + k] = B[3 * k + i];
    cross_left(m, l->r, BT, H);
    for (int i = 0; i < 9; i++) A[i] = plus(m, A[i], H[i]);
    cross_right(m, G, l->r, H);
    for (int i = 0; i < 9; i++) A[i] = minus(m, A[i], H[i]);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < i; k++) A[3 * k + i] = A[3 * i + k];
    memcpy(B, G, sizeof B);
  }
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) BT[3 * i + k] = B[3 * k + i];
  add_block(m, to, 0, 0, A);
  add_block(m, to, 0, 1, B);
  add_block(m, to, 1, 0, BT);
  add_block(m, to, 1, 1, D);
}

// ---- inertias -----------------------------------------------------------------------------------

// h_p = T h + m r,   J_p = T J T^T - [r] [T h] - [T h] [r] - m [r] [r], of which the parts are
//   -[a] [b] = a.b E - b a^T
static void hang_masses(code_maker* m, const code_limb* l, code_inertia* to)
{
  const code_inertia* b = &l->all;
  uint32_t h[3], X[9], twice[3];
  tensor(b, X);
  turn_both(m, l, X, true, X);
  turn(m, l, false, b->h, h);
  to->m = plus(m, to->m, b->m);
  // with g = 2 T h + m r: J_p = T J T^T + (g.r) E - (g r^T + r g^T)/2
  for (int i = 0; i < 3; i++) {
    to->h[i] = plus(m, to->h[i], h[i]);
    if (l->shifts) to->h[i] = code_solve_add(m, to->h[i], b->m, l->r[i]);
    twice[i] = code_solve_times(m, h[i], code_make_const(m, 2));
    twice[i] = code_solve_add(m, twice[i], b->m, l->r[i]);
  }
  uint32_t dot = CODE_ABSENT;
  for (int i = 0; i < 3 && l->shifts; i++) dot = code_solve_add(m, dot, twice[i], l->r[i]);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k <= i; k++) {
      uint32_t* J = &to->J[place[i][k]];
      *J = plus(m, *J, X[3 * i + k]);
      if (!l->shifts) continue;
      if (i == k) {
        *J = plus(m, *J, dot);
        *J = code_solve_sub(m, *J, twice[i], l->r[i]);
        continue;
      }
      const uint32_t half = code_make_const(m, 0.5);
      *J = code_solve_sub(m, *J, code_solve_times(m, half, twice[i]), l->r[k]);
      *J = code_solve_sub(m, *J, code_solve_times(m, half, twice[k]), l->r[i]);
    }
}

// a value that is a number, nan where it is none
static double number(const code_maker* m, uint32_t v)
{
  double x = 0;
  return v == CODE_ABSENT || code_is_const(m, v, &x) ? x : NAN;
}

void code_limb_measure(const code_maker* m, code_limb* l)
{
  l->mass = number(m, l->own.m);
  l->reach = 0;
  for (int i = 0; i < 3; i++) l->reach += number(m, l->own.J[i]) / 2;
}

// of masses m with squared distances x^2 from the origin of the node, the distances from that of
// the parent are at most |x| + |r|: in the mean of squares at most (sqrt(mean x^2) + |r|)^2
void code_limb_measure_hung(const code_maker* m, const code_limb* l, code_limb* parent)
{
  double square = 0;
  for (int i = 0; i < 3; i++) square += number(m, l->r[i]) * number(m, l->r[i]);
  const double far = sqrt(l->reach) + sqrt(l->mass * square);
  parent->mass += l->mass;
  parent->reach += far * far;
}

double code_limb_most(const code_maker* m, const code_limb* l, const code_six* x)
{
  double turning = 0, going = 0;
  for (int i = 0; i < 3; i++) {
    turning += number(m, x->at[i]) * number(m, x->at[i]);
    going += number(m, x->at[3 + i]) * number(m, x->at[3 + i]);
  }
  if (turning == 0) return going * l->mass;
  const double root = sqrt(turning * l->reach) + sqrt(going * l->mass);
  return root * root;
}

void code_limb_hang(code_maker* m, const code_limb* l, code_limb* parent)
{
  hang_matrix(m, l, parent->K);
  if (l->weighed) hang_masses(m, l, &parent->all);
}

// D = m E, B = [h]
void code_limb_start(code_maker* m, code_limb* l)
{
  const code_inertia* b = &l->own;
  uint32_t X[9];
  none(36, l->K);
  tensor(b, X);
  add_block(m, l->K, 0, 0, X);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    l->K[6 * (3 + i) + 3 + i] = b->m;
    l->K[6 * i + 3 + j] = l->K[6 * (3 + j) + i] = code_solve_neg(m, b->h[k]);
    l->K[6 * i + 3 + k] = l->K[6 * (3 + k) + i] = b->h[j];
  }
  l->all = *b;
}

code_six code_limb_times(code_maker* m, const uint32_t K[36], const code_six* x)
{
  code_six y;
  for (int i = 0; i < 6; i++) {
    y.at[i] = CODE_ABSENT;
    for (int k = 0; k < 6; k++) y.at[i] = code_solve_add(m, y.at[i], K[6 * i + k], x->at[k]);
  }
  return y;
}

uint32_t code_limb_energy(code_maker* m, const code_inertia* b, const code_six* x)
{
  code_limb l = {.own = *b};
  code_limb_start(m, &l);
  const code_six y = code_limb_times(m, l.K, x);
  return code_six_dot(m, x, &y);
}
