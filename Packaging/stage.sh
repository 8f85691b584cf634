#!/usr/bin/env bash
# Usage: stage.sh PROGRAM FOLDER
# Creates below FOLDER the files to install below a prefix: the program, its manual pages and its completions.
set -euo pipefail
program=$1 folder=$2
here=$(dirname "$0")

# The date of the commit, so that the same commit always gives the same files.
date=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2> /dev/null || date +%s)}" +%Y-%m-%d)

rm -rf "$folder"
install -D -m 755 "$program" "$folder/bin/decant"
python3 "$here/manual.py" "$program" "$date" "$folder/share/man/man1"
# The folders below a prefix in which bash, zsh and fish look for completions.
for place in bash:bash-completion/completions/decant zsh:zsh/site-functions/_decant fish:fish/vendor_completions.d/decant.fish; do
  file=$folder/share/${place#*:}
  mkdir -p "$(dirname "$file")"
  # They are not run as programs, so the "#!" line is removed.
  "$program" --generate-completion-script "${place%%:*}" | sed '1{/^#!/d}' > "$file"
done
install -D -m 644 "$here/../LICENSE" "$folder/share/doc/decant/LICENSE"
find "$folder" -type d -exec chmod 755 {} +
find "$folder/share" -type f -exec chmod 644 {} +
