extension DecantError {
  /// The broad kind of a failure.
  ///
  /// Each family has one exit code, which depends on nothing else.
  public struct Family: Hashable, Sendable {
    /// The name that scripts use: `storeBusy`.
    public let name: String

    private init(_ name: String) { self.name = name }

    /// The work could not be completed: a full disk, a refused resume, a constraint of the destination.
    public static let failed = Family("failed")
    /// Nothing exists at the given place.
    public static let storeNotFound = Family("storeNotFound")
    /// Another process holds the store.
    public static let storeBusy = Family("storeBusy")
    /// The two models do not fit each other, or the model is not available.
    public static let modelMismatch = Family("modelMismatch")
    /// The file is damaged, is not a store, or is malicious.
    public static let corruptStore = Family("corruptStore")
    /// The request is invalid.
    public static let usage = Family("usage")
    /// The work was stopped on request.
    ///
    /// Finished work is kept where it can be resumed.
    public static let interrupted = Family("interrupted")
  }

  /// The specific kind of a failure.
  ///
  /// Codes may be added: a `switch` in an app needs a default, or uses the family.
  public struct Code: Hashable, Sendable {
    /// The name that scripts use, as in the JSON of an error: `decisionNeeded`.
    public let name: String
    /// The broad kind of the failure.
    public let family: Family

    private init(_ name: String, _ family: Family) { (self.name, self.family) = (name, family) }
  }
}

// MARK: Invalid requests

extension DecantError.Code {
  /// No entity, attribute, relationship, parameter or option value has this name.
  ///
  /// Use another name: ``DecantError/Remedy/correctName(nearest:)`` holds the most similar one.
  public static let unknownName = Self("unknownName", .usage)

  /// A condition, an expression or a query cannot be parsed, or reads something it must not read.
  ///
  /// Show the message beside the text that was typed.
  public static let invalidExpression = Self("invalidExpression", .usage)

  /// A mapping file, a links file or a file of decisions contains a mistake, or is not such a file.
  ///
  /// Show the message: its place has the line and the column.
  public static let invalidMapping = Self("invalidMapping", .usage)

  /// A required option is missing.
  ///
  /// The remedy names the option.
  public static let missingOption = Self("missingOption", .usage)

  /// Two options contradict each other.
  ///
  /// Omit one of them.
  public static let conflictingOptions = Self("conflictingOptions", .usage)

  /// An option does not apply to such a store, or to this operation.
  ///
  /// Omit it.
  public static let unsuitableOption = Self("unsuitableOption", .usage)

  /// Something already exists at the place of a new file.
  ///
  /// Choose another place, or remove the existing file first; nothing is overwritten.
  public static let alreadyExists = Self("alreadyExists", .usage)

  /// Two files that must differ are the same, such as source and destination.
  ///
  /// Choose another place.
  public static let sameFile = Self("sameFile", .usage)

  /// Nothing can be created at this place: a folder, a broken link, or a name that implies no kind of store.
  ///
  /// Choose another place.
  public static let invalidPlace = Self("invalidPlace", .usage)

  /// A store of this kind cannot be created, or does not support the request.
  ///
  /// Choose another kind of store.
  public static let unsupportedKind = Self("unsupportedKind", .usage)

  /// The request cannot be carried out with the given data.
  ///
  /// Request less, or in another way: the remedy says how.
  public static let unsupportedRequest = Self("unsupportedRequest", .usage)

  /// No object has the key, or matches the condition.
  ///
  /// Choose other objects.
  public static let objectNotFound = Self("objectNotFound", .usage)

  /// There is nothing to resume: the earlier run is complete, or it wrote nothing.
  ///
  /// Verify the copy, or start it without resuming.
  public static let nothingToResume = Self("nothingToResume", .usage)

  /// The data is ambiguous, and decant does not guess.
  ///
  /// Ask the user, and set the option that the remedy names.
  public static let decisionNeeded = Self("decisionNeeded", .usage)

