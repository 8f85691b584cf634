internal import DecantBase
internal import DecantSQLite

/// The indexes on the table of an entity, as in Core Data.
struct EntityIndexes {
  /// An index, and the statement that makes it.
  struct Index {
    let name: String
    let sql: String
  }

  private(set) var indexes: [Index] = []
  /// The indexes of the model that cannot be made: `Entity.name`.
  private(set) var leftOut: [String] = []

  private let names: SchemaNames
  private let table: String
  private let entity: Entity

  init(of entity: Entity, names: SchemaNames, era: SchemaEra) {
    self.names = names
    self.entity = entity
    table = names.table(of: entity.name)
    for relationship in entity.storedToOnes {
      addPlain([names.columns[Property(entity.name, relationship.name)] ?? ""], suffix: "_INDEX")
    }
    for (owner, relationship) in names.ownerships(of: entity.name) {
      addPlain([names.columns[Property(owner.name, relationship.name)] ?? ""], suffix: "_INDEX")
    }
    if entity.superentity == nil, names.model.family(of: entity.name).count > 1 {
      addPlain(["Z_ENT"], suffix: "_INDEX")
    }
    if !era.constrainsInTables { addUniqueness() }
    // In newer frameworks an indexed attribute implies a fetch index, unless there are explicit ones.
    if !entity.fetchIndexes.isEmpty {
      for index in entity.fetchIndexes { add(index) }
    } else if era.knowsFetchIndexes {
      for index in entity.impliedFetchIndexes { add(index) }
    } else {
      addFlagged()
    }
  }

  private mutating func addPlain(_ columns: [String], suffix: String = "") {
    add("\(table)_\(columns.joined(separator: "_"))\(suffix)", columns.map(\.sqlName).joined(separator: ", "))
  }

  private mutating func addFlagged() {
    for attribute in entity.attributes where attribute.isIndexed {
      guard let column = names.column(of: attribute.name, in: entity.name) else { continue }
      addPlain([column], suffix: "_INDEX")
    }
    for properties in entity.compoundIndexes {
      let columns = properties.compactMap { names.column(of: $0, in: entity.name) }
      if columns.count == properties.count { addPlain(columns) }
    }
  }

  private mutating func addUniqueness() {
    for properties in entity.uniquenessConstraints {
      let columns = properties.compactMap { names.column(of: $0, in: entity.name) }
      guard columns.count == properties.count else { continue }
      add(
        "Z_\(entity.name)_UNIQUE_\(properties.joined(separator: "_"))",
        columns.map { "\($0.sqlName) COLLATE BINARY ASC" }.joined(separator: ", "),
        isUnique: true
      )
    }
  }

  private mutating func add(_ index: FetchIndex) {
    guard !index.elements.contains(where: \.isRange) else { return }
    // Links have an index of their own, and to-many relationships no column.
    if index.elements.count == 1, case .property(let name) = index.elements[0].subject,
      names.relationship(name, of: entity.name) != nil
    {
      return
    }
    let columns = index.elements.compactMap { element in
      column(of: element.subject).map {
        "\($0.sqlName) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")"
      }
    }
    let condition = index.condition.map { sql(of: $0) }
    guard columns.count == index.elements.count, condition != .some(nil) else {
      leftOut.append("\(entity.name).\(index.name)")
      return
    }
    add("Z_\(entity.name)_\(index.name)", columns.joined(separator: ", "), where: condition.flatMap(\.self))
  }

  private func column(of subject: FetchIndex.Subject) -> String? {
    switch subject {
    case .property(let name): names.column(of: name, in: entity.name)
    case .object: "Z_PK"
    case .entity: "Z_ENT"
    case .unknown: nil
    }
  }

  /// Returns the condition as SQL, or `nil` for an unknown one.
  private func sql(of condition: FetchIndex.Condition) -> String? {
    switch condition {
    case .unknown: return nil
    case .all(let parts): return joined(parts, by: " AND ")
    case .any(let parts): return joined(parts, by: " OR ")
    case .comparison(let property, let comparison, let value):
      guard let column = names.column(of: property, in: entity.name)?.sqlName else { return nil }
      switch (value, comparison) {
      case (.null, .equal): return "\(column) IS NULL"
      case (.null, .unequal): return "\(column) IS NOT NULL"
      case (.integer(let number), _): return "\(column) \(comparison.rawValue) \(number)"
      default: return nil
      }
    }
  }

  private func joined(_ parts: [FetchIndex.Condition], by word: String) -> String? {
    let texts = parts.compactMap { sql(of: $0) }
    guard !parts.isEmpty, texts.count == parts.count else { return nil }
    return "(\(texts.joined(separator: word)))"
  }

  private mutating func add(_ name: String, _ columns: String, isUnique: Bool = false, where condition: String? = nil) {
    // Real models have duplicate indexes; Core Data makes only one of them.
    guard !indexes.contains(where: { $0.name == name }) else { return }
    let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
    let end = condition.map { " WHERE \($0)" } ?? ""
    indexes.append(Index(name: name, sql: "CREATE \(kind) \(name.sqlName) ON \(table.sqlName) (\(columns))\(end)"))
  }
}

extension Entity {
  /// The fetch indexes that newer frameworks derive from indexed attributes and compound indexes.
  fileprivate var impliedFetchIndexes: [FetchIndex] {
    let single = attributes.filter(\.isIndexed).map { attribute in
      FetchIndex(name: attribute.name, elements: [.init(.property(attribute.name))])
    }
    return single
      + compoundIndexes.filter { !$0.isEmpty }.map { properties in
        FetchIndex(name: properties.joined(separator: "_"), elements: properties.map { .init(.property($0)) })
      }
  }
}
