#!/usr/bin/env bash
# Builds decant and its tests with a sanitizer, runs the tests, and fails if there is any report.
#   run.sh address|thread [ARGUMENT…]     ARGUMENTs are those of `swift test`, such as --filter NAME
# Every process writes its reports into a file of its own: the programs that tests start are watched as
# the tests are, whatever a test makes of how they ended.
set -euo pipefail
case ${1-} in address | thread) ;; *) sed -n '2,5s/^# *//p' "$0"; exit 64 ;; esac
sanitizer=$1 && shift
cd "$(dirname "$0")/../.."
folder=.build/$sanitizer
reports=$PWD/$folder/reports

# The linker warns of each function of the sanitizer that it keeps to itself.
swift build --build-tests --sanitize="$sanitizer" --scratch-path "$folder" 2>&1 \
  | { grep -v "Cannot export local symbol" || true; }
rm -rf "$reports" && mkdir -p "$reports"
# Tests run the program as another user, too.
chmod a+rwxt "$reports"
known=$PWD/Tests/Sanitizers
# Short stacks of allocations: recording long ones takes much of the time.
export ASAN_OPTIONS="log_path='$reports/report':detect_leaks=1:malloc_context_size=12"
export LSAN_OPTIONS="suppressions='$known/leaks.txt':print_suppressions=0"
export TSAN_OPTIONS="log_path='$reports/report':suppressions='$known/thread.txt'"

# A program without the sanitizer would find nothing: it has to know the sanitizer's own option.
flags=$(ASAN_OPTIONS=help=1 TSAN_OPTIONS=help=1 "$folder/debug/decant" --version 2>&1)
grep -qi "flags for ${sanitizer}sanitizer" <<< "$flags" \
  || { echo "sanitize: the program was built without the $sanitizer sanitizer"; exit 1; }

status=0
swift test --skip-build --disable-xctest --sanitize="$sanitizer" --scratch-path "$folder" "$@" || status=$?
count=$(find "$reports" -type f | wc -l)
if [ "$count" -gt 0 ]; then
  find "$reports" -type f -exec cat {} + | head -200
  echo "sanitize: processes with something to report: $count, see $folder/reports"
  status=1
fi
[ "$status" = 0 ] && echo "sanitize: nothing to report, with the $sanitizer sanitizer"
exit "$status"
