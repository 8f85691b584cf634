internal import DecantBase
internal import DecantPlan
internal import DecantProof
internal import DecantStore
internal import DecantSQLite

// The objects and links of one entity or relationship.
extension DiffPage {
  func write(_ section: Section) throws(DecantError) {
    try output.write(
      """
      <section class="kind" id="s\(section.number)">
      <h2><bdi>\(HTMLText.visible(section.name))</bdi> <small>\(section.words(section.counts))</small></h2>

      """
    )
    for (kind, count) in section.counts where count > 0 {
      try list?.forEach(of: section.name, kind) { item throws(DecantError) in
        try next(section.name)
        guard item.isShown else { return }
        try write(item)
      }
    }
    let listed = list?.counts(of: section.name) ?? [:]
    let left = section.counts.map { (kind: $0.kind, count: $0.count - (listed[$0.kind] ?? 0)) }
    if left.contains(where: { $0.count > 0 }) { try writeMore(section.words(left)) }
    try output.write("</section>\n")
  }

  private func write(_ item: FoundDifferences.Item) throws(DecantError) {
    switch item.step.kind {
    case .objects(let root):
      let sides = Sided<[Int64]>(item.keysInA, item.keysInB)
      var objects = Sided<PageObject?>(nil, nil)
      for side in MatchSide.allCases {
        guard let key = sides[side].first, let place = stores[side].place(of: root) else { continue }
        objects[side] = try stores[side].object(PageReference(relation: place, key: key))
      }
      try begin(item.kind, try title(of: objects, item.kind))
      try write(item.kind == .changed ? rows(of: item, objects) : rows(of: objects, item.kind))
    case .unkeyed(_, let key):
      let names = item.values.filter { value in value.assignment.proof.map { key.contains($0.property) } == true }
      let bindings = names.compactMap { $0.a ?? $0.b }
      try begin(item, bindings.isEmpty ? nil : RowNames.name(of: bindings))
      try write(rows(of: item))
    case .rows:
      try begin(item, nil)
      try write(rows(of: item))
    case .links(let links):
      var ends: [DiffCell] = []
      for (key, root) in zip(item.keysInA, [links.ownerRoot, links.targetRoot]) {
        ends.append(try stores.source.link(to: root, key))
      }
      try begin(item.kind, ends.map(\.title).joined(separator: " → "))
      // The ends of the link are its title.
      if item.kind == .changed { try write(rows(of: item)) }
    }
    try output.write("</article>\n")
  }

  // MARK: Headings

  private func begin(_ item: FoundDifferences.Item, _ name: String?) throws(DecantError) {
    let count = item.count == 1 ? nil : "\(item.count.grouped) rows alike"
    let words = [name, count].compactMap(\.self).joined(separator: ", ")
    try begin(item.kind, words.isEmpty ? "" : "<code>\(HTMLText.visible(words))</code>")
  }

  /// Begins an object; `title` is HTML.
  private func begin(_ kind: DiffReport.Item.Kind, _ title: String) throws(DecantError) {
    try output.write(
      "<article class=\"\(kind.rawValue)\">\n<h3><span class=\"tag\">\(kind.words)</span> \(title)</h3>\n"
    )
  }

  /// Returns the title of an object, its key, and the object it is a part of, as HTML.
  private func title(of objects: Sided<PageObject?>, _ kind: DiffReport.Item.Kind) throws(DecantError) -> String {
    let side: MatchSide = kind == .onlyInB ? .destination : .source
    guard let object = objects[side], let reference = object.reference else { return "" }
    let store = stores[side]
    let own = store.ownTitle(of: object).map { "<bdi>\(HTMLText.visible($0))</bdi>" }
    var keys = [try store.keyText(reference)]
    if kind == .changed, let there = objects.destination?.reference {
      let text = try stores.destination.keyText(there)
      if text != keys[0] { keys.append("\(text) in B") }
    }
    let key = "<code>\(HTMLText.visible(keys.joined(separator: ", ")))</code>"
    var owner = ""
    if let whole = try store.owner(of: object) {
      owner = " <small>in <bdi>\(HTMLText.visible(whole))</bdi></small>"
    }
    return [own, key].compactMap(\.self).joined(separator: " ") + owner
  }

  // MARK: Rows

  /// An attribute on both sides; `nil` if a side does not have the object.
  struct Row {
    let name: String
    let a: DiffCell?
    let b: DiffCell?
  }

  /// Returns the differences of an object that exists on both sides.
  private func rows(of item: FoundDifferences.Item, _ objects: Sided<PageObject?>) throws(DecantError) -> [Row] {
    var rows: [Row] = []
    for value in item.values {
      let bindings = Sided(value.a, value.b)
      var cells = Sided<DiffCell?>(nil, nil)
      for side in MatchSide.allCases {
        guard let object = objects[side],
          let column = stores[side].column(value.assignment, of: object)
        else {
          cells[side] = try cell(bindings[side] ?? .null, value.assignment)
          continue
        }
        cells[side] = try stores[side].cell(object, column)
      }
      rows.append(Row(name: name(of: value), a: cells.source, b: cells.destination))
    }
    return rows
  }

  /// Returns all values of an object that exists in only one store.
  private func rows(of objects: Sided<PageObject?>, _ kind: DiffReport.Item.Kind) throws(DecantError) -> [Row] {
    let side: MatchSide = kind == .onlyInB ? .destination : .source
    guard let object = objects[side] else { return [] }
    let store = stores[side]
    var rows: [Row] = []
    for (position, column) in store.relation(object.shape.relation).columns.enumerated() {
      guard let name = column.columnRole.shownName else { continue }
      if case .null = object.values[position] { continue }
      let cell = try store.cell(object, position)
      rows.append(side == .source ? Row(name: name, a: cell, b: nil) : Row(name: name, a: nil, b: cell))
    }
    return rows
  }

  /// Returns the values of a row without an integer key.
  private func rows(of item: FoundDifferences.Item) throws(DecantError) -> [Row] {
    var rows: [Row] = []
    for value in item.values where value.differs {
      // An empty value of a row that only one store has needs no line.
      if item.kind != .changed, (value.a ?? .null) == .null, (value.b ?? .null) == .null { continue }
      var cells = Sided<DiffCell?>(nil, nil)
      if let a = value.a { cells.source = try cell(a, value.assignment) }
      if let b = value.b { cells.destination = try cell(b, value.assignment) }
      rows.append(Row(name: name(of: value), a: cells.source, b: cells.destination))
    }
    return rows
  }

  private func name(of value: FoundDifferences.Value) -> String {
    value.assignment.proof?.property ?? value.assignment.column
  }

  private func cell(_ value: Binding, _ assignment: CopyStep.Assignment) throws(DecantError) -> DiffCell {
    try stores.destination.cell(value, assignment, comparison.destination.layout)
  }
}

extension ColumnRole {
  /// The name under which a value is shown; `nil` for a value that only complements another one.
  fileprivate var shownName: String? {
    switch self {
    case .attribute(let property), .target(let property): property.name
    case .owner(let property): "\(property)"
    case .unnamed(let name): name
    case .key, .targetEntity, .position, .ownerPosition, .revision: nil
    }
  }
}
