#!/usr/bin/env bash
# Usage: build.sh swift build …
# Builds the program and prints a line for each compiled target. The output of swift build itself overwrites a single line
# on a terminal, and its counts include other steps, so that it starts at 31 of 34.
set -o pipefail
cd "$(dirname "$0")/.."
targets=(Sources/Decant*/)
# All of them except DecantFoundation, plus a C target and two targets of swift-argument-parser.
total=$((${#targets[@]} + 2))

of=
if [ ! -x .build/release/decant ]; then
  echo "Building decant: about 5 minutes on two cores; later only what has changed."
  of=" of $total"
fi
"$@" 2>&1 | {
  part=0
  while IFS= read -r line; do
    case $line in
      \[*\]\ Compiling\ *)
        part=$((part + 1))
        line=${line#*Compiling }
        printf '  %2d%s  %d:%02d  %s\n' "$part" "$of" $((SECONDS / 60)) $((SECONDS % 60)) "${line%% *}" ;;
      \[*/*\]\ Write\ * | \[*/*\]\ Emitting\ *) ;;
      *) printf '%s\n' "$line" ;;
    esac
  done
}
