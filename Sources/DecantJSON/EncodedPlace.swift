/// A value of a JSON document under construction.
final class EncodedPlace {
  private var content = Content.nothing

  private enum Content {
    case nothing
    case value(JSONValue)
    case list([EncodedPlace])
    /// Members in order, and the position of each by name.
    case members([(name: String, place: EncodedPlace)], [String: Int])
  }

  /// The encoded JSON; `nil` if nothing was encoded.
  var json: JSONValue? {
    switch content {
    case .nothing: nil
    case .value(let value): value
    // An element or member that encodes nothing becomes an empty object.
    case .list(let places): .array(places.map { $0.json ?? .object([]) })
    case .members(let members, _): .object(members.map { ($0.name, $0.place.json ?? .object([])) })
    }
  }

  /// The number of elements of the list.
  var count: Int { if case .list(let places) = content { places.count } else { 0 } }

  /// Encodes `value` into the place.
  func take(_ value: some Encodable, at path: [any CodingKey]) throws {
    guard let scalar = value as? any JSONScalar else {
      return try value.encode(to: PlaceEncoder(place: self, codingPath: path))
    }
    guard let json = scalar.json else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(codingPath: path, debugDescription: "JSON cannot represent \(value)")
      )
    }
    content = .value(json)
  }

  func beNull() { content = .value(.null) }

  /// Makes this an object; an existing object is kept.
  func beMembers() { if case .members = content { return } else { content = .members([], [:]) } }

  /// Makes this a list; an existing list is kept.
  func beList() { if case .list = content { return } else { content = .list([]) } }

  /// Returns an empty place for the member `name`, which replaces any existing member of that name.
  func member(_ name: String) -> EncodedPlace {
    let place = EncodedPlace()
    guard case .members(var members, var positions) = content else { return place }
    content = .nothing
    if let position = positions[name] {
      members[position].place = place
    } else {
      positions[name] = members.count
      members.append((name, place))
    }
    content = .members(members, positions)
    return place
  }

  /// Returns an empty place at the end of the list.
  func next() -> EncodedPlace {
    let place = EncodedPlace()
    guard case .list(var places) = content else { return place }
    content = .nothing
    places.append(place)
    content = .list(places)
    return place
  }
}

/// A type that is encoded as one JSON value, without parts.
private protocol JSONScalar {
  /// The value; `nil` if JSON cannot represent it.
  var json: JSONValue? { get }
}

extension JSONValue: JSONScalar { fileprivate var json: JSONValue? { self } }
extension Bool: JSONScalar { fileprivate var json: JSONValue? { .bool(self) } }
extension String: JSONScalar { fileprivate var json: JSONValue? { .string(self) } }
extension Double: JSONScalar {
  fileprivate var json: JSONValue? { isFinite ? .number(self) : nil }
}
extension Float: JSONScalar {
  /// The shortest digits for a `Float`, fewer than those of the same number as a `Double`.
  fileprivate var json: JSONValue? { isFinite ? Double("\(self)").map { .number($0) } : nil }
}

extension FixedWidthInteger {
  fileprivate var json: JSONValue? {
    Int64(exactly: self).map { .integer($0) } ?? .raw(String(self))
  }
}
extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension Int128: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}
extension UInt128: JSONScalar {}
