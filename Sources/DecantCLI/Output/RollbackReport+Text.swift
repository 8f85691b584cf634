internal import DecantBase
internal import DecantMaintain
internal import DecantStore

extension RollbackReport {
  /// The report for people: the present place of each store, and how to undo the rollback.
  var text: String {
    var lines = [store.place, ""]
    if let putBack {
      lines.append("restored: \(putBack)" + (writtenText.map { ", last written \($0)" } ?? ""))
    }
    switch outcome {
    case .exchanged:
      lines.append("the replaced store: \(backup ?? "")")
      lines.append("  to undo this, run again: decant rollback \(store.place.shellWord)")
    case .placed:
      lines.append("there was no store at that path; the backup was renamed to it")
    case .removed:
      guard removed.values.contains(where: { $0 > 0 }) else {
        lines.append("nothing was deleted: none of the rows that the run added is there unchanged")
        break
      }
      var table = TextTable(["", isDryRun ? "would be deleted" : "deleted"])
      for (entity, count) in removed.sorted(by: { $0.key < $1.key }) { table.add([entity, count.grouped]) }
      lines += table.lines + [""]
      lines.append(
        isDryRun ? "nothing was written" : "verified: all tables were read back, and nothing else has changed")
    case .undone:
      lines.append("the store is unchanged: the interrupted run had not changed anything")
    }
    return (lines + notes.commandLine.map { "note: \($0)" }).joined(separator: "\n")
  }
}
