internal import DecantBase
internal import DecantStore

/// The tables of many-to-many links, looked up in the file.
///
/// For A.r ↔ B.s the table is `Z_<A's number><R>` or `Z_<B's number><S>`; a column is named after the relationship
/// whose destination it holds, with the number of the entity that it belongs to.
struct JoinTables {
  let model: Model
  let numbers: [String: Int64]
  let columns: [String: [String]]
  let place: String

  /// One end of a many-to-many relationship.
  private struct End {
    let entity: String
    let relationship: Relationship

    var upperName: String { relationship.name.uppercased() }
    var property: Property { Property(entity, relationship.name) }
  }

  /// Returns a relation for every pair of to-many relationships.
  func relations() throws(DecantError) -> [LinkRelation] {
    var relations: [LinkRelation] = []
    var seen: Set<Property> = []
    for entity in model.entities {
      for relationship in entity.relationships where relationship.isToMany {
        let end = End(entity: entity.name, relationship: relationship)
        guard !seen.contains(end.property), let other = inverse(of: end),
          other.relationship.isToMany,
          !relationship.isTransient
        else { continue }
        seen.formUnion([end.property, other.property])
        relations.append(try relation(end, other))
      }
    }
    return relations
  }

  private func inverse(of end: End) -> End? {
    guard let property = model.inverseProperty(of: end.relationship) else { return nil }
    return model.relationship(property).map { End(entity: property.entity, relationship: $0) }
  }

  private func relation(_ a: End, _ b: End) throws(DecantError) -> LinkRelation {
    for (namer, other) in [(a, b), (b, a)] {
      for number in candidateNumbers(of: namer, receiving: other) {
        let table = "Z_\(number)\(namer.upperName)"
        guard let present = columns[table] else { continue }
        return try relation(table, present, namer, other)
      }
    }
    throw DecantError(
      .damaged,
      "“\(place)” has no table for the links \(a.property)",
      place: "looked for Z_\(numbers[a.entity] ?? 0)\(a.upperName) and "
        + "Z_\(numbers[b.entity] ?? 0)\(b.upperName)",
      remedy: "the file is damaged, or the model is not the one it was created with"
    )
  }

  /// Returns the possible numbers of an end: of the declaring entity, or of the other end's destination.
  private func candidateNumbers(of end: End, receiving other: End) -> [Int64] {
    [end.entity, other.relationship.destination].compactMap { numbers[$0] }
  }

  private func relation(_ table: String, _ present: [String], _ namer: End, _ other: End)
    throws(DecantError) -> LinkRelation
  {
    let keys = present.filter { !$0.hasPrefix("Z_FOK_") }
    guard keys.count == 2 else {
      throw DecantError(
        .damaged,
        "the link table \(table) of “\(place)” has \(keys.count) key columns instead of 2",
        place: "relationship \(namer.property)",
        remedy: "the file is damaged, or was written by a framework that decant does not support"
      )
    }
    let isReflexive = namer.property == other.property
    let numbersOfNamer = candidateNumbers(of: namer, receiving: other)
    // By default the first column holds the key of the end that the table is named after; matching names take
    // precedence.
    let owner =
      isReflexive
      ? keys[0]
      : keys.first { key in numbersOfNamer.contains { matches(key, "Z_\($0)\(other.upperName)") } }
        ?? keys[0]
    let target = keys.first { $0 != owner } ?? keys[1]
    func position(of column: String) -> String? {
      let name = "Z_FOK_" + (column.hasPrefix("Z_") ? String(column.dropFirst(2)) : column)
      return present.contains(name) ? name : nil
    }
    return LinkRelation(
      relationship: namer.property,
      inverse: other.property,
      table: table,
      ownerColumn: owner,
      targetColumn: target,
      ownerRoot: model.root(of: namer.entity)?.name ?? namer.entity,
      targetRoot: model.root(of: other.entity)?.name ?? other.entity,
      positionColumn: position(of: target),
      inversePositionColumn: position(of: owner),
      isReflexive: isReflexive
    )
  }

  /// Returns whether `column` is `name`, or `name` with a number appended.
  private func matches(_ column: String, _ name: String) -> Bool {
    column.hasPrefix(name) && column.dropFirst(name.count).allSatisfy(\.isNumber)
  }
}
