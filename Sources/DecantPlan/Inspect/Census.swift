internal import DecantBase
internal import DecantStore

/// The counts of an inspection in progress.
struct Census {
  private let model: Model
  private(set) var entities: [EntityInspection]
  private(set) var problems: [StoreProblem] = []
  private var positions: [String: Int] = [:]
  private var faults: [LinkFault: [Property: Int64]] = [:]

  /// Creates counts of 0.
  ///
  /// - Parameters:
  ///   - model: The model of the store.
  ///   - layout: The layout of its links.
  ///   - isComplete: Whether more than objects will be counted.
  init(model: Model, layout: Layout, isComplete: Bool) {
    let columns = layout.relations.flatMap(\.columns).compactMap { column -> (Property, DeleteRule)? in
      guard case .target(let property) = column.columnRole, let rule = column.onDelete else { return nil }
      return (property, rule)
    }
    let keys = layout.nonIntegerKeys.compactMap { key in key.onDelete.map { (key.relationship, $0) } }
    let rules = Dictionary(columns + keys, uniquingKeysWith: { first, _ in first })
    self.model = model
    entities = model.entities.map { entity in
      EntityInspection(
        name: entity.name,
        superentity: entity.superentity,
        depth: model.lineage(of: entity.name).count - 1,
        isAbstract: entity.isAbstract,
        attributes: entity.attributes.map { AttributeInspection(attribute: $0) },
        relationships: entity.relationships.map {
          RelationshipInspection(relationship: $0, onDelete: rules[Property(entity.name, $0.name)])
        }
      )
    }
    for (position, entity) in entities.enumerated() { positions[entity.name] = position }
    guard !isComplete else { return }
    for entity in entities.indices {
      entities[entity].isComplete = false
      for index in entities[entity].attributes.indices { entities[entity].attributes[index].isComplete = false }
      for index in entities[entity].relationships.indices { entities[entity].relationships[index].isComplete = false }
    }
  }

  /// Returns the number of objects of `entity` and all its subentities.
  func objectCount(ofFamily entity: String) -> Int64 {
    self[entity].map { $0.objectCount + $0.subentityObjectCount } ?? 0
  }

  /// Returns the number of objects with a value of `attribute`.
  func valueCount(of attribute: Property) -> Int64 {
    self[attribute.entity]?.attributes.first { $0.attribute.name == attribute.name }?.valueCount
      ?? 0
  }

  /// Counts objects of exactly `entity`.
  mutating func addObjects(_ count: Int64, of entity: String) {
    for ancestor in model.lineage(of: entity) {
      guard let position = positions[ancestor.name] else { continue }
      if ancestor.name == entity {
        entities[position].objectCount += count
      } else {
        entities[position].subentityObjectCount += count
      }
    }
  }

  /// Counts rows of `relation` whose entity does not belong there: an unknown `code`, or the code of `entity`.
  mutating func addMisplacedObjects(_ count: Int64, code: Int64?, of entity: String?, in relation: Relation) {
    let number =
      switch (code, entity) {
      case (nil, _): "no number"
      case (let code?, nil): "number \(code), which is not in the model"
      case (let code?, let entity?): "number \(code), \(entity), which does not belong in this table"
      }
    problems.append(
      StoreProblem(
        .unknownEntity,
        subject: relation.table,
        count: count,
        text: "\(relation.table): \(count.counted("row")) of an entity with \(number)"
      )
    )
  }

  /// Counts links of `relationship` with `fault`.
  mutating func add(_ count: Int64, _ fault: LinkFault, of relationship: Property) {
    guard count > 0 else { return }
    faults[fault, default: [:]][relationship, default: 0] += count
  }

  /// Adds problems for the faulty links, by relationship in the model's order.
  mutating func nameFaults() {
    for entity in entities {
      for own in entity.relationships {
        let property = Property(entity.name, own.relationship.name)
        for fault in LinkFault.allCases {
          guard let count = faults[fault]?[property] else { continue }
          problems.append(fault.problem(count, of: property))
        }
      }
    }
  }

