import Foundation

/// A JSON document as it was read.
indirect enum JSONDocument: Decodable, Hashable, Sendable {
  case null, bool(Bool), integer(Int64), number(Double), text(String)
  case list([JSONDocument])
  case object([String: JSONDocument])

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Key.self) {
      var object: [String: JSONDocument] = [:]
      for key in members.allKeys {
        object[key.stringValue] = try members.decode(JSONDocument.self, forKey: key)
      }
      self = .object(object)
      return
    }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else {
      self = .list(try value.decode([JSONDocument].self))
    }
  }
}

/// What a JSON document has to look like, strictly: a member too many is a fault, and so is one too few.
indirect enum DocumentShape: Sendable {
  case bool, integer, number, text
  /// One of these words.
  case word([String])
  /// `null`, or what is said.
  case optional(DocumentShape)
  /// Any number of such elements, none included.
  case list(DocumentShape)
  /// Any number of members of any name.
  case map(DocumentShape)
  /// Exactly these members.
  case object([String: DocumentShape])
  /// One of these.
  case either([DocumentShape])

  /// Returns what of `document` is not as it has to be, each with its place.
  func faults(in document: JSONDocument, at place: String = "$") -> [String] {
    switch (self, document) {
    case (.bool, .bool), (.integer, .integer), (.number, .integer), (.number, .number),
      (.text, .text), (.optional, .null):
      return []
    case (.word(let words), .text(let text)):
      return words.contains(text) ? [] : ["\(place): “\(text)” is no word for it"]
    case (.optional(let shape), _):
      return shape.faults(in: document, at: place)
    case (.list(let shape), .list(let elements)):
      return elements.enumerated().flatMap { shape.faults(in: $1, at: "\(place)[\($0)]") }
    case (.map(let shape), .object(let members)):
      return members.flatMap { shape.faults(in: $1, at: "\(place).\($0)") }
    case (.object(let shapes), .object(let members)):
      let extra = members.keys.filter { shapes[$0] == nil }.map { "\(place).\($0) is not known" }
      return extra
        + shapes.sorted { $0.key < $1.key }.flatMap { name, shape in
          members[name].map { shape.faults(in: $0, at: "\(place).\(name)") }
            ?? ["\(place).\(name) is missing"]
        }
    case (.either(let shapes), _):
      let all = shapes.map { $0.faults(in: document, at: place) }
      return all.min { $0.count < $1.count } ?? []
    default:
      return ["\(place) is \(document), and has to be \(self)"]
    }
  }
}
