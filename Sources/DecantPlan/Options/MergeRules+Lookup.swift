package import DecantBase
package import DecantStore
internal import DecantSQLite

extension MergeRules {
  /// Returns the identity of `entity`'s objects: given, found, or from the model's constraints.
  package func identity(of entity: String, in model: Model) -> [String]? {
    let lineage = model.lineage(of: entity)
    return lineage.lazy.compactMap { identities[$0.name] }.first
      ?? lineage.lazy.compactMap { $0.uniquenessConstraints.first { !$0.isEmpty } }.first
  }

  /// Returns the names in all further uniqueness constraints of `entity`.
  package func furtherIdentity(of entity: String, in model: Model) -> [String] {
    Array(
      model.lineage(of: entity).flatMap { $0.uniquenessConstraints.filter { !$0.isEmpty } }
        .dropFirst().joined()
    )
  }

  /// Returns whether the identity of `entity` is an attribute that decant found.
  package func isFound(_ entity: String, in model: Model) -> Bool {
    model.lineage(of: entity).contains { foundIdentities[$0.name] != nil }
  }

  /// Returns the rule for objects of `entity`: its own, that of the nearest superentity, or the general one.
  package func rule(of entity: String, in model: Model) -> Rule {
    model.lineage(of: entity).lazy.compactMap { rules[$0.name] }.first ?? rule
  }

  /// Returns the columns of the destination's `relation` that keep their values in a merge, each with the codes of the
  /// entities concerned.
  package func keptColumns(of relation: Relation, in model: Model) -> [String: [Int64]] {
    var kept: [String: [Int64]] = [:]
    for entity in relation.entities {
      let names = rule(of: entity.name, in: model).keeps
      guard !names.isEmpty else { continue }
      let lineage = Set(model.lineage(of: entity.name).map(\.name))
      for column in relation.columns {
        guard let property = column.columnRole.keptWith, names.contains(property.name),
          lineage.contains(property.entity)
        else { continue }
        kept[column.name, default: []].append(entity.code)
      }
    }
    return kept
  }

  /// Returns the attribute by which `newest` determines which of two objects of `entity` was changed later.
  package func time(of entity: String, in model: Model) -> Property? {
    guard !rule(of: entity, in: model).followsOwner else { return nil }
    let wanted = rule(of: entity, in: model).attribute
    for name in wanted.map({ [$0] }) ?? MergeRules.timeNames {
      for declaring in model.lineage(of: entity) {
        let own = declaring.attributes.first { attribute in
          wanted != nil
            ? attribute.name == name
            : attribute.name.lowercased().filter { $0 != "_" } == name && !attribute.isTransient
        }
        if let own { return Property(declaring.name, own.name) }
      }
    }
    return nil
  }

  /// Returns the note for a merge with the general policy `newest` on entities without a modification time, whose
  /// existing objects are left unchanged.
  ///
  /// - Parameters:
  ///   - entities: The concrete entities with objects in the source.
  ///   - model: The destination's model.
  /// - Returns: One note, or none.
  package func timeNotes(_ entities: [String], in model: Model) -> [ReportNote] {
    let names = entities.filter { name in
      let rule = rule(of: name, in: model)
      return model[name] != nil && rule.policy == .newest && !rule.followsOwner
        && time(of: name, in: model) == nil
    }
    guard let first = names.first else { return [] }
    return [
      ReportNote(
        .timesMissing,
        "\(option: .merge, "newest"): these have no modification time, so the destination's values are kept, as with "
          + "skip: \(names.joined(separator: ", "))",
        remedy: "where \(model.terms == .rows ? "a column" : "an attribute") holds it, name it: "
          + "\(option: .merge, "\(first): newest by …")"
      )
    ]
  }

