internal import DecantBase
internal import DecantPlan

extension Inspection {
  /// Returns the inspection for people.
  ///
  /// - Parameters:
  ///   - isVerbose: Whether each attribute and relationship has a line, and all notes are shown.
  ///   - columnCount: The width to which lists are wrapped.
  /// - Returns: The lines, the last one without a line end.
  func text(isVerbose: Bool, columnCount: Int) -> String {
    var lines = [identity.place, ""] + headLines(columnCount)
    let links =
      knowsLinks && isComplete ? linkCount.groupedCount("link") : isComplete ? "links unknown" : "links not counted"
    lines += ["", "\(objectCount.groupedCount(terms.object)), \(links)", ""]
    lines += entityTable.lines.map { "  " + $0 }
    lines.append("")
    if isVerbose || entities.count <= Inspection.overviewLimit {
      lines += entities.flatMap {
        isVerbose ? $0.detailLines(terms) + [""] : $0.overviewLines(columnCount, terms)
      }
    } else {
      lines.append(
        "--entity NAME shows \(terms.attributes) and \(terms.relationships) of one \(terms.entity), "
          + "--verbose of all"
      )
      lines.append("")
    }
    lines += syncMetadataLines(columnCount)
    lines += problemLines
    let told = isVerbose ? notes : Array(notes.prefix(3))
    lines += told.map { "note: \($0.commandLine)" }
    if told.count < notes.count {
      lines.append("note: \(notes.count - told.count) more notes: see --verbose")
    }
    return lines.map(\.printable).joined(separator: "\n")
  }

  /// Returns only the entities `names`, in detail.
  func text(of names: [String]) -> String {
    names.compactMap { self[$0]?.detailLines(terms).joined(separator: "\n") }.joined(separator: "\n\n")
  }

  /// The maximum number of entities that are described by default; for more, only the table is shown.
  private static let overviewLimit = 25

  private var terms: Terms { identity.terms }

  private func headLines(_ columnCount: Int) -> [String] {
    var head = LabelledText(columnCount: columnCount)
    head.add("kind", identity.kind)
    if let uuid = identity.uuid { head.add("uuid", uuid) }
    if let version = facts.frameworkVersion {
      let era = facts.frameworkEra.map { ", as in \($0)" } ?? ""
      head.add("written by", "framework \(version)\(era)")
    }
    head.add("size", size.text)
    let versions = versionIdentifiers.map { "“\($0)”" }.joined(separator: ", ")
    head.add("model", facts.modelOrigin + (versions.isEmpty ? "" : ", version \(versions)"))
    if triggerCount > 0 { head.add("triggers", triggerCount.grouped) }
    head.add("app metadata", list: facts.metadataKeys)
    head.add("other tables", list: otherTables.map { "\($0.name) (\($0.rowCount.groupedCount("row")))" })
    return head.lines
  }

  private var entityTable: TextTable {
    guard isComplete else {
      var table = TextTable([terms.entity, terms.objects])
      for entity in entities { table.add([indented(entity), entity.hasNone ? "" : entity.objectCount.grouped]) }
      return table
    }
    let hasBinary = entities.contains { $0.binaryByteCount > 0 }
    var table = TextTable([terms.entity, terms.objects, "size"] + (hasBinary ? ["binary"] : []))
    for entity in entities {
      let name = indented(entity)
      if entity.hasNone {
        table.add([name, "", ""] + (hasBinary ? [""] : []))
      } else {
        let binary = entity.binaryByteCount > 0 ? entity.binaryByteCount.asByteCount : ""
        let bytes = entity.byteCount > 0 ? entity.byteCount.asByteCount : ""
        table.add([name, entity.objectCount.grouped, bytes] + (hasBinary ? [binary] : []))
      }
    }
    return table
  }

  private func indented(_ entity: EntityInspection) -> String {
    String(repeating: "  ", count: entity.depth) + entity.name + (entity.hasNone ? " (abstract)" : "")
  }

  private func syncMetadataLines(_ columnCount: Int) -> [String] {
    guard !facts.syncMetadata.isEmpty else { return [] }
    var text = LabelledText(indentation: 2, columnCount: columnCount)
    for layer in facts.syncMetadata {
      let tables = layer.tables.map { table in
        table.noun.map { table.rowCount.groupedCount($0) }
          ?? "\(table.name) (\(table.rowCount.grouped))"
      }
      text.add(layer.kind, list: tables + layer.metadataKeys)
    }
    return ["sync metadata"] + text.lines + [""]
  }

  private var problemLines: [String] {
    guard isComplete else { return ["--fast only counts objects: values, links and problems were not examined"] }
    guard !problems.isEmpty else { return ["no problems found"] }
    return ["problems"] + problems.map { "  \($0.text)" }
  }
}

extension EntityInspection {
  /// Whether the entity is abstract and has no objects.
  fileprivate var hasNone: Bool { isAbstract && objectCount == 0 }
}

extension StoreSize {
  /// The sizes in one line: the file, and the files beside it.
  fileprivate var text: String {
    var text = database.asByteCount
    if let page { text += " in pages of \(page.grouped) bytes" }
    if log > 0 { text += " + \(log.asByteCount) in the write-ahead log" }
    if externalFiles > 0 { text += " + \(externalFiles.asByteCount) in external files" }
    return text
  }
}
