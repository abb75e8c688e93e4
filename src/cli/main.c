// The program: finds the command, reads its options, runs it.
#include "cli/cli.h"

#include <malloc.h>
#include <signal.h>
#include <string.h>

const cli_command cli_commands[] = {
    {"run", "integrate the motion; summary on stderr, table into --out",
     "set input until tol digits method step contact-solver contacts beyond at every points out "
     "columns units plot "
     "compare "
     "certify conserved "
     "estimate resume quiet",
     "MODEL", cli_run},
    {"derive", "print the equations of motion", "set form show as format quiet", "MODEL",
     cli_derive},
    {"eval", "accelerations and reactions at one state",
     "set input form state released explain format quiet", "MODEL", cli_eval},
    {"check", "describe the model: coordinates, constraints, integrability, consistency",
     "set format quiet", "MODEL", cli_check},
    {"format", "format the text of a model, on stdout or in place", "write check quiet", "MODEL",
     cli_format},
    {"lsp", "language server for editors, on stdin and stdout", "quiet", "", cli_lsp},
    {"examples", "list the models that come with zwang, or print one", "quiet", "[NAME]",
     cli_examples},
    {"parts", "list the parts that models include by `use std`, or print one file of them",
     "format quiet", "[NAME]", cli_parts},
    {"verify",
     "check that all forms agree, the motion makes Gauss's function least, integrals hold",
     "set states format quiet", "MODEL", cli_verify},
    {"geometry", "metric, curvature, factors, geodesics, conjugate points, embedding",
     "set place region embed map curvature energy geodesic plot style format quiet", "MODEL",
     cli_geometry},
    {"stability", "steady motions, eigenvalues, Floquet multipliers, critical values of a param",
     "set state period orbit all over values plot format quiet", "MODEL", cli_stability},
    {"continue",
     "branches of steady or periodic motions over a param: folds, branch points, Hopf points",
     "set state period orbit all over and branch-points exact plot shape quiet", "MODEL",
     cli_continue},
    {"move", "kinematics of a driven mechanism, without masses; all its assemblies",
     "set drive until tol method at every points told columns units assemblies table plot compare "
     "quiet",
     "MODEL", cli_move},
    {"inverse", "the forces along chosen coordinates that produce a given motion",
     "set motion along table quiet", "MODEL", cli_inverse},
    {"linearise", "a linear model A, B, C, D about a state, an equilibrium or a steady motion",
     "set place rest steady inputs outputs symbolic matrices matrices-out quiet", "MODEL",
     cli_linearise},
    {"structure", "symmetries, integrals linear and quadratic in the velocities, invariant measure",
     "set place format quiet", "MODEL", cli_structure},
    {"chaos",
     "Lyapunov exponents with errors, dimension of the attractor, Poincare sections, manifolds",
     "set state until period chaos-tol section manifolds points-out plot format quiet", "MODEL",
     cli_chaos},
    {"sweep", "many runs over params, initial values or samples, on all cores or under mpirun",
     "set axis sobol random seed results basin until tol method step every points rows plot resume "
     "threads "
     "device quiet",
     "MODEL", cli_sweep},
    {"view", "an HTML page that works offline: animation, plots, equations",
     "set input until tol digits method step contact-solver contacts beyond every frames page live "
     "film fps size frame open watch form compare quiet",
     "MODEL", cli_view},
    {0},
};

static const cli_command* find_command(const char* name)
{
  for (const cli_command* c = cli_commands; c->name; c++)
    if (!strcmp(c->name, name)) return c;
  const char* words[sizeof cli_commands / sizeof *cli_commands] = {0};
  for (int i = 0; cli_commands[i].name; i++) words[i] = cli_commands[i].name;
  const char* near = cli_nearest(name, words);
  if (near)
    cli_complain("there is no command `%s`; did you mean `%s`?", name, near);
  else
    cli_complain("there is no command `%s`; `zwang --help` lists them", name);
  return NULL;
}

// Memory that was freed is wanted again soon: what goes back to the system comes from there as
// pages to be cleared once more, an eighth of the time it takes to set up a large model.
static void keep_memory(void)
{
#ifdef M_TRIM_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 16 << 20);
#endif
}

int main(int argc, char** argv)
{
  keep_memory();
  // a reader that has gone and a limit of files are told by the writing
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  if (argc < 2) {
    cli_help(NULL, stderr);
    return CLI_BAD_INPUT;
  }
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
    const cli_command* about = argc > 2 ? find_command(argv[2]) : NULL;
    if (argc > 2 && !about) return CLI_BAD_INPUT;
    cli_help(about, stdout);
    return CLI_DONE;
  }
  if (!strcmp(argv[1], "--version")) {
    printf("zwang %s\n", zw_version());
    return CLI_DONE;
  }
  const cli_command* c = find_command(argv[1]);
  if (!c) return CLI_BAD_INPUT;
  cli_options o;
  int status = cli_parse(c, argc - 2, argv + 2, &o);
  if (status == CLI_DONE && o.help) {
    cli_help(c, stdout);
  } else if (status == CLI_DONE && o.version) {
    printf("zwang %s\n", zw_version());
  } else if (status == CLI_DONE) {
    status = c->run(&o);
  }
  cli_options_free(&o);
  return status;
}
