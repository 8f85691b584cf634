internal import DecantBase
internal import DecantMaintain
internal import DecantStore

extension RollbackReport {
  /// The report as a person reads it: what is where now, and how to undo it.
  var text: String {
    var lines = [store.place, ""]
    if let putBack {
      lines.append("put back: what was \(putBack)" + (writtenText.map { ", last written \($0)" } ?? ""))
    }
    switch outcome {
    case .exchanged:
      lines.append("the store as it was until now: \(backup ?? "")")
      lines.append("  to undo this, run once more: decant rollback \(store.place.shellWord)")
    case .placed:
      lines.append("there was no store at that place, and the backup has its name now")
    case .undone:
      lines.append("the store is as it was: the interrupted run had changed nothing yet")
    }
    return (lines + notes.map { "note: \($0)" }).joined(separator: "\n")
  }
}
