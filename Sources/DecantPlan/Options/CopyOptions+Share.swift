package import DecantBase

/// Shares: named parts of a store in a mapping file.
extension CopyOptions {
  /// The value of a parameter in the conditions of a share.
  public struct Parameter: Sendable, Hashable {
    /// The name, without the colon.
    public var name: String
    /// The value as written: an integer or decimal number is a number, anything else is a text, and text in single
    /// quotes is always a text.
    public var value: String

    /// Creates a parameter.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The size limit of a share.
  struct Bound: Sendable, Hashable {
    var share: String
    /// The place of the share in the file.
    var place: String
    var maxObjects: Int64?
    var maxBytes: Int64?
  }

  /// Selects the share `name` of the mapping, with its roots, its stripped attributes and its size limit.
  ///
  /// A value always becomes a single literal in a condition, whatever it contains.
  ///
  /// - Parameters:
  ///   - name: The name of the share in the file.
  ///   - parameters: A value for each parameter in its conditions.
  /// - Throws: `DecantError` of the family `.usage` if there is no such share, a parameter has no value or two, or a
  ///   value has no parameter; with the place in the file if there is one.
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
  /// Whether the size in bytes is limited.
  package var hasByteLimit: Bool { bound?.maxBytes != nil }

  /// Throws if a share has more objects than its limit.
  package func check(objectCount: Int64) throws(DecantError) {
    guard let bound, let most = bound.maxObjects, objectCount > most else { return }
    throw DecantError(
      .limitExceeded,
      "the share \(bound.share) would have \(objectCount.counted("object")), but its limit is \(most.counted("object"))",
      place: bound.place,
      remedy: "request less, or raise max: { objects: … }; nothing was written"
    )
  }

  /// Throws if the written but unpublished result has more bytes than the limit of its share.
  package func check(byteCount: Int64) throws(DecantError) {
    guard let bound, let most = bound.maxBytes, byteCount > most else { return }
    throw DecantError(
      .limitExceeded,
      "the share \(bound.share) would have \(byteCount.counted("byte")), but its limit is \(most.counted("byte"))",
      place: bound.place,
      remedy: "request less, strip more, or raise max: { bytes: … }; nothing was written"
    )
  }

  /// Throws if a share has a byte limit and its destination cannot be measured before publication.
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
