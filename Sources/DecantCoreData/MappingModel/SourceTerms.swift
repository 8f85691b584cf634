internal import DecantBase
internal import DecantSQLite

/// Converts key paths and constants of a mapping model to expressions of a mapping, for one source entity.
struct SourceTerms {
  let model: Model
  /// The entity whose objects the expressions apply to.
  let entity: String

  /// The reason why a mapping cannot express it: the end of a sentence that begins with its subject.
  struct Refusal: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// The end of a key path.
  enum End {
    case attribute(Attribute)
    case toOne(Relationship)
  }

  /// A key path as SQL, and the properties that it reads.
  struct Term {
    let sql: String
    let end: End
    let reads: [Property]
  }

  /// Returns the term for `names`: to-one relationships, followed by another one or an attribute.
  func term(_ names: [String]) throws(Refusal) -> Term {
    var current = entity
    var sql = ""
    var reads: [Property] = []
    for (index, name) in names.enumerated() {
      guard let declaring = declaring(name, current) else {
        throw Refusal("\(current) has no property \(name)")
      }
      reads.append(Property(declaring, name))
      if index == 0 {
        sql = "\(entity.quotedName).\(name.quotedName)"
      } else {
        // The alias is unique in the query, so that the same entity may occur twice.
        let alias = "step \(index)".quotedName
        sql =
          "(SELECT \(alias).\(name.quotedName) FROM \(current.quotedName) AS \(alias) "
          + "WHERE \(alias).\"_id\" = \(sql))"
      }
      if let attribute = model.attribute(name, of: current) {
        guard index == names.count - 1 else { throw Refusal("\(name) is not a relationship") }
        try checkIsReadable(attribute, of: current)
        return Term(sql: sql, end: .attribute(attribute), reads: reads)
      }
      guard let relationship = model.relationship(name, of: current) else { break }
      guard !relationship.isTransient else { throw Refusal("a store does not hold \(current).\(name)") }
      guard !relationship.isToMany else {
        throw Refusal("\(current).\(name) is to-many")
      }
      if index == names.count - 1 { return Term(sql: sql, end: .toOne(relationship), reads: reads) }
      current = relationship.destination
    }
    throw Refusal("it has no target")
  }

  /// Returns the entity that declares the property: `entity` or a parent.
  func declaring(_ name: String, _ entity: String) -> String? {
    model.lineage(of: entity).first { candidate in
      candidate.attributes.contains { $0.name == name }
        || candidate.relationships.contains { $0.name == name }
    }?.name
  }

  private func checkIsReadable(_ attribute: Attribute, of entity: String) throws(Refusal) {
    let name = "\(entity).\(attribute.name)"
    guard !attribute.isTransient, attribute.type != .undefined else {
      throw Refusal("a store does not hold \(name)")
    }
    guard !attribute.allowsExternalStorage else {
      throw Refusal("\(name) may be in external files")
    }
    if case .composite = attribute.type { throw Refusal("\(name) is composite") }
  }

  /// Returns the constant as SQL, if an attribute of this type can have it.
  static func literal(_ value: Value, for type: AttributeType) throws(Refusal) -> String {
    let fits =
      switch (value, type) {
      case (.integer(let number), .boolean): (0...1).contains(number)
      case (.integer, .integer16), (.integer, .integer32), (.integer, .integer64): true
      case (.integer, .double), (.integer, .float), (.integer, .decimal): true
      case (.double, .double), (.double, .float), (.double, .decimal), (.decimal, .decimal): true
      case (.date, .date), (.text, .string), (.binary, .binary), (.uuid, .uuid), (.uri, .uri): true
      default: false
      }
    guard fits, let literal = value.sqlLiteral else {
      throw Refusal("an attribute of type \(type.name) cannot have it")
    }
    // SQL text ends at a NUL.
    guard !literal.unicodeScalars.contains("\0") else { throw Refusal("text contains a NUL") }
    return literal
  }
}