  /// Returns the note on objects that both stores have with different values, which `skip` leaves as they are.
  ///
  /// File formats with several ways to identify objects name these objects themselves.
  ///
  /// - Parameters:
  ///   - entities: The counts of the merge.
  ///   - model: The model with the entities.
  /// - Returns: At most one note.
  package func keptNotes(_ entities: [EntityReport], in model: Model) -> [ReportNote] {
    guard likeness == nil else { return [] }
    let kept = entities.compactMap { entity -> (name: String, count: Int64)? in
      guard let merge = entity.merge, rule(of: entity.name, in: model).policy == .skip else { return nil }
      let count = merge.changed - entity.updated - merge.keptBoth
      return count > 0 ? (entity.name, count) : nil
    }
    guard !kept.isEmpty else { return [] }
    let total = kept.reduce(0) { $0 + $1.count }
    let list = kept.map { "\($0.name) \($0.count.grouped)" }.joined(separator: ", ")
    return [
      ReportNote(
        .differentContent,
        "\(total.counted(model.terms.object)) \(total == 1 ? "keeps its" : "keep their") values, which differ from the "
          + "source's: \(list)",
        remedy: "\(say: .merge, "update") takes the source's, keep-both adds the source's "
          + "\(total == 1 ? model.terms.object : model.terms.objects) as new"
      )
    ]
  }

  /// Returns whether an attribute can contain a time: dates and numbers can, and any column of a table, where dates may
  /// be texts.
  package static func canTellTime(_ name: String, of entity: String, in model: Model) -> Bool {
    guard !model.isFromTables else { return true }
    return switch model.attributes(of: entity).first(where: { $0.name == name })?.type {
    case .date, .integer16, .integer32, .integer64, .decimal, .double, .float, .undefined, nil: true
    case .string, .boolean, .binary, .uuid, .uri, .transformable, .objectID, .composite: false
    }
  }

  /// Returns SQL that tests whether one time is later than another: NULL if that is unknown.
  ///
  /// Two numbers are compared. Texts are parsed as SQLite parses dates, down to milliseconds, then by their
  /// fractions of a second. Other texts are compared if both have a form in which later texts are greater.
  package static func isLater(_ time: String, _ other: String) -> String {
    func both(_ sql: (String) -> String) -> String { "\(sql(time)) AND \(sql(other))" }
    func fraction(_ text: String) -> String {
      "CASE WHEN substr(\(text), 20, 1) = '.' THEN CAST('0' || substr(\(text), 20) AS REAL) ELSE 0 END"
    }
    func shape(_ text: String) -> String { (1...9).reduce(text) { "replace(\($0), '\($1)', '0')" } }
    // Rounding may have taken one of the two to the next second.
    let rest = "((\(fraction(time))) - (\(fraction(other))))"
    return "CASE WHEN \(both { "typeof(\($0)) IN ('integer', 'real')" }) THEN \(time) > \(other) "
      + "WHEN NOT (\(both { "typeof(\($0)) = 'text'" })) THEN NULL "
      + "WHEN julianday(\(time)) = julianday(\(other)) "
      + "THEN \(rest) > 0 AND \(rest) < 0.5 OR \(rest) < -0.5 "
      + "WHEN \(both { "julianday(\($0)) IS NOT NULL" }) THEN julianday(\(time)) > julianday(\(other)) "
      + "WHEN \(both { "julianday(\($0)) IS NULL" }) AND \(shape(time)) = \(shape(other)) "
      + "AND \(shape(time)) IN (\(sortedForms.map(\.sqlText).joined(separator: ", "))) THEN \(time) > \(other) END"
  }

  /// Times that SQLite does not parse, with a 0 for each digit, in forms in which the later one is greater.
  private static let sortedForms = [
    "00000000T000000Z", "00000000T000000", "00000000000000", "00000000", "0000-00-00 00:00:00 UTC",
    "0000-00-00 00:00:00 Z", "0000/00/00", "0000/00/00 00:00", "0000/00/00 00:00:00", "0000:00:00 00:00:00",
    // Seconds and milliseconds since 1970.
    "0000000000", "0000000000000",
  ]

  /// Common names of attributes with a modification time, in lower case and without “_”.
  private static let timeNames = [
    "modifiedat", "updatedat", "lastmodified", "lastmodifiedat", "modificationdate", "datemodified",
    "modifieddate", "modifiedon", "updatedate", "lastupdated", "lastupdatedat", "modified",
    "updated",
    "changedat", "lastchanged",
  ]
}

extension ColumnRole {
  /// The attribute or link with which the column is kept; `nil` for columns of the object itself.
  fileprivate var keptWith: Property? {
    switch self {
    case .attribute(let property), .target(let property), .targetEntity(let property),
      .position(let property), .owner(let property), .ownerPosition(let property):
      property
    case .key, .unnamed, .revision: nil
    }
  }
}
