#!/bin/sh
# Compares what apps see of the library with the last tag; any change that breaks them fails.
#
# A change that is meant stands in Tests/api-changes.txt, a line each as the comparison prints it.
set -eu
cd "$(dirname "$0")/.."
if ! tag=$(git describe --tags --abbrev=0 2> /dev/null); then
  echo "api: skipped, there is no tag to compare with"
  exit 0
fi
allowed=Tests/api-changes.txt
if [ -f "$allowed" ]; then set -- --breakage-allowlist-path "$allowed"; else set --; fi
# An app imports Decant, which hands on what other modules have; the comparison looks at the modules of products alone.
DECANT_API=1 swift package diagnose-api-breaking-changes "$tag" "$@" \
  --products Decant --products DecantFoundation --products AllModules
echo "api: nothing that breaks an app since $tag"
