/// The words for what a store holds, as people say who use its kind of store.
///
/// Every message and every line of a report takes its nouns from here. What scripts read stays the same for
/// all kinds of stores.
public enum Terms: Sendable, Hashable {
  /// A store of objects: entities, objects, attributes, relationships; `p20` is a key.
  case objects
  /// A plain database: tables, rows, columns, foreign keys; keys are what their columns hold.
  case rows

  /// What rows of one description belong to: an entity, or a table.
  package var entity: String { self == .rows ? "table" : "entity" }
  package var entities: String { self == .rows ? "tables" : "entities" }
  /// One of what is copied.
  package var object: String { self == .rows ? "row" : "object" }
  package var objects: String { object + "s" }
  package var anObject: String { self == .rows ? "a row" : "an object" }
  /// Attributes and relationships to one object: what an identity can be made of.
  package var single: String { self == .rows ? "column" : "attribute or to-one relationship" }
  package var singles: String { self == .rows ? "columns" : "attributes and to-one relationships" }
  /// One of what an object holds.
  package var attribute: String { self == .rows ? "column" : "attribute" }
  package var attributes: String { attribute + "s" }
  /// One of what leads to other objects.
  package var relationship: String { self == .rows ? "foreign key" : "relationship" }
  package var relationships: String { relationship + "s" }
  /// Who promises that no two are alike.
  package var uniqueness: String { self == .rows ? "unique by the schema" : "unique by the model" }

  /// The integer `key` in a column that holds it.
  package func key(_ key: Int64) -> String { self == .rows ? "key \(key)" : "p\(key)" }
}

extension Model {
  /// The words for what a store of this model holds.
  package var terms: Terms { isFromTables ? .rows : .objects }
}
