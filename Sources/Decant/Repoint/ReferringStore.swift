public import SQLite

/// A store that holds references to objects of another one: what re-pointing asks of a kind of store.
///
/// The engine owns lock, backup, transaction and proof, and changes the rows; the store knows what else
/// must follow when a row changes.
public protocol ReferringStore {
  /// What to call the store in reports and errors.
  var identity: StoreIdentity { get }
  /// The store's file.
  var path: String { get }
  /// The entities whose objects may hold references.
  var model: DataModel { get }
  /// Where the objects lie, as tables of `main`.
  var layout: StoreLayout { get }
  /// What a reader should know.
  var notes: [String] { get }

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

/// Opens what re-pointing needs: the list of kinds, which the engine itself does not know.
package protocol ReferringStoreOpener: StoreOpener {
  /// How references are written that name store, entity and key.
  var notation: any ReferenceNotation { get }

  /// Opens the store at `location`, whose references are to be changed.
  ///
  /// - Parameters:
  ///   - location: Where the store is.
  ///   - models: Models to read it with, where it does not hold its own.
  ///   - writesMirrored: Whether one that a service mirrors is opened all the same.
  /// - Returns: The store; nothing is written yet.
  /// - Throws: `DecantError`; no store there, damaged, without model, or one that cannot be changed.
  func openReferring(_ location: StoreLocation, models: [String], writesMirrored: Bool)
    throws(DecantError) -> any ReferringStore
}
