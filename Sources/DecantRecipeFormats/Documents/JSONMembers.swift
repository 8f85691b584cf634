internal import DecantBase
internal import DecantJSON

/// The members of an object, taken one by one, so that the members left over are known at the end.
struct JSONMembers {
  let value: DocumentValue
  private var taken: Set<String> = []

  init(_ value: DocumentValue) { self.value = value }

  /// Takes the first of `names` that has a non-empty value; the others do not count as taken.
  mutating func take(_ names: String...) -> DocumentValue? {
    for name in names {
      guard let value = value[name], !value.isVoid else { continue }
      taken.insert(name)
      return value
    }
    return nil
  }

  /// Takes a text, or a number as written, trimmed.
  mutating func text(_ names: String...) throws -> String? {
    for name in names {
      guard let text = try value[name]?.trimmed else { continue }
      taken.insert(name)
      return text
    }
    return nil
  }

  /// Marks `names` as taken.
  mutating func pass(_ names: String...) { taken.formUnion(names) }
  mutating func pass(_ names: [String]) { taken.formUnion(names) }

  /// Marks `names` as not taken.
  mutating func leave(_ names: String...) { taken.subtract(names) }

  /// Returns the non-empty members that were not taken, in order; of duplicates, the last.
  ///
  /// - Parameter keepsFalse: Whether `false` counts as a value.
  /// - Returns: The members with their values.
  /// - Throws: Errors from reading a long text.
  func rest(keepsFalse: Bool = true) throws -> [(String, JSONValue)] {
    var seen: Set<String> = []
    var rest: [(String, JSONValue)] = []
    for (name, value) in value.members.reversed()
    where !taken.contains(name) && seen.insert(name).inserted && !value.isVoid {
      if !keepsFalse, case .bool(false) = value { continue }
      rest.append((name, try value.json))
    }
    return rest.reversed()
  }
}

extension DocumentValue {
  /// Whether this is `null`, or an empty text, array or object.
  var isVoid: Bool {
    switch self {
    case .null: true
    case .text(let text): text.isEmpty
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    case .bool, .number: false
    }
  }

  /// A text, or a number as written, without white space at both ends; `nil` where nothing is left.
  var trimmed: String? {
    get throws {
      guard let text = try string?.trimmed, !text.isEmpty else { return nil }
      return text
    }
  }

  /// Whether the value is an object.
  package var isObject: Bool { if case .object = self { true } else { false } }

  /// The text of an object in the member that most likely holds it: `name`, `title` or `text`.
  var label: String? {
    get throws {
      guard isObject else { return try trimmed }
      for name in ["name", "title", "text", "label", "@value"] {
        if let text = try self[name]?.trimmed { return text }
      }
      return nil
    }
  }
}

extension DocumentText {
  /// Returns the first bytes, up to `count`.
  func head(_ count: Int) throws -> [UInt8] {
    switch self {
    case .short(let text): return Array(text.utf8.prefix(count))
    case .long(let text):
      return try [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
        used = try text.read(at: 0, into: UnsafeMutableRawBufferPointer(buffer))
      }
    }
  }

  /// Whether the text is longer than what is kept in memory.
  var isSpooled: Bool { if case .long = self { true } else { false } }
}

extension [String] {
  /// The elements in the order of their first occurrence, without duplicates and empty ones.
  package var withoutRepeats: [String] {
    var seen: Set<String> = []
    return filter { !$0.isEmpty && seen.insert($0).inserted }
  }
}
