#include "out/latex.h"

#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "out/fixture.h"

TEST(words_are_escaped_for_latex)
{
  base_text t = {0};
  out_latex_words(&t, "50% of $x_1$ & {a} \\input{b} ^~#`<\n");
  CHECK_TEXT(t.at, "50\\% of \\$x\\_1\\$ \\& \\{a\\} \\textbackslash{}input\\{b\\} \\^{}\\~{}\\#"
                   "\\textasciigrave{}$<$ ");
  base_text_free(&t);
}

TEST(long_formulas_are_broken_and_their_brackets_with_them)
{
  base_text t = {0};
  out_latex_wrap(&t, "a + b \\left(c + d + e + f\\right) + \\frac{g + h}{i}", 1000, "|");
  CHECK_TEXT(t.at, "a + b \\left(c + d + e + f\\right) + \\frac{g + h}{i}");
  t.n = 0;
  out_latex_wrap(&t, "b \\left(c + d + e + f\\right)", 7, "|");
  CHECK_TEXT(t.at, "b \\bigl(c + d |+ e + f\\bigr)");
  t.n = 0;
  // nothing is broken inside a fraction
  out_latex_wrap(&t, "\\frac{g + h + i + j + k}{l} + m", 3, "|");
  CHECK_TEXT(t.at, "\\frac{g + h + i + j + k}{l} |+ m");
  base_text_free(&t);
}

// many long terms, names of any alphabet, a title with everything in it
static void make_hard(fixture* f)
{
  f->m.title = "50% `rm` $x$ \\end{document} \xce\xb8 \xd0\xb6 \xe2\x80\x94 \"q\" \xc3\xa9 #{}";
  expr sum = expr_int(f->pool, 0);
  for (int i = 0; i < 40; i++) {
    char name[32];
    snprintf(name, sizeof name, "alpha_%d", i);
    expr inner = expr_add(f->pool, expr_symbol(f->pool, name), expr_symbol(f->pool, "\xd0\xb6"));
    inner =
        expr_add(f->pool, inner,
                 expr_div(f->pool, expr_symbol(f->pool, "\xc3\xa9"), expr_symbol(f->pool, "l_0")));
    sum =
        expr_add(f->pool, sum,
                 expr_mul(f->pool, expr_fn1(f->pool, EXPR_SIN, expr_symbol(f->pool, name)), inner));
  }
  f->e.equation[0].left = sum;
  f->e.equation[1].right = expr_mul(f->pool, expr_symbol(f->pool, "m"), sum);
  f->e.equation[2].label = "\xce\xb8_% $";
}

TEST(equations_as_latex_compile)
{
  if (system("command -v pdflatex > /dev/null 2>&1") != 0) SKIP("pdflatex is not installed");
  for (int hard = 0; hard < 2; hard++) {
    fixture* f = fixture_new(1);
    if (hard) make_hard(f);
    char* folder = fixture_folder(f);
    base_text out = {0};
    out_equations(&f->s, &f->e, OUT_LATEX, &out);
    FILE* file = fopen(base_arena_printf(f->arena, "%s/a.tex", folder), "w");
    fwrite(out.at, 1, out.n, file);
    fclose(file);
    char* command = base_arena_printf(
        f->arena,
        "cd '%s' && pdflatex -halt-on-error -interaction=nonstopmode a.tex > log.txt 2>&1", folder);
    CHECK_INT(system(command), 0);
    char* log = fixture_file(f, base_arena_printf(f->arena, "%s/log.txt", folder), NULL);
    // an overfull line runs off the page
    CHECK(log && !strstr(log, "Overfull"));
    base_text_free(&out);
    fixture_free(f);
  }
}

TEST(equations_as_latex_write_reactions_as_lambda)
{
  fixture* f = fixture_new(1);
  base_text out = {0};
  out_equations(&f->s, &f->e, OUT_LATEX, &out);
  CHECK(strstr(out.at, "\\Lambda_{\\mathrm{rod}} &= "));
  CHECK(!strstr(out.at, "reaction"));
  CHECK(strstr(out.at, "x \\ne 0."));
  // unless the name is taken
  f->m.param[0].name = "Lambda_rod";
  out.n = 0;
  out_equations(&f->s, &f->e, OUT_LATEX, &out);
  CHECK(strstr(out.at, "reaction"));
  base_text_free(&out);
  fixture_free(f);
}

// names of several letters, in any alphabet, stand apart, and pdflatex is told of each letter
TEST(names_of_other_alphabets_are_set_as_words)
{
  fixture* f = fixture_new(1);
  expr_pool* p = f->s.pool;
  const expr mass = expr_symbol(p, "масса"), length = expr_symbol(p, "длина");
  f->e.equation[0].left = expr_mul(p, mass, length);
  f->e.equation[0].right = expr_mul(p, expr_symbol(p, "mass"), expr_symbol(p, "length"));
  base_text out = {0};
  out_equations(&f->s, &f->e, OUT_LATEX, &out);
  CHECK(strstr(out.at, "\\text{масса} \\, \\text{длина}") ||
        strstr(out.at, "\\text{длина} \\, \\text{масса}"));
  CHECK(strstr(out.at, "\\mathrm{length} \\, \\mathrm{mass}"));
  CHECK(!strstr(out.at, "\\text{\\text"));
  CHECK(strstr(out.at, "\\IfFileExists{t2acmr.fd}{\\usepackage[T2A]{fontenc}}{%\n"
                       "\\DeclareUnicodeCharacter{0430}{a}\n"));
  CHECK(!strstr(out.at, "U+04"));
  base_text_free(&out);
  fixture_free(f);
}
