// Names in LaTeX: Greek letters, indices, dots for primes.
#include "expr/expr.h"

#include <string.h>

static const char* const greek[] = {
    "alpha", "beta",  "gamma",   "delta",    "epsilon",    "zeta",   "eta",      "theta",
    "iota",  "kappa", "lambda",  "mu",       "nu",         "xi",     "pi",       "rho",
    "sigma", "tau",   "upsilon", "phi",      "chi",        "psi",    "omega",    "Gamma",
    "Delta", "Theta", "Lambda",  "Xi",       "Pi",         "Sigma",  "Upsilon",  "Phi",
    "Psi",   "Omega", "varphi",  "vartheta", "varepsilon", "varrho", "varsigma", "varkappa"};

typedef struct letter
{
  const char* utf8;
  const char* latex;
} letter;

static const letter letters[] = {
    {"α", "\\alpha"},      {"β", "\\beta"},     {"γ", "\\gamma"},   {"δ", "\\delta"},
    {"ε", "\\varepsilon"}, {"ζ", "\\zeta"},     {"η", "\\eta"},     {"θ", "\\theta"},
    {"ι", "\\iota"},       {"κ", "\\kappa"},    {"λ", "\\lambda"},  {"μ", "\\mu"},
    {"ν", "\\nu"},         {"ξ", "\\xi"},       {"π", "\\pi"},      {"ρ", "\\rho"},
    {"σ", "\\sigma"},      {"τ", "\\tau"},      {"υ", "\\upsilon"}, {"φ", "\\varphi"},
    {"χ", "\\chi"},        {"ψ", "\\psi"},      {"ω", "\\omega"},   {"Γ", "\\Gamma"},
    {"Δ", "\\Delta"},      {"Θ", "\\Theta"},    {"Λ", "\\Lambda"},  {"Ξ", "\\Xi"},
    {"Π", "\\Pi"},         {"Σ", "\\Sigma"},    {"Φ", "\\Phi"},     {"Ψ", "\\Psi"},
    {"Ω", "\\Omega"},      {"ϑ", "\\vartheta"}, {"ϕ", "\\phi"},     {"ϵ", "\\epsilon"}};

static bool is_ascii(const char* text, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if ((unsigned char)text[i] >= 128) return false;
  return true;
}

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

// letters as running text, with what LaTeX would take amiss escaped
static void escaped(base_text* out, const char* text, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    if (text[i] == '_') base_text_add(out, "\\");
    base_text_addn(out, text + i, 1);
  }
}

static const char* greek_name(const char* text, size_t n)
{
  for (size_t i = 0; i < sizeof greek / sizeof *greek; i++)
    if (strlen(greek[i]) == n && memcmp(greek[i], text, n) == 0) return greek[i];
  return NULL;
}

static const char* greek_letter(const char* text, size_t n)
{
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
    if (strlen(letters[i].utf8) == n && memcmp(letters[i].utf8, text, n) == 0)
      return letters[i].latex;
  return NULL;
}

// bytes of the first character
static size_t char_length(const char* text, size_t n)
{
  size_t k = 1;
  while (k < n && ((unsigned char)text[k] & 0xc0) == 0x80) k++;
  return k;
}

// one letter, a Greek name, digits, or a word
static void word(base_text* out, const char* text, size_t n)
{
  const char* known = greek_name(text, n);
  bool digits = n > 0;
  for (size_t i = 0; i < n; i++) digits &= is_digit(text[i]);
  if (known)
    base_text_printf(out, "\\%s", known);
  else if (greek_letter(text, n))
    base_text_add(out, greek_letter(text, n));
  else if (digits || (n && char_length(text, n) == n))
    base_text_addn(out, text, n);
  else if (!is_ascii(text, n))
    base_text_printf(out, "\\text{%.*s}", (int)n, text);
  else
    base_text_printf(out, "\\mathrm{%.*s}", (int)n, text);
}

// is this a single letter, so that what follows an underscore is its index?
static bool is_letter(const char* text, size_t n)
{
  return n && (char_length(text, n) == n || greek_name(text, n));
}

static void dotted(base_text* out, const base_text* core, int primes)
{
  static const char* const dots[] = {"", "\\dot{", "\\ddot{", "\\dddot{"};
  if (primes == 0)
    base_text_add(out, core->at);
  else if (primes <= 3)
    base_text_printf(out, "%s%s}", dots[primes], core->at);
  else
    base_text_printf(out, "%s^{(%d)}", core->at, primes);
}

