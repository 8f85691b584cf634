internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantProof
internal import DecantStore
internal import DecantSQLite

/// Writes the differences between two stores, side by side: counts first, then object by object.
final class DiffPage {
  let report: DiffReport
  let comparison: Comparison
  /// The differences; `nil` if only the schemas differ, or nothing.
  let list: FoundDifferences?
  let output: PageOutput
  /// The two stores with all their content, read in the state that was compared.
  let stores: Sided<PageStore>
  let cancellation: Cancellation
  private let tell: (WorkEvent) -> Void
  private var doneCount: Int64 = 0
  /// The number of bytes of pictures in the page.
  var pictureByteCount = 0
  /// The number of pictures that were too large for it.
  var leftOutPictureCount: Int64 = 0

  init(
    _ found: (report: DiffReport, comparison: Comparison, list: FoundDifferences?),
    to output: PageOutput,
    _ cancellation: Cancellation,
    _ tell: @escaping (WorkEvent) -> Void
  ) {
    (report, comparison, list) = found
    (self.output, self.cancellation, self.tell) = (output, cancellation, tell)
    let compared = Sided(found.comparison.source, found.comparison.destination)
    let connection = found.comparison.connection
    stores = Sided { side in
      let store = compared[side].whole
      // The result of a mapping exists only on the connection to which both stores are attached.
      let reader = store.mapped == nil ? connection.reader(of: side.schema) : connection
      return PageStore(store, on: reader, as: side.schema)
    }
  }

  /// Writes the page.
  func write() throws(DecantError) {
    let names = [report.a.place, report.b.place].map { Files.name(of: $0) }
    try PageHead(title: "\(names[0]) – \(names[1])", style: PageStyle.text + DiffStyle.text).write(to: output)
    try output.write("<header class=\"page\">\n<h1>\(report.isEqual ? "No differences" : "Differences")</h1>\n")
    for (side, identity) in [("a", report.a), ("b", report.b)] {
      let place = "<bdi>\(HTMLText.visible(identity.place))</bdi>"
      try output.write("<p class=\"place\"><b class=\"\(side)\">\(side.uppercased())</b> \(place)</p>\n")
    }
    if report.isEqual {
      let count = report.entities.reduce(0) { $0 + $1.same }.groupedCount(report.a.terms.object)
      try output.write("<p>Both stores hold the same \(count).</p>\n")
    }
    try output.write("</header>\n")
    let sections = sections()
    try writeSummary(sections)
    for section in sections where section.isDifferent { try write(section) }
    try writeSchema()
    try writeNotes()
    try output.write("</main>\n</body>\n</html>\n")
    try output.flush()
  }

  /// An entity or a relationship, with its counts.
  struct Section {
    let name: String
    let number: Int
    let same: Int64
    let counts: [(kind: DiffReport.Item.Kind, count: Int64)]
    let matchedBy: MatchedBy?

    var isDifferent: Bool { counts.contains { $0.count > 0 } }

    /// Returns the counts in words: `1 changed, 2 only in A`.
    func words(_ counts: [(kind: DiffReport.Item.Kind, count: Int64)]) -> String {
      counts.filter { $0.count > 0 }.map { "\($0.count.grouped) \($0.kind.words)" }.joined(separator: ", ")
    }
  }

  private func sections() -> [Section] {
    let entities = report.entities.map { entity in
      (entity.name, entity.same, [entity.changed, entity.onlyInA, entity.onlyInB], Optional(entity.matchedBy))
    }
    let rows = report.rows.map { ($0.name, $0.same, [$0.changed, $0.onlyInA, $0.onlyInB], MatchedBy?.none) }
    return (entities + rows).enumerated().map { number, row in
      let counts = zip([DiffReport.Item.Kind.changed, .onlyInA, .onlyInB], row.2).map { (kind: $0, count: $1) }
      return Section(name: row.0, number: number, same: row.1, counts: counts, matchedBy: row.3)
    }
  }

  private func writeSummary(_ sections: [Section]) throws(DecantError) {
    if report.schemaCount > 0 {
      let count = report.schemaCount.groupedCount("difference")
      try output.write("<p><a href=\"#schema\">\(count) of the schemas</a></p>\n")
    }
    guard !sections.isEmpty else { return }
    let heads = ["same", "changed", "only in A", "only in B"].map { "<th scope=\"col\">\($0)</th>" }.joined()
    try output.write(
      """
      <table class="summary">
      <thead><tr><td></td>\(heads)<th scope="col" class="way">matched by</th></tr></thead>
      <tbody>

      """
    )
    for section in sections {
      let name = "<bdi>\(HTMLText.visible(section.name))</bdi>"
      let shown = section.isDifferent ? "<a href=\"#s\(section.number)\">\(name)</a>" : name
      let cells = ([("same", section.same)] + section.counts.map { ($0.kind.rawValue, $0.count) })
        .map { "<td class=\"\($0.1 == 0 ? "zero" : $0.0)\">\($0.1.grouped)</td>" }
      let way = "<td class=\"way\">\(section.matchedBy?.words ?? "")</td>"
      try output.write("<tr><th scope=\"row\">\(shown)</th>\(cells.joined())\(way)</tr>\n")
    }
    try output.write("</tbody>\n</table>\n")
  }

  private func writeSchema() throws(DecantError) {
    guard report.schemaCount > 0 else { return }
    try output.write("<section class=\"kind schema\" id=\"schema\">\n<h2>Schema</h2>\n<ul>\n")
    for difference in report.schema {
      try output.write("<li><bdi>\(HTMLText.visible(difference.text("A", "B")))</bdi></li>\n")
    }
    try output.write("</ul>\n")
    let left = report.schemaCount - Int64(report.schema.count)
    if left > 0 { try writeMore("\(left.groupedCount("difference")) of the schemas") }
    try output.write("</section>\n")
  }

  private func writeNotes() throws(DecantError) {
    var notes = report.notes.commandLine
    if leftOutPictureCount > 0 {
      notes.append(
        "\(leftOutPictureCount.groupedCount("picture")) not shown: the page holds pictures of up to "
          + "\(PageNumber.size(DiffPage.pictureLimit)), \(PageNumber.size(DiffPage.picturesLimit)) together"
      )
    }
    guard !notes.isEmpty else { return }
    try output.write("<section class=\"notes\">\n<h2>Notes</h2>\n<ul>\n")
    for note in notes { try output.write("<li><bdi>\(HTMLText.visible(note))</bdi></li>\n") }
    try output.write("</ul>\n</section>\n")
  }

  /// Writes how many more items there are than are shown.
  func writeMore(_ what: String) throws(DecantError) {
    try output.write("<p class=\"more\">Not shown: \(HTMLText.visible(what)).</p>\n")
  }

  /// Reports that one more object is written; throws if the operation was cancelled.
  func next(_ name: String) throws(DecantError) {
    try cancellation.check()
    doneCount += 1
    let expected = Int64(list?.count ?? 0)
    // A few hundred reports are enough.
    guard doneCount % max(1, expected / 200) == 0 else { return }
    tell(
      .progress(
        WorkProgress(phase: .copy, step: name, rowCount: doneCount, expectedRowCount: expected, byteCount: 0)
      )
    )
  }
}

extension DiffReport.Item.Kind {
  /// The words for a kind of difference.
  var words: String {
    switch self {
    case .changed: "changed"
    case .onlyInA: "only in A"
    case .onlyInB: "only in B"
    }
  }
}
