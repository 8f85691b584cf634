package import DecantBase
package import DecantStore
package import DecantSQLite

/// What a source shows of the store that it reads.
package enum SourceForm {
  /// All of it, as its own tables or its own model say.
  case whole
  /// A store that knows no model, read by that of another.
  case byOtherModel
  /// What another store has a place for, without the tables and columns that are left out.
  case narrowed(any SourceStore, leftOut: [UnmatchedColumn])
  /// What a mapping makes of it.
  case mapped(any MappedSource)
}

extension SourceStore {
  /// The store as a mapping shows it, where one does.
  package var mapped: (any MappedSource)? {
    guard case .mapped(let store) = form else { return nil }
    return store
  }

  /// The store with all that it has, where only a part of it is seen.
  package var whole: any SourceStore {
    guard case .narrowed(let base, _) = form else { return self }
    return base.whole
  }

  /// What is left out and has to be empty, as it goes nowhere.
  package var leftOut: [UnmatchedColumn] {
    guard case .narrowed(_, let leftOut) = form else { return [] }
    return leftOut
  }
}

/// What a store holds beside objects and links, by name.
package struct StoreExtras: Sendable {
  /// Metadata of services that sync it, in words.
  package var syncMetadata: [String] = []
  /// Tables that an app keeps beside its model.
  package var ownTables: [String] = []

  package init(syncMetadata: [String] = [], ownTables: [String] = []) {
    (self.syncMetadata, self.ownTables) = (syncMetadata, ownTables)
  }
}

/// A store as a mapping shows it: some of its tables are views on the connection that reads it.
package protocol MappedSource: SourceStore {
  /// The conditions of the mapping, over the destination's entities.
  var conditions: [CopyPlan.EntityFilter] { get }
  /// What the plan says of the mapping: equal mappings of equal models have equal texts.
  var definitions: [String] { get }

  /// Makes the views on a connection where the source is attached as `schema`.
  func offer(on connection: Connection, as schema: String) throws(DecantError)

  /// Settles what depends on the objects that `connection` sees at this moment.
  func settle(on connection: Connection, as schema: String) throws(DecantError)

  /// Has `other` know the empty objects that were settled on `connection`.
  func carryStubs(from connection: Connection, to other: Connection) throws(DecantError)
}
