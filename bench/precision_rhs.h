// The six problems by hand, for one type of numbers: define REAL, FN(name) and OF(name) and
// include. Symbols are those of the models; derivations on paper, in the coordinates with the
// fewest terms.

// skater: u along the blade, w spin; y = xi, theta, eta, u, w
static void OF(skater)(const REAL* y, REAL* dy)
{
  const REAL m = 7, k = (REAL)6 / 10, L = 1;
  dy[0] = y[3] * FN(cos)(y[1]);
  dy[1] = y[4];
  dy[2] = y[3] * FN(sin)(y[1]);
  dy[3] = -k * y[3] / (2 * m);
  dy[4] = L / (2 * m);
}

// a plane chain of n equal pendulums; y = q, q'
//   sum_j (n - max(i,j)) (cos(q_i - q_j) a_j + sin(q_i - q_j) v_j^2) = -(n - i) g sin q_i
static inline __attribute__((always_inline)) void OF(chain)(int n, const REAL* y, REAL* dy)
{
  const REAL g = (REAL)981 / 100, *v = y + n;
  REAL M[8][8], s[8], c[8], *a = dy + n;
  for (int i = 0; i < n; i++) {
    dy[i] = v[i];
    s[i] = FN(sin)(y[i]);
    c[i] = FN(cos)(y[i]);
  }
  for (int i = 0; i < n; i++) {
    a[i] = -(n - i) * g * s[i];
    for (int j = 0; j < n; j++) {
      const REAL carried = n - (i > j ? i : j);
      if (j <= i) M[i][j] = carried * (c[i] * c[j] + s[i] * s[j]);
      a[i] -= carried * (s[i] * c[j] - c[i] * s[j]) * v[j] * v[j];
    }
  }
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++) M[j][j] -= M[j][k] * M[j][k];
    M[j][j] = 1 / FN(sqrt)(M[j][j]);
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++) M[i][j] -= M[i][k] * M[j][k];
      M[i][j] *= M[j][j];
    }
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) a[i] -= M[i][k] * a[k];
    a[i] *= M[i][i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) a[i] -= M[k][i] * a[k];
    a[i] *= M[i][i];
  }
}

static void OF(chain2)(const REAL* y, REAL* dy)
{
  OF(chain)(2, y, dy);
}

static void OF(chain8)(const REAL* y, REAL* dy)
{
  OF(chain)(8, y, dy);
}

// rolling disc: angular velocity w in the leaning axes; y = q1, q2, q3, x, y, w1, w2, w3.
// With I = m r^2 / 4, J = m r^2 / 2 and t = tan q2, over m r^2:
//   5/4 w1' = 3/2 w2 w3 - t w3^2 / 4 + g sin q2 / r,  3/2 w2' = -w1 w3,  w3' = w1 w3 t - 2 w1 w2
static void OF(disc)(const REAL* y, REAL* dy)
{
  const REAL r = (REAL)26 / 100, g = (REAL)981 / 100, w1 = y[5], w2 = y[6], w3 = y[7];
  const REAL s = FN(sin)(y[1]), c = FN(cos)(y[1]), t = s / c;
  dy[0] = w3 / c;
  dy[1] = w1;
  dy[2] = w2 - w3 * t;
  dy[3] = r * dy[2] * FN(cos)(y[0]);
  dy[4] = r * dy[2] * FN(sin)(y[0]);
  dy[5] = (6 * w2 * w3 - t * w3 * w3 + 4 * g / r * s) / 5;
  dy[6] = -2 * w1 * w3 / 3;
  dy[7] = w1 * (w3 * t - 2 * w2);
}

// a mass on a rod in Cartesian coordinates, with its multiplier mu; y = x, y, x', y'
static void OF(rod)(const REAL* y, REAL* dy)
{
  const REAL g = (REAL)981 / 100;
  const REAL mu = (g * y[1] - y[2] * y[2] - y[3] * y[3]) / (y[0] * y[0] + y[1] * y[1]);
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = mu * y[0];
  dy[3] = mu * y[1] - g;
}

// heavy top about x, z and y; y = alpha, beta, phi and rates. With Jt = J + m h^2 and
// P = Jy (phi' - alpha' sin beta):
//   Jt alpha'' cos b = 2 Jt alpha' beta' sin b + P beta' - m g h cos a
//   Jt beta'' = -alpha' cos b (Jt alpha' sin b + P) + m g h sin a sin b
static void OF(top)(const REAL* y, REAL* dy)
{
  const REAL mgh = 15 * (REAL)981 / 100, Jy = (REAL)15 / 32, Jt = (REAL)15 / 64 + 15;
  const REAL sb = FN(sin)(y[1]), cb = FN(cos)(y[1]), a = y[3], b = y[4], P = Jy * (y[5] - a * sb);
  for (int i = 0; i < 3; i++) dy[i] = y[3 + i];
  dy[3] = (2 * Jt * a * b * sb + P * b - mgh * FN(cos)(y[0])) / (Jt * cb);
  dy[4] = (-a * cb * (Jt * a * sb + P) + mgh * FN(sin)(y[0]) * sb) / Jt;
  dy[5] = dy[3] * sb + a * b * cb;
}
