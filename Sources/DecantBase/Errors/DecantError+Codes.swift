extension DecantError {
  /// What kind of failure it is, broadly; each has one exit code, which depends on nothing else.
  public struct Family: Hashable, Sendable {
    /// What scripts know it by: `storeBusy`.
    public let name: String

    private init(_ name: String) { self.name = name }

    /// The work could not be finished: a full disk, a refused resume, a constraint of the destination.
    public static let failed = Family("failed")
    /// Nothing is at the place that was named.
    public static let storeNotFound = Family("storeNotFound")
    /// Another process holds the store.
    public static let storeBusy = Family("storeBusy")
    /// The two models do not fit, or the model cannot be had.
    public static let modelMismatch = Family("modelMismatch")
    /// The file is damaged, is no store at all, or means harm.
    public static let corruptStore = Family("corruptStore")
    /// The request itself makes no sense.
    public static let usage = Family("usage")
    /// The work was stopped on request; what is done so far is kept where it can be resumed.
    public static let interrupted = Family("interrupted")
  }

  /// What kind of failure it is.
  ///
  /// More may come: an app that switches on one has a default, or asks the family.
  public struct Code: Hashable, Sendable {
    /// What scripts know it by, as in the JSON of an error: `decisionNeeded`.
    public let name: String
    /// What it means broadly.
    public let family: Family

    private init(_ name: String, _ family: Family) { (self.name, self.family) = (name, family) }
  }
}

// MARK: What is wrong with the request

extension DecantError.Code {
  /// An entity, attribute, relationship, parameter or value of an option is not there by this name.
  ///
  /// Name another one: ``DecantError/Remedy/correctName(nearest:)`` has the one that is most like it.
  public static let unknownName = Self("unknownName", .usage)

  /// A condition, an expression or a query cannot be read, or reads what it must not.
  ///
  /// Show the message beside the text that was typed.
  public static let invalidExpression = Self("invalidExpression", .usage)

  /// A mapping file, a links file or a file of decisions has a mistake, or cannot be read as one.
  ///
  /// Show the message: its place has line and column.
  public static let invalidMapping = Self("invalidMapping", .usage)

  /// Something that has to be said is not said.
  ///
  /// Say it; the remedy names the option.
  public static let missingOption = Self("missingOption", .usage)

  /// Two options contradict each other.
  ///
  /// Leave one of them away.
  public static let conflictingOptions = Self("conflictingOptions", .usage)

  /// An option says nothing of such a store, or of what is to be done.
  ///
  /// Leave it away.
  public static let unsuitableOption = Self("unsuitableOption", .usage)

  /// Something is where something new was to be made.
  ///
  /// Ask for another place, or remove what is there first; nothing is overwritten.
  public static let alreadyExists = Self("alreadyExists", .usage)

  /// Two things that have to be different files are the same one, as source and destination.
  ///
  /// Ask for another place.
  public static let sameFile = Self("sameFile", .usage)

  /// Nothing can be made at a place of this name: a folder, a link that leads nowhere, a name that means no kind
  /// of store.
  ///
  /// Ask for another place.
  public static let invalidPlace = Self("invalidPlace", .usage)

  /// A store of this kind cannot be made, or cannot do what was asked.
  ///
  /// Choose another kind of store.
  public static let unsupportedKind = Self("unsupportedKind", .usage)

  /// What was asked cannot be done with the data at hand.
  ///
  /// Ask for less, or in another way: the remedy says how.
  public static let unsupportedRequest = Self("unsupportedRequest", .usage)

  /// No object has the key, or meets the condition.
  ///
  /// Choose other objects.
  public static let objectNotFound = Self("objectNotFound", .usage)

  /// There is nothing to resume: the earlier run is complete, or it wrote nothing.
  ///
  /// Verify the copy, or start it without resuming.
  public static let nothingToResume = Self("nothingToResume", .usage)

  /// The data can be understood in two ways, and decant does not guess.
  ///
  /// Ask the user, and say it with the option that the remedy names.
  public static let decisionNeeded = Self("decisionNeeded", .usage)

