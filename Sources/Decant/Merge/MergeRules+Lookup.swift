extension MergeRules {
  /// The rule for objects of `entity`: its own, or that of the nearest entity above it, else the general one.
  func rule(of entity: String, in model: Model) -> Rule {
    model.lineage(of: entity).lazy.compactMap { rules[$0.name] }.first ?? rule
  }

  /// The attribute by which `newest` tells which of two objects of `entity` was changed later.
  func time(of entity: String, in model: Model) -> Property? {
    let wanted = rule(of: entity, in: model).attribute
    for name in wanted.map({ [$0] }) ?? MergeRules.timeNames {
      for declaring in model.lineage(of: entity) {
        let own = declaring.attributes.first { attribute in
          wanted != nil
            ? attribute.name == name
            : attribute.name.lowercased().filter { $0 != "_" } == name && !attribute.isTransient
        }
        if let own { return Property(declaring.name, own.name) }
      }
    }
    return nil
  }

  /// What attributes are called that tell when an object was last changed: in small letters, without “_”.
  private static let timeNames = [
    "modifiedat", "updatedat", "lastmodified", "lastmodifiedat", "modificationdate", "datemodified",
    "modifieddate", "modifiedon", "updatedate", "lastupdated", "lastupdatedat", "modified",
    "updated",
    "changedat", "lastchanged",
  ]
}
