internal import DecantBase
internal import DecantPlan

/// The identity that a new store takes over from the store that it replaces.
struct IdentityTransfer {
  /// The identifier of the store in references.
  let uuid: String
  /// The highest allocated key by root entity of the new store; a key is never used for a second object.
  let counters: [String: Int64]

  /// Returns the identity of `source`, whose objects `mapping` turns into those of `model`.
  ///
  /// Returns `nil` if the new store does not replace it.
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