  /// An ID table, a base or the memory of a merge belongs to other stores.
  ///
  /// Name the file that belongs to these.
  public static let wrongFile = Self("wrongFile", .usage)

  /// What was to be read from standard input is too long, or no text.
  ///
  /// Hand over one statement in UTF-8.
  public static let invalidInput = Self("invalidInput", .usage)
}

// MARK: What went wrong with a sensible request

extension DecantError.Code {
  /// The disk has no room left, or would have none before the work is done.
  ///
  /// Make room, ``DecantError/Remedy/freeSpace(byteCount:)``, and run it again or resume it.
  public static let diskFull = Self("diskFull", .failed)

  /// The file or its folder may not be read or written.
  ///
  /// See to the permissions, or choose another place.
  public static let accessDenied = Self("accessDenied", .failed)

  /// A file was moved, replaced, removed or written to by somebody else while decant worked with it.
  ///
  /// Look at what is there now, and run it again.
  public static let fileChanged = Self("fileChanged", .failed)

  /// A folder that is written in is not there, or not any more.
  ///
  /// Make it again, and run it again.
  public static let folderVanished = Self("folderVanished", .failed)

  /// A file is in the way that decant did not expect there and does not remove.
  ///
  /// Move it away.
  public static let placeOccupied = Self("placeOccupied", .failed)

  /// The store is mirrored by CloudKit, which may never learn of the change.
  ///
  /// Ask the user; say the option that ``DecantError/Remedy/setOption(_:_:)`` names to do it all the same.
  public static let mirroredStore = Self("mirroredStore", .failed)

  /// A key or a constraint refuses rows, in the destination or between the objects themselves.
  ///
  /// Leave such objects out, or mend them.
  public static let constraintViolated = Self("constraintViolated", .failed)

  /// Links would lead to nothing.
  ///
  /// Take along what they lead to, or say what becomes of them.
  public static let linkBroken = Self("linkBroken", .failed)

  /// Objects are in both stores with different values, and the rules say that this is an error.
  ///
  /// Choose another policy, or have the conflicts decided.
  public static let conflict = Self("conflict", .failed)

  /// More was rejected or would be made than is allowed.
  ///
  /// Ask for less, or raise the limit.
  public static let limitExceeded = Self("limitExceeded", .failed)

  /// The interrupted run does not fit: the options, the source, the store or the running system is another.
  ///
  /// Start over, ``DecantError/Remedy/startOver``; nothing of the interrupted run is in the store.
  public static let resumeMismatch = Self("resumeMismatch", .failed)

  /// What was written is not what it should be: a fault of decant or of the disk, or of a trigger.
  ///
  /// Report it; nothing was written.
  public static let proofFailed = Self("proofFailed", .failed)

  /// The store holds something that cannot be copied or changed this way.
  ///
  /// Leave it out as the remedy says.
  public static let unsupportedContent = Self("unsupportedContent", .failed)

  /// There is no backup to put back.
  ///
  /// Nothing: no change was made that left one.
  public static let noBackup = Self("noBackup", .failed)

  /// The work itself is done, and something that comes after it failed.
  ///
  /// Show the message: what is left to do is in the remedy. Do not run it again.
  public static let completedPartly = Self("completedPartly", .failed)

  /// The result could not be written to whoever reads it.
  ///
  /// Throw away what was written, and run it again.
  public static let outputFailed = Self("outputFailed", .failed)

  /// The disk or the system refused a file: a fault of the disk, too many open files, no memory.
  ///
  /// See what the system says, and run it again.
  public static let systemFailed = Self("systemFailed", .failed)

  /// SQLite refused something for a reason that has no code of its own.
  ///
  /// Show the message, and report it.
  public static let databaseFailed = Self("databaseFailed", .failed)
}

// MARK: What is not there

extension DecantError.Code {
  /// There is no store at the place.
  ///
  /// Choose another place, or make the store first.
  public static let storeNotFound = Self("storeNotFound", .storeNotFound)

