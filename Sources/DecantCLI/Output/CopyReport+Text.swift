internal import DecantBase
internal import DecantTransfer

extension CopyReport {
  /// Returns the report for people: what was copied, what was not, and whether it was verified.
  ///
  /// - Parameters:
  ///   - showsAll: Whether every remark is listed, and the statements of a dry run.
  ///   - isShare: Whether a share was exported: the objects outside of it are not mentioned.
  /// - Returns: Lines without a final line end.
  func text(showsAll: Bool = false, ofShare isShare: Bool = false) -> String {
    guard explanation.isEmpty else { return explanation.joined(separator: "\n") }
    var lines = ["\(source.place) → \(destination.place)", ""]
    lines += isShare ? shareLines : countLines
    lines.append("")
    if !unread.isEmpty { lines += unreadLines + [""] }
    lines += previewLines
    if !conflicts.isEmpty { lines += conflictLines + [""] }
    if isDryRun {
      if let closure { lines += closure.lines }
      if showsAll {
        if !creation.isEmpty { lines += creation.map { "\($0);" } + [""] }
        for definition in definitions {
          lines += definition.split(separator: "\n").map(String.init) + [""]
        }
        lines += plan.flatMap(\.lines)
      }
      lines.append(
        changesNothing
          ? nothingToDo
          : "nothing was written"
      )
    } else {
      lines.append(verdict)
    }
    lines += (showsAll ? notes.filter { ![.remark, .fileSkipped].contains($0.kind) } : notes).commandLine.map {
      "note: \($0)"
    }
    if showsAll {
      lines +=
        remarks.map { "note: \($0.place): \($0.reason)" } + passedOver.map { "skipped: \($0.place): \($0.reason)" }
    }
    if !rejectedByCode.isEmpty {
      let counts = rejectedByCode.sorted {
        ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
      }
      let words = counts.map { "\($0.value.grouped) \($0.key.rawValue)" }
      lines.append("rejected: \(words.joined(separator: ", "))")
    }
    if let rejectsFile { lines.append("rejected objects are listed in \(rejectsFile)") }
    if let idTableFile { lines.append("the ID table is in \(idTableFile)") }
    return lines.joined(separator: "\n")
  }

  /// The numbers of objects, links and files, by outcome.
  var countLines: [String] {
    var lines = entityTable.lines
    lines.append("")
    lines += pairingLines
    if unknownCount > 0 {
      lines.append("left out: \(unknownCount.grouped) of entities that are not in the model")
    }
    lines.append(
      "links   "
        + (knowsLinks
          ? links.text + removedText : "unchanged: it is not known which columns are links")
    )
    if removedObjectCount > 0 {
      lines.append("removed \(removedObjectCount.counted("object")) that the source removed, including parts")
    }
    if let removedPartsLine { lines.append(removedPartsLine) }
    if let stubLine { lines.append(stubLine) }
    if files.copied + files.missing > 0 {
      lines.append("files   \(files.copied.grouped) copied, \(files.missing.grouped) missing in the source")
    }
    return lines
  }

  /// The numbers of shared objects.
  private var shareLines: [String] {
    let shared = entities.filter { $0.copied + $0.rejected > 0 }
    let hasRejects = shared.contains { $0.rejected > 0 }
    var table = TextTable(["", isDryRun ? "to copy" : "copied"] + (hasRejects ? ["rejected"] : []))
    for entity in shared {
      table.add([entity.name, entity.copied.grouped] + (hasRejects ? [entity.rejected.grouped] : []))
    }
    return table.lines + ["", "links   \(links.copied.grouped) copied"]
  }

  private var entityTable: TextTable {
    if entities.contains(where: { $0.merge != nil }) { return mergeTable }
    let columns: [(String, KeyPath<EntityReport, Int64>)] = [
      ("source", \.source), (isDryRun ? "to copy" : "copied", \.copied), ("updated", \.updated),
      ("skipped", \.skipped), ("filtered", \.filtered), ("rejected", \.rejected),
    ]
    // A column of zeros is omitted, except for copied objects.
    let shown = columns.enumerated().filter { index, column in
      index < 2 || entities.contains { $0[keyPath: column.1] > 0 }
    }.map(\.element)
    var table = TextTable([""] + shown.map(\.0))
    for entity in entities {
      table.add([entity.name] + shown.map { entity[keyPath: $0.1].grouped })
    }
    return table
  }

