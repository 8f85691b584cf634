package import DecantBase
package import DecantStore
package import DecantSQLite

/// A store whose rows are changed in place: what that asks of a kind of store.
///
/// Whoever changes it owns the transaction and changes the rows; the store knows what else must follow when a row
/// changes.
package protocol EditableStore {
  /// What to call the store in reports and errors.
  var identity: StoreIdentity { get }
  /// The store's file.
  var path: String { get }
  /// The entities whose objects it holds.
  var model: Model { get }
  /// Where the objects lie, as tables of `main`.
  var layout: Layout { get }
  /// Where values lie in files of their own, for kinds of stores that know such.
  var externalStorage: (any ExternalStorage)? { get }
  /// What a reader should know.
  var notes: [ReportNote] { get }
  /// Whether the database itself gives new rows their keys and defaults, and deletes what depends on a row; otherwise
  /// whoever changes it does so by the model.
  var appliesOwnRules: Bool { get }

  /// Registers the functions that the store's own triggers and indexes call.
  func prepare(_ connection: Connection) throws(DecantError)

  /// Readies the connection for changing objects, in the transaction that changes them.
  func begin(on connection: Connection) throws(DecantError)

  /// Readies the connection for an app's own changes, before the transaction: the store's triggers run, as they do for
  /// the app that made it.
  func beginEditing(on connection: Connection) throws(DecantError)

  /// Whether the store's triggers keep a derived attribute up to date, whose values are in `column`.
  func derives(_ column: String, on connection: Connection) throws(DecantError) -> Bool

  /// Returns what tells this model of the store from another one that it may be given later.
  func modelMark(on connection: Connection) throws(DecantError) -> [UInt8]

  /// Returns the highest key of a root entity that was ever allocated.
  func lastKey(of root: String, on connection: Connection) throws(DecantError) -> Int64

  /// Enters what must be known of objects before they are deleted, such as a history of changes.
  ///
  /// - Parameters:
  ///   - keys: A SELECT of their keys.
  ///   - relation: The table they are in.
  ///   - connection: The one that has the store as `main`, in the transaction that deletes them.
  /// - Throws: `DecantError` where the store cannot be written.
  func willDelete(_ keys: String, of relation: Relation, on connection: Connection) throws(DecantError)

  /// Enters what follows from the change, such as a history of changes; inside the transaction that changed the
  /// objects.
  ///
  /// - Parameters:
  ///   - written: Which objects were added, and which took other values.
  ///   - connection: The one that has the store as `main`.
  /// - Throws: `DecantError` where the store cannot be written.
  func finish(_ written: WrittenObjects, on connection: Connection) throws(DecantError)
}
