package import Decant
internal import Foundation
package import TestSupport

/// A model drawn at random: inheritance, siblings with one name, every type and shape of relationship
/// whose tables Core Data names predictably.
package struct RandomModel {
  package private(set) var entities: [Entity] = []
  private var generator: SeededGenerator

  package init(_ generator: SeededGenerator) {
    self.generator = generator
    makeEntities()
    makeRelationships()
  }

  package var model: Model { Model(entities: entities) }

  private static let names = ["Order", "apple", "Zebra", "Über", "_Note", "group", "Item2", "Kind"]
  private static let types: [(type: AttributeType, word: String)] = [
    (.integer16, "Integer 16"), (.integer32, "Integer 32"), (.integer64, "Integer 64"),
    (.boolean, "Boolean"), (.double, "Double"), (.float, "Float"), (.decimal, "Decimal"),
    (.date, "Date"), (.string, "String"), (.uri, "URI"), (.uuid, "UUID"), (.binary, "Binary"),
    (.transformable, "Transformable"),
  ]

  private mutating func makeEntities() {
    for name in Self.names.shuffled(using: &generator).prefix(Int.random(in: 2...6, using: &generator)) {
      let parent =
        Bool.random(using: &generator) ? entities.randomElement(using: &generator)?.name : nil
      var entity = Entity(name: name, superentity: parent)
      // Names that siblings share, that begin with a line, that are words of SQL.
      for name in ["title", "select", "_rank", "data", "when"] where Bool.random(using: &generator) {
        let isInherited = lineage(of: parent).contains {
          $0.attributes.contains { $0.name == name }
        }
        guard !isInherited, let type = Self.types.randomElement(using: &generator)?.type else {
          continue
        }
        let isExternal = type == .binary && Bool.random(using: &generator)
        entity.attributes.append(Attribute(name: name, type: type, isOptional: true, allowsExternalStorage: isExternal))
      }
      entities.append(entity)
    }
    for index in entities.indices {
      let name = entities[index].name
      let isParent = entities.contains { $0.superentity == name }
      entities[index].isAbstract = isParent && Bool.random(using: &generator)
      // A property of a parent must not be declared again below it.
      let above = Set(lineage(of: entities[index].superentity).flatMap(\.attributes).map(\.name))
      entities[index].attributes.removeAll { above.contains($0.name) }
    }
  }

  private func lineage(of name: String?) -> [Entity] {
    var lineage: [Entity] = []
    var next = name
    while let name = next, let entity = entities.first(where: { $0.name == name }) {
      lineage.append(entity)
      next = entity.superentity
    }
    return lineage
  }

  private enum Shape: CaseIterable {
    case toOne, oneToOne, toMany, ordered, owned, ownedInOrder, manyToMany, bothOrdered
  }

  private mutating func makeRelationships() {
    for number in 0..<Int.random(in: 1...7, using: &generator) {
      let (a, b) = (
        Int.random(in: entities.indices, using: &generator),
        Int.random(in: entities.indices, using: &generator)
      )
      var shape = Shape.allCases.randomElement(using: &generator) ?? .toOne
      // Which end names the table of an entity's links to itself cannot be known.
      let isSelf =
        lineage(of: entities[a].name).last?.name == lineage(of: entities[b].name).last?.name
      if isSelf, shape == .manyToMany || shape == .bothOrdered { shape = .toMany }
      let isMany = shape == .manyToMany || shape == .bothOrdered
      let isOwned = shape == .owned || shape == .ownedInOrder
      entities[a].relationships.append(
        Relationship(
          name: "r\(number)",
          destination: entities[b].name,
          inverse: isOwned ? nil : "s\(number)",
          isToMany: isMany || isOwned,
          isOrdered: shape == .bothOrdered || shape == .ownedInOrder
        )
      )
      guard !isOwned else { continue }
      entities[b].relationships.append(
        Relationship(
          name: "s\(number)",
          destination: entities[a].name,
          inverse: "r\(number)",
          isToMany: shape != .oneToOne,
          isOrdered: shape == .bothOrdered || shape == .ordered
        )
      )
    }
  }

  /// The model as Xcode writes it.
  package var xml: String {
    let entities = model.entities.map { entity in
      let attributes = entity.attributes.map { attribute in
        let word = Self.types.first { $0.type == attribute.type }?.word ?? ""
        return "<attribute name='\(attribute.name)' attributeType='\(word)' optional='YES'"
          + (attribute.allowsExternalStorage ? " allowsExternalBinaryDataStorage='YES'/>" : "/>")
      }
      let relationships = entity.relationships.map { relationship in
        "<relationship name='\(relationship.name)' optional='YES' "
          + "destinationEntity='\(relationship.destination)'"
          + (relationship.isToMany ? " toMany='YES'" : " maxCount='1'")
          + (relationship.isOrdered ? " ordered='YES'" : "")
          + (relationship.inverse.map { " inverseName='\($0)'" } ?? "") + "/>"
      }
      return "<entity name='\(entity.name)'"
        + (entity.isAbstract ? " isAbstract='YES'" : "")
        + (entity.superentity.map { " parentEntity='\($0)'" } ?? "") + ">"
        + (attributes + relationships).joined() + "</entity>"
    }
    return "<model type='com.apple.IDECoreDataModeler.DataModel'>\(entities.joined())</model>"
  }
}
