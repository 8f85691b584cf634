extension DecantError {
  /// An option of an operation, by its name on the command line.
  ///
  /// Operations have properties of the same meaning: `append` is `Copy.appends`, `merge` and `identity` are in
  /// `MergeRules`, `where` and `root` in `Selection`, `model` and `link` in `SourceReading`, `template` in `NewStore`,
  /// `onError` and `commit` in `StoreWriting`. Options may be added: a `switch` in an app needs a default.
  #if compiler(>=6.2.3)
    @nonexhaustive
  #endif
  public enum Option: String, Hashable, Sendable, CaseIterable {
    case append, at, backup, base, chapters, commit, conflicts, decisions, duplicates, each, entity, force
    case identity, ids, json, level, link, links, mapping, merge, model, names, out, param, place
    case reconnect, rejects, resolve, restart, resume, root, rule, salvage, set, share, sql, store, template, through
    case title, to, tombstones, type, unversioned, verbose, what, why, workers
    case blobDir = "blob-dir"
    case deferConstraints = "defer-constraints"
    case dryRun = "dry-run"
    case `else`
    case exactDates = "exact-dates"
    case keepIDs = "keep-ids"
    case keepMetadata = "keep-metadata"
    case leaveOut = "leave-out"
    case maxBytes = "max-bytes"
    case maxDepth = "max-depth"
    case maxExpansion = "max-expansion"
    case maxLine = "max-line"
    case maxMembers = "max-members"
    case maxNesting = "max-nesting"
    case maxObjects = "max-objects"
    case maxPart = "max-part"
    case maxRejects = "max-rejects"
    case noLink = "no-link"
    case noTriggers = "no-triggers"
    case onError = "on-error"
    case sameLineage = "same-lineage"
    case skipUnchanged = "skip-unchanged"
    case suggestLinks = "suggest-links"
    case suggestMapping = "suggest-mapping"
    case toIdentity = "to-identity"
    case `where`
    case withNotes = "with-notes"
  }
}
