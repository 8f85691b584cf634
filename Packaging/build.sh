#!/usr/bin/env bash
# Usage: build.sh swift build …
# Builds the program and tells with one line for each target how far it is: by itself, swift build writes over one line
# where there is a terminal and counts files that are written elsewhere, so that it is at 31 of 34 when it begins.
set -o pipefail
cd "$(dirname "$0")/.."
targets=(Sources/Decant*/)
# All but DecantFoundation; and a target in C and two of swift-argument-parser.
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
