internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Determines how values are anonymized.
extension MappingProperties {
  /// Applies the anonymizations of `part.rule` to the values of its attributes.
  func anonymization(_ part: inout MappedPart) throws(DecantError) {
    for word in part.rule?.anonymized ?? [] {
      let name = word.attribute.text
      guard
        let column = destination.column(name, of: part.entity, { .attribute($0) }),
        let value = part.values[column.columnRole]
      else { continue }
      let plain = try self.value(value, of: word, part)
      let text =
        switch word.anonymization {
        case .hash: try hashed(plain, column, word, part)
        case .redact: try redacted(plain, column, word, part)
        }
      part.values[column.columnRole] = .expression(text)
    }
  }

  /// Returns the value as an expression.
  private func value(_ value: MappedValue, of word: Mapping.Anonymized, _ part: MappedPart)
    throws(DecantError) -> String
  {
    switch value {
    case .column(let own) where !own.isExternal && own.columnRole.property != nil:
      return (own.columnRole.property?.name ?? "").quotedName
    case .expression(let text): return "(\(text)\n)"
    case .column:
      throw mistake(
        word,
        part,
        "may be stored in external files, which cannot be anonymized",
        "exclude it instead: use drop, or strip in a share"
      )
    case .generated, .link, .place:
      throw mistake(word, part, "is generated, so it reveals nothing", "remove it under anonymize")
    }
  }

  private func hashed(
    _ value: String,
    _ column: RelationColumn,
    _ word: Mapping.Anonymized,
    _ part: MappedPart
  ) throws(DecantError) -> String {
    let isUUID: Bool
    switch column.type {
    case .string?: isUUID = false
    case .uuid?: isUUID = true
    // A column without a type may hold text; other values are rejected when they are read.
    case nil, .undefined?: isUUID = false
    case let type?:
      throw mistake(
        word,
        part,
        "is of type \(type.name), but only text and UUIDs can be hashed",
        "write \(word.attribute.text): redact"
      )
    }
    let name = "\(part.entity).\(word.attribute.text)".sqlText
    return "disguised(\(value), \(isUUID ? 1 : 0), \(name))"
  }

  private func redacted(
    _ value: String,
    _ column: RelationColumn,
    _ word: Mapping.Anonymized,
    _ part: MappedPart
  ) throws(DecantError) -> String {
    let name = word.attribute.text
    let constraints = destination.model.lineage(of: part.entity).flatMap(\.uniquenessConstraints)
    let identity = part.rule?.identity.map(\.text) ?? []
    guard !identity.contains(name), !constraints.contains(where: { $0.contains(name) }) else {
      throw mistake(word, part, "identifies objects, but redacted values would all be equal", "write \(name): hash")
    }
    if destination.model.isFromTables {
      // A plain column accepts any value: each value keeps its storage class.
      return "CASE typeof(\(value)) WHEN 'null' THEN NULL WHEN 'text' THEN 'redacted' "
        + "WHEN 'blob' THEN x'' ELSE 0 END"
    }
    let literal: String
    switch column.type {
    case .string?: literal = "'redacted'"
    case .uri?: literal = "'redacted:'"
    case .integer16?, .integer32?, .integer64?, .boolean?, .decimal?, .double?, .float?, .date?:
      literal = "0"
    case .uuid?: literal = "zeroblob(16)"
    case .binary?: literal = "x''"
    case let type:
      throw mistake(
        word,
        part,
        "is of type \(type?.name ?? "undefined"), which has no neutral value",
        "exclude it instead: use drop, or strip in a share"
      )
    }
    return "CASE WHEN \(value) IS NOT NULL THEN \(literal) END"
  }

  private func mistake(
    _ word: Mapping.Anonymized,
    _ part: MappedPart,
    _ message: String,
    _ remedy: String
  ) -> DecantError {
    mapping.mistake("\(part.entity).\(word.attribute.text) \(message)", at: word.attribute.mark, remedy: remedy)
  }
}
