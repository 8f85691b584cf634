internal import DecantBase
internal import DecantStore

/// The conversion of an attribute's values from a column of one store to a column of another.
///
/// They are compared in the canonical form; if one side marks its bytes or stores them in files, by the bytes
/// themselves, also if one side was read from a database that has no files; if the columns of one side hold less precise
/// dates, rounded as these are.
struct ValueConversion {
  let from: RelationColumn
  let to: RelationColumn
  /// The attribute's name, for errors.
  let property: String
  /// Whether two existing stores are compared, so that the less precise one may also be the source.
  let isComparison: Bool

  /// Whether both columns use the same form.
  private var isVerbatim: Bool {
    from.encoding == to.encoding && from.isExternal == to.isExternal
  }

  /// Whether it is the same if bytes are inline or in a file.
  private var ignoresFiles: Bool {
    isComparison && from.isExternal && to.isExternal && (from.isReadWithoutFiles || to.isReadWithoutFiles)
  }

  /// The form in which values are compared: that of the destination's column; between two existing stores, the spelling of
  /// either side that has one.
  private var compared: ValueEncoding {
    guard isComparison, let spelling = to.spelling ?? from.spelling else { return to.encoding }
    return .spelled(spelling)
  }

  /// Returns the value to write for `value` of the source's column.
  func written(_ value: String) -> String {
    guard !isVerbatim else { return value }
    let canonical = from.isExternal ? "content('source', \(value))" : from.encoding.decoding(value)
    return to.isExternal
      ? "marked(x'\(to.inlineMark.map(\.hex).joined())', \(canonical))"
      : to.encoding.encoding(canonical, of: property)
  }

  /// Returns the value to hash for `value` of the source's column.
  func expected(_ value: String) -> String {
    let value = compared.spelling(
      proven(value, of: "source", from), isOwn: compared == from.spelling.map { .spelled($0) })
    let isRounded = to.holdsMicroseconds && !(isVerbatim && from.holdsMicroseconds)
    return isRounded ? ValueEncoding.roundedToMicroseconds(value) : value
  }

  /// Returns the value to hash for `value` of the destination's column.
  ///
  /// A copy must contain exactly the values it was given, so values are rounded in comparisons only.
  func actual(_ value: String) -> String {
    let isOwn = !isComparison || to.spelling != nil || from.spelling == nil
    let value = compared.spelling(proven(value, of: "destination", to), isOwn: isOwn)
    let isRounded = isComparison && from.holdsMicroseconds && !to.holdsMicroseconds
    return isRounded ? ValueEncoding.roundedToMicroseconds(value) : value
  }

  private func proven(_ value: String, of side: String, _ column: RelationColumn) -> String {
    if isVerbatim, !ignoresFiles { return column.isExternal ? "external('\(side)', \(value))" : value }
    return column.isExternal ? "content('\(side)', \(value))" : column.encoding.decoding(value)
  }

  /// Returns the storage of values too large for memory; `nil` if the values cannot be bytes.
  func stream(_ relation: Relation, _ destination: Relation) -> StreamedColumn? {
    guard to.type == .binary || to.type == .transformable, relation.opensValues,
      destination.opensValues
    else { return nil }
    var stream = StreamedColumn(source: relation.end(of: from), destination: destination.end(of: to))
    guard !isVerbatim || ignoresFiles else { return stream }
    if from.isExternal {
      (stream.source.mark, stream.source.filesOf) = (from.inlineMark, "source")
    }
    if to.isExternal {
      (stream.destination.mark, stream.destination.filesOf) = (to.inlineMark, "destination")
    }
    return stream
  }
}
