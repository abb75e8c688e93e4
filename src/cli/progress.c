// A progress bar on a terminal, and Ctrl-C or a closed terminal that keeps what was computed.
#include "cli/cli.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
enum { catches = sizeof caught / sizeof *caught };

static void on_interrupt(int sig)
{
  // Once: stop where it can be stopped and keep what there is; twice: now. But of a terminal that
  // closes both the kernel and the shell tell.
  if (interrupted && sig != SIGHUP) _exit(128 + sig);
  interrupted = 1;
}

static void handle(int sig, void (*handler)(int))
{
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction(sig, &action, NULL);
}

// under nohup a closed terminal is none of our business
static bool is_ignored(int sig)
{
  struct sigaction now_set;
  return sig == SIGHUP && sigaction(sig, NULL, &now_set) == 0 && now_set.sa_handler == SIG_IGN;
}

void cli_interrupts_catch(void)
{
  for (int i = 0; i < catches; i++)
    if (!is_ignored(caught[i])) handle(caught[i], on_interrupt);
}

void cli_interrupts_leave(void)
{
  for (int i = 0; i < catches; i++)
    if (!is_ignored(caught[i])) handle(caught[i], SIG_DFL);
}

bool cli_interrupted(void)
{
  return interrupted;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cli_progress_start(cli_progress* p, bool quiet)
{
  *p = (cli_progress){.wanted = !quiet && isatty(STDERR_FILENO)};
  p->started = p->last = now();
  cli_interrupts_catch();
}

static void draw(const zw_progress* p)
{
  enum { cells = 24 };
  char bar[cells + 1];
  const double part = isinf(p->t_to) ? 0 : (p->t - p->t_from) / (p->t_to - p->t_from);
  for (int i = 0; i < cells; i++) bar[i] = i < part * cells ? '#' : '.';
  bar[cells] = 0;
  fprintf(stderr, "\r[%s] %3.0f %%  t = %-10.6g step %-9.3g residual %-8.2g", bar, 100 * part, p->t,
          p->step, p->residual);
  fflush(stderr);
}

bool cli_progress_step(void* context, const zw_progress* p)
{
  cli_progress* bar = context;
  if (interrupted) return false;
  // the clock is looked at now and then; short runs show nothing
  if (!bar->wanted || p->steps % 16) return true;
  const double t = now();
  if (t - bar->started > 0.5 && t - bar->last > 0.1) {
    draw(p);
    bar->shown = true;
    bar->last = t;
  }
  return true;
}

void cli_progress_end(cli_progress* p)
{
  if (p->shown) fprintf(stderr, "\r%78s\r", "");
  cli_interrupts_leave();
}
