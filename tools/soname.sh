#!/bin/sh
# soname.sh PACKAGE LIBRARY: the name under which a program linked with this pkg-config package
# asks for lib<LIBRARY>*.so at run time, for those that open it themselves. Prints nothing when
# there is none.
file=$(mktemp) || exit 1
trap 'rm -f "$file"' EXIT
${CC:-cc} -shared -nostdlib -Wl,--no-as-needed $(pkg-config --libs "$1") -o "$file" 2>/dev/null &&
  objdump -p "$file" | sed -n "s/^ *NEEDED *\(lib$2[^a-z][^ ]*\)$/\1/p" | head -n 1