  /// The numbers of new objects, and how the others compare with existing ones.
  private var mergeTable: TextTable {
    let columns: [(String, (EntityReport) -> Int64)] = [
      ("source", { $0.source }), ("new", { $0.copied - ($0.merge?.keptBoth ?? 0) }),
      ("same", { $0.merge?.same ?? 0 }), ("changed", { $0.merge?.changed ?? 0 }),
      ("updated", { $0.updated }), ("kept both", { $0.merge?.keptBoth ?? 0 }),
      ("duplicate", { $0.merge?.duplicate ?? 0 }), ("not added", { $0.merge?.notAdded ?? 0 }),
      ("filtered", { $0.filtered }),
      ("rejected", { $0.rejected }),
    ]
    let shown = columns.enumerated().filter { index, column in
      index < 4 || entities.contains { column.1($0) > 0 }
    }.map(\.element)
    var table = TextTable([""] + shown.map(\.0))
    for entity in entities { table.add([entity.name] + shown.map { $0.1(entity).grouped }) }
    return table
  }

  /// The ways in which objects were matched, if several were possible; a note names the UUIDs that were found.
  private var pairingLines: [String] {
    entities.compactMap { entity in
      guard let pairings = entity.merge?.pairings,
        pairings.contains(where: { [.key, .owner, .likeness].contains($0.way) })
          || pairings.count(where: { $0.way == .identity }) > 1
      else { return nil }
      return "\(entity.name) paired \(pairings.map(\.text).joined(separator: "; "))"
    }
  }

  /// The objects that were changed or added on both sides, one per line.
  private var conflictLines: [String] {
    let more = conflictCount - Int64(conflicts.count)
    let isKept = conflicts.contains { $0.copy != nil }
    return [
      isKept
        ? "conflicts, both versions kept, with their parts:"
        : "\(conflictCount.counted("object")) with conflicts, left unchanged:"
    ]
      + conflicts.map { conflict in
        guard let source = conflict.source, let there = conflict.destination else {
          return "  \(conflict.title == nil ? "\(conflict.entity) " : "")\(deletionText(conflict))"
        }
        if let title = conflict.title { return "  “\(title.onOneLine)”, \(conflict.difference)" }
        let copy = conflict.copy.map {
          conflict.key == nil
            ? ": kept next to \(destination.terms.key(there)) as \(destination.terms.key($0))"
            : ": kept with another key"
        }
        let object = "  \(conflict.entity) \(conflict.key ?? self.source.terms.key(source)), "
        let properties = conflict.properties.joined(separator: ", ")
        guard let isChanged = conflict.isChanged else {
          return "\(object)matched by its key or content, but different in \(properties)"
        }
        return
          "\(object)\(properties) \(isChanged ? "changed" : "added") on both sides\(copy ?? "")"
      } + (more > 0 ? ["  and \(more.grouped) more"] : [])
  }

  /// Returns the outcome for an object that one store changed and the other removed.
  private func deletionText(_ conflict: Conflict) -> String {
    let title = conflict.title.map { "“\($0.onOneLine)”" }
    if let key = conflict.destination {
      return
        "\(title ?? conflict.key ?? destination.terms.key(key)), changed or referenced here, removed there: kept"
    }
    let back =
      conflict.copy.map {
        conflict.key == nil ? "restored as \(destination.terms.key($0))" : "restored"
      } ?? "not restored"
    return
      "\(title ?? conflict.key ?? source.terms.key(conflict.source ?? 0)), removed here, changed or referenced there: \(back)"
  }

