extension DecantError {
  /// A remedy for an error, which an app can offer.
  ///
  /// Remedies may be added: a `switch` in an app needs a default.
  #if compiler(>=6.2.3)
    @nonexhaustive
  #endif
  public enum Remedy: Hashable, Sendable {
    /// Run the same operation again, after the cause that the message names is removed.
    case runAgain
    /// Run the same operation again, and continue where it stopped.
    case resume
    /// Run the same operation again, without the work of the interrupted run.
    case startOver
    /// Close the programs that have the store open, or wait for them; empty if the system names none.
    case closeOtherProgram([Holder])
    /// Free space on the disk: this many more bytes, if known.
    case freeSpace(byteCount: Int64?)
    /// Allow the file and its folder to be read and written.
    case grantAccess
    /// Choose another place for the store or for the output.
    case chooseAnotherPlace
    /// Create the missing folder.
    case makeFolder(String?)
    /// Move away the file that occupies the place.
    case moveAway(String?)
    /// Restore the store from a backup: the one at this place, if decant knows of one.
    case restoreBackup(String?)
    /// Name the model of the app, or another model.
    case nameModel
    /// Provide a mapping.
    case giveMapping
    /// Correct the name: to the most similar one, if there is one.
    case correctName(nearest: String?)
    /// Set an option, to this value if known.
    case setOption(Option, String?)
    /// Report the failure to the developers of decant.
    case report
  }

  /// A process that has a file locked.
  public struct Holder: Hashable, Sendable {
    /// The process ID.
    public let process: Int32
    /// The name of the program, if the system knows it.
    public let name: String?

    public init(process: Int32, name: String?) { (self.process, self.name) = (process, name) }
  }
}

extension DecantError.Code {
  /// The remedies for every failure of this code.
  var usualRemedies: [DecantError.Remedy] {
    switch self {
    case .storeLocked, .storeChanged: [.closeOtherProgram([]), .runAgain]
    case .otherRun, .fileChanged, .systemFailed, .outputFailed, .interrupted: [.runAgain]
    case .diskFull: [.freeSpace(byteCount: nil), .runAgain]
    case .accessDenied: [.grantAccess, .chooseAnotherPlace]
    case .folderVanished: [.makeFolder(nil), .runAgain]
    case .folderNotFound: [.makeFolder(nil), .chooseAnotherPlace]
    case .placeOccupied: [.moveAway(nil), .chooseAnotherPlace]
    case .alreadyExists, .sameFile, .invalidPlace, .storeNotFound, .fileNotFound, .notAStore:
      [.chooseAnotherPlace]
    case .unknownName: [.correctName(nearest: nil)]
    case .resumeMismatch: [.startOver]
    case .modelMissing, .modelNotFound, .modelDamaged, .versionUnclear, .storeIsNewer: [.nameModel]
    case .modelsDiffer: [.nameModel, .giveMapping]
    case .mappingMisfit, .migrationUndecided: [.giveMapping]
    case .damaged: [.restoreBackup(nil)]
    case .notADatabase, .emptyFile: [.chooseAnotherPlace, .restoreBackup(nil)]
    case .proofFailed, .databaseFailed: [.report]
    default: []
    }
  }
}

extension DecantError.Remedy {
  /// Returns the remedy for `name`, which is not among `names`.
  package static func correctName(_ name: String, among names: some Sequence<String>) -> Self {
    .correctName(nearest: name.nearest(in: names))
  }
}
