internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantProof
internal import DecantStore
internal import DecantSQLite

/// The objects of a base that a merge selects by its conditions: what the source has removed of others stays.
struct BaseSelection {
  /// The keys in the base, by root entity; an entity that is not listed is selected as a whole.
  private let selected: [String: KeySet]
  /// Whether removals are not merged at all: the source does not tell what would have been selected of them.
  private let isClosed: Bool
  let notes: [ReportNote]

  /// Selects the objects.
  ///
  /// - Parameters:
  ///   - options: The options of the merge.
  ///   - base: The comparison of the base with the destination.
  /// - Throws: `DecantError` if the base cannot be read.
  init(_ options: CopyOptions, _ base: Comparison) throws(DecantError) {
    isClosed = !options.roots.isEmpty
    guard !isClosed, !options.filters.isEmpty else {
      selected = [:]
      let objects = base.source.model.terms.objects
      notes =
        isClosed
        ? [
          ReportNote(
            .removalsNotMerged,
            "\(objects) that the source has removed stay, because \(option: .root) can only select those that it still has"
          )
        ] : []
      return
    }
    let model = base.source.model
    let views = EntityViews(model: model, layout: base.source.layout)
    try views.offer(in: CopySession.source, on: base.connection)
    var resolve = Resolve(
      connection: base.connection,
      sourceModel: model,
      sourceLayout: base.source.layout,
      sourceSchema: CopySession.source,
      counters: [:]
    )
    var unknown: Set<String> = []
    for filter in options.filters {
      guard let root = model.root(of: filter.entity) else { continue }
      do throws(Expression.Mistake) {
        resolve.filters.append(
          CopyPlan.EntityFilter(
            entity: filter.entity,
            root: root.name,
            entities: model.family(of: filter.entity).map(\.name),
            expression: try Expression(filter.expression, over: filter.entity, views: views).text,
            origin: filter.origin,
            option: filter.option
          )
        )
      } catch {
        // It may read what the base does not have.
        unknown.insert(root.name)
      }
    }
    let ids = IDTable()
    _ = try resolve.fill(ids)
    var selected: [String: KeySet] = [:]
    try explaining("cannot select the objects of the base") { () throws(SQLiteError) in
      for root in Set(resolve.filters.map(\.root)).union(unknown) {
        guard let map = ids.map(of: root) else { continue }
        selected[root] = try unknown.contains(root) ? KeySet(like: map.existing, on: base.connection) : map.included
      }
    }
    self.selected = selected
    let names = unknown.sorted().joined(separator: ", ")
    notes =
      unknown.isEmpty
      ? []
      : [
        ReportNote(
          .removalsNotMerged,
          "\(model.terms.objects) of \(names) that the source has removed stay: the base does not have what "
            + "\(option: .where) reads")
      ]
  }

  /// Whether all objects are selected.
  var isWhole: Bool { !isClosed && selected.isEmpty }

  /// Returns whether the object of the base with `key` is selected.
  func contains(_ key: Int64, of root: String) throws(SQLiteError) -> Bool {
    guard !isClosed else { return false }
    return try selected[root]?.contains(key) ?? true
  }
}
