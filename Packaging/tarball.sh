#!/usr/bin/env bash
# Usage: tarball.sh PROGRAM FOLDER
# Packs the files that stage.sh lays out, and the libraries that the program needs, into FOLDER, beside a SHA256SUMS.
#
# The program runs on any Linux with the C library of Debian 12 (glibc 2.36) or a later one. Swift's own library is linked
# statically; the others are not, as Debian has no static libisal. The loader finds them relative to the program.
set -euo pipefail
program=$1 folder=$2
command -v patchelf > /dev/null || { echo "tarball: install the Debian package patchelf, then try again"; exit 1; }

version=$("$program" --version | cut -d' ' -f2)
name=decant-$version-linux-$(uname -m)
time=${SOURCE_DATE_EPOCH:-$(git -C "$(dirname "$0")" log -1 --format=%ct 2> /dev/null || date +%s)}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/$name
libraries=$root/lib/decant
"$(dirname "$0")/stage.sh" "$program" "$root"
mkdir -p "$folder" "$libraries" "$root/share/doc/decant/libraries"

# The program loads libpq itself when it needs it. The libraries of glibc are the system's own, as they must match its loader.
libpq=$(ldconfig -p | awk '$1 == "libpq.so.5" { print $NF; exit }')
[ -n "$libpq" ] || { echo "tarball: install the Debian package libpq5, then try again"; exit 1; }
{ echo "$libpq"; ldd "$program" "$libpq" | awk '$3 ~ /^\// { print $3 }'; } | sort -u \
  | grep -Ev '/(libc|libm|libdl|libpthread|librt|libresolv|libutil)\.so' \
  | while IFS= read -r library; do
    install -m 644 "$library" "$libraries"
    patchelf --set-rpath '$ORIGIN' "$libraries/$(basename "$library")"
    # Searched by file name only: packages still list some files in /lib that are in /usr/lib.
    package=$(dpkg -S "*/$(basename "$(realpath "$library")")" | head -1 | cut -d: -f1)
    cp -L "/usr/share/doc/$package/copyright" "$root/share/doc/decant/libraries/$package.copyright"
  done
patchelf --set-rpath '$ORIGIN/../lib/decant' "$root/bin/decant"

tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$time" --directory="$work" "$name" \
  | xz -T0 -6 > "$folder/$name.tar.xz"
cd "$folder"
sha256sum -- *.tar.xz > SHA256SUMS
echo "tarball: $folder/$name.tar.xz"