  /// An ID table, a base or the memory of a merge belongs to other stores.
  ///
  /// Name the file that belongs to these stores.
  public static let wrongFile = Self("wrongFile", .usage)

  /// The input from standard input is too long, or is not text.
  ///
  /// Pass one statement in UTF-8.
  public static let invalidInput = Self("invalidInput", .usage)
}

// MARK: Failures of valid requests

extension DecantError.Code {
  /// The disk is full, or would be before the work is complete.
  ///
  /// Free space, ``DecantError/Remedy/freeSpace(byteCount:)``, and run the operation again or resume it.
  public static let diskFull = Self("diskFull", .failed)

  /// The file or its folder cannot be read or written for lack of permissions.
  ///
  /// Change the permissions, or choose another place.
  public static let accessDenied = Self("accessDenied", .failed)

  /// A file was moved, replaced, removed or written by another program while decant worked with it.
  ///
  /// Inspect the file, and run the operation again.
  public static let fileChanged = Self("fileChanged", .failed)

  /// A folder for output does not exist, or no longer exists.
  ///
  /// Create it, and run the operation again.
  public static let folderVanished = Self("folderVanished", .failed)

  /// An unexpected file occupies a place, and decant does not remove it.
  ///
  /// Move it away.
  public static let placeOccupied = Self("placeOccupied", .failed)

  /// The store is mirrored by CloudKit, which may never notice the change.
  ///
  /// Ask the user; the option that ``DecantError/Remedy/setOption(_:_:)`` names forces the change.
  public static let mirroredStore = Self("mirroredStore", .failed)

  /// A key or a constraint rejects rows, in the destination or among the objects themselves.
  ///
  /// Leave these objects out, or correct them.
  public static let constraintViolated = Self("constraintViolated", .failed)

  /// Links would have no target.
  ///
  /// Include their targets, or set what happens to such links.
  public static let linkBroken = Self("linkBroken", .failed)

  /// Objects exist in both stores with different values, and the rules treat this as an error.
  ///
  /// Choose another policy, or have the conflicts decided.
  public static let conflict = Self("conflict", .failed)

  /// More objects were rejected, or would be created, than the limit allows.
  ///
  /// Request less, or raise the limit.
  public static let limitExceeded = Self("limitExceeded", .failed)

  /// The interrupted run does not match: the options, the source, the store or the running system differs.
  ///
  /// Start over, ``DecantError/Remedy/startOver``; the store contains nothing of the interrupted run.
  public static let resumeMismatch = Self("resumeMismatch", .failed)

  /// The verification of the result failed: a bug in decant, a disk error, or a trigger.
  ///
  /// Report it; nothing was written.
  public static let proofFailed = Self("proofFailed", .failed)

  /// The store contains something that cannot be copied or changed this way.
  ///
  /// Leave it out as the remedy says.
  public static let unsupportedContent = Self("unsupportedContent", .failed)

  /// There is no backup to restore.
  ///
  /// No action is possible: no change left a backup.
  public static let noBackup = Self("noBackup", .failed)

  /// The work itself is complete, but a step after it failed.
  ///
  /// Show the message: the remedy names what is left to do. Do not run the operation again.
  public static let completedPartly = Self("completedPartly", .failed)

  /// The result could not be written to its reader.
  ///
  /// Discard the output, and run the operation again.
  public static let outputFailed = Self("outputFailed", .failed)

  /// The disk or the system refused a file: a disk error, too many open files, no memory.
  ///
  /// Read the system's message, and run the operation again.
  public static let systemFailed = Self("systemFailed", .failed)

  /// SQLite failed for a reason without a code of its own.
  ///
  /// Show the message, and report it.
  public static let databaseFailed = Self("databaseFailed", .failed)
}

// MARK: Missing files

extension DecantError.Code {
  /// No store exists at the place.
  ///
  /// Choose another place, or create the store first.
  public static let storeNotFound = Self("storeNotFound", .storeNotFound)

  /// The folder of a new file does not exist.
  ///
  /// Create the folder first.
  public static let folderNotFound = Self("folderNotFound", .storeNotFound)

