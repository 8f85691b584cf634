#!/usr/bin/env bash
# Feeds each fuzzer with damaged samples for a while, with libFuzzer and the address sanitizer, and fails
# with the first input that is a finding.
#   run.sh [FUZZER…]     all of them unless told otherwise: the folders here whose names begin with Fuzz
# SECONDS_EACH: how long each runs, 120 unless given. What was found to reach new code is kept and gone on from. An input is tried again by: .build/fuzz/release/FUZZER FILE
# A new fuzzer is a folder FuzzNAME with a main.swift as in FuzzContainers, a line in Package.swift where that
# one has its own, and a function in seeds.py. Inputs are 16 KiB long at the most; recipes 64 KiB, as pictures and
# long texts take other ways than short ones. libarchive may ask at once for the 4 GiB that a name in a cpio says it has,
# and touches none of it: for what is resident there is a limit of its own.
set -euo pipefail
seconds=${SECONDS_EACH:-120}
cd "$(dirname "$0")/../.."
folder=.build/fuzz
fuzzers=("$@")
[ $# -gt 0 ] || for path in Tests/Fuzz/Fuzz*/; do fuzzers+=("$(basename "$path")"); done

# libFuzzer without its own main(), which would get into the way of what Swift calls main.
resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
library=$(find "$resources/clang/lib" -name "libclang_rt.fuzzer_no_main-$(uname -m).a" | head -1)
[ -n "$library" ] || { echo "fuzz: this Swift comes without libFuzzer, below $resources"; exit 1; }

for fuzzer in "${fuzzers[@]}"; do
  # The linker warns of each function of the sanitizer that it keeps to itself.
  DECANT_FUZZ=1 swift build -c release --product "$fuzzer" --scratch-path "$folder" --sanitize address \
    -Xswiftc -enable-testing \
    -Xswiftc -sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table \
    -Xlinker "$library" -Xlinker -lstdc++ 2>&1 | { grep -v "Cannot export local symbol" || true; }
  corpus=$folder/corpus/$fuzzer findings=$folder/findings/$fuzzer/
  mkdir -p "$corpus" "$findings" "$folder/seeds/$fuzzer"
  python3 Tests/Fuzz/seeds.py "$fuzzer" "$folder/seeds/$fuzzer"
  echo "fuzz: $fuzzer for $seconds s"
  log=$folder/$fuzzer.log length=16384
  case $fuzzer in FuzzRecipe*) length=65536 ;; esac
  "$folder/release/$fuzzer" -max_total_time="$seconds" -max_len="$length" -timeout=10 -rss_limit_mb=1024 \
    -malloc_limit_mb=5000 -print_final_stats=1 -artifact_prefix="$findings" "$corpus" "$folder/seeds/$fuzzer" \
    > "$log" 2>&1 || { tail -60 "$log"; echo "fuzz: $fuzzer has a finding, see $findings"; exit 1; }
  grep -E '^Done|cov:' "$log" | tail -2
done
echo "fuzz: nothing found"
