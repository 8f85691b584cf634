internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Writing links, references and lists of an object.
extension ObjectWriter {
  /// Writes the links in the row itself; returns their number.
  ///
  /// Without `closes` the JSON object stays open for lists.
  mutating func writeLinks(
    _ links: [EntityRows.Link],
    _ opening: StaticString,
    _ row: Statement,
    closes: Bool
  ) throws(SQLiteError) -> Int {
    var count = 0
    for link in links where row.type(at: link.place) != .null {
      if count == 0 { line.append(opening) } else { line.append(",") }
      count += 1
      line.append(raw: link.label)
      let name = link.entityPlace.flatMap { place in
        row.type(at: place) == .integer ? link.entityNames[row.integer(at: place)] : nil
      }
      let isOther = name != nil && name != link.destination
      let hasPosition = link.positionPlace.map { row.type(at: $0) != .null } ?? false
      guard isOther || hasPosition else {
        try encoder.encode(link: row, link.place, to: &line)
        continue
      }
      line.append(#"{"to":"#)
      try encoder.encode(link: row, link.place, to: &line)
      if let name, isOther {
        line.append(#","e":"#)
        line.append(string: name)
      }
      if let place = link.positionPlace, hasPosition {
        line.append(#","at":"#)
        try encoder.encode(link: row, place, to: &line)
      }
      line.append("}")
    }
    if closes, count > 0 { line.append("}") }
    hasOpenLinks = !closes && count > 0
    return count
  }

  /// Writes the links to objects that are not in the archive; returns their number.
  mutating func writeReferences(_ entity: ArchivedEntity, _ rows: EntityRows, _ key: Int64) throws(SQLiteError) -> Int {
    guard let references else { return 0 }
    var count = 0
    for link in rows.links where rows.rows.type(at: link.place) == .null {
      let isFirst = !hasOpenLinks
      let label = link.label
      let found = try references.write(
        link.property,
        of: link.ownPlace.map { rows.rows.value(at: $0) } ?? .integer(key),
        at: link.positionPlace.map { rows.rows.value(at: $0) },
        in: entity.relation,
        to: &line
      ) { line in
        if isFirst { line.append(#","r":{"#) } else { line.append(",") }
        line.append(raw: label)
      }
      if found > 0 { hasOpenLinks = true }
      count += found
    }
    referenceCount += Int64(count)
    return count
  }

  /// Writes why the object of the current row was rejected, and which of its links have no identity to refer to.
  mutating func writeReject(_ rows: EntityRows) throws(DecantError) {
    guard let place = rows.listPlace else { return }
    line.append(#","reject":{"code":"#)
    line.append(string: rows.rows.text(at: place + 1) ?? "")
    line.append(#","reason":"#)
    line.append(string: rows.rows.text(at: place + 2) ?? "")
    var count = 0
    for link in rows.owners + rows.links {
      guard let own = link.ownPlace, rows.rows.type(at: own) != .null,
        rows.rows.type(at: link.place) == .null
      else { continue }
      let value = rows.rows.value(at: own)
      let isTold = try explaining("cannot read \(link.property)") { () throws(SQLiteError) in
        try references?.canTell(link.property, value) ?? false
      }
      guard !isTold else { continue }
      line.append(count == 0 ? #","links":{"# : ",")
      count += 1
      line.append(raw: link.label)
      try explaining("cannot read \(link.property)") { () throws(SQLiteError) in
        try encoder.encode(link: rows.rows, own, to: &line)
      }
    }
    if count > 0 { line.append("}") }
    for (index, name) in rows.lacking.enumerated() {
      line.append(index == 0 ? #","lacks":["# : ",")
      line.append(string: name)
    }
    line.append(rows.lacking.isEmpty ? "}" : "]}")
    unreportedCount += Int64(count)
  }

  /// Writes a line of links to objects that are not in the archive, for each list with such links.
  mutating func writeListedReferences(_ entity: ArchivedEntity, _ key: Int64, _ lists: [LinkRows]) throws(DecantError) {
    guard let references else { return }
    for list in lists where references.tells(list.list.relationship) {
      beginMore(entity.name) { line in line.append(key) }
      let label = list.label
      let count = try explaining("cannot read \(list.list.relationship)") {
        () throws(SQLiteError) in
        try references.write(list.list.relationship, of: .integer(key), in: entity.relation, to: &line) { line in
          line.append(raw: label)
          line.append("[")
        }
      }
      guard count > 0 else { continue }
      referenceCount += Int64(count)
      line.append("]}}")
      try output.append(object: &line, links: count, isMore: true)
    }
  }

  /// Writes the lists of the object and ends its line; links that do not fit go to further lines.
  mutating func writeLists(
    _ lists: [LinkRows],
    of entity: ArchivedEntity,
    _ key: Int64,
    _ linkCount: inout Int
  ) throws(DecantError) {
    var isMore = false
    for list in lists
    where try explaining(
      "cannot read \(list.list.relationship)",
      { () throws(SQLiteError) in
        try list.moves(to: key)
      }
    ) {
      if !isMore, !hasOpenLinks {
        line.append(#","r":{"#)
      } else if hasOpenLinks {
        line.append(",")
      }
      hasOpenLinks = true
      line.append(raw: list.label)
      line.append("[")
      var isFirst = true
      repeat {
        if !isFirst { line.append(",") }
        isFirst = false
        linkCount += 1
        try explaining("cannot read \(list.list.relationship)") { () throws(SQLiteError) in
          try list.write(encoder, to: &line)
        }
        let goesOn = try explaining("cannot read \(list.list.relationship)") {
          () throws(SQLiteError) in try list.moves(to: key)
        }
        guard goesOn else { break }
        guard line.count < ArchiveOutput.lineLimit * 7 / 8 else {
          line.append("]}}")
          try output.append(object: &line, links: linkCount, isMore: isMore)
          linkCount = 0
          isMore = true
          beginMore(entity.name) { line in line.append(key) }
          line.append(raw: list.label)
          line.append("[")
          isFirst = true
          continue
        }
      } while true
      line.append("]")
    }
    line.append(hasOpenLinks ? "}}" : "}")
    hasOpenLinks = false
    try output.append(object: &line, links: linkCount, isMore: isMore)
  }

  mutating func beginMore(_ entity: String, _ key: (inout LineBuffer) -> Void) {
    line.removeAll()
    line.append(#"{"e":"#)
    line.append(string: entity)
    line.append(#","id":"#)
    key(&line)
    line.append(#","more":{"#)
  }

  /// Writes links whose owner does not exist: a plain database keeps them unchanged.
  mutating func writeStray(_ list: LinkRelation) throws(DecantError) {
    guard let owners = source.layout.relation(of: list.ownerRoot) else { return }
    let name = list.relationship.entity
    try explaining("cannot read \(list.relationship)") { () throws(SQLiteError) in
      let rows = try LinkRows(strayOf: list, owners: owners, in: ArchiveWriter.schema, on: connection)
      while try rows.movesOn() {
        line.removeAll()
        line.append(#"{"e":"#)
        line.append(string: name)
        line.append(#","id":"#)
        try rows.writeOwner(encoder, to: &line)
        line.append(#","more":{"#)
        line.append(raw: rows.label)
        line.append("[")
        try rows.write(encoder, to: &line)
        line.append("]}}")
        output.begin(name)
        do throws(DecantError) {
          try output.append(object: &line, links: 1, isMore: true)
        } catch {
          throw SQLiteError(code: SQLiteError.internalCode, message: error.message)
        }
      }
    }
  }
}
