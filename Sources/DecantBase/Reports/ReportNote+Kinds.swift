extension ReportNote {
  /// The subject of a note.
  ///
  /// Kinds may be added: a `switch` in an app needs a default.
  public struct Kind: Hashable, Sendable {
    /// The name that scripts use, as in `noteKinds` of a report's JSON: `modelNotStored`.
    public let name: String

    private init(_ name: String) { self.name = name }
  }
}

// MARK: How a store was read

extension ReportNote.Kind {
  /// The store was read from a private copy.
  public static let privateCopy = Self("privateCopy")
  /// The write-ahead log ends with an uncommitted change.
  public static let unfinishedLog = Self("unfinishedLog")
  /// SQLite left files beside the source after reading it.
  public static let filesBesideSource = Self("filesBesideSource")
  /// An interrupted run left files beside the store.
  public static let interruptedRun = Self("interruptedRun")
  /// Only part of a damaged file was read.
  public static let salvaged = Self("salvaged")
  /// Rejected objects of an archive were skipped.
  public static let rejectsSkipped = Self("rejectsSkipped")
  /// The model is missing: tables are read without one.
  public static let modelMissing = Self("modelMissing")
  /// The store is read with a version of the model that is not the bundle's current one.
  public static let modelVersion = Self("modelVersion")
  /// Tables or columns do not belong to the model.
  public static let notInModel = Self("notInModel")
  /// A virtual table is not read.
  public static let tableNotRead = Self("tableNotRead")
  /// Columns are sorted by a collation that only the app knows.
  public static let unknownCollation = Self("unknownCollation")
  /// Columns hold values that may be keys of other tables.
  public static let possibleLinks = Self("possibleLinks")
  /// A query compares text with values that may be dates or UUIDs.
  public static let textComparison = Self("textComparison")
  /// Full-text indexes were not compared.
  public static let textIndexesNotCompared = Self("textIndexesNotCompared")
}

// MARK: The destination

extension ReportNote.Kind {
  /// The new store does not contain its model.
  public static let modelNotStored = Self("modelNotStored")
  /// The new store was created from a version of the model that is not the bundle's current one.
  public static let createdFromVersion = Self("createdFromVersion")
  /// Names of tables or columns must be quoted in SQL.
  public static let quotedNames = Self("quotedNames")
  /// Rows have no value where the model requires one.
  public static let valuesMissing = Self("valuesMissing")
  /// Dates are rounded to the precision of the destination's type.
  public static let datesRounded = Self("datesRounded")
  /// Values on a server are rounded to what a store can hold.
  public static let valuesRounded = Self("valuesRounded")
  /// The connection to a server is not encrypted.
  public static let notEncrypted = Self("notEncrypted")
  /// A server lacks abilities, in place of which others are used.
  public static let abilitiesMissing = Self("abilitiesMissing")
  /// The new store has another model version than the source.
  public static let otherVersion = Self("otherVersion")
  /// A store or a model has no version hashes.
  public static let noVersionHashes = Self("noVersionHashes")
  /// The changes are recorded in the store's persistent history.
  public static let historyRecorded = Self("historyRecorded")
  /// The store's persistent history is incomplete, so nothing is recorded there.
  public static let historyIncomplete = Self("historyIncomplete")
  /// CloudKit mirrors the store.
  public static let mirrored = Self("mirrored")
  /// The sync metadata of the source is not copied.
  public static let syncMetadataNotCopied = Self("syncMetadataNotCopied")
  /// The app's own tables are not copied.
  public static let tablesNotCopied = Self("tablesNotCopied")
  /// Indexes, triggers or views are not copied.
  public static let schemaNotCopied = Self("schemaNotCopied")
  /// Foreign keys of the app's own tables have no target in the new store.
  public static let foreignKeysBroken = Self("foreignKeysBroken")
  /// Rows break conditions (CHECK) of the tables into which they were copied.
  public static let conditionsBroken = Self("conditionsBroken")
  /// The destination has no place for some columns or tables, which are empty in the source.
  public static let noPlaceForEmpty = Self("noPlaceForEmpty")
  /// A mapping discards entities or properties of the source.
  public static let discarded = Self("discarded")
  /// Triggers of the destination run.
  public static let triggersRun = Self("triggersRun")
  /// Triggers of the destination do not run.
  public static let triggersNotRun = Self("triggersNotRun")
  /// Objects will be rejected because their links have no target.
  public static let targetsMissing = Self("targetsMissing")
  /// Rows will be rejected because the destination has others with the same unique values.
  public static let valuesTaken = Self("valuesTaken")
  /// Links are empty because their targets are not in the archive.
  public static let linksEmpty = Self("linksEmpty")
}

// MARK: The course of a run

extension ReportNote.Kind {
  /// The previous store was kept under this name.
  public static let previousStore = Self("previousStore")
  /// No backup was made.
  public static let noBackup = Self("noBackup")
  /// There was nothing to resume.
  public static let nothingToResume = Self("nothingToResume")
  /// Steps of an interrupted run were used.
  public static let resumed = Self("resumed")
  /// An interrupted run could not be resumed, so the work started over.
  public static let startedOver = Self("startedOver")
  /// The leftovers of an interrupted run were removed.
  public static let leftoversRemoved = Self("leftoversRemoved")
  /// An interrupted run was completed.
  public static let completed = Self("completed")
  /// The run that was undone had also changed objects, which were not restored.
  public static let changesKept = Self("changesKept")
  /// Files could not be removed, although the work is complete.
  public static let notRemoved = Self("notRemoved")
  /// The file belongs to a different user than before.
  public static let ownerChanged = Self("ownerChanged")
  /// The journal mode of the store could not be restored.
  public static let journalMode = Self("journalMode")
  /// The replaced store has a different identifier.
  public static let otherIdentifier = Self("otherIdentifier")
  /// The targets of references were not checked.
  public static let targetsNotChecked = Self("targetsNotChecked")
  /// An earlier run already repointed the references.
  public static let alreadyRepointed = Self("alreadyRepointed")
  /// CloudKit's mirror starts over, or does not send its pending changes.
  public static let mirrorAffected = Self("mirrorAffected")
}

