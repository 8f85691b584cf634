package import DecantBase
package import DecantStore
package import DecantSQLite

/// The form in which a source presents its store.
package enum SourceForm {
  /// The whole store, by its own tables or its own model.
  case whole
  /// A store without a model, read by the model of another store.
  case byOtherModel
  /// The part of a store for which another store has a place, without the tables and columns that are left out.
  case narrowed(any SourceStore, leftOut: [UnmatchedColumn])
  /// The store through a mapping.
  case mapped(any MappedSource)
}

extension SourceStore {
  /// The store through a mapping, if one is used.
  package var mapped: (any MappedSource)? {
    guard case .mapped(let store) = form else { return nil }
    return store
  }

  /// The complete store, if only a part of it is presented.
  package var whole: any SourceStore {
    guard case .narrowed(let base, _) = form else { return self }
    return base.whole
  }

  /// The tables and columns that are left out, and must be empty.
  package var leftOut: [UnmatchedColumn] {
    guard case .narrowed(_, let leftOut) = form else { return [] }
    return leftOut
  }
}

/// The names of a store's content beside objects and links.
package struct StoreExtras: Sendable {
  /// The metadata of sync services, in words.
  package var syncMetadata: [String] = []
  /// The app's own tables beside its model.
  package var ownTables: [String] = []

  package init(syncMetadata: [String] = [], ownTables: [String] = []) {
    (self.syncMetadata, self.ownTables) = (syncMetadata, ownTables)
  }
}

/// A store through a mapping: some of its tables are views on the connection that reads it.
package protocol MappedSource: SourceStore {
  /// The conditions of the mapping, on the destination's entities.
  var conditions: [CopyPlan.EntityFilter] { get }
  /// The text of the mapping in the plan: equal mappings of equal models have equal texts.
  var definitions: [String] { get }

  /// Creates the views on a connection with the source as `schema`.
  func offer(on connection: Connection, as schema: String) throws(DecantError)

  /// Resolves what depends on the objects that `connection` currently sees.
  func settle(on connection: Connection, as schema: String) throws(DecantError)

  /// Copies the empty objects that were resolved on `connection` to `other`.
  func carryStubs(from connection: Connection, to other: Connection) throws(DecantError)
}
