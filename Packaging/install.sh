#!/usr/bin/env bash
# Usage: install.sh PROGRAM PREFIX      installs the files that stage.sh lays out, and a list of them
#        install.sh --remove PREFIX     removes the files in that list
# PREFIX includes DESTDIR.
set -euo pipefail
prefix=$2
list=$prefix/share/doc/decant/installed-files

if [ "$1" = --remove ]; then
  [ -f "$list" ] || { echo "uninstall: make install has installed nothing below $prefix"; exit 1; }
  while IFS= read -r file; do rm -f "$prefix/$file"; done < "$list"
  rm -f "$list"
  rmdir "$(dirname "$list")" 2> /dev/null || true
  exit 0
fi

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
"$(dirname "$0")/stage.sh" "$1" "$stage"
mkdir -p "$prefix"
prefix=$(realpath "$prefix")
list=$prefix/share/doc/decant/installed-files
cd "$stage"
files=$(find . -type f -printf '%P\n' | sort)
while IFS= read -r file; do
  mode=644
  [ -x "$file" ] && mode=755
  install -D -m "$mode" "$file" "$prefix/$file"
done <<< "$files"
printf '%s\n' "$files" > "$list"
echo "install: $(wc -l <<< "$files") files below $prefix"
