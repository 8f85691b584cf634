/// The options for writing a store.
public struct StoreWriting: Sendable, Hashable {
  /// The action for an object that the destination rejects.
  public enum Refusals: Sendable, Hashable {
    /// The work stops and changes nothing.
    case stop
    /// The object is left out and counted, and links to it become null.
    ///
    /// It is written to the archive `file`, if one is named. If more than `limit` objects, or `share` of all from 0 to
    /// 1, are rejected, nothing is published.
    case leaveOut(file: String? = nil, limit: Int64? = nil, share: Double? = nil)
  }

  /// The number of rows that are read, written and committed together.
  public var batchSize: Int64 = 10_000
  /// The commit mode of an existing store; a new one is always published as a whole.
  public var commit = CommitMode.run
  /// Whether the foreign keys of tables on a server are dropped while rows are added, and then created and checked again.
  public var defersConstraints = false
  public var refusals = Refusals.stop
  /// Whether an interrupted run is resumed; otherwise it starts over.
  public var resumes = false
  /// Whether the result is read again and verified before it is published.
  public var verifies = true
  /// Whether to back up an existing store before it is changed.
  public var keepsBackup = false
  /// Whether the triggers of an existing plain database run for added rows.
  public var firesTriggers = true
  /// Whether objects may be added to a store that CloudKit mirrors; the mirror may never send them.
  public var writesMirroredStore = false
  /// The path of the ID table, which maps keys of the source to new ones; `nil` for none.
  public var idTableFile: String?

  public init() {}
}

extension CopyOptions {
  package var writing: StoreWriting {
    get {
      var writing = StoreWriting()
      (writing.batchSize, writing.commit, writing.defersConstraints) = (batchSize, commit, defersConstraints)
      if onError == .reject {
        writing.refusals = .leaveOut(file: rejectsFile, limit: rejectLimit, share: rejectRate)
      }
      writing.resumes = leftOver == .resume
      (writing.verifies, writing.keepsBackup) = (verifies, keepsBackup)
      (writing.firesTriggers, writing.writesMirroredStore) = (firesTriggers, writesMirroredStore)
      writing.idTableFile = idTableFile
      return writing
    }
    set {
      (batchSize, commit, defersConstraints) = (newValue.batchSize, newValue.commit, newValue.defersConstraints)
      switch newValue.refusals {
      case .stop: (onError, rejectsFile, rejectLimit, rejectRate) = (.stop, nil, nil, nil)
      case .leaveOut(let file, let limit, let share):
        (onError, rejectsFile, rejectLimit, rejectRate) = (.reject, file, limit, share)
      }
      leftOver = newValue.resumes ? .resume : .startOver
      (verifies, keepsBackup) = (newValue.verifies, newValue.keepsBackup)
      (firesTriggers, writesMirroredStore) = (newValue.firesTriggers, newValue.writesMirroredStore)
      idTableFile = newValue.idTableFile
    }
  }
}
