#!/usr/bin/env bash
# Measures decant beside the floor, which is what SQLite itself needs for the same rows, and beside what
# else people use; then its peak memory, which must not grow with the store. First the copies of stores a
# tenth the size are judged, row by row.
#   run.sh DECANT [dense|shuffled|images|new|merge|indexed|matched|archive|memory|recipes…]     all of it unless told otherwise, in half an hour
# ROUNDS: how often each command runs, 5 unless given; RECIPES: how many, 100000; SIZES: for the memory,
# "20000 200000 1000000", the last of which takes 10 GB of the disk (TMPDIR) for a while. LIBRARIES: for files of
# recipes, "1000 10000", of which the last is timed as well.
# PY: a Python that has zstandard and orjson, for two of the peers of archives; they are left out without it.
# The generator, the peers and the timer are not part of the project: BENCH names their folder.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,10s/^# *//p' "$0"; exit 64; }
decant=$(realpath "$1") && shift
[ $# -gt 0 ] || set -- dense shuffled images new merge indexed matched archive memory recipes
here=$(realpath "$(dirname "$0")")
bench=${BENCH:-$(dirname "$0")/../../../shared/bench}
if [ ! -e "$bench/peers.sh" ]; then
  echo "bench: skipped, no folder ${bench##*/../}; BENCH names another place for it"
  exit
fi
bench=$(realpath "$bench")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export DECANT=$decant PYTHONDONTWRITEBYTECODE=1
recipes=${RECIPES:-100000} rounds=${ROUNDS:-5} sizes=${SIZES:-20000 200000 1000000}
append='$DECANT copy $SRC $OUT --append --quiet'
summary=()

# store NAME OPTION…: makes a store of recipes, and says how large it is.
store() {
  local file=$folder/$1.sqlite && shift
  python3 "$bench/make_store.py" "$@" --out "$file" > "$folder/log"
  echo "bench: ${file##*/}, made with $*: $(numfmt --to=si --suffix=B "$(stat -c %s "$file")")"
}

# made PART SHARE: makes the store of a part, or one a SHARE of its size.
made() {
  local name=$1 count=$((recipes / $2))
  [ "$2" = 1 ] || name=$1-small
  case $1 in
    dense) store "$name" --recipes "$count" ;;
    shuffled) store "$name" --recipes "$count" --shuffle ;;
    images) store "$name" --recipes $((count / 5)) --image-kb 40 ;;
  esac
}

# ratio TABLE ROW COLUMN: what one command took, divided by the first; 6 is processor time, 7 the clock.
ratio() { awk -v row="$2" -v field="$3" '$0 ~ "^" row "  " { sub("^" row, ""); print $field }' "$1"; }
# divided A B: A / B with two digits.
divided() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

copying() {
  echo; echo "bench: $1 store into one of 1000 recipes whose keys collide, $rounds rounds"
  WARMUP=1 "$bench/peers.sh" "$folder/$1.sqlite" "$folder/base.sqlite" "$rounds" \
    "decant=$append --no-verify" "decant+verify=$append" | tee "$folder/table"
  local t=$folder/table cpu wall
  cpu=$(ratio "$t" decant 6) wall=$(ratio "$t" decant 7)
  summary+=("$1 | $cpu | $wall | $(divided "$(ratio "$t" 'decant\+verify' 6)" "$cpu") | $(divided "$(ratio "$t" python 7)" "$wall")")
}

new() {
  echo; echo "bench: the dense store into a new one of the same model, $rounds rounds"
  export SRC=$folder/dense.sqlite OUT=$folder/new.sqlite
  python3 "$bench/ab.py" -n "$rounds" --warmup 1 \
    'vacuum into=rm -f $OUT; sqlite3 $SRC "VACUUM INTO '"'\$OUT'"'"' \
    'decant=rm -f $OUT; $DECANT copy $SRC $OUT --no-verify --quiet' \
    'decant+verify=rm -f $OUT; $DECANT copy $SRC $OUT --quiet' | tee "$folder/table"
  rm -f "$OUT"
  local t=$folder/table
  fresh="a new store of the same model, decant copy beside VACUUM INTO: $(ratio "$t" decant 6) in processor time and $(ratio "$t" decant 7) by the clock with --no-verify, $(ratio "$t" 'decant\+verify' 6) and $(ratio "$t" 'decant\+verify' 7) with the proof"
}

