internal import DecantBase
internal import DecantStore

/// How the values of an attribute go from a column of one store into a column of another.
///
/// They are compared in the canonical form; where one side marks its bytes or keeps them in files, by
/// the bytes themselves.
struct ValueConversion {
  let from: RelationColumn
  let to: RelationColumn
  /// The attribute's name, for what is refused.
  let property: String

  /// Whether both write values in the same way.
  private var isVerbatim: Bool {
    from.encoding == to.encoding && from.isExternal == to.isExternal
  }

  /// What is written for `value`, as the source's column holds it.
  func written(_ value: String) -> String {
    guard !isVerbatim else { return value }
    let canonical = from.isExternal ? "content('source', \(value))" : from.encoding.decoding(value)
    return to.isExternal
      ? "marked(x'\(to.inlineMark.map(\.hex).joined())', \(canonical))"
      : to.encoding.encoding(canonical, of: property)
  }

  /// What is hashed for `value`, as the source's column holds it.
  func expected(_ value: String) -> String { proven(value, of: "source", from) }

  /// What is hashed for `value`, as the destination's column holds it.
  func actual(_ value: String) -> String { proven(value, of: "destination", to) }

  private func proven(_ value: String, of side: String, _ column: RelationColumn) -> String {
    if isVerbatim { return column.isExternal ? "external('\(side)', \(value))" : value }
    return column.isExternal ? "content('\(side)', \(value))" : column.encoding.decoding(value)
  }

  /// Where the values lie that are too large for memory; `nil` where they can be no bytes.
  func stream(_ relation: Relation, _ destination: Relation) -> StreamedColumn? {
    guard to.type == .binary || to.type == .transformable, relation.opensValues,
      destination.opensValues
    else { return nil }
    var stream = StreamedColumn(source: relation.end(of: from), destination: destination.end(of: to))
    guard !isVerbatim else { return stream }
    if from.isExternal {
      (stream.source.mark, stream.source.filesOf) = (from.inlineMark, "source")
    }
    if to.isExternal {
      (stream.destination.mark, stream.destination.filesOf) = (to.inlineMark, "destination")
    }
    return stream
  }
}