  /// The unreadable parts, one per line.
  private var unreadLines: [String] {
    let more = unread.count - 20
    return ["unreadable:"]
      + unread.prefix(20).map { "  \($0.place): \($0.reason)" }
      + (more > 0
        ? ["  and \(more) more" + (isPartial ? "" : ": --rejects FILE lists them all")] : [])
  }

  /// The number of empty objects that were created as link targets.
  private var stubLine: String? {
    let made = entities.filter { $0.stubs > 0 }
    guard !made.isEmpty else { return nil }
    let names = made.map { "\($0.stubs.grouped) \($0.name)" }.joined(separator: ", ")
    return "empty   \(names): created as targets of links to missing objects"
  }

  /// The number of removed parts of replaced objects.
  private var removedPartsLine: String? {
    removedPartCount == 0
      ? nil
      : "parts   \(removedPartCount.grouped) removed from replaced objects (not in the source)"
  }

  private var removedText: String {
    removedLinkCount == 0
      ? "" : ", \(removedLinkCount.grouped) removed (not in the source)"
  }

  /// The message for a merge that has nothing to do.
  private var nothingToDo: String {
    guard rejectedCount == 0 else {
      return "nothing was added: \(rejectedCount.counted(source.terms.object)) "
        + "\(rejectedCount == 1 ? "was" : "were") rejected"
    }
    guard conflictCount == 0 else {
      return "nothing was written: conflicting objects in “\(destination.place)” are unchanged"
    }
    if !unread.isEmpty {
      return "nothing was added: “\(destination.place)” already has everything that could be read"
    }
    let notAdded = entities.reduce(0) { $0 + ($1.merge?.notAdded ?? 0) }
    if notAdded > 0 {
      return "nothing was added: \(notAdded.counted(source.terms.object)) of the source "
        + "\(notAdded == 1 ? "is" : "are") left out, as the notes explain"
    }
    let differing = entities.reduce(0) { $0 + ($1.merge?.changed ?? 0) }
    if differing > 0 {
      return "nothing to do: changed objects in “\(destination.place)” are kept"
    }
    let left = entities.contains { $0.filtered > 0 }
    return
      "nothing to do: “\(destination.place)” already has \(left ? "everything that was selected" : "everything")"
  }

  /// Whether the export was written to standard output, which cannot be read again.
  private var writesPipe: Bool { verb == "export" && destination.place == "-" }

  private var verdict: String {
    let seconds = phases.reduce(0) { $0 + $1.seconds }
    let proof =
      changesNothing
      ? nothingToDo
      : isVerified && verb == "export"
        ? destination.kind == StoreKinds.archive
          ? "verified: the archive was read back and is complete"
          : "verified: every written recipe was read back"
        : isVerified
          ? "verified: everything copied was read back and is equal"
          : writesPipe
            ? "not read back: the receipt at its end shows whether it arrives complete"
            : "not verified: --no-verify"
    let tenths = Int64((seconds * 100).rounded())
    let fraction = tenths % 100 < 10 ? "0\(tenths % 100)" : "\(tenths % 100)"
    return "\(proof) · \(tenths / 100).\(fraction) s · \(peakMemoryByteCount.asByteCount) of memory"
  }
}

extension CopyReport.Unread {
  /// The file, and the entry in it if there is one.
  fileprivate var place: String { file + (entry.map { ", \($0)" } ?? "") }
}

extension LinkCounts {
  fileprivate var text: String {
    var parts = ["\(copied.grouped) copied"]
    if cut > 0 {
      parts.append("\(cut.grouped) cut (the target was left out or has another partner)")
    }
    if dangling > 0 { parts.append("\(dangling.grouped) dangling (the target does not exist)") }
    return parts.joined(separator: ", ")
  }
}

extension CopyReport.PlanStep {
  fileprivate var lines: [String] {
    let form = idForm.map { ", IDs: \($0)" } ?? ""
    let statement = statement.split(separator: "\n").map { "  \($0)" }
    return ["\(name): \(rowCount.grouped) rows\(form)"] + statement + [""]
  }
}
