#!/usr/bin/env bash
# Copies stores of two sizes into a store that holds some, with decant and with what else people use,
# and prints the ratios; then decant's peak memory, which must not grow with the store.
#   run.sh DECANT [ROWS…]     ROWS: numbers of recipes, 20000 and 100000 unless given
# The generator, the peers and the timer are not part of the project: BENCH names their folder.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,5s/^# *//p' "$0"; exit 64; }
decant=$(realpath "$1") && shift
[ $# -gt 0 ] || set -- 20000 100000
bench=${BENCH:-$(dirname "$0")/../../../shared/bench}
if [ ! -e "$bench/peers.sh" ]; then
  echo "bench: skipped, no folder ${bench##*/../}; BENCH names another place for it"
  exit
fi
bench=$(realpath "$bench")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export DECANT=$decant PYTHONDONTWRITEBYTECODE=1
append='$DECANT copy $SRC $OUT --append --quiet'

echo "bench: making stores of $* recipes"
for rows in "$@"; do python3 "$bench/make_store.py" --recipes "$rows" --out "$folder/$rows.sqlite"; done
python3 "$bench/make_store.py" --recipes 1000 --seed 2 --image-kb 4 --out "$folder/base.sqlite"

echo; echo "bench: are the copies right?"
CHECK=1 "$bench/peers.sh" "$folder/$1.sqlite" "$folder/base.sqlite" 1 "decant=$append"

for rows in "$@"; do
  echo; echo "bench: $rows recipes, $(stat -c %s "$folder/$rows.sqlite") bytes, ${ROUNDS:-5} rounds"
  "$bench/peers.sh" "$folder/$rows.sqlite" "$folder/base.sqlite" "${ROUNDS:-5}" \
    "decant=$append --no-verify" "decant+verify=$append"
done

echo; echo "bench: peak memory of decant copy"
for rows in "$@"; do
  for options in "--append" "--append --no-verify"; do
    cp "$folder/base.sqlite" "$folder/out.sqlite"
    # shellcheck disable=SC2086
    /usr/bin/time -v "$decant" copy "$folder/$rows.sqlite" "$folder/out.sqlite" $options --quiet \
      2> "$folder/time"
    echo "$rows recipes, $options: $(awk '/Maximum resident/ { print $NF }' "$folder/time") KiB"
  done
done
