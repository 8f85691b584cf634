internal import DecantBase
internal import DecantMaintain
internal import DecantPlan
internal import DecantStore

extension CleanReport {
  /// The report for people: what was removed, and the backup of the store.
  var text: String {
    var lines = [store.place, ""]
    if removed.isEmpty {
      lines.append("nothing to remove: it has no \(kinds.joined(separator: ", "))")
    } else {
      lines.append(isDryRun ? "would be removed" : "removed")
      var table = LabelledText(indentation: 2, columnCount: StandardOutput.columnCount)
      for removal in removed { table.add(removal.layer.kind, list: removal.parts) }
      lines += table.lines + [""]
    }
    if removed.isEmpty, freePageCount > 0 {
      let pages = freePageCount.groupedCount("free page")
      lines.append(
        "\(pages) \(isDryRun ? "would be" : freePageCount == 1 ? "was" : "were") removed by vacuum, "
          + "including previously deleted data"
      )
    }
    if isDryRun || (removed.isEmpty && freePageCount == 0) {
      lines.append("nothing was written")
    } else {
      lines.append(
        "verified: everything else was read back and is unchanged · "
          + "\(byteCountBefore.asByteCount) → \(byteCountAfter.asByteCount)"
      )
    }
    lines += notes.commandLine.map { "note: \($0)" }
    if let backup {
      let what = removed.isEmpty ? "" : ", including the removed data"
      lines.append("the previous store\(what): \(backup)")
      lines.append("  to restore it, close the app and run: decant rollback \(store.place.shellWord)")
    }
    return lines.joined(separator: "\n")
  }
}

extension SyncMetadataRemoval {
  /// The removed parts, in words.
  fileprivate var parts: [String] {
    let tables = layer.tables.map { table in
      table.noun.map { table.rowCount.groupedCount($0) }
        ?? "\(table.name.printable) (\(table.rowCount.grouped))"
    }
    let books = Int64(counters.count).groupedCount("row") + " of Z_PRIMARYKEY"
    return tables + layer.metadataKeys.map(\.printable) + (counters.isEmpty ? [] : [books])
  }
}
