extension JSONValue {
  /// Makes the JSON of `value`: members in the order in which they are encoded, and none that is not.
  ///
  /// Integers are kept in full, and a `Float` in the digits that give it back. Keys that are integers become names. Every
  /// value encodes itself: a type for which Foundation's encoder has a form of its own, such as `URL`, has none here.
  ///
  /// - Parameter value: What is encoded; a `JSONValue` in it stays as it is.
  /// - Throws: `EncodingError`, with the path to the value, for a number that is infinite or none, as JSON has no word for
  ///   it; and what `value` throws.
  package init(encoding value: some Encodable) throws {
    let place = EncodedPlace()
    try place.take(value, at: [])
    guard let json = place.json else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(codingPath: [], debugDescription: "it encodes nothing")
      )
    }
    self = json
  }
}

extension JSONValue: Encodable {
  /// Encodes the value with any encoder; whether that keeps the order of members is up to it.
  ///
  /// - Throws: `JSONFault` for a `raw` text that is no JSON, and what the encoder throws.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let bool): try bool.encode(to: encoder)
    case .integer(let integer): try integer.encode(to: encoder)
    case .number(let number):
      // As it is written: JSON has no words for these.
      guard number.isFinite else { return try JSONValue.null.encode(to: encoder) }
      try number.encode(to: encoder)
    case .string(let string): try string.encode(to: encoder)
    case .array(let values): try values.encode(to: encoder)
    case .raw(let text): try JSONValue(reading: text).encode(to: encoder)
    case .object(let members):
      var container = encoder.container(keyedBy: MemberName.self)
      for (name, value) in members { try container.encode(value, forKey: MemberName(name)) }
    }
  }

  /// Reads a text that is one value, strictly.
  private init(reading text: String) throws {
    var text = text
    self = try text.withUTF8 { bytes in
      try withUnsafePointer(to: 0) { empty in
        var reader = JSONReader(UnsafeRawBufferPointer(bytes), empty, depthLimit: 64)
        let value = try reader.value(limit: bytes.count)
        try reader.finish()
        return value
      }
    }
  }
}

/// The name of a member that only the value at hand knows.
package struct MemberName: CodingKey {
  package let stringValue: String
  package var intValue: Int? { nil }

  /// Names a member.
  package init(_ name: String) { stringValue = name }
  package init(stringValue: String) { self.stringValue = stringValue }
  /// Names the member by the digits of an integer.
  package init(intValue: Int) { stringValue = String(intValue) }
}