merge() {
  echo; echo "bench: half of a store that the other has, merged, beside a copy of all of it, $rounds rounds"
  local merging='cp $MINE $OUT && $DECANT merge $THEIRS $OUT --quiet'
  export MINE=$folder/mine.sqlite THEIRS=$folder/theirs.sqlite OUT=$folder/out.sqlite BASE=$folder/base.sqlite
  store mine --recipes "$recipes" --unique
  store theirs --recipes "$recipes" --seed 3 --unique --overlap "$MINE"
  sh -c "$merging" && BENCH=$bench python3 "$(dirname "$0")/union.py" "$MINE" "$THEIRS" "$OUT"
  python3 "$bench/ab.py" -n "$rounds" --warmup 1 \
    'copy=cp $BASE $OUT && $DECANT copy $THEIRS $OUT --append --no-verify --quiet' \
    "merge=$merging --no-verify" "merge+verify=$merging" | tee "$folder/table"
  local t=$folder/table
  merged="decant merge --no-verify: $(ratio "$t" merge 6) of decant copy --append --no-verify in processor time, $(ratio "$t" merge 7) by the clock; peak with the proof $(peak "$decant" merge "$THEIRS" "$OUT" --quiet) MiB"
  rm -f "$OUT" "$MINE" "$THEIRS"
}

# Two plain databases with two indexes each, whose entries come in random order; --memory is left at its default.
indexed() {
  local rows=${ROWS:-600000} t=$folder/table
  python3 "$bench/make_indexed.py" "$folder/indexed" --rows "$rows"
  export LEFT=$folder/indexed/left.db RIGHT=$folder/indexed/right.db OUT=$folder/out.db B=$bench
  echo; echo "bench: $rows rows merged into as many, with two indexes in random order, $rounds rounds"
  python3 "$bench/ab.py" -n "$rounds" --warmup 1 \
    'python=cp $LEFT $OUT && python3 $B/peer_merge.py $RIGHT $OUT' \
    'sqlite3 by hand=cp $LEFT $OUT && $B/peer_merge.sh $RIGHT $OUT' \
    'decant=cp $LEFT $OUT && $DECANT merge $RIGHT $OUT --no-verify --quiet' \
    'decant+verify=cp $LEFT $OUT && $DECANT merge $RIGHT $OUT --quiet' | tee "$t"
  cp "$LEFT" "$OUT"
  merged+="${merged:+$'\n'}indexed tables, decant merge: $(ratio "$t" decant 6) of the Python script in processor time and $(ratio "$t" decant 7) by the clock with --no-verify, $(ratio "$t" 'decant\+verify' 6) and $(ratio "$t" 'decant\+verify' 7) with the proof; $(peak "$decant" merge "$RIGHT" "$OUT" --quiet) MiB"
  rm -rf "$folder/indexed" "$OUT"
}

# Two databases of a million rows that hold the same, with the same keys or with others, in which nothing is to be done.
matched() {
  local rows=${ORDERS:-800000} t=$folder/table kind options
  mkdir -p "$folder/matched" && "$here/matched.sh" make "$folder/matched" "$rows"
  export A=$folder/matched/a.db OUT=$folder/out.db M=$here/matched.sh
  for kind in same moved; do
    [ $kind = same ] && options='the same keys' || options='other keys'
    export B=$folder/matched/$kind.db
    echo; echo "bench: $((rows + rows / 4)) equal rows under $options, compared and merged, default options, $rounds rounds"
    python3 "$bench/ab.py" -n "$rounds" --warmup 1 \
      'sqlite3 EXCEPT=$M compare $A $B' \
      'verify=$DECANT verify $A $B --quiet' \
      'diff=$DECANT diff $A $B --quiet' \
      'merge=cp $B $OUT && $DECANT merge $A $OUT --quiet' | tee "$t"
    cp "$B" "$OUT"
    merged+="${merged:+$'\n'}equal rows under $options, beside EXCEPT in sqlite3, by the clock: verify $(ratio "$t" verify 7), diff $(ratio "$t" diff 7), merge $(ratio "$t" merge 7); $(peak "$decant" verify "$A" "$B" --quiet), $(peak "$decant" diff "$A" "$B" --quiet), $(peak "$decant" merge "$A" "$OUT" --quiet) MiB"
  done
  rm -rf "$folder/matched" "$OUT"
}

