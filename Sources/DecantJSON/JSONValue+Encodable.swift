extension JSONValue {
  /// Encodes `value` as JSON: members in the order of encoding, without those not encoded.
  ///
  /// Integers keep all digits, and a `Float` the digits that restore it. Integer keys become names. Every value encodes
  /// itself: types for which Foundation's encoder has a special form, such as `URL`, have none here.
  ///
  /// - Parameter value: The value to encode; a `JSONValue` in it is kept.
  /// - Throws: `EncodingError`, with the path to the value, for a number that is infinite or NaN, because JSON cannot
  ///   represent it; and the errors of `value`.
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
  /// Encodes the value with any encoder, which may or may not keep the order of members.
  ///
  /// - Throws: `JSONFault` for a `raw` text that is not valid JSON, and the errors of the encoder.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let bool): try bool.encode(to: encoder)
    case .integer(let integer): try integer.encode(to: encoder)
    case .number(let number):
      // As in the written form: JSON cannot represent these.
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

  /// Reads a text with one value, strictly.
  package init(reading text: String) throws {
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

/// The name of a member that is known only at run time.
package struct MemberName: CodingKey {
  package let stringValue: String
  package var intValue: Int? { nil }

  /// Creates the name of a member.
  package init(_ name: String) { stringValue = name }
  package init(stringValue: String) { self.stringValue = stringValue }
  /// Creates the name of a member from the digits of an integer.
  package init(intValue: Int) { stringValue = String(intValue) }
}
