internal import DecantBase
internal import DecantJSON

/// A conflict as a line of JSON in the file of conflicts; the manual's page “Conflicts” describes the format.
struct ConflictLine {
  let kind: MergeConflict.Kind
  let entity: String
  /// The object's keys in the destination and in the source; `null` in the store that lacks it.
  let mine, theirs: JSONValue
  let title: String?
  /// The subject of the conflict.
  var subject: Subject
  /// The decision as JSON text; `nil` if the conflict is undecided.
  var decision: String?

  /// The subject of a conflict.
  enum Subject {
    /// An attribute or a link, with its three values.
    case value(String, base: JSONValue, mine: JSONValue, theirs: JSONValue)
    /// An ordered list, with its contents in all three stores.
    case order(String, base: [JSONValue], mine: [JSONValue], theirs: [JSONValue])
    /// An object that one store has removed, with its values in the other store, and the number and digest of its parts.
    case deleted(byTheirs: Bool, values: [(name: String, value: JSONValue)], parts: JSONValue?)
    /// The differing values of two objects whose pairing may be wrong.
    case pair(by: String, values: [(name: String, mine: JSONValue, theirs: JSONValue)])

    var kind: MergeConflict.Kind {
      switch self {
      case .value: .value
      case .order: .order
      case .deleted: .deleted
      case .pair: .pair
      }
    }
  }

  /// The text of the line, without line feed.
  var text: String {
    var members: [(String, JSONValue)] = [
      ("kind", .string(kind.rawValue)), ("entity", .string(entity)),
      ("key", .object([("mine", mine), ("theirs", theirs)])),
      ("title", title.map { .string($0) } ?? .null),
    ]
    switch subject {
    case .value(let attribute, let base, let mine, let theirs):
      members += [
        ("attribute", .string(attribute)), ("base", base), ("mine", mine), ("theirs", theirs),
      ]
    case .order(let list, let base, let mine, let theirs):
      members += [
        ("attribute", .string(list)), ("base", .array(base)), ("mine", .array(mine)),
        ("theirs", .array(theirs)),
      ]
    case .deleted(let byTheirs, let values, let parts):
      members += [
        ("deletedBy", .string(byTheirs ? "theirs" : "mine")),
        ("values", .object(values.map { ($0.name, $0.value) })),
      ]
      if let parts { members.append(("parts", parts)) }
    case .pair(let way, let values):
      members += [
        ("pairedBy", .string(way)),
        (
          "values",
          .object(values.map { ($0.name, .object([("mine", $0.mine), ("theirs", $0.theirs)])) })
        ), ("same", .null),
      ]
    }
    members.append(("take", decision.map { .raw($0) } ?? .null))
    return JSONValue.object(members).text
  }

  /// Returns the line of a value conflict after the destination's value has changed.
  func replacing(mine: JSONValue) -> ConflictLine {
    guard case .value(let attribute, let base, _, let theirs) = subject else { return self }
    var line = self
    line.subject = .value(attribute, base: base, mine: mine, theirs: theirs)
    return line
  }

  /// The conflict in the form for interactive decisions.
  var conflict: MergeConflict {
    var conflict = MergeConflict(
      kind: kind,
      entity: entity,
      mineKey: mine.text,
      theirsKey: theirs.text,
      title: title,
      differences: [],
      isRemovedByTheirs: false,
      line: text
    )
    switch subject {
    case .value(let attribute, let base, let mine, let theirs):
      (conflict.attribute, conflict.base) = (attribute, base.shown)
      conflict.differences = [
        MergeConflict.Difference(attribute: attribute, mine: mine.shown, theirs: theirs.shown)
      ]
    case .order(let list, let base, let mine, let theirs):
      (conflict.attribute, conflict.base) = (list, JSONValue.array(base).shown)
      conflict.differences = [
        MergeConflict.Difference(
          attribute: list,
          mine: JSONValue.array(mine).shown,
          theirs: JSONValue.array(theirs).shown
        )
      ]
    case .deleted(let byTheirs, let values, _):
      conflict.isRemovedByTheirs = byTheirs
      conflict.differences = values.filter { $0.value.text != "null" }.map { name, value in
        MergeConflict.Difference(
          attribute: name,
          mine: (byTheirs ? value : .null).shown,
          theirs: (byTheirs ? .null : value).shown
        )
      }
    case .pair(_, let values):
      conflict.differences = values.map {
        MergeConflict.Difference(attribute: $0.name, mine: $0.mine.shown, theirs: $0.theirs.shown)
      }
    }
    return conflict
  }
}

extension JSONValue {
  /// The value in the form for interactive decisions.
  fileprivate var shown: MergeConflict.Value { MergeConflict.Value(json: text, text: words) }

  private var words: String {
    switch self {
    case .null: return "(none)"
    case .string(let text): return text
    case .object(let members):
      let found = Dictionary(members, uniquingKeysWith: { first, _ in first })
      if case .integer(let count)? = found["bytes"] {
        guard case .string(let type)? = found["type"] else { return count.asByteCount }
        return "\(type), \(count.asByteCount)"
      }
      let key = found["key"]?.text ?? ""
      guard case .string(let title)? = found["title"] else { return "key \(key)" }
      return "\(title) (key \(key))"
    case .raw(let text) where text == "null": return "(none)"
    case .array(let elements): return elements.map(\.words).joined(separator: "\n")
    case .bool, .integer, .number, .raw: return text
    }
  }
}