// MARK: Decisions of a merge

extension ReportNote.Kind {
  /// Objects are matched by an identity that decant found.
  public static let identityFound = Self("identityFound")
  /// Entities have no identity.
  public static let identityMissing = Self("identityMissing")
  /// The destination has other objects under the same keys.
  public static let keysNotMatched = Self("keysNotMatched")
  /// Objects are matched by an additional unique attribute.
  public static let furtherIdentity = Self("furtherIdentity")
  /// Parts are not added because their owner is in the destination.
  public static let partsNotAdded = Self("partsNotAdded")
  /// Tables were not compared.
  public static let tablesNotCompared = Self("tablesNotCompared")
  /// Sources were skipped, as they have not changed since they were merged.
  public static let sourcesSkipped = Self("sourcesSkipped")
  /// A merged source was not recorded, so that an unchanged one is merged again.
  public static let mergeNotRecorded = Self("mergeNotRecorded")
  /// Objects with different content were not copied.
  public static let differentContent = Self("differentContent")
  /// Recipes of the store are nearly the same.
  public static let lookAlikes = Self("lookAlikes")
  /// Recipes that were nearly the same have become one.
  public static let united = Self("united")
  /// A recipe has changed in its file since it was imported last.
  public static let corrected = Self("corrected")
  /// No attribute records when objects were changed.
  public static let timesMissing = Self("timesMissing")
  /// The common ancestor lacks entities or properties.
  public static let ancestorLacks = Self("ancestorLacks")
  /// Objects that the source has removed stay, because the merge selects objects by conditions.
  public static let removalsNotMerged = Self("removalsNotMerged")
  /// One-to-one links stay empty.
  public static let singleLinksEmpty = Self("singleLinksEmpty")
  /// Objects of the destination gained a one-to-one link.
  public static let singleLinksGained = Self("singleLinksGained")
  /// Objects of the destination lost a one-to-one link.
  public static let singleLinksLost = Self("singleLinksLost")
  /// Decisions keep links unchanged.
  public static let linksKept = Self("linksKept")
  /// The merge will be refused if rows of other tables would change with those of the destination.
  public static let mergeRefused = Self("mergeRefused")
  /// Deleted objects are not added again.
  public static let notAddedAgain = Self("notAddedAgain")
}

// MARK: Archives and files

extension ReportNote.Kind {
  /// The archive has parts.
  public static let parts = Self("parts")
  /// Cut links keep a reference to the target's identity.
  public static let referencesKept = Self("referencesKept")
  /// Links of rejected objects have targets without an identity.
  public static let referencesLost = Self("referencesLost")
  /// External files of the store are missing.
  public static let filesMissing = Self("filesMissing")
  /// The cook's own notes and ratings are left out.
  public static let notesLeftOut = Self("notesLeftOut")
  /// Pictures were left out because they did not fit.
  public static let picturesLeftOut = Self("picturesLeftOut")
  /// The number of recipes that were read, by format.
  public static let formatsRead = Self("formatsRead")
  /// Recipes were found more than once.
  public static let duplicatesFound = Self("duplicatesFound")
  /// Recipes were completed from another file.
  public static let completedFromOther = Self("completedFromOther")
  /// A remark on a file that was read.
  public static let remark = Self("remark")
  /// A file without the expected content.
  public static let fileSkipped = Self("fileSkipped")
  /// A format has no place for fields.
  public static let fieldsLost = Self("fieldsLost")
  /// Values could not be written.
  public static let notWritten = Self("notWritten")
}

// MARK: The course of a migration

extension ReportNote.Kind {
  /// The tables fit several versions; one of them is assumed.
  public static let versionAssumed = Self("versionAssumed")
  /// Versions that equal their neighbours are skipped.
  public static let versionsSkipped = Self("versionsSkipped")
  /// The model has no version that matches the store.
  public static let versionUnknown = Self("versionUnknown")
  /// The path contains versions whose names sort after that of the last one.
  public static let pathUnusual = Self("pathUnusual")
  /// The store already fits the version.
  public static let fitsAlready = Self("fitsAlready")
  /// A migration is refused, although the models permit it.
  public static let migrationRefused = Self("migrationRefused")
  /// A copy of the source was migrated before it was read.
  public static let copyMigrated = Self("copyMigrated")
  /// A migration loses something.
  public static let notMigrated = Self("notMigrated")
  /// The old store was not removed, or not all of its files.
  public static let oldStoreKept = Self("oldStoreKept")
  /// A given store was not used.
  public static let storeNotUsed = Self("storeNotUsed")
  /// The store stays at its old place.
  public static let staysAtOldPlace = Self("staysAtOldPlace")
}

extension ReportNote.Kind {
  /// Whether the note is irrelevant if the new store only serves a further step.
  package var isAboutMadeStore: Bool {
    switch self {
    case .modelNotStored, .createdFromVersion, .noVersionHashes, .historyRecorded, .mirrored: true
    default: false
    }
  }
}
