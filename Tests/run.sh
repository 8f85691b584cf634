#!/usr/bin/env bash
# Runs the tests, passes its arguments to `swift test`, and prints the slowest tests and all failures at the end: among
# thousands of lines nobody would find them, and a truncated log contains only its end.
set -uo pipefail
cd "$(dirname "$0")/.."
log=.build/tests.log
events=.build/tests.jsonl

# Running more tests at once than there are processors gains nothing.
slots=$(nproc)
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$slots
swift test --skip-build -c release --scratch-path .build/tests --disable-xctest --event-stream-version 0 --event-stream-output-path "$events" "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
[ -s "$events" ] && python3 Tests/slowest.py "$events" "$slots" 30
[ "$status" = 0 ] && exit 0

echo
echo "What failed, once more, at most 80 lines of it; the whole output is in $log:"
awk '
  /^◇|^✔|^✘ .* failed after/ { wanted = 0 }
  /^✘ .* recorded an issue/ { wanted = 12 }
  wanted-- > 0 || /^error: /
' "$log" | cut -c1-400 | head -80
grep -E '^✘ Test run|^✔ Test run' "$log"
exit "$status"
