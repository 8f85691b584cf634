internal import DecantJSON

/// The members of an object, taken one after the other, so that in the end it is known which are left.
struct JSONMembers {
  let value: DocumentValue
  private var taken: Set<String> = []

  init(_ value: DocumentValue) { self.value = value }

  /// Takes the first of `names` whose value says something; the others count as not taken.
  mutating func take(_ names: String...) -> DocumentValue? {
    for name in names {
      guard let value = value[name], !value.isVoid else { continue }
      taken.insert(name)
      return value
    }
    return nil
  }

  /// Takes a text, or a number as it is written, trimmed.
  mutating func text(_ names: String...) throws -> String? {
    for name in names {
      guard let text = try value[name]?.trimmed else { continue }
      taken.insert(name)
      return text
    }
    return nil
  }

  /// Has `names` count as taken.
  mutating func pass(_ names: String...) { taken.formUnion(names) }

  /// Has `names` count as not taken.
  mutating func leave(_ names: String...) { taken.subtract(names) }

  /// Returns what was not taken and says something, in its order; of members that come twice the last.
  ///
  /// - Parameter keepsFalse: Whether `false` says something.
  /// - Returns: The members with their values.
  /// - Throws: What reading a long text throws.
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
  /// Whether this is `null`, or a text, array or object with nothing in it.
  var isVoid: Bool {
    switch self {
    case .null: true
    case .text(let text): text.isEmpty
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    case .bool, .number: false
    }
  }

  /// A text, or a number as it is written, without blanks at both ends; `nil` where nothing is left.
  var trimmed: String? {
    get throws {
      guard let text = try string?.trimmingBlanks, !text.isEmpty else { return nil }
      return text
    }
  }

  /// Whether the value is an object.
  package var isObject: Bool { if case .object = self { true } else { false } }

  /// The object's text in what most often holds it: `name`, `title`, `text`.
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
  /// The first bytes, up to `count`.
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
  /// Each once, in the order in which they come first; empty ones left out.
  package var withoutRepeats: [String] {
    var seen: Set<String> = []
    return filter { !$0.isEmpty && seen.insert($0).inserted }
  }
}
