"""How the tests call programs: a copy that no build touches meanwhile, and limits in time of the processor.

Limits by the clock fail on a busy machine. Here each process may use so many seconds of the processor; what waits
for ever, and uses none, is ended after ten times as many seconds of the clock.
"""
import os, resource, shutil, signal, subprocess, time

PATIENCE = 10                    # seconds of the clock for each second of the processor
BUSY_SHELL = 128 + signal.SIGXCPU


def held(program, folder):
    """PROGRAM as it is now, in FOLDER. While a linker writes it, it cannot be started: wait for the end of that."""
    kept = os.path.join(folder, os.path.basename(program))
    until = time.monotonic() + 60
    while True:
        try:
            os.link(program, kept)
        except OSError:
            # another disk
            if os.path.exists(program):
                shutil.copy2(program, kept)
        try:
            subprocess.run([kept, "--version"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            return kept
        except (OSError, subprocess.CalledProcessError):
            if time.monotonic() > until:
                raise
            if os.path.exists(kept):
                os.unlink(kept)
            time.sleep(0.2)


class Ended:
    """what came of a call; fault says why it was ended from outside, if it was"""

    def __init__(self, status, out, err, fault):
        self.status, self.out, self.err, self.fault = status, out, err, fault


def limit(seconds, space=None):
    """for Popen's preexec_fn: SECONDS of the processor for each process and SPACE bytes of addresses"""

    def before():
        if space:
            resource.setrlimit(resource.RLIMIT_AS, (space, space))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    return before


def run(words, seconds, space=None, **more):
    """WORDS within the limits; more goes to Popen"""
    more = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    call = subprocess.Popen(words, preexec_fn=limit(seconds, space), start_new_session=True, **more)
    try:
        out, err = call.communicate(timeout=seconds * PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(call.pid, signal.SIGKILL)
        out, err = call.communicate()
        return Ended(None, out, err, f"did not end within {seconds * PATIENCE} s")
    busy = call.returncode in (-signal.SIGXCPU, BUSY_SHELL)
    return Ended(call.returncode, out, err, f"used more than {seconds} s of the processor" if busy else None)


def has_worked(call, seconds):
    """wait until CALL, a Popen, has used SECONDS of the processor, or has ended"""
    tick = os.sysconf("SC_CLK_TCK")
    until = time.monotonic() + 60
    while call.poll() is None and time.monotonic() < until:
        with open(f"/proc/{call.pid}/stat", encoding="utf8") as stat:
            fields = stat.read().rpartition(")")[2].split()
        # user and system time are the 14th and 15th of proc(5), the 12th and 13th behind the name
        if int(fields[11]) + int(fields[12]) >= seconds * tick:
            return
        time.sleep(0.02)
