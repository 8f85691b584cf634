package import Decant
package import SQLite

/// A plain database, read as the objects of a model that somebody else knows.
package struct ObjectsSource: SourceStore {
  private let file: DatabaseFile
  private let schema: PlainSchema
  package let identity: StoreIdentity
  package let model: Model
  package let layout: Layout
  package var path: String? { file.path }
  package var textEncoding: String { schema.textEncoding }
  package var externalStorage: (any ExternalStorage)? { nil }
  package var notes: [String] { file.notes }
  package var readingNotes: [String] { file.readingNotes }

  /// Finds the objects of `model` in the database at `place`.
  ///
  /// - Throws: `DecantError` with code `.modelMismatch` where a table or column of it is missing.
  package init(_ place: String, model: Model, privately isPrivate: Bool) throws(DecantError) {
    file = try DatabaseFile.open(place, privately: isPrivate)
    schema = try PlainSchema(file)
    identity = StoreIdentity(kind: "sqlite", place: place)
    self.model = model
    layout = try ObjectsLayout(model).lookedUp(in: schema, place: place)
  }

  /// What is neither object nor link of the model.
  var otherNames: [String] { layout.plainTables.map(\.name) + schema.otherNames }

  package func attach(to connection: Connection, as schema: String) throws(DecantError) {
    do throws(SQLiteError) {
      try connection.attach(file.uri, as: schema)
    } catch {
      throw DecantError(opening: file.path, error)
    }
  }
}
