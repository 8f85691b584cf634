package import DecantBase
package import DecantStore
package import DecantSQLite

/// The writer of a copy's result: a file beside its place, a copy that replaces a store, or the store itself.
///
/// The requirements are called in the order of declaration; after a failure only `abandon`.
package protocol CopyWriter: AnyObject {
  /// The notes for the reader.
  var notes: [ReportNote] { get }
  /// Whether an interrupted run can be resumed.
  var isResumable: Bool { get }
  /// The place of unfinished work; `nil` if it is in the store itself.
  var workPlace: String? { get }
  /// Whether this run continues with the rows of an earlier one.
  var continuesEarlierWork: Bool { get }

  /// Whether the store was filled with the source's pages, and so has its rows.
  var hasPages: Bool { get }
  /// Whether the new store is the file of the source itself, a temporary one, so that their rows cannot differ.
  var hasTakenSource: Bool { get }

  /// Fills a new store with the pages of the source, which must not be in a transaction.
  ///
  /// - Parameters:
  ///   - connection: The connection with the attached source.
  ///   - fingerprint: The state of the source that the plan is for; if it has changed when it is locked, `open`
  ///     discards the pages.
  /// - Throws: `DecantError` if the pages cannot be copied.
  func adoptPages(from connection: Connection, in fingerprint: Fingerprint) throws(DecantError)

  /// Opens the session and locks both sides; returns the fingerprint of the source's state.
  ///
  /// From then on the destination cannot be changed by others, and the source is read in one state. The session checks
  /// `stop` from the beginning: an interrupted statement rolls back its transaction.
  func open(_ source: any SourceStore, _ stop: ProgressCheck) throws(DecantError) -> (
    session: CopySession, fingerprint: Fingerprint
  )

  /// Prepares for writing rows.
  ///
  /// - Returns: The checkpoint of a run whose batches are committed separately. Without one the copy is one transaction,
  ///   and keeps the objects that it rejects in the temporary schema of the session.
  func begin(_ planning: any PlannedCopy, on session: CopySession) throws(DecantError) -> (any Checkpoint)?

  /// Called after each batch of a step, and after its last one, while the written rows are final.
  ///
  /// Nobody calls it if rows may still be rejected or joined to others.
  func proceed(after step: CopyStep, isDone: Bool, on session: CopySession) throws(DecantError)

  /// Copies external files of values; `nil` if the kinds of stores have none.
  func copyFiles(_ planning: any PlannedCopy, from source: any SourceStore, on session: CopySession)
    throws(DecantError) -> CopyReport.FileCounts?

  /// Whether the place may refuse rows for reasons that only it knows.
  var mayRefuseRows: Bool { get }

  /// Offers the written rows to the place; returns those that it refuses, at best all of them.
  ///
  /// If it refuses some, it takes none, and the rows are offered again when they have been written without those.
  ///
  /// - Throws: `DecantError` if it takes none for another reason, or refuses a row that it refused before.
  func refusedRows(_ session: CopySession) throws(DecantError) -> [RefusedRow]

  /// Completes the rows: everything else is filled in, and indexes are built.
  func finish(_ planning: any PlannedCopy, on session: CopySession) throws(DecantError)

  /// Whether the structure of what `reader` reads is of no interest, as it is a temporary database.
  var isTemporary: Bool { get }

  /// Returns a new connection for reading the result, and its schema there.
  func reader(_ session: CopySession) throws(DecantError) -> (connection: Connection, schema: String)

  /// Whether the result is what `reader` reads; waits for a comparison that goes on meanwhile, if there is one.
  ///
  /// If not, `reader` reads the result itself from then on.
  func isAsRead(_ session: CopySession) throws(DecantError) -> Bool

  /// The state of the changed store while it is locked; `nil` for a new one.
  var heldState: Fingerprint? { get throws(DecantError) }

  /// Records that the ID table `file` is to be renamed when the result is published; until then it is `partial`.
  func note(idTable file: String, partial: String) throws(DecantError)

  /// Records, when the result is published, that `source` was merged into the store.
  func note(merged source: MergedSource)

  /// Tells the report, as far as it is known before the publication, and a text that is equal for the same command.
  func note(command: String, _ report: CopyReport)

  /// Publishes the result durably.
  func publish(_ session: CopySession) throws(DecantError)

  /// Removes leftovers of the work after publication.
  ///
  /// Every other file has its name by then. Anything that cannot be removed is reported as a note.
  func clear()

  /// Restores the previous state, or leaves what can be resumed.
  ///
  /// - Parameters:
  ///   - toResume: Whether existing work can and should be resumed.
  ///   - error: The reason for the end of the copy.
  /// - Returns: The error, with the state of the destination if that has changed.
  func abandon(toResume: Bool, after error: DecantError) -> DecantError

  /// Whether, after `abandon`, the complete copy exists anyway, or may exist.
  var holdsCopy: Bool { get }
}

extension CopyWriter {
  /// By default rows are added to existing ones.
  package var hasPages: Bool { false }

  package var hasTakenSource: Bool { false }

  package var workPlace: String? { nil }

  /// By default `false`: the session itself refuses rows.
  package var mayRefuseRows: Bool { false }

  package func refusedRows(_ session: CopySession) throws(DecantError) -> [RefusedRow] { [] }

  /// By default does nothing: the rows are already where they belong.
  package func proceed(after step: CopyStep, isDone: Bool, on session: CopySession) throws(DecantError) {}

  /// By default `false`: `reader` reads the result itself.
  package var isTemporary: Bool { false }

  /// By default does nothing, for stores without such a record.
  package func note(merged source: MergedSource) {}

  /// By default does nothing: the work of an interrupted run is in the store or beside it.
  package func note(command: String, _ report: CopyReport) {}

  /// By default true: `reader` reads the result itself.
  package func isAsRead(_ session: CopySession) throws(DecantError) -> Bool { true }

  package func adoptPages(from connection: Connection, in fingerprint: Fingerprint) throws(DecantError) {}
}
