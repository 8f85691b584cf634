package import DecantBase

/// A named part of a store, as a mapping file has it.
extension CopyOptions {
  /// The value of a parameter in the conditions of a share.
  public struct Parameter: Sendable, Hashable {
    /// The name, without the colon.
    public var name: String
    /// The value as it is written: an integer or a decimal number is one, anything else is a text, and what
    /// stands in single quotes is always a text.
    public var value: String

    /// Pairs a name with its value.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// How large a part may be that is asked for by name.
  struct Bound: Sendable, Hashable {
    var share: String
    /// Where the file says it.
    var place: String
    var maxObjects: Int64?
    var maxBytes: Int64?
  }

  /// Asks for the share `name` of the mapping: begins at its roots, empties what it strips, and holds it to its size.
  ///
  /// A value never becomes anything but one literal of a condition, whatever is written in it.
  ///
  /// - Parameters:
  ///   - name: The name of the share in the file.
  ///   - parameters: A value for each parameter in its conditions.
  /// - Throws: `DecantError` of the family `.usage` where there is no such share, a parameter has no value or two, or a
  ///   value belongs to none; with the place in the file where there is one.
  public mutating func choose(share name: String, _ parameters: [Parameter]) throws(DecantError) {
    guard let mapping else {
      throw DecantError(
        .missingOption,
        "a share must be defined in a mapping file",
        place: "\(option: .share)",
        remedy: "pass the file: \(say: .mapping) FILE"
      )
    }
    guard let share = mapping.shares.first(where: { $0.name.text == name }) else {
      let names = mapping.shares.map(\.name.text)
      throw DecantError(
        .unknownName,
        "“\(mapping.place)” has no share with that name",
        place: "\(option: .share)",
        remedy: name.nearest(in: names).map { "did you mean \($0)?" }
          ?? (names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"),
        remedies: [.correctName(name, among: names)]
      )
    }
    var values: [String: String] = [:]
    for parameter in parameters {
      guard values.updateValue(parameter.value, forKey: parameter.name) == nil else {
        throw DecantError(
          .conflictingOptions,
          "the parameter \(parameter.name) is given twice",
          place: "\(option: .param)",
          remedy: "give it once"
        )
      }
    }
    var known: Set<String> = []
    for root in share.roots {
      let wanted = ShareParameters(root.condition.text)
      for name in wanted.names.sorted() where values[name] == nil {
        throw mapping.mistake(
          "the share \(share.name.text) requires a value for :\(name)",
          at: root.condition.mark,
          remedy: "pass it: \(say: .param) \(name)=…"
        )
      }
      known.formUnion(wanted.names)
      var filter = Filter(
        entity: root.entity.text,
        expression: wanted.binding { ShareParameters.literal(values[$0] ?? "") }
      )
      filter.origin = Filter.Origin(place: mapping.place(of: root.condition.mark), text: root.condition.text)
      roots.append(filter)
    }
    for name in values.keys.sorted() where !known.contains(name) {
      throw DecantError(
        .unknownName,
        "the share \(share.name.text) has no parameter \(name)",
        place: "\(option: .param)",
        remedy: known.isEmpty
          ? "it has none" : "it has \(known.sorted().joined(separator: ", "))"
      )
    }
    bound = Bound(
      share: share.name.text,
      place: mapping.place(of: share.name.mark),
      maxObjects: share.maxObjects,
      maxBytes: share.maxBytes
    )
    self.mapping?.stripped = share.stripped
  }
}

extension CopyOptions {
  /// Whether a part may only have so many bytes.
  package var hasByteLimit: Bool { bound?.maxBytes != nil }

  /// Throws where a part has more objects than its share allows.
  package func check(objectCount: Int64) throws(DecantError) {
    guard let bound, let most = bound.maxObjects, objectCount > most else { return }
    throw DecantError(
      .limitExceeded,
      "the share \(bound.share) would have \(objectCount.counted("object")), but its limit is \(most.counted("object"))",
      place: bound.place,
      remedy: "request less, or raise max: { objects: … }; nothing was written"
    )
  }

  /// Throws where what was written of a part, and is not published, has more bytes than its share allows.
  package func check(byteCount: Int64) throws(DecantError) {
    guard let bound, let most = bound.maxBytes, byteCount > most else { return }
    throw DecantError(
      .limitExceeded,
      "the share \(bound.share) would have \(byteCount.counted("byte")), but its limit is \(most.counted("byte"))",
      place: bound.place,
      remedy: "request less, strip more, or raise max: { bytes: … }; nothing was written"
    )
  }

  /// Throws where a part is held to a number of bytes and goes to a place where it cannot be measured first.
  package func checkCanMeasure(_ place: String) throws(DecantError) {
    guard let bound, bound.maxBytes != nil else { return }
    throw DecantError(
      .unsupportedRequest,
      "the share \(bound.share) has a byte limit, but output to \(place) cannot be measured in advance",
      place: bound.place,
      remedy: "write to one file, or remove max: { bytes: … }"
    )
  }
}
