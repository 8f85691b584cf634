#!/bin/sh
# Makes SQLite databases with other people's programs, to be copied by decant in tests:
#
#   Tests/Databases/make.sh FOLDER [NAME…]
#
# writes each database (all of them, or those that are named) into FOLDER as NAME.sqlite. A database
# that cannot be made is reported and left out, and the rest goes on. What the programs need comes
# from Debian (`packages`; with DECANT_INSTALL=1 root installs what is missing) and from PyPI, into
# environments of Python's in FOLDER/.tools. Nothing that this makes belongs into the repository.
set -u

packages="python3-venv sqlite3 fossil subversion gdal-bin libsqlite3-mod-spatialite calibre gramps \
createrepo-c roundcube-core firefox-esr iso-codes tzdata dpkg-dev proj-data librsvg2-2"

here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 64; }
mkdir -p "$1" && out=$(cd "$1" && pwd) || exit 1
shift
tools=$out/.tools
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export HOME="$work" XDG_CONFIG_HOME="$work/config" XDG_DATA_HOME="$work/data" XDG_CACHE_HOME="$work/cache"
export LC_ALL=C.UTF-8 TZ=UTC PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1

# needs PROGRAM…: whether they are there, else says which one is not.
needs() {
  for program; do
    command -v "$program" > /dev/null || { echo "no program $program"; return 1; }
  done
}

# pip PACKAGE…: installs what is not installed yet; each family of packages in its own environment,
# because some of them ask for versions of one another that others refuse.
environment() {
  family=$1; shift
  python=$tools/$family/bin/python
  [ -e "$tools/$family/.done" ] && return
  needs python3 || return
  python3 -m venv "$tools/$family" && "$tools/$family/bin/pip" install -q "$@" \
    && touch "$tools/$family/.done"
}

# publish FILE NAME: takes a database over, its log merged into it, as one file. Nothing of it is
# rewritten: what its program left in it stays.
publish() {
  [ -s "$1" ] || { echo "nothing was made"; return 1; }
  rm -f "$out/$2.sqlite" "$out/$2.sqlite-wal" "$out/$2.sqlite-shm"
  cp "$1" "$out/$2.sqlite" || return
  [ ! -s "$1-wal" ] || { cp "$1-wal" "$out/$2.sqlite-wal" \
    && sqlite3 "$out/$2.sqlite" 'PRAGMA wal_checkpoint(TRUNCATE)' > /dev/null; }
}

# --- programs that keep their state in SQLite ---------------------------------------------------

# Undeclared links only; keys are milliseconds since 1970; the collation unicase is Anki's own.
make_anki() {
  environment anki anki && "$python" "$here/anki_collection.py" "$work/anki.anki2" \
    && publish "$work/anki.anki2" anki
}

# The same collection as older versions of Anki wrote it.
make_anki11() {
  environment anki anki && "$python" "$here/anki_collection.py" "$work/anki11.anki2" older \
    && publish "$work/anki11.anki2" anki11
}

# Tables of users, pages of a site, and two dozen of the apps that test Django.
make_django() {
  environment django 'Django==4.2.*' || return
  "$tools/django/bin/pip" download -q --no-deps --no-binary :all: -d "$work/sdist" 'Django==4.2.*' \
    && mkdir "$work/django" && tar xf "$work"/sdist/[Dd]jango-*.tar.gz -C "$work/django" --strip-components=1 \
    && "$python" "$here/django_site.py" "$work/django/tests" "$work/django.sqlite" \
    && publish "$work/django.sqlite" django
}

# Multi-table inheritance: keys that are foreign keys; a search index in FTS5.
make_wagtail() {
  environment wagtail wagtail || return
  "$tools/wagtail/bin/wagtail" start -q kitchen "$work/wagtail" 2> /dev/null \
    || { mkdir -p "$work/wagtail" && "$tools/wagtail/bin/wagtail" start kitchen "$work/wagtail" > /dev/null; }
  (cd "$work/wagtail" && "$python" manage.py migrate -v 0 && "$python" manage.py shell < "$here/wagtail_pages.py" > /dev/null \
    && "$python" manage.py update_index -v 0) && publish "$work/wagtail/db.sqlite3" wagtail
}

# Tables of Alembic and SQLAlchemy; composite text keys and foreign keys; CHECK constraints.
make_mlflow() {
  environment mlflow mlflow-skinny alembic sqlalchemy Flask pandas \
    && "$python" "$here/mlflow_runs.py" "$work/mlflow.sqlite" && publish "$work/mlflow.sqlite" mlflow
}

# Composite primary keys; numbers of sessions.
make_ipython() {
  environment ipython ipython || return
  for session in 1 2 3; do
    printf 'x = %s\nx + 1\nprint("é" * x)\n1/0\n' $session | "$tools/ipython/bin/ipython" --simple-prompt --no-banner \
      --HistoryManager.hist_file="$work/ipython.sqlite" --HistoryManager.db_log_output=True > /dev/null 2>&1
  done
  publish "$work/ipython.sqlite" ipython
}

