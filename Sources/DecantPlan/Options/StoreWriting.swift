/// How a store is written.
public struct StoreWriting: Sendable, Hashable {
  /// What becomes of an object that the destination refuses.
  public enum Refusals: Sendable, Hashable {
    /// The work ends and changes nothing.
    case stop
    /// The object is left out and counted, links to it become null, and it goes into the archive `file`, if one is named.
    /// Beyond `limit` objects, or `share` of all from 0 to 1, nothing is published.
    case leaveOut(file: String? = nil, limit: Int64? = nil, share: Double? = nil)
  }

  /// Rows that are read, written and committed together.
  public var batchSize: Int64 = 10_000
  /// How changes to a store that is there are committed; a new one is always published as a whole.
  public var commit = CommitMode.run
  public var refusals = Refusals.stop
  /// Whether an interrupted run is resumed; otherwise it starts over.
  public var resumes = false
  /// Whether the result is read again and proven before it is published.
  public var verifies = true
  /// Whether a copy of a store that is there is kept before it is changed.
  public var keepsBackup = false
  /// Whether the triggers of a plain database that is there run for the rows that are added.
  public var firesTriggers = true
  /// Whether objects may be added to a store that CloudKit mirrors: the mirror may never send them.
  public var writesMirroredStore = false
  /// Where it is written down which object became which; `nil` for nowhere.
  public var idTableFile: String?

  public init() {}
}

extension CopyOptions {
  package var writing: StoreWriting {
    get {
      var writing = StoreWriting()
      (writing.batchSize, writing.commit) = (batchSize, commit)
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
      (batchSize, commit) = (newValue.batchSize, newValue.commit)
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
