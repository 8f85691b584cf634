internal import DecantBase
internal import DecantPlan

extension EntityInspection {
  /// Returns the names of the entity's properties in a few lines, followed by an empty line.
  func overviewLines(_ columnCount: Int, _ terms: Terms) -> [String] {
    var text = LabelledText(indentation: 2, columnCount: columnCount)
    let names = attributes.map(\.attribute.name)
    let shown =
      names.count <= EntityInspection.overviewLimit + 2
      ? names : Array(names.prefix(EntityInspection.overviewLimit))
    let rest = names.count > shown.count ? ["and \(names.count - shown.count) more"] : []
    text.add(terms.attributes, list: shown + rest)
    text.add(terms.relationships, list: relationships.map(\.relationship.arrow))
    text.add("identity", list: identityCandidates.map { $0.text(terms) })
    return text.lines.isEmpty ? [] : [title] + text.lines + [""]
  }

  /// Returns a line for each attribute and each relationship.
  func detailLines(_ terms: Terms) -> [String] {
    var lines = ["\(title) · \(counts(terms))"]
    if !attributes.isEmpty {
      var table = TextTable(
        [terms.attribute, "type"] + (isComplete ? ["values", "size", ""] : [""]),
        words: isComplete ? [0, 1, 4] : [0, 1, 2]
      )
      for attribute in attributes { table.add(attribute.cells) }
      lines += table.lines.map { "  " + $0 }
    }
    if !relationships.isEmpty {
      let hasDangling = relationships.contains { $0.danglingCount > 0 }
      var table = TextTable(
        [terms.relationship, "to", "inverse", "on delete"] + (isComplete ? ["links"] : [])
          + (hasDangling ? ["dangling"] : []),
        words: [0, 1, 2, 3]
      )
      for relationship in relationships {
        let cells = relationship.cells
        table.add(hasDangling ? cells + [relationship.danglingCount.grouped] : cells)
      }
      lines += [""] + table.lines.map { "  " + $0 }
    }
    if !identityCandidates.isEmpty {
      lines += [
        "", "  identity: " + identityCandidates.map { $0.text(terms) }.joined(separator: ", "),
      ]
    }
    return lines.map(\.printable)
  }

  private func counts(_ terms: Terms) -> String {
    let own = objectCount.groupedCount(terms.object)
    guard subentityObjectCount > 0 else { return own }
    let inherited = subentityObjectCount.groupedCount(terms.object) + " of sub-entities"
    return isAbstract ? inherited : "\(own), \(inherited)"
  }

  /// The maximum number of attributes that are named; the rest are only counted.
  private static let overviewLimit = 30

  private var title: String {
    name + (superentity.map { ": \($0)" } ?? "") + (isAbstract ? " (abstract)" : "")
  }
}

extension IdentityCandidate {
  /// Returns the attributes, and the reason why they are a candidate.
  fileprivate func text(_ terms: Terms) -> String {
    let names = attributes.joined(separator: " + ")
    return switch reason {
    case .constraint: "\(names) (\(terms.uniqueness))"
    case .values: "\(names) (all values differ)"
    }
  }
}

extension Relationship {
  /// The relationship and its destination: `steps → many Step`.
  fileprivate var arrow: String { "\(name) → \(isToMany ? "many " : "")\(destination)" }
}

extension AttributeInspection {
  /// Name, type, figures and remarks.
  fileprivate var cells: [String] {
    var remarks: [String] = []
    if attribute.isTransient { remarks.append("transient") }
    if let derivation = attribute.derivation { remarks.append("derived from \(derivation)") }
    if attribute.allowsExternalStorage { remarks.append("external storage") }
    if let value = attribute.defaultValue {
      remarks.append("default \(value.text(as: attribute.type))")
    }
    let counts = attribute.isTransient ? ["", ""] : [valueCount.grouped, byteCount.asByteCount]
    return [attribute.name, attribute.type.name + (attribute.isOptional ? "?" : "")]
      + (isComplete ? counts : []) + [remarks.joined(separator: ", ")]
  }
}

extension RelationshipInspection {
  /// Name, destination, inverse, delete rule and number of links.
  fileprivate var cells: [String] {
    let many = relationship.isToMany ? (relationship.isOrdered ? "many, ordered" : "many") : ""
    let kinds = [many, relationship.isOptional ? "" : "required"].filter { !$0.isEmpty }
    return [
      relationship.name,
      relationship.destination + (kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))"),
      relationship.inverse ?? "none", onDelete.map { "on delete: \($0.words)" } ?? relationship.deleteRule.words,
    ] + (isComplete ? [linkCount.grouped] : [])
  }
}

extension DeleteRule {
  /// The rule in words for people.
  fileprivate var words: String {
    switch self {
    case .noAction: "no action"
    case .nullify, .cascade, .deny: rawValue
    }
  }
}

extension Value {
  /// Returns a default value on one line.
  fileprivate func text(as type: AttributeType) -> String {
    switch self {
    case .null: "none"
    case .integer(let integer) where type == .boolean: integer == 0 ? "false" : "true"
    case .integer(let integer): "\(integer)"
    case .double(let double): "\(double)"
    case .date(let seconds): "\(seconds) s after 2001"
    case .decimal(let text), .uri(let text): text
    case .text(let text): "“\(text)”"
    case .uuid(let bytes): bytes.uuidText
    case .binary(let bytes): Int64(bytes.count).asByteCount
    }
  }
}
