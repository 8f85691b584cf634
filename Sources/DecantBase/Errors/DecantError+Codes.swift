extension DecantError {
  /// The broad kind of a failure.
  ///
  /// Each family has one exit code, which depends on nothing else.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Family: String, CaseIterable, Sendable {
    /// The work could not be completed: a full disk, a refused resume, a constraint of the destination.
    case failed
    /// Nothing exists at the given place.
    case storeNotFound
    /// Another process holds the store.
    case storeBusy
    /// The two models do not fit each other, or the model is not available.
    case modelMismatch
    /// The file is damaged, is not a store, or is malicious.
    case corruptStore
    /// The request is invalid.
    case usage
    /// The work was stopped on request.
    ///
    /// Finished work is kept where it can be resumed.
    case interrupted
  }

  /// The specific kind of a failure; the raw value is the name that scripts use, as in the JSON of an error.
  ///
  /// An app that does not know a code uses its ``family``.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Code: String, CaseIterable, Sendable {
    // MARK: Invalid requests

    /// No entity, attribute, relationship, parameter or option value has this name.
    ///
    /// Use another name: ``DecantError/Remedy/correctName(nearest:)`` holds the most similar one.
    case unknownName

    /// A condition, an expression or a query cannot be parsed, or reads something it must not read.
    ///
    /// Show the message beside the text that was typed.
    case invalidExpression

    /// A mapping file, a links file or a file of decisions contains a mistake, or is not such a file.
    ///
    /// Show the message: its place has the line and the column.
    case invalidMapping

    /// A required option is missing.
    ///
    /// The remedy names the option.
    case missingOption

    /// Two options contradict each other.
    ///
    /// Omit one of them.
    case conflictingOptions

    /// An option does not apply to such a store, or to this operation.
    ///
    /// Omit it.
    case unsuitableOption

    /// Something already exists at the place of a new file.
    ///
    /// Choose another place, or remove the existing file first; nothing is overwritten.
    case alreadyExists

    /// Two files that must differ are the same, such as source and destination.
    ///
    /// Choose another place.
    case sameFile

    /// Nothing can be created at this place: a folder, a broken link, or a name that implies no kind of store.
    ///
    /// Choose another place.
    case invalidPlace

    /// A store of this kind cannot be created, or does not support the request.
    ///
    /// Choose another kind of store.
    case unsupportedKind

    /// The request cannot be carried out with the given data.
    ///
    /// Request less, or in another way: the remedy says how.
    case unsupportedRequest

    /// No object has the key, or matches the condition.
    ///
    /// Choose other objects.
    case objectNotFound

    /// There is nothing to resume: the earlier run is complete, or it wrote nothing.
    ///
    /// Verify the copy, or start it without resuming.
    case nothingToResume

    /// The data is ambiguous, and decant does not guess.
    ///
    /// Ask the user, and set the option that the remedy names.
    case decisionNeeded

    /// An ID table, a base or the memory of a merge belongs to other stores.
    ///
    /// Name the file that belongs to these stores.
    case wrongFile

    /// The input from standard input is too long, or is not text.
    ///
    /// Pass one statement in UTF-8.
    case invalidInput

    // MARK: Failures of valid requests

    /// The disk is full, or would be before the work is complete.
    ///
    /// Free space, ``DecantError/Remedy/freeSpace(byteCount:)``, and run the operation again or resume it.
    case diskFull

    /// The file or its folder cannot be read or written for lack of permissions.
    ///
    /// Change the permissions, or choose another place.
    case accessDenied

    /// A file was moved, replaced, removed or written by another program while decant worked with it.
    ///
    /// Inspect the file, and run the operation again.
    case fileChanged

    /// A folder for output does not exist, or no longer exists.
    ///
    /// Create it, and run the operation again.
    case folderVanished

    /// An unexpected file occupies a place, and decant does not remove it.
    ///
    /// Move it away.
    case placeOccupied

    /// The store is mirrored by CloudKit, which may never notice the change.
    ///
    /// Ask the user; the option that ``DecantError/Remedy/setOption(_:_:)`` names forces the change.
    case mirroredStore

    /// A key or a constraint rejects rows, in the destination or among the objects themselves.
    ///
    /// Leave these objects out, or correct them.
    case constraintViolated

    /// Links would have no target.
    ///
    /// Include their targets, or set what happens to such links.
    case linkBroken

    /// Objects exist in both stores with different values, and the rules treat this as an error.
    ///
    /// Choose another policy, or have the conflicts decided.
    case conflict

    /// More objects were rejected, or would be created, than the limit allows.
    ///
    /// Request less, or raise the limit.
    case limitExceeded

    /// The interrupted run does not match: the options, the source, the store or the running system differs.
    ///
    /// Start over, ``DecantError/Remedy/startOver``; the store contains nothing of the interrupted run.
    case resumeMismatch

    /// The verification of the result failed: a bug in decant, a disk error, or a trigger.
    ///
    /// Report it; nothing was written.
    case proofFailed

    /// The store contains something that cannot be copied or changed this way.
    ///
    /// Leave it out as the remedy says.
    case unsupportedContent

    /// There is no backup to restore.
    ///
    /// No action is possible: no change left a backup.
    case noBackup

    /// The work itself is complete, but a step after it failed.
    ///
    /// Show the message: the remedy names what is left to do. Do not run the operation again.
    case completedPartly

    /// The result could not be written to its reader.
    ///
    /// Discard the output, and run the operation again.
    case outputFailed

    /// The disk or the system refused a file: a disk error, too many open files, no memory.
    ///
    /// Read the system's message, and run the operation again.
    case systemFailed

    /// SQLite failed for a reason without a code of its own.
    ///
    /// Show the message, and report it.
    case databaseFailed

    // MARK: Missing files

    /// No store exists at the place.
    ///
    /// Choose another place, or create the store first.
    case storeNotFound

    /// The folder of a new file does not exist.
    ///
    /// Create the folder first.
    case folderNotFound

    /// No file exists at the place: an ID table, or a file to import.
    ///
    /// Choose another file.
    case fileNotFound

    /// No model, or no mapping model, exists at the place.
    ///
    /// Name another one.
    case modelNotFound

    // MARK: Files in use

    /// Another program has the store locked; ``Remedy/closeOtherProgram(_:)`` names it, if the system does.
    ///
    /// Close it, or wait, and run the operation again.
    case storeLocked

    /// Another program wrote to the store while decant read it or planned with it.
    ///
    /// Close it, and run the operation again.
    case storeChanged

    /// Another decant process is working on this store, or creating one at this place.
    ///
    /// Wait until it finishes.
    case otherRun

    // MARK: Models that do not fit

    /// The store contains no model, or none that can be read.
    ///
    /// Name the model of the app.
    case modelMissing

    /// The two models do not fit each other, or the model does not fit the store’s tables.
    ///
    /// Migrate, name another model, or provide a mapping.
    case modelsDiffer

    /// The store has a later version than the model.
    ///
    /// Use the newer model: a new version of the app.
    case storeIsNewer

    /// The version of the store, or the path to another version, is ambiguous.
    ///
    /// Name the version.
    case versionUnclear

    /// The model needs a feature that decant cannot create or read.
    ///
    /// Create the store with the app itself, or name another form of the model.
    case unsupportedModel

    /// A mapping model does not fit these versions, or needs code of the app.
    ///
    /// Name another one, or write a mapping file.
    case mappingMisfit

    /// A migration would have to guess what to do with some data.
    ///
    /// Ask the user, and decide it in a mapping file or by a policy.
    case migrationUndecided

    /// The store uses a collation that only its own app defines.
    ///
    /// Copy everything into a new store.
    case unknownCollation

    // MARK: Unreadable files

    /// The file is damaged.
    ///
    /// Restore it from a backup, or salvage what is readable.
    case damaged

    /// The file is not an SQLite database, or it is encrypted.
    ///
    /// Choose another file, or restore it from a backup.
    case notADatabase

    /// The file is not a store or archive of the expected kind: a folder, a device, another format.
    ///
    /// Choose another file.
    case notAStore

    /// The file is empty.
    ///
    /// Remove it if a store is to be created there; otherwise restore it from a backup.
    case emptyFile

    /// A model or a mapping model is damaged, or the file is not a model.
    ///
    /// Name an undamaged copy of it.
    case modelDamaged

    /// The archive expands beyond the limit, and may be malicious.
    ///
    /// Raise the limit if its sender is trusted.
    case unpackLimitExceeded

    // MARK: Interruption

    /// The work was stopped on request; finished work is kept where it can be resumed.
    ///
    /// Resume it, or run it again, as ``DecantError/remedies`` says.
    case interrupted

    /// The broad kind of the failure.
    public var family: Family {
      switch self {
      case .unknownName, .invalidExpression, .invalidMapping, .missingOption, .conflictingOptions, .unsuitableOption,
        .alreadyExists, .sameFile, .invalidPlace, .unsupportedKind, .unsupportedRequest, .objectNotFound,
        .nothingToResume, .decisionNeeded, .wrongFile, .invalidInput:
        .usage
      case .storeNotFound, .folderNotFound, .fileNotFound, .modelNotFound:
        .storeNotFound
      case .storeLocked, .storeChanged, .otherRun:
        .storeBusy
      case .modelMissing, .modelsDiffer, .storeIsNewer, .versionUnclear, .unsupportedModel, .mappingMisfit,
        .migrationUndecided, .unknownCollation:
        .modelMismatch
      case .damaged, .notADatabase, .notAStore, .emptyFile, .modelDamaged, .unpackLimitExceeded:
        .corruptStore
      case .interrupted:
        .interrupted
      case .diskFull, .accessDenied, .fileChanged, .folderVanished, .placeOccupied, .mirroredStore, .constraintViolated,
        .linkBroken, .conflict, .limitExceeded, .resumeMismatch, .proofFailed, .unsupportedContent, .noBackup,
        .completedPartly, .outputFailed, .systemFailed, .databaseFailed:
        .failed
      }
    }
  }
}