archive() {
  local part peers
  store text --recipes $((recipes / 5))
  store pictures --recipes $((recipes / 25)) --image-kb 40
  for part in text pictures; do
    echo; echo "bench: the store of $part into archives and back, $rounds rounds"
    export SRC=$folder/$part.sqlite OUT=$folder/out BASE=$folder/base.sqlite B=$bench
    peers=('python zip 1=python3 $B/peer_export.py $SRC $OUT.zip --level 1')
    [ -z "${PY:-}" ] || peers+=('python json zst=$PY $B/peer_export.py $SRC $OUT.tar.zst'
      'python orjson zst=$PY $B/peer_export.py $SRC $OUT.tar.zst --orjson')
    python3 "$bench/ab.py" -n "$rounds" --warmup 1 "${peers[@]}" \
      'decant zip=rm -f $OUT.decant.zip; $DECANT export $SRC $OUT.decant.zip --no-verify --quiet' \
      'decant gz=rm -f $OUT.decant.gz; $DECANT export $SRC $OUT.decant.gz --no-verify --quiet' \
      'decant zst=rm -f $OUT.decant.zst; $DECANT export $SRC $OUT.decant.zst --no-verify --quiet' \
      'decant zst+verify=rm -f $OUT.decant.zst; $DECANT export $SRC $OUT.decant.zst --quiet'
    ls -l "$folder"/out.* | awk '{ print $5, $NF }' | sed "s|$folder/||"
    python3 "$bench/ab.py" -n "$rounds" --warmup 1 \
      'python=python3 $B/peer_import.py $OUT.zip $BASE $OUT.sqlite' \
      'decant=cp $BASE $OUT.sqlite && $DECANT import $OUT.decant.zip $OUT.sqlite --no-verify --quiet' \
      'decant+verify=cp $BASE $OUT.sqlite && $DECANT import $OUT.decant.zip $OUT.sqlite --quiet' \
      'decant new=rm -f $OUT.sqlite; $DECANT import $OUT.decant.zip $OUT.sqlite --quiet'
    cp "$BASE" "$OUT.sqlite" && "$decant" import "$OUT.decant.zip" "$OUT.sqlite" --quiet
    python3 "$bench/check_copy.py" "$SRC" "$OUT.sqlite" "$BASE" | tail -1
    rm -f "$folder"/out.*
  done
  rm -f "$folder/text.sqlite" "$folder/pictures.sqlite"
  echo; echo "bench: peak memory of archives in MiB"
  printf '%-10s %10s %10s %10s\n' recipes export 'into one' 'import new'
  for size in ${ARCHIVESIZES:-20000 200000}; do
    store memory --recipes "$size" > "$folder/log"
    cp "$folder/base.sqlite" "$folder/out.sqlite"
    printf '%-10s %10s %10s %10s\n' "$size" \
      "$(peak "$decant" export "$folder/memory.sqlite" "$folder/out.decant.zst" --quiet)" \
      "$(peak "$decant" import "$folder/out.decant.zst" "$folder/out.sqlite" --quiet)" \
      "$(rm "$folder/out.sqlite"; peak "$decant" import "$folder/out.decant.zst" "$folder/out.sqlite" --quiet)"
    rm -f "$folder"/out.* "$folder/memory.sqlite"
  done
}

# library RECIPES: makes a library of Paprika, with a picture of 40 KB to each recipe.
library() {
  export SRC=$folder/library.paprikarecipes OUT=$folder/out.sqlite
  python3 "$here/make_paprika.py" "$SRC" --recipes "$1"
  echo "bench: a library of $1 recipes: $(numfmt --to=si --suffix=B "$(stat -c %s "$SRC")")"
}

# What is in a database of recipes: of either reader the same.
recipes_in() {
  sqlite3 -readonly "$1" "SELECT count(*), sum(length(title)) FROM Recipe; SELECT count(*), sum(length(text)) FROM Ingredient;
    SELECT count(*), sum(length(text)) FROM Step; SELECT count(*), sum(length(data)) FROM Image; SELECT count(*) FROM Category_recipes;
    SELECT max(sha256), min(sha256) FROM Image; SELECT value FROM NativeID ORDER BY 1" | sha256sum
}