# Flexible attributes by (entity_id, key), the links undeclared.
make_beets() {
  environment beets beets && "$python" "$here/beets_library.py" "$work/beets.sqlite" && publish "$work/beets.sqlite" beets
}

# FTS5 tables with triggers that fill them, foreign keys, WITHOUT ROWID, STRICT, from public lists.
make_sqliteutils() {
  needs sqlite3 && environment sqliteutils sqlite-utils || return
  "$python" "$here/public_lists.py" "$work/lists.sqlite" && publish "$work/lists.sqlite" sqliteutils
}

# Places, with undeclared links, triggers that call the browser's functions, and hash columns.
make_places() { firefox && publish "$work/profile/places.sqlite" places; }
make_favicons() { firefox && publish "$work/profile/favicons.sqlite" favicons; }
firefox() {
  needs firefox-esr || return
  [ -e "$work/profile/places.sqlite" ] || timeout 240 python3 "$here/firefox_profile.py" "$work/profile"
}

# Triggers that call functions that only calibre has, views, links without foreign keys.
make_calibre() {
  needs calibredb || return
  for number in 1 2 3 4 5 6; do
    printf 'Text %s.\n' $number > "$work/book$number.txt"
    calibredb add --with-library "$work/library" --title "Büch $number" --authors "Ann Author & Bö $((number % 2))" \
      --tags "one,two $((number % 3))" --series "A series" --series-index $number "$work/book$number.txt" \
      > /dev/null 2>> "$work/log" || return
  done
  calibredb add_custom_column --with-library "$work/library" stars 'Stars' rating > /dev/null 2>> "$work/log"
  calibredb add_custom_column --with-library "$work/library" shelves 'Shelves' text --is-multiple > /dev/null 2>> "$work/log"
  calibredb set_custom --with-library "$work/library" shelves 1 'up,down' > /dev/null 2>> "$work/log"
  calibredb fts_index --with-library "$work/library" enable > /dev/null 2>> "$work/log"
  publish "$work/library/metadata.db" calibre
}

# Pickled objects beside columns derived from them; keys are text; references of (class, handle).
make_gramps() {
  needs gramps || return
  export GRAMPSHOME="$work/gramps"
  mkdir -p "$GRAMPSHOME"
  gramps -y -q --config=database.backend:sqlite > /dev/null 2>> "$work/log"
  example=$(find /usr/share/doc/gramps -name 'example*.gramps*' 2> /dev/null | head -1)
  [ -n "$example" ] || { python3 "$here/gramps_family.py" > "$work/family.ged" && example=$work/family.ged; }
  QT_QPA_PLATFORM=offscreen gramps -y -q -C family -i "$example" --config=database.backend:sqlite > /dev/null 2>> "$work/log"
  publish "$(find "$work" -name sqlite.db | head -1)" gramps
}

# Two databases in one: artifacts and configuration; blobs, self references, deltas.
make_fossil() {
  needs fossil || return
  export USER=cook FOSSIL_HOME="$work"
  fossil new --admin-user cook "$work/kitchen.fossil" > /dev/null && mkdir "$work/checkout" && (
    cd "$work/checkout" && fossil open -f "$work/kitchen.fossil" > /dev/null
    for number in 1 2 3 4 5; do
      printf 'line %s\nérable\n' $number >> "f $number" && printf '%s\n' $number >> same
      fossil add "f $number" same > /dev/null && fossil commit --no-warnings -m "change $number" > /dev/null
    done
    fossil branch new side trunk > /dev/null
    fossil wiki create Page same > /dev/null
    fossil ticket add title 'Too salty' status Open > /dev/null
    fossil search --index on > /dev/null 2>&1; fossil fts-config enable cdtw > /dev/null 2>&1
    fossil fts-config index on > /dev/null 2>&1; fossil fts-config reindex > /dev/null 2>&1
  ) 2>> "$work/log"
  publish "$work/kitchen.fossil" fossil
}
make_fossilcheckout() {
  [ -e "$work/checkout/.fslckout" ] || make_fossil && publish "$work/checkout/.fslckout" fossilcheckout
}

# Foreign keys to parts of composite keys, triggers that count references, views.
make_subversion() {
  needs svnadmin svn || return
  svnadmin create "$work/svn" && svn checkout -q "file://$work/svn" "$work/wc" && (
    cd "$work/wc" && mkdir -p a/b && for number in 1 2 3; do echo $number > "a/b/f$number"; done
    svn add -q a && svn commit -q -m one && svn update -q && svn copy -q a c
    svn move -q a/b/f1 'a/b/é x' && svn propset -q color blue a/b/f2 && svn changelist -q later a/b/f2
  ) && publish "$work/wc/.svn/wc.db" subversion
}

