internal import DecantBase
internal import DecantPlan

/// What a new store goes on with that takes the place of another one.
struct IdentityTransfer {
  /// The identifier by which references know the store.
  let uuid: String
  /// By root entity of the new store the highest key that was allocated; a key is never given to a second object.
  let counters: [String: Int64]

  /// That of `source`, whose objects `mapping` makes into those of `model`; `nil` where the new store is to stand
  /// beside it.
  init?(of source: CoreDataSource, to model: Model, _ options: CopyOptions) {
    guard options.succeedsSource else { return nil }
    uuid = source.file.uuid.isEmpty ? StoreMetadata.newUUID() : source.file.uuid
    var counters: [String: Int64] = [:]
    func take(_ entity: String, _ earlier: String) {
      guard let root = model.root(of: entity)?.name,
        let number = source.model.root(of: earlier).flatMap({ source.file.numbers[$0.name] }),
        let counter = source.file.counters[number]
      else { return }
      counters[root] = max(counters[root] ?? 0, counter)
    }
    let rules = options.mapping?.entities ?? []
    for rule in rules {
      for word in rule.sources.isEmpty ? [rule.name] : rule.sources {
        take(rule.name.text, word.text)
      }
    }
    let ruled = Set(rules.map(\.name.text))
    if options.mapping?.isInferred != true {
      for entity in model.entities where !ruled.contains(entity.name) {
        take(entity.name, entity.name)
      }
    }
    self.counters = counters
  }
}
