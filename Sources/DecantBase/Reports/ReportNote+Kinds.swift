extension ReportNote {
  /// The subject of a note; the raw value is the name that scripts use, as in `noteKinds` of a report's JSON.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Kind: String, CaseIterable, Sendable {
    // MARK: How a store was read

    /// The store was read from a private copy.
    case privateCopy
    /// The write-ahead log ends with an uncommitted change.
    case unfinishedLog
    /// SQLite left files beside the source after reading it.
    case filesBesideSource
    /// An interrupted run left files beside the store.
    case interruptedRun
    /// Only part of a damaged file was read.
    case salvaged
    /// Rejected objects of an archive were skipped.
    case rejectsSkipped
    /// The model is missing: tables are read without one.
    case modelMissing
    /// The store is read with a version of the model that is not the bundle's current one.
    case modelVersion
    /// Tables or columns do not belong to the model.
    case notInModel
    /// A virtual table is not read.
    case tableNotRead
    /// Columns are sorted by a collation that only the app knows.
    case unknownCollation
    /// Columns hold values that may be keys of other tables.
    case possibleLinks
    /// A query compares text with values that may be dates or UUIDs.
    case textComparison
    /// Full-text indexes were not compared.
    case textIndexesNotCompared

    // MARK: The destination

    /// The new store does not contain its model.
    case modelNotStored
    /// The new store was created from a version of the model that is not the bundle's current one.
    case createdFromVersion
    /// Names of tables or columns must be quoted in SQL.
    case quotedNames
    /// Rows have no value where the model requires one.
    case valuesMissing
    /// Dates are rounded to the precision of the destination's type.
    case datesRounded
    /// Values on a server are rounded to what a store can hold.
    case valuesRounded
    /// The connection to a server is not encrypted.
    case notEncrypted
    /// A server lacks abilities, in place of which others are used.
    case abilitiesMissing
    /// The new store has another model version than the source.
    case otherVersion
    /// A store or a model has no version hashes.
    case noVersionHashes
    /// The changes are recorded in the store's persistent history.
    case historyRecorded
    /// The store's persistent history is incomplete, so nothing is recorded there.
    case historyIncomplete
    /// CloudKit mirrors the store.
    case mirrored
    /// The sync metadata of the source is not copied.
    case syncMetadataNotCopied
    /// The app's own tables are not copied.
    case tablesNotCopied
    /// Indexes, triggers or views are not copied.
    case schemaNotCopied
    /// Foreign keys of the app's own tables have no target in the new store.
    case foreignKeysBroken
    /// Rows break conditions (CHECK) of the tables into which they were copied.
    case conditionsBroken
    /// The destination has no place for some columns or tables, which are empty in the source.
    case noPlaceForEmpty
    /// A mapping discards entities or properties of the source.
    case discarded
    /// Triggers of the destination run.
    case triggersRun
    /// Triggers of the destination do not run.
    case triggersNotRun
    /// Objects will be rejected because their links have no target.
    case targetsMissing
    /// Rows will be rejected because the destination has others with the same unique values.
    case valuesTaken
    /// Links are empty because their targets are not in the archive.
    case linksEmpty

    // MARK: The course of a run

    /// The previous store was kept under this name.
    case previousStore
    /// No backup was made.
    case noBackup
    /// There was nothing to resume.
    case nothingToResume
    /// Steps of an interrupted run were used.
    case resumed
    /// Rows were committed in batches, in place, or could not be.
    case inBatches
    /// Rows were changed by other programs while a run was interrupted or at work.
    case changedMeanwhile
    /// An interrupted run could not be resumed, so the work started over.
    case startedOver
    /// The leftovers of an interrupted run were removed.
    case leftoversRemoved
    /// An interrupted run was completed.
    case completed
    /// The run that was undone had also changed objects, which were not restored.
    case changesKept
    /// Files could not be removed, although the work is complete.
    case notRemoved
    /// The file belongs to a different user than before.
    case ownerChanged
    /// The journal mode of the store could not be restored.
    case journalMode
    /// The replaced store has a different identifier.
    case otherIdentifier
    /// The targets of references were not checked.
    case targetsNotChecked
    /// An earlier run already repointed the references.
    case alreadyRepointed
    /// CloudKit's mirror starts over, or does not send its pending changes.
    case mirrorAffected

    // MARK: Decisions of a merge

    /// Objects are matched by an identity that decant found.
    case identityFound
    /// Entities have no identity.
    case identityMissing
    /// The destination has other objects under the same keys.
    case keysNotMatched
    /// Objects are matched by an additional unique attribute.
    case furtherIdentity
    /// Parts are not added because their owner is in the destination.
    case partsNotAdded
    /// Tables were not compared.
    case tablesNotCompared
    /// Sources were skipped, as they have not changed since they were merged.
    case sourcesSkipped
    /// A merged source was not recorded, so that an unchanged one is merged again.
    case mergeNotRecorded
    /// Objects with different content were not copied.
    case differentContent
    /// Recipes of the store are nearly the same.
    case lookAlikes
    /// Recipes that were nearly the same have become one.
    case united
    /// A recipe has changed in its file since it was imported last.
    case corrected
    /// No attribute records when objects were changed.
    case timesMissing
    /// The common ancestor lacks entities or properties.
    case ancestorLacks
    /// Objects that the source has removed stay, because the merge selects objects by conditions.
    case removalsNotMerged
    /// One-to-one links stay empty.
    case singleLinksEmpty
    /// Objects of the destination gained a one-to-one link.
    case singleLinksGained
    /// Objects of the destination lost a one-to-one link.
    case singleLinksLost
    /// Decisions keep links unchanged.
    case linksKept
    /// The merge will be refused if rows of other tables would change with those of the destination.
    case mergeRefused
    /// Deleted objects are not added again.
    case notAddedAgain

    // MARK: Archives and files

    /// The archive has parts.
    case parts
    /// Cut links keep a reference to the target's identity.
    case referencesKept
    /// Links of rejected objects have targets without an identity.
    case referencesLost
    /// External files of the store are missing.
    case filesMissing
    /// The cook's own notes and ratings are left out.
    case notesLeftOut
    /// Pictures were left out because they did not fit.
    case picturesLeftOut
    /// The number of recipes that were read, by format.
    case formatsRead
    /// Recipes were found more than once.
    case duplicatesFound
    /// Recipes were completed from another file.
    case completedFromOther
    /// A remark on a file that was read.
    case remark
    /// A file without the expected content.
    case fileSkipped
    /// A format has no place for fields.
    case fieldsLost
    /// Values could not be written.
    case notWritten

    // MARK: The course of a migration

    /// The tables fit several versions; one of them is assumed.
    case versionAssumed
    /// Versions that equal their neighbours are skipped.
    case versionsSkipped
    /// The model has no version that matches the store.
    case versionUnknown
    /// The path contains versions whose names sort after that of the last one.
    case pathUnusual
    /// The store already fits the version.
    case fitsAlready
    /// A migration is refused, although the models permit it.
    case migrationRefused
    /// A copy of the source was migrated before it was read.
    case copyMigrated
    /// A migration loses something.
    case notMigrated
    /// The old store was not removed, or not all of its files.
    case oldStoreKept
    /// A given store was not used.
    case storeNotUsed
    /// The store stays at its old place.
    case staysAtOldPlace
  }
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