# A GeoPackage: R-trees with the triggers that fill them, triggers that call functions of GDAL.
make_geopackage() {
  needs ogr2ogr && python3 "$here/places_geojson.py" > "$work/places.geojson" || return
  ogr2ogr -q -f GPKG "$work/places.gpkg" "$work/places.geojson" -nln 'places of interest' \
    && ogr2ogr -q -f GPKG -append "$work/places.gpkg" "$work/places.geojson" -nln second -lco FID=id -lco GEOMETRY_NAME=shape \
    && publish "$work/places.gpkg" geopackage
}

# SpatiaLite's tables, triggers and R-trees, made by its own module.
make_spatialite() {
  needs ogr2ogr && python3 "$here/places_geojson.py" > "$work/places.geojson" || return
  ogr2ogr -q -f SQLite -dsco SPATIALITE=YES "$work/spatialite.sqlite" "$work/places.geojson" \
    && publish "$work/spatialite.sqlite" spatialite
}

# Coordinate systems: composite text keys, foreign keys to them, triggers that only raise, views.
make_proj() {
  found=$(find /usr/share/proj -name proj.db | head -1) && [ -n "$found" ] || { echo "no proj.db"; return 1; }
  publish "$found" proj
}

# Package lists of yum: pkgKey everywhere, triggers that delete.
make_repository() {
  needs createrepo_c || return
  mkdir -p "$work/repository" || return
  python3 "$here/rpm_packages.py" "$work/repository" \
    && createrepo_c -q --database "$work/repository" 2>> "$work/log" || return
  found=$(find "$work/repository/repodata" -name '*primary.sqlite*')
  case $found in *.bz2) bunzip2 "$found" ;; *.gz) gunzip "$found" ;; *.xz) unxz "$found" ;; *.zst) unzstd -q --rm "$found" ;; esac
  publish "$(find "$work/repository/repodata" -name '*primary.sqlite')" repository
}

# Foreign keys that cascade on update and delete.
make_roundcube() {
  schema=/usr/share/roundcube/SQL/sqlite.initial.sql
  needs sqlite3 && [ -e "$schema" ] || { echo "no $schema"; return 1; }
  sqlite3 "$work/roundcube.sqlite" < "$schema" && sqlite3 "$work/roundcube.sqlite" < "$here/roundcube.sql" \
    && publish "$work/roundcube.sqlite" roundcube
}

# A table as Python's dbm.sqlite3 (3.13) declares it: a key of bytes.
make_dbm() {
  needs sqlite3 && sqlite3 "$work/dbm.sqlite" "CREATE TABLE IF NOT EXISTS Dict (key BLOB UNIQUE NOT NULL, value BLOB NOT NULL);
    WITH n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300)
    INSERT INTO Dict SELECT CAST('key ' || i AS BLOB), CAST(printf('%.*c', i, 'v') AS BLOB) FROM n" \
    && publish "$work/dbm.sqlite" dbm
}

# What the tests of SQLite itself make: a folder of one database for each of their files.
make_sqlitetests() {
  needs apt-get sqlite3 || return
  state=$work/apt
  mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$state/source"
  . /etc/os-release
  echo "deb-src http://deb.debian.org/debian $VERSION_CODENAME main" > "$state/sources.list"
  set -- -qq -o "Dir::Etc::SourceList=$state/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o "Dir::State::Lists=$state/lists" -o "Dir::Cache=$state/cache"
  (cd "$state/source" && apt-get "$@" update && apt-get "$@" source --download-only sqlite3) > "$work/log" 2>&1 || return
  (cd "$state/source" && for file in sqlite3_*.orig.tar.*; do tar xf "$file"; done)
  rm -rf "$out/sqlitetests" && mkdir -p "$out/sqlitetests" \
    && python3 "$here/sqlite_tests.py" "$(find "$state/source" -path '*/test/main.test' -exec dirname {} \;)" "$out/sqlitetests"
}

# Names and shapes that no program above chose, in four encodings and modes.
make_corners() {
  needs sqlite3 || return
  for encoding in UTF-8 UTF-16le UTF-16be; do
    { echo "PRAGMA encoding = '$encoding';"; cat "$here/corners.sql"; } > "$work/corners.sql"
    name=corners$(echo "$encoding" | tr 'A-Z' 'a-z' | tr -d -)
    rm -f "$work/$name" && sqlite3 -bail "$work/$name" < "$work/corners.sql" && publish "$work/$name" "$name" || return
  done
}

all="anki anki11 django wagtail mlflow ipython beets sqliteutils places favicons calibre gramps
fossil fossilcheckout subversion geopackage spatialite proj repository roundcube dbm corners sqlitetests"

if [ "${DECANT_INSTALL:-}" = 1 ]; then
  for package in $packages; do
    dpkg -s "$package" > /dev/null 2>&1 \
      || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" > /dev/null 2>&1 \
      || echo "$package: cannot be installed" >&2
  done
fi

made=0
for name in ${*:-$all}; do
  if reason=$("make_$name" 2>&1); then made=$((made + 1)); echo "$name: made"
  else echo "$name: left out: $(echo "$reason" | tail -1)"; fi
done
[ "$made" -gt 0 ]
