public import DecantBase
public import DecantStore
public import DecantSQLite

/// A store that holds references to objects of another one: what re-pointing asks of a kind of store.
///
/// The engine owns lock, backup, transaction and proof, and changes the rows; the store knows what else
/// must follow when a row changes.
public protocol EditableStore {
  /// What to call the store in reports and errors.
  var identity: StoreIdentity { get }
  /// The store's file.
  var path: String { get }
  /// The entities whose objects may hold references.
  var model: DataModel { get }
  /// Where the objects lie, as tables of `main`.
  var layout: StoreLayout { get }
  /// What a reader should know.
  var notes: [ReportNote] { get }

  /// Registers the functions that the store's own triggers and indexes call.
  func prepare(_ connection: Connection) throws(DecantError)

  /// Readies the connection for changing objects, in the transaction that changes them.
  func begin(on connection: Connection) throws(DecantError)

  /// Enters what follows from the change, such as a history of changes; inside the transaction that
  /// changed the objects.
  ///
  /// - Parameters:
  ///   - written: Which objects took other values.
  ///   - connection: The one that has the store as `main`.
  /// - Throws: `DecantError` where the store cannot be written.
  func finish(_ written: WrittenObjects, on connection: Connection) throws(DecantError)
}
