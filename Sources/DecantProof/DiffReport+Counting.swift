/// Counts of equal and different items of two stores.
protocol DiffCounts {
  var same: Int64 { get set }
  var changed: Int64 { get set }
  var onlyInA: Int64 { get set }
  var onlyInB: Int64 { get set }
}

extension DiffReport.Entity: DiffCounts {}
extension DiffReport.Rows: DiffCounts {}

extension DiffCounts {
  /// Counts items that turned out to differ.
  mutating func count(_ kind: DiffReport.Item.Kind, _ number: Int64) {
    switch kind {
    case .changed: changed += number
    case .onlyInA: onlyInA += number
    case .onlyInB: onlyInB += number
    }
    if kind != .onlyInB { same -= number }
  }
}

extension DiffReport {
  /// Changes the counts of the entity `name`, if it is compared.
  mutating func change(_ name: String, _ body: (inout Entity) -> Void) {
    guard let index = entities.firstIndex(where: { $0.name == name }) else { return }
    body(&entities[index])
  }

  /// Adds the first `limit` of `items`.
  mutating func add(_ items: [Item], limit: Int) {
    isCutOff = isCutOff || items.count > limit
    differences += items.prefix(max(limit, 0))
  }

  /// Adds the first `limit` schema differences of each kind, and the total number.
  mutating func add(_ differences: [SchemaDifference], limit: Int) {
    let named = differences.first(limit)
    isCutOff = isCutOff || named.count < differences.count
    schema += named
    schemaCount += Int64(differences.count)
  }
}