  /// There is no folder to make the file in.
  ///
  /// Make the folder first.
  public static let folderNotFound = Self("folderNotFound", .storeNotFound)

  /// There is no file at the place: an ID table, or a file to import.
  ///
  /// Choose another file.
  public static let fileNotFound = Self("fileNotFound", .storeNotFound)

  /// There is no model, or no mapping model, at the place.
  ///
  /// Name another one.
  public static let modelNotFound = Self("modelNotFound", .storeNotFound)
}

// MARK: What others are using

extension DecantError.Code {
  /// Another program has the store locked: ``Remedy/closeOtherProgram(_:)`` says which, where the system tells.
  ///
  /// Close it, or wait, and run it again.
  public static let storeLocked = Self("storeLocked", .storeBusy)

  /// Another program wrote to the store while it was read or planned with.
  ///
  /// Close it, and run it again.
  public static let storeChanged = Self("storeChanged", .storeBusy)

  /// Another decant is working on this store, or making one at this place.
  ///
  /// Wait until it is done.
  public static let otherRun = Self("otherRun", .storeBusy)
}

// MARK: What does not fit

extension DecantError.Code {
  /// The store does not hold its model, or none that can be read.
  ///
  /// Name the model of the app.
  public static let modelMissing = Self("modelMissing", .modelMismatch)

  /// The two models do not fit, or the model does not fit the store’s tables.
  ///
  /// Migrate, name another model, or give a mapping.
  public static let modelsDiffer = Self("modelsDiffer", .modelMismatch)

  /// The store is of a later version than the model.
  ///
  /// Use the newer model: a new version of the app.
  public static let storeIsNewer = Self("storeIsNewer", .modelMismatch)

  /// Which version the store is of, or which way leads to another, is not clear.
  ///
  /// Name the version.
  public static let versionUnclear = Self("versionUnclear", .modelMismatch)

  /// The model asks for what decant cannot make or read.
  ///
  /// Make the store with the app itself, or name another form of the model.
  public static let unsupportedModel = Self("unsupportedModel", .modelMismatch)

  /// A mapping model does not fit these versions, or asks for code of the app.
  ///
  /// Name another one, or write a mapping file.
  public static let mappingMisfit = Self("mappingMisfit", .modelMismatch)

  /// A migration would have to guess what becomes of some data.
  ///
  /// Ask the user, and say it in a mapping file or by a policy.
  public static let migrationUndecided = Self("migrationUndecided", .modelMismatch)

  /// The store is sorted by a collation that only its own app has.
  ///
  /// Copy everything into a new place.
  public static let unknownCollation = Self("unknownCollation", .modelMismatch)
}

// MARK: What cannot be read

extension DecantError.Code {
  /// The file is damaged.
  ///
  /// Restore it from a backup, or save what can be saved.
  public static let damaged = Self("damaged", .corruptStore)

  /// The file is no SQLite database, or an encrypted one.
  ///
  /// Choose another file, or restore it from a backup.
  public static let notADatabase = Self("notADatabase", .corruptStore)

  /// The file is no store or archive of the kind that is wanted: a folder, a device, another format.
  ///
  /// Choose another file.
  public static let notAStore = Self("notAStore", .corruptStore)

  /// The file is empty.
  ///
  /// Remove it where a store is to be made; else restore it from a backup.
  public static let emptyFile = Self("emptyFile", .corruptStore)

  /// A model or a mapping model is damaged, or none at all.
  ///
  /// Name an undamaged copy of it.
  public static let modelDamaged = Self("modelDamaged", .corruptStore)

  /// The archive unpacks to more than is allowed: it may mean harm.
  ///
  /// Raise the limit if its sender is trusted.
  public static let unpackLimitExceeded = Self("unpackLimitExceeded", .corruptStore)
}

// MARK: What was stopped

extension DecantError.Code {
  /// The work was stopped on request; what is done so far is kept where it can be resumed.
  ///
  /// Resume it, or run it again, as ``DecantError/remedies`` says.
  public static let interrupted = Self("interrupted", .interrupted)
}