  /// No file exists at the place: an ID table, or a file to import.
  ///
  /// Choose another file.
  public static let fileNotFound = Self("fileNotFound", .storeNotFound)

  /// No model, or no mapping model, exists at the place.
  ///
  /// Name another one.
  public static let modelNotFound = Self("modelNotFound", .storeNotFound)
}

// MARK: Files in use

extension DecantError.Code {
  /// Another program has the store locked; ``Remedy/closeOtherProgram(_:)`` names it, if the system does.
  ///
  /// Close it, or wait, and run the operation again.
  public static let storeLocked = Self("storeLocked", .storeBusy)

  /// Another program wrote to the store while decant read it or planned with it.
  ///
  /// Close it, and run the operation again.
  public static let storeChanged = Self("storeChanged", .storeBusy)

  /// Another decant process is working on this store, or creating one at this place.
  ///
  /// Wait until it finishes.
  public static let otherRun = Self("otherRun", .storeBusy)
}

// MARK: Models that do not fit

extension DecantError.Code {
  /// The store contains no model, or none that can be read.
  ///
  /// Name the model of the app.
  public static let modelMissing = Self("modelMissing", .modelMismatch)

  /// The two models do not fit each other, or the model does not fit the store’s tables.
  ///
  /// Migrate, name another model, or provide a mapping.
  public static let modelsDiffer = Self("modelsDiffer", .modelMismatch)

  /// The store has a later version than the model.
  ///
  /// Use the newer model: a new version of the app.
  public static let storeIsNewer = Self("storeIsNewer", .modelMismatch)

  /// The version of the store, or the path to another version, is ambiguous.
  ///
  /// Name the version.
  public static let versionUnclear = Self("versionUnclear", .modelMismatch)

  /// The model needs a feature that decant cannot create or read.
  ///
  /// Create the store with the app itself, or name another form of the model.
  public static let unsupportedModel = Self("unsupportedModel", .modelMismatch)

  /// A mapping model does not fit these versions, or needs code of the app.
  ///
  /// Name another one, or write a mapping file.
  public static let mappingMisfit = Self("mappingMisfit", .modelMismatch)

  /// A migration would have to guess what to do with some data.
  ///
  /// Ask the user, and decide it in a mapping file or by a policy.
  public static let migrationUndecided = Self("migrationUndecided", .modelMismatch)

  /// The store uses a collation that only its own app defines.
  ///
  /// Copy everything into a new store.
  public static let unknownCollation = Self("unknownCollation", .modelMismatch)
}

// MARK: Unreadable files

extension DecantError.Code {
  /// The file is damaged.
  ///
  /// Restore it from a backup, or salvage what is readable.
  public static let damaged = Self("damaged", .corruptStore)

  /// The file is not an SQLite database, or it is encrypted.
  ///
  /// Choose another file, or restore it from a backup.
  public static let notADatabase = Self("notADatabase", .corruptStore)

  /// The file is not a store or archive of the expected kind: a folder, a device, another format.
  ///
  /// Choose another file.
  public static let notAStore = Self("notAStore", .corruptStore)

  /// The file is empty.
  ///
  /// Remove it if a store is to be created there; otherwise restore it from a backup.
  public static let emptyFile = Self("emptyFile", .corruptStore)

  /// A model or a mapping model is damaged, or the file is not a model.
  ///
  /// Name an undamaged copy of it.
  public static let modelDamaged = Self("modelDamaged", .corruptStore)

  /// The archive expands beyond the limit, and may be malicious.
  ///
  /// Raise the limit if its sender is trusted.
  public static let unpackLimitExceeded = Self("unpackLimitExceeded", .corruptStore)
}

// MARK: Interruption

extension DecantError.Code {
  /// The work was stopped on request; finished work is kept where it can be resumed.
  ///
  /// Resume it, or run it again, as ``DecantError/remedies`` says.
  public static let interrupted = Self("interrupted", .interrupted)
}
