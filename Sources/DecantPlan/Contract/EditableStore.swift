package import DecantBase
package import DecantStore
package import DecantSQLite

/// A store whose rows are changed in place: the requirements on a kind of store.
///
/// The caller owns the transaction and changes the rows; the store knows what else must follow.
package protocol EditableStore {
  /// The name of the store in reports and errors.
  var identity: StoreIdentity { get }
  /// The store's file.
  var path: String { get }
  /// The entities whose objects it holds.
  var model: Model { get }
  /// The layout of the objects in tables of `main`.
  var layout: Layout { get }
  /// The external storage of values, for kinds of stores that have one.
  var externalStorage: (any ExternalStorage)? { get }
  /// The notes for the reader.
  var notes: [ReportNote] { get }
  /// Whether the database itself assigns keys and defaults to new rows, and deletes dependent rows; otherwise the
  /// caller does so by the model.
  var appliesOwnRules: Bool { get }

  /// Registers the functions that the store's own triggers and indexes call.
  func prepare(_ connection: Connection) throws(DecantError)

  /// Prepares the connection for changing objects, in the transaction that changes them.
  func begin(on connection: Connection) throws(DecantError)

  /// Prepares the connection for an app's own changes, before the transaction: the store's triggers run, as they do for
  /// the app itself.
  func beginEditing(on connection: Connection) throws(DecantError)

  /// Returns whether the store's triggers update the derived attribute in `column`.
  func derives(_ column: String, on connection: Connection) throws(DecantError) -> Bool

  /// Returns a mark that distinguishes this model of the store from a later one.
  func modelMark(on connection: Connection) throws(DecantError) -> [UInt8]

  /// Returns the highest key of a root entity that was ever allocated.
  func lastKey(of root: String, on connection: Connection) throws(DecantError) -> Int64

  /// Records objects before they are deleted, for example in a history of changes.
  ///
  /// - Parameters:
  ///   - keys: A SELECT of their keys.
  ///   - relation: Their table.
  ///   - connection: The connection that has the store as `main`, in the transaction that deletes them.
  /// - Throws: `DecantError` if the store cannot be written.
  func willDelete(_ keys: String, of relation: Relation, on connection: Connection) throws(DecantError)

  /// Records the consequences of the change, such as a history of changes, in the transaction that changed the objects.
  ///
  /// - Parameters:
  ///   - written: The added and changed objects.
  ///   - connection: The connection that has the store as `main`.
  /// - Throws: `DecantError` if the store cannot be written.
  func finish(_ written: WrittenObjects, on connection: Connection) throws(DecantError)
}
