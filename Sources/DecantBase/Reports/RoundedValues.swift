/// The numbers of values that a store cannot hold exactly as they are on the server, by column.
package struct RoundedValues {
  private var counts: [(column: String, count: Int64)] = []

  package init() {}

  package mutating func add(_ count: Int64, of column: String) {
    if count > 0 { counts.append((column, count)) }
  }

  package mutating func add(_ others: RoundedValues) { counts += others.counts }

  /// The notes for the reader.
  package var notes: [ReportNote] {
    guard !counts.isEmpty else { return [] }
    let list = counts.map { "\($0.column) (\($0.count))" }.joined(separator: ", ")
    return [
      ReportNote(
        .valuesRounded,
        "values that the store cannot represent exactly were rounded: \(list)")
    ]
  }
}
