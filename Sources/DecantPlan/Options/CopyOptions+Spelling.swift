package import DecantBase

/// The spelling of names of tables and columns, which SQLite compares without regard to case.
package struct Spelling {
  /// The model of a plain database; names of any other model are unchanged.
  package let model: Model

  package init(model: Model) {
    self.model = model
  }

  /// Returns the table called `name`, in its own spelling; `name` itself if none or several match.
  package func entity(_ name: String) -> String {
    guard model.isFromTables, model[name] == nil else { return name }
    return model.entities.map(\.name).only(where: { $0.isSameName(as: name) }) ?? name
  }

  /// Returns a column of the table `entity`, in its own spelling.
  func name(_ name: String, of entity: String) -> String {
    let entity = self.entity(entity)
    guard model.isFromTables, model[entity] != nil else { return name }
    let names =
      model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name)
    return names.contains(name) ? name : names.only(where: { $0.isSameName(as: name) }) ?? name
  }

  /// Returns a column with its table, as in `post.author`, in its own spelling.
  func property(_ text: String) -> String {
    guard let dot = text.firstIndex(of: ".") else { return text }
    let entity = String(text[..<dot])
    return "\(self.entity(entity)).\(name(String(text[text.index(after: dot)...]), of: entity))"
  }

  func filters(_ filters: [CopyOptions.Filter]) -> [CopyOptions.Filter] {
    filters.map { filter in
      var filter = filter
      filter.entity = entity(filter.entity)
      return filter
    }
  }
}

extension Sequence {
  /// Returns the only element that satisfies `condition`; `nil` for none, and for several.
  fileprivate func only(where condition: (Element) -> Bool) -> Element? {
    let found = filter(condition)
    return found.count == 1 ? found[0] : nil
  }
}

extension CopyOptions {
  /// Returns the same options, with the names of tables and columns in the spelling of `model`.
  package func spelled(like model: Model) -> CopyOptions {
    guard model.isFromTables, mapping == nil else { return self }
    let spelling = Spelling(model: model)
    var options = self
    options.explainedObject?.entity = spelling.entity(explainedObject?.entity ?? "")
    options.missing = Dictionary(missing.map { (spelling.property($0), $1) }) { first, _ in first }
    options.filters = spelling.filters(filters)
    options.roots = spelling.filters(roots)
    for index in rules.indices {
      options.rules[index].relationship = spelling.property(rules[index].relationship)
    }
    options.merge = merge?.spelled(like: model)
    return options
  }
}

extension MergeRules {
  /// Returns the same rules, with the names of tables and columns in the spelling of `model`.
  package func spelled(like model: Model) -> MergeRules {
    guard model.isFromTables else { return self }
    let spelling = Spelling(model: model)
    func spelled(_ rule: Rule, of entity: String) -> Rule {
      var rule = rule
      rule.attribute = rule.attribute.map { spelling.name($0, of: entity) }
      rule.keeps = rule.keeps.map { spelling.name($0, of: entity) }
      return rule
    }
    var rules = self
    rules.rules = Dictionary(self.rules.map { (spelling.entity($0), spelled($1, of: $0)) }) { first, _ in first }
    rules.identities = Dictionary(
      identities.map { entity, names in
        (spelling.entity(entity), names.map { spelling.name($0, of: entity) })
      }
    ) { first, _ in first }
    rules.withoutIdentity = Set(withoutIdentity.map(spelling.entity))
    return rules
  }
}