recipes() {
  local size row t=$folder/table peaks=() wanted
  for size in ${LIBRARIES:-1000 10000}; do
    library "$size"
    rm -f "$OUT"
    peaks+=("$size: $(peak "$decant" import "$SRC" "$OUT" --quiet) MiB, $(rm -f "$OUT"; peak python3 "$here/read_paprika.py" "$SRC" "$OUT") MiB")
  done
  wanted=$(recipes_in "$OUT")
  rm -f "$OUT" && "$decant" import "$SRC" "$OUT" --quiet
  [ "$(recipes_in "$OUT")" = "$wanted" ] || { echo "bench: decant and Python read other recipes"; exit 1; }
  echo; echo "bench: $size recipes of Paprika into a new store, $rounds rounds"
  python3 "$bench/ab.py" -n "$rounds" --warmup 1 \
    "python=rm -f \$OUT; python3 $here/read_paprika.py \$SRC \$OUT" \
    'decant=rm -f $OUT; $DECANT import $SRC $OUT --no-verify --quiet' \
    'decant+verify=rm -f $OUT; $DECANT import $SRC $OUT --quiet' | tee "$t"
  for row in decant 'decant\+verify'; do
    libraries+=("${row/\\/}: Python takes $(divided 1 "$(ratio "$t" "$row" 6)") times its processor time, $(divided 1 "$(ratio "$t" "$row" 7)") times as long")
  done
  libraries+=("peak memory of decant, and of Python, for ${peaks[*]/%/;}")
  rm -f "$SRC" "$OUT"
}

# peak COMMAND…: the most memory it took, in MiB.
peak() {
  /usr/bin/time -f %M -o "$folder/time" "$@"
  awk '{ printf "%.1f", $1 / 1024 }' "$folder/time"
}

memory() {
  echo; echo "bench: peak memory in MiB"
  printf '%-10s %10s %10s %10s\n' recipes append new verify | tee "$folder/memory"
  for size in $sizes; do
    store memory --recipes "$size" > "$folder/log"
    cp "$folder/base.sqlite" "$folder/out.sqlite"
    printf '%-10s %10s %10s %10s\n' "$size" \
      "$(peak "$decant" copy "$folder/memory.sqlite" "$folder/out.sqlite" --append --quiet)" \
      "$(rm "$folder/out.sqlite"; peak "$decant" copy "$folder/memory.sqlite" "$folder/out.sqlite" --quiet)" \
      "$(peak "$decant" verify "$folder/memory.sqlite" "$folder/out.sqlite" --quiet)" | tee -a "$folder/memory"
    rm -f "$folder/out.sqlite" "$folder/memory.sqlite"
  done
}

echo "bench: $("$decant" --version), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
store base --recipes 1000 --seed 2 --image-kb 4
for part in "$@"; do
  case $part in
    dense | shuffled | images) made "$part" 10; made "$part" 1 ;;
    new) [ -e "$folder/dense.sqlite" ] || store dense --recipes "$recipes" ;;
    merge | indexed | matched | archive | memory | recipes) ;;
    *) echo "bench: there is no part $part" >&2; exit 64 ;;
  esac
done

fresh= merged= libraries=()
for part in "$@"; do
  case $part in
    new) new ;;
    merge) merge ;;
    indexed) indexed ;;
    matched) matched ;;
    archive) archive ;;
    memory) memory ;;
    recipes) recipes ;;
    *) echo; echo "bench: are copies of a small $part store right?"
      CHECK=1 "$bench/peers.sh" "$folder/$part-small.sqlite" "$folder/base.sqlite" 1 "decant=$append"
      copying "$part" ;;
  esac
done

echo
if [ ${#summary[@]} -gt 0 ]; then
  echo "decant copy --append --no-verify beside the floor (ATTACH and INSERT … SELECT), $rounds rounds:"
  { echo "store | CPU | clock | CPU with the proof, of that without | clock of a Python script, of decant --no-verify"
    printf '%s\n' "${summary[@]}"; } | column -t -s '|'
fi
[ -z "$fresh" ] || echo "$fresh"
[ -z "$merged" ] || echo "$merged"
[ ${#libraries[@]} -eq 0 ] || printf 'recipes of Paprika: %s\n' "${libraries[@]}"
[ ! -e "$folder/memory" ] || { echo "peak memory, MiB:"; cat "$folder/memory"; }
