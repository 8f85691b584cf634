extension DecantError {
  /// Something that can be done about an error, as an app can offer it.
  ///
  /// More may come: an app that switches on one has a default.
  #if compiler(>=6.2.3)
    @nonexhaustive
  #endif
  public enum Remedy: Hashable, Sendable {
    /// Do the same once more, once what the message tells of is seen to.
    case runAgain
    /// Do the same once more, and go on where it ended.
    case resume
    /// Do the same once more, without what the interrupted run has done.
    case startOver
    /// Close the programs that have the store open, or wait until they are done; none where the system names none.
    case closeOtherProgram([Holder])
    /// Make room on the disk: for so many bytes more, where that is known.
    case freeSpace(byteCount: Int64?)
    /// Let the file and its folder be read and written.
    case grantAccess
    /// Name another place: for the store, or for what is written.
    case chooseAnotherPlace
    /// Make the folder that is not there.
    case makeFolder(String?)
    /// Take the file away that is in the way.
    case moveAway(String?)
    /// Restore the store from a backup: from the one at the place, where decant knows of one.
    case restoreBackup(String?)
    /// Name the model of the app, or another one.
    case nameModel
    /// Say by a mapping what becomes of what.
    case giveMapping
    /// Correct the name: to the one that is most like it, where one is.
    case correctName(nearest: String?)
    /// Say an option, with a value where one is known.
    case setOption(Option, String?)
    /// Report it to those who make decant.
    case report
  }

  /// A process that has a file locked.
  public struct Holder: Hashable, Sendable {
    /// The process's number.
    public let process: Int32
    /// What the program is called, where the system tells.
    public let name: String?

    public init(process: Int32, name: String?) { (self.process, self.name) = (process, name) }
  }
}

extension DecantError.Code {
  /// What can be done about any failure of this code.
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
  /// Correct `name`, which is none of `names`.
  package static func correctName(_ name: String, among names: some Sequence<String>) -> Self {
    .correctName(nearest: name.nearest(in: names))
  }
}
