// Numbers of a motion packed for the page: channels of 32-bit floats, attitudes of 16-bit integers.
#include "out/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out/json_text.h"

void out_pack_free(out_pack* p)
{
  base_text_free(&p->floats);
  base_text_free(&p->shorts);
}

// ---- base64, RFC 4648 ---------------------------------------------------------------------------

static char* base64(const unsigned char* x, size_t n)
{
  static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *out = base_alloc(4 * ((n + 2) / 3) + 1), *to = out;
  for (size_t i = 0; i < n; i += 3) {
    const unsigned left = n - i < 3 ? (unsigned)(n - i) : 3;
    const unsigned three =
        (unsigned)x[i] << 16 | (left > 1 ? x[i + 1] << 8 : 0) | (left > 2 ? x[i + 2] : 0);
    *to++ = letter[three >> 18];
    *to++ = letter[three >> 12 & 63];
    *to++ = left > 1 ? letter[three >> 6 & 63] : '=';
    *to++ = left > 2 ? letter[three & 63] : '=';
  }
  return out;
}

static int value_of(unsigned char c)
{
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// base64, RFC 4648, up to the end of the line
const char* out_pack_decode(const char* from, base_text* out)
{
  unsigned held = 0;
  int bits = 0;
  for (; *from && *from != '\n' && *from != '<'; from++) {
    const int six = value_of((unsigned char)*from);
    if (six < 0) continue;
    held = held << 6 | (unsigned)six;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const char byte = (char)(held >> bits & 255);
    base_text_addn(out, &byte, 1);
  }
  return from;
}

static json_t* coded(const void* bytes, size_t n)
{
  char* text = base64(bytes, n);
  json_t* j = json_string(text);
  free(text);
  return j;
}

json_t* out_pack_bytes(const base_text* bytes)
{
  return coded(bytes->at ? bytes->at : "", bytes->n);
}

json_t* out_pack_doubles(const double* x, int n, int stride)
{
  double* all = base_alloc(sizeof(double) * (size_t)(n + 1));
  for (int i = 0; i < n; i++) all[i] = x[(size_t)i * (size_t)stride];
  json_t* j = coded(all, sizeof(double) * (size_t)n);
  free(all);
  return j;
}

json_t* out_pack_floats(const double* x, size_t n)
{
  float* all = base_alloc(sizeof(float) * (n + 1));
  for (size_t i = 0; i < n; i++) all[i] = (float)x[i];
  json_t* j = coded(all, sizeof(float) * n);
  free(all);
  return j;
}

// ---- channels -----------------------------------------------------------------------------------

static double at(const walk_table* t, int row, int column)
{
  return t->value[(size_t)row * (size_t)t->width + (size_t)column];
}

// Middle of the finite values where they lie far from zero, so that floats tell small motions
// there; else zero, so that small values keep their digits. Constant or not.
static double middle(const walk_table* t, int column, bool* constant)
{
  double low = INFINITY, high = -INFINITY;
  bool whole = true;
  for (int i = 0; i < t->rows; i++) {
    const double x = at(t, i, column);
    whole = whole && isfinite(x);
    if (!isfinite(x)) continue;
    low = fmin(low, x);
    high = fmax(high, x);
  }
  *constant = low > high || (whole && low == high);
  if (low > high) return NAN;
  const double half = high / 2 - low / 2, centre = low / 2 + high / 2;
  return *constant || fabs(centre) > 4 * half ? centre : 0;
}

// the number of the block that was added last; where it repeats an earlier one it goes again
static int block_of(base_text* all, size_t bytes, int* blocks)
{
  const char* last = all->at + (size_t)*blocks * bytes;
  for (int i = 0; i < *blocks; i++) {
    if (memcmp(all->at + (size_t)i * bytes, last, bytes) != 0) continue;
    all->n -= bytes;
    return i;
  }
  return (*blocks)++;
}

json_t* out_pack_column(out_pack* p, const walk_table* t, int column)
{
  bool constant;
  const double offset = middle(t, column, &constant);
  if (constant) return out_json_real(offset);
  for (int i = 0; i < t->rows; i++) {
    const float x = (float)(at(t, i, column) - offset);
    base_text_addn(&p->floats, (const char*)&x, sizeof x);
  }
  json_t* channel = json_array();
  out_json_push(channel, out_json_real(offset));
  out_json_push(channel,
                json_integer(block_of(&p->floats, sizeof(float) * (size_t)t->rows, &p->blocks)));
  return channel;
}

json_t* out_pack_columns(out_pack* p, const walk_table* t, int column, int count)
{
  json_t* list = json_array();
  for (int i = 0; i < count; i++) out_json_push(list, out_pack_column(p, t, column + i));
  return list;
}

// ---- attitudes ----------------------------------------------------------------------------------

// from the largest of the four, so that nothing small is divided by; Shepperd (1978)
void out_pack_quaternion(const double R[9], double q[4])
{
  const double trace = R[0] + R[4] + R[8];
  const double four[4] = {1 + trace, 1 + 2 * R[0] - trace, 1 + 2 * R[4] - trace,
                          1 + 2 * R[8] - trace};
  int k = 0;
  for (int i = 1; i < 4; i++)
    if (four[i] > four[k]) k = i;
  const double half = 0.5 / sqrt(fmax(four[k], 1e-300));
  const double odd[3] = {R[7] - R[5], R[2] - R[6], R[3] - R[1]};
  const double even[3] = {R[7] + R[5], R[2] + R[6], R[3] + R[1]};
  q[k] = four[k] * half;
  if (k == 0) {
    for (int i = 0; i < 3; i++) q[1 + i] = odd[i] * half;
    return;
  }
  q[0] = odd[k - 1] * half;
  for (int i = 1; i < 4; i++)
    if (i != k) q[i] = even[6 - i - k - 1] * half; // of the third axis
}

static bool is_steady(const walk_table* t, int column)
{
  for (int k = 0; k < 9; k++) {
    bool constant;
    middle(t, column + k, &constant);
    if (!constant) return false;
  }
  return true;
}

json_t* out_pack_turn(out_pack* p, const walk_table* t, int column)
{
  json_t* list = json_array();
  double q[4], last[4] = {1, 0, 0, 0};
  const bool steady = is_steady(t, column);
  for (int i = 0; i < t->rows && (!steady || i == 0); i++) {
    const double* R = t->value + (size_t)i * (size_t)t->width + (size_t)column;
    out_pack_quaternion(R, q);
    double along = 0;
    for (int k = 0; k < 4; k++) along += q[k] * last[k];
    // of q and -q the one next to the last
    for (int k = 0; k < 4; k++) last[k] = q[k] = along < 0 ? -q[k] : q[k];
    for (int k = 0; k < 4 && steady; k++) out_json_push(list, out_json_real(q[k]));
    for (int k = 0; k < 4 && !steady; k++) {
      const int16_t x = isfinite(q[k]) ? (int16_t)lround(32767 * fmax(-1, fmin(1, q[k]))) : 0;
      base_text_addn(&p->shorts, (const char*)&x, sizeof x);
    }
  }
  if (!steady)
    out_json_push(
        list, json_integer(block_of(&p->shorts, 4 * sizeof(int16_t) * (size_t)t->rows, &p->turns)));
  return list;
}