  /// Counts values of `attribute` in objects of the concrete entity `owner`.
  mutating func addValues(
    _ count: Int64,
    byteCount: Int64,
    of attribute: Property,
    type: AttributeType,
    in owner: String
  ) {
    if let position = positions[owner] {
      if type.isBinary {
        entities[position].binaryByteCount += byteCount
      } else {
        entities[position].byteCount += byteCount
      }
    }
    guard let position = positions[attribute.entity],
      let index = entities[position].attributes.firstIndex(where: { candidate in
        // A leaf of a composite attribute is counted for the whole.
        candidate.attribute.name == attribute.name
          || attribute.name.hasPrefix(candidate.attribute.name + ".")
      })
    else { return }
    entities[position].attributes[index].valueCount += count
    entities[position].attributes[index].byteCount += byteCount
  }

  /// Counts the external files of values; the values themselves are counted already.
  mutating func add(_ files: ExternalFileCounts) {
    addValues(0, byteCount: files.byteCount, of: files.attribute, type: .binary, in: files.entity)
    let owner = files.entity == files.attribute.entity ? "" : " in \(files.entity)"
    if files.unreadableCount > 0 {
      problems.append(
        StoreProblem(
          .unreadableValues,
          subject: files.attribute.description,
          count: files.unreadableCount,
          text: "\(files.attribute)\(owner): \(files.unreadableCount.counted("value")) in a form "
            + "that is neither inline data nor a file name"
        )
      )
    }
    guard files.missingCount > 0 else { return }
    problems.append(
      StoreProblem(
        .missingFiles,
        subject: files.attribute.description,
        count: files.missingCount,
        text: "\(files.attribute)\(owner): \(files.missingCount) of "
          + "\(files.referenceCount.counted("external file")) missing"
      )
    )
  }

  /// Counts links of `relationship`, and the stored rows if it is its own inverse.
  mutating func addLinks(_ count: Int64, dangling: Int64, of relationship: Property, rows: Int64 = 0) {
    guard let position = positions[relationship.entity],
      let index = entities[position].relationships.firstIndex(where: {
        $0.relationship.name == relationship.name
      })
    else { return }
    entities[position].relationships[index].linkCount += count
    entities[position].relationships[index].danglingCount += dangling
    entities[position].relationships[index].rowCount += rows
  }

  /// Counts rows whose key should be that of a row of `target`, and is not.
  mutating func addLostKeys(_ count: Int64, _ key: Property, of target: String) {
    guard count > 0 else { return }
    problems.append(
      StoreProblem(
        .danglingLinks,
        subject: key.description,
        count: count,
        text: "\(key): \(count.counted("key")) of no row of \(target)"
      )
    )
  }

  /// Copies the link counts of to-one relationships to their to-many inverses, and adds problems for dangling links.
  mutating func shareLinksWithInverses() {
    for (position, entity) in entities.enumerated() {
      for (index, own) in entity.relationships.enumerated() {
        if own.danglingCount > 0 {
          let name = "\(entity.name).\(own.relationship.name)"
          problems.append(
            .dangling(own.danglingCount, of: name, model.terms)
          )
        }
        guard own.relationship.isToMany, let name = own.relationship.inverse,
          let inverse = inverse(name, of: own.relationship), !inverse.relationship.isToMany
        else { continue }
        entities[position].relationships[index].linkCount = inverse.linkCount
      }
    }
  }

  private func inverse(_ name: String, of relationship: Relationship) -> RelationshipInspection? {
    for ancestor in model.lineage(of: relationship.destination) {
      let inverse = self[ancestor.name]?.relationships.first { $0.relationship.name == name }
      if let inverse { return inverse }
    }
    return nil
  }

  private subscript(name: String) -> EntityInspection? {
    positions[name].map { entities[$0] }
  }
}
