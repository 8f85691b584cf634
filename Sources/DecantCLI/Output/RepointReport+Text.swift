internal import DecantBase
internal import DecantMaintain
internal import DecantStore

extension RepointReport {
  /// The report for people: the outcome for the references in each place, and those that were kept.
  var text: String {
    var lines = [store.place, ""]
    var table = LabelledText(columnCount: StandardOutput.columnCount)
    for place in places { table.add(place.name.printable, list: parts(of: place)) }
    lines += table.lines + [""]
    for place in places {
      for kept in place.kept { lines += text(of: kept, at: place) }
    }
    lines.append(outcome)
    lines += notes.commandLine.map { "note: \($0)" }
    if let backup {
      lines.append("the previous store: \(backup)")
      lines.append("  to restore it, close the app and run: decant rollback \(store.place.shellWord)")
    }
    return lines.joined(separator: "\n")
  }

  private func parts(of place: Place) -> [String] {
    var parts = [place.count.groupedCount("reference")]
    parts.append("\(place.changedCount.grouped) \(isDryRun ? "would be changed" : "changed")")
    if place.settledCount > 0 { parts.append("\(place.settledCount.grouped) already up to date") }
    if place.keptCount > 0 { parts.append("\(place.keptCount.grouped) kept") }
    return parts
  }

  private func text(of kept: Kept, at place: Place) -> [String] {
    let objects = kept.examples.map { "\($0.entity.printable) p\($0.key)" }
    let rest = kept.count - Int64(objects.count)
    let list = objects.joined(separator: ", ") + (rest > 0 ? " and \(rest.grouped) more" : "")
    let at = places.count > 1 ? " at \(place.name.printable)" : ""
    let head = "kept\(at): \(kept.count.grouped) \(kept.reason.words): \(list)"
    guard showsValues else { return [head] }
    return [head] + kept.examples.map { "  p\($0.key)  \($0.value.printable)" }
  }

  private var outcome: String {
    guard changedCount > 0 else { return "nothing to change: nothing was written" }
    let objects = objectCount.groupedCount("object")
    guard !isDryRun else { return "\(objects) would be changed: nothing was written" }
    let where_ =
      target == nil ? "among those of the ID table" : "in “\(target?.place ?? "")”"
    return
      "verified: \(objects) read back; every changed reference points to an existing object \(where_)"
  }
}

extension RepointReport.Reason {
  /// The reason, as the words after a number.
  fileprivate var words: String {
    switch self {
    case .otherStore: "of another store"
    case .temporary: "of objects that were never saved"
    case .unknownEntity: "of an unknown entity"
    case .notInTable: "whose key is not in the ID table"
    case .rejected: "of objects that were left out"
    case .noObject: "whose object does not exist"
    case .noIdentity: "whose object has no identity"
    case .ambiguous: "ambiguous: several objects match"
    case .noReference: "not a reference"
    }
  }
}
