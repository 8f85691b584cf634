internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A store limited to what another one can hold; the rest of its model is left out.
package struct NarrowedStore: SourceStore {
  let base: any SourceStore
  let model: Model
  private(set) var layout: Layout
  /// What is left out, and must be empty because it is not copied.
  var leftOut: [UnmatchedColumn] = []

  var form: SourceForm { .narrowed(base, leftOut: leftOut) }
  var extras: StoreExtras { base.extras }
  var identity: StoreIdentity { base.identity }
  var textEncoding: String { base.textEncoding }
  var notes: [ReportNote] { base.notes + leftOut.map(\.note) }
  var readingNotes: [ReportNote] { base.readingNotes }
  var path: String? { base.path }
  var externalStorage: (any ExternalStorage)? { base.externalStorage }
  var isTemporary: Bool { base.isTemporary }
  var modelGap: DecantError? { base.modelGap }
  var unknownCollations: [UnknownCollation] { base.unknownCollations }
  var portableLinks: [CopyOptions.Link]? { base.portableLinks }

  func attach(to connection: Connection, as schema: String) throws(DecantError) {
    try base.attach(to: connection, as: schema)
  }

  func comparingLinks(like other: Layout) -> any SourceStore {
    var store = self
    store.layout.compareLinks(like: other)
    return store
  }

  func facts(on connection: Connection, schema: String) throws(DecantError) -> StoreFacts {
    try base.facts(on: connection, schema: schema)
  }
}
