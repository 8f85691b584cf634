/// The terms for the content of a store, as users of its kind say them.
///
/// All messages and reports take their nouns from here. The output for scripts is the same for all kinds of stores.
public enum Terms: Sendable, Hashable {
  /// A store of objects, with entities, objects, attributes and relationships; a key is written `p20`.
  case objects
  /// A plain database, with tables, rows, columns and foreign keys; keys are the values of their columns.
  case rows

  /// The noun for an entity or a table.
  package var entity: String { self == .rows ? "table" : "entity" }
  package var entities: String { self == .rows ? "tables" : "entities" }
  /// The noun for an object or a row.
  package var object: String { self == .rows ? "row" : "object" }
  package var objects: String { object + "s" }
  package var anObject: String { self == .rows ? "a row" : "an object" }
  /// The noun for attributes and to-one relationships, which can form an identity.
  package var single: String { self == .rows ? "column" : "attribute or to-one relationship" }
  package var singles: String { self == .rows ? "columns" : "attributes and to-one relationships" }
  /// The noun for an attribute or a column.
  package var attribute: String { self == .rows ? "column" : "attribute" }
  package var attributes: String { attribute + "s" }
  /// The noun for a relationship or a foreign key.
  package var relationship: String { self == .rows ? "foreign key" : "relationship" }
  package var relationships: String { relationship + "s" }
  /// The source of a uniqueness constraint.
  package var uniqueness: String { self == .rows ? "unique by the schema" : "unique by the model" }

  /// Returns the text for the integer key `key`.
  package func key(_ key: Int64) -> String { self == .rows ? "key \(key)" : "p\(key)" }
}

extension Model {
  /// The terms for a store of this model.
  package var terms: Terms { isFromTables ? .rows : .objects }
}
