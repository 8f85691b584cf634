package import DecantBase

/// The record of the sources that were merged into a store, which lets a later merge skip those that have not changed.
package protocol MergeRecord {
  /// Returns when a source was merged into these tables, as a date in ISO 8601; `nil` if it was not, or if its content,
  /// the rules or the tables have changed since.
  func date(of source: MergedSource) throws(DecantError) -> String?
}

/// A source that is merged, as it is recorded: what it contains, and all that decides what its merge does.
package struct MergedSource: Sendable, Hashable {
  /// The place of the store: a path without links, or an address.
  package let place: String
  /// The identifier of a Core Data store.
  package let uuid: String?
  package let content: SourceContent
  /// A hash of the options, the model, the common ancestor and the version of decant.
  package let rules: String

  package init(place: String, uuid: String?, content: SourceContent, rules: String) {
    (self.place, self.uuid, self.content, self.rules) = (place, uuid, content, rules)
  }

  /// Returns the place by which a store is recorded.
  package static func place(of store: StoreIdentity) -> String { Files.resolved(store.place) }
}
