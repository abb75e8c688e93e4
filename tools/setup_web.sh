#!/usr/bin/env bash
# Install what the viewer is bundled and tested with, as web/package-lock.json names it. Does nothing, and quickly, when
# it is there; without npm or network the bundle that is kept in web/page.html serves. ZWANG_SETUP=no leaves the machine alone.
set -uo pipefail
cd "$(dirname "$0")/../web" || exit 0
[ "${ZWANG_SETUP:-}" = no ] && exit 0
done=node_modules/.package-lock.json
[ -e $done ] && [ ! package-lock.json -nt $done ] && exit 0
if ! command -v npm >/dev/null; then
  echo "setup: without npm: the viewer is taken as it was bundled" >&2
  exit 0
fi
echo "setup: installing the packages of web/package-lock.json" >&2
if timeout 180 npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2; then
  touch $done
else
  rm -rf node_modules
  echo "setup: the packages of the viewer could not be had; it is taken as it was bundled" >&2
fi
exit 0
