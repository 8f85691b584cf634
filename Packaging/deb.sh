#!/usr/bin/env bash
# Usage: deb.sh PROGRAM FOLDER
# Makes a Debian package of the files that stage.sh lays out, and puts it into FOLDER. The package depends on the libraries
# that the program is linked with, as reported by dpkg-shlibdeps, and on libpq. DEBFULLNAME and DEBEMAIL set the maintainer; the default
# is a placeholder at example.org.
set -euo pipefail
program=$1 folder=$2
here=$(realpath "$(dirname "$0")")
command -v dpkg-shlibdeps > /dev/null || { echo "deb: install the Debian package dpkg-dev, then try again"; exit 1; }
project=$(dirname "$here")

version=$("$program" --version | cut -d' ' -f2)-1
architecture=$(dpkg --print-architecture)
maintainer="${DEBFULLNAME:-decant developers} <${DEBEMAIL:-decant@example.org}>"
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$project" log -1 --format=%ct 2> /dev/null || date +%s)}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/debian/decant
docs=$root/usr/share/doc/decant
mkdir -p "$root"
"$here/stage.sh" "$program" "$root/usr"

# Debian's deviations from other systems.
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$root/usr/bin/decant"
rm "$docs/LICENSE"
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
gzip -9n "$root"/usr/share/man/man1/*
gzip -9nc "$project/Sources/Decant/Decant.docc/Changelog.md" > "$docs/changelog.gz"
gzip -9nc > "$docs/changelog.Debian.gz" << END
decant ($version) unstable; urgency=medium

  * What is new in this version is in changelog.gz.

 -- $maintainer  $(date -uR -d "@$SOURCE_DATE_EPOCH")
END
install -m 644 "$here/copyright" "$docs/copyright"

cat > "$work/debian/control" << END
Source: decant
Maintainer: $maintainer

Package: decant
Architecture: $architecture
END
depends=$(cd "$work" && dpkg-shlibdeps -O debian/decant/usr/bin/decant | sed 's/^shlibs:Depends=//')
# The program loads it when it needs it.
depends="$depends, libpq5"
mkdir "$root/DEBIAN"
cat > "$root/DEBIAN/control" << END
Package: decant
Version: $version
Section: database
Priority: optional
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: $depends
Description: copies, merges and migrates Core Data stores and SQLite databases
 decant copies the objects of one store into another, new or existing: keys
 that collide are renumbered, every link follows, and the result is read again
 and compared with the source. It migrates Core Data stores to other versions
 of their model, exports stores to files and imports them, reads recipe files
 of many apps, and shows how two stores differ.
END
(cd "$root" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k2 > DEBIAN/md5sums)
find "$root" -type d -exec chmod 755 {} +
chmod 644 "$root"/DEBIAN/*

mkdir -p "$folder"
dpkg-deb --build --root-owner-group "$root" "$folder/decant_${version}_$architecture.deb"