static bool is_ascii_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Jy, kv, mR: a letter and its index written together; IBxx and Jzz are inertias
static bool has_close_index(const char* text, size_t n)
{
  bool inertia = text[0] == 'I' || text[0] == 'J';
  if (n < 2 || n > (inertia ? 5 : 2) || greek_name(text, n)) return false;
  for (size_t i = 0; i < n; i++)
    if (!is_ascii_letter(text[i])) return false;
  return true;
}

// parts between underscores: letters side by side, words apart by commas
static void indices(base_text* out, const char* text, size_t n)
{
  bool words = false;
  for (size_t i = 0; i < n;) {
    size_t k = i;
    while (k < n && text[k] != '_') k++;
    words |= !is_letter(text + i, k - i);
    i = k + 1;
  }
  for (size_t i = 0; i < n;) {
    size_t k = i;
    while (k < n && text[k] != '_') k++;
    if (i > 0) base_text_add(out, words ? "," : " ");
    word(out, text + i, k - i);
    i = k + 1;
  }
}

// Where the index begins: behind the last point, or an underscore after a letter (`skip` is 1
// then), or closing digits; `close`: the letters behind the first.
static size_t index_of(const char* name, size_t n, size_t* skip, bool* close)
{
  // Lambda_C.x, gamma_Q.wx_Q.wy_Q.wz, p_A.angle, g_B.angle_A.angle: a letter of the equations with
  // the names of things
  const char* first = memchr(name, '_', n);
  const bool begins = first && (greek_name(name, (size_t)(first - name)) || first == name + 1);
  size_t split = n;
  *skip = 1;
  *close = false;
  for (size_t i = 1; i < n; i++)
    if (name[i] == '.') split = i;
  if (split < n) return begins ? (size_t)(first - name) : split;
  for (size_t i = 1; i + 1 < n; i++)
    if (name[i] == '_' && is_letter(name, i)) return i;
  *skip = 0;
  while (split > 1 && is_digit(name[split - 1])) split--;
  *close = has_close_index(name, split);
  return *close ? 1 : split;
}

// a name or a number, with primes
static bool is_plain(const char* text, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!is_ascii_letter(text[i]) && !is_digit(text[i]) && !strchr("_.'", text[i]) &&
        !((unsigned char)text[i] & 0x80))
      return false;
  return n > 0;
}

// delay(x, T) of a name is x(t - T), as people write it
static bool put_delayed(base_text* out, const char* name, size_t n, int primes)
{
  static const char call[] = "delay(";
  const size_t from = sizeof call - 1;
  const char* comma = n > from ? memchr(name + from, ',', n - from) : NULL;
  if (!comma || strncmp(name, call, from) != 0 || name[n - 1] != ')') return false;
  const size_t first = (size_t)(comma - name) - from;
  const char* by = comma + 1;
  while (*by == ' ') by++;
  const size_t last = n - 1 - (size_t)(by - name);
  if (!is_plain(name + from, first) || !is_plain(by, last)) return false;
  base_text what = {0}, time = {0};
  base_text_addn(&what, name + from, first);
  for (int i = 0; i < primes; i++) base_text_add(&what, "'");
  base_text_addn(&time, by, last);
  expr_latex_name(out, what.at);
  base_text_add(out, "(t - ");
  if (is_digit(*by))
    base_text_add(out, time.at);
  else
    expr_latex_name(out, time.at);
  base_text_add(out, ")");
  base_text_free(&what);
  base_text_free(&time);
  return true;
}

void expr_latex_name(base_text* out, const char* name)
{
  size_t n = strlen(name);
  int primes = 0;
  while (n && name[n - 1] == '\'') {
    n--;
    primes++;
  }
  if (put_delayed(out, name, n, primes)) return;
  // made of others: as it is called
  if (memchr(name, '(', n)) {
    base_text whole = {0};
    base_text_add(&whole, is_ascii(name, n) ? "\\mathrm{" : "\\text{");
    escaped(&whole, name, n);
    base_text_add(&whole, "}");
    dotted(out, &whole, primes);
    base_text_free(&whole);
    return;
  }
  size_t skip;
  bool close;
  const size_t split = index_of(name, n, &skip, &close);
  base_text core = {0};
  if (memchr(name, '_', split)) {
    base_text_add(&core, is_ascii(name, split) ? "\\mathit{" : "\\text{");
    escaped(&core, name, split);
    base_text_add(&core, "}");
  } else {
    word(&core, name, split);
  }
  base_text_add(&core, "");
  dotted(out, &core, primes);
  base_text_free(&core);
  if (split + skip >= n) return;
  base_text_add(out, "_{");
  if (close)
    base_text_addn(out, name + split, n - split);
  else
    indices(out, name + split + skip, n - split - skip);
  base_text_add(out, "}");
}
