#!/usr/bin/env bash
# Usage: tarball.sh PROGRAM FOLDER
# Packs what stage.sh lays out, with the libraries that it needs, into FOLDER, with SHA256SUMS beside it.
#
# It runs on any Linux with the C library of Debian 12 (glibc 2.36) or a later one. Swift's own library is in the program.
# The other libraries lie beside it and not in it, as Debian has no static libisal; the loader finds them by way of /proc.
set -euo pipefail
program=$1 folder=$2
command -v patchelf > /dev/null || { echo "tarball: install what Debian calls patchelf, then go on"; exit 1; }

version=$("$program" --version | cut -d' ' -f2)
name=decant-$version-linux-$(uname -m)
time=${SOURCE_DATE_EPOCH:-$(git -C "$(dirname "$0")" log -1 --format=%ct 2> /dev/null || date +%s)}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/$name
libraries=$root/lib/decant
"$(dirname "$0")/stage.sh" "$program" "$root"
mkdir -p "$folder" "$libraries" "$root/share/doc/decant/libraries"

# Those of the C library are the system's, as they belong to its loader.
ldd "$program" | awk '$3 ~ /^\// { print $3 }' \
  | grep -Ev '/(libc|libm|libdl|libpthread|librt|libresolv|libutil)\.so' \
  | while IFS= read -r library; do
    install -m 644 "$library" "$libraries"
    patchelf --set-rpath '$ORIGIN' "$libraries/$(basename "$library")"
    # By the name of the file alone: packages still list some in /lib that lie in /usr/lib.
    package=$(dpkg -S "*/$(basename "$(realpath "$library")")" | head -1 | cut -d: -f1)
    cp -L "/usr/share/doc/$package/copyright" "$root/share/doc/decant/libraries/$package.copyright"
  done
patchelf --set-rpath '$ORIGIN/../lib/decant' "$root/bin/decant"

tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$time" --directory="$work" "$name" \
  | xz -T0 -6 > "$folder/$name.tar.xz"
cd "$folder"
sha256sum -- *.tar.xz > SHA256SUMS
echo "tarball: $folder/$name.tar.xz"
