/// Encodes into one value of a JSON document.
struct PlaceEncoder: Encoder {
  let place: EncodedPlace
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    place.beMembers()
    return KeyedEncodingContainer(PlaceMembers(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    place.beList()
    return PlaceList(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { PlaceValue(encoder: self) }

  /// Returns the encoder for a member or an element at `place`.
  func inner(_ place: EncodedPlace, _ key: any CodingKey) -> PlaceEncoder {
    PlaceEncoder(place: place, codingPath: codingPath + [key])
  }
}

/// Encodes the members of an object; each is encoded into a place of its own.
private struct PlaceMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: PlaceEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) { inner(key).place.beNull() }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    let inner = inner(key)
    try inner.place.take(value, at: inner.codingPath)
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Inner> { inner(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    inner(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { inner(MemberName("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { inner(key) }

  private func inner(_ key: any CodingKey) -> PlaceEncoder {
    encoder.inner(encoder.place.member(key.stringValue), key)
  }
}

/// Encodes the elements of a list.
private struct PlaceList: UnkeyedEncodingContainer {
  let encoder: PlaceEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.place.count }

  func encodeNil() { next().place.beNull() }

  func encode(_ value: some Encodable) throws {
    let next = next()
    try next.place.take(value, at: next.codingPath)
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type
  ) -> KeyedEncodingContainer<Inner> { next().container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
  func superEncoder() -> any Encoder { next() }

  private func next() -> PlaceEncoder {
    let key = MemberName(intValue: count)
    return encoder.inner(encoder.place.next(), key)
  }
}

/// Encodes the one value of a place.
private struct PlaceValue: SingleValueEncodingContainer {
  let encoder: PlaceEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { encoder.place.beNull() }
  func encode(_ value: some Encodable) throws { try encoder.place.take(value, at: codingPath) }
}
