package import DecantBase
package import DecantStore
package import DecantSQLite

/// Where the result of a copy comes to be: a file beside its place, a copy of a store that takes its place, or the store.
///
/// Called in the order in which the requirements stand here; after a failure only `abandon`.
package protocol CopyWriter: AnyObject {
  /// What a reader should know.
  var notes: [ReportNote] { get }
  /// Whether an interrupted run can be taken up again.
  var isResumable: Bool { get }
  /// Where the work lies until it is done; `nil` where it is in the store itself.
  var workPlace: String? { get }
  /// Whether this run goes on with the rows of an earlier one.
  var continuesEarlierWork: Bool { get }

  /// Whether it was filled with the source's pages, so that its rows are there.
  var hasPages: Bool { get }

  /// Fills a new store with the pages of the source, which must not be in a transaction.
  ///
  /// - Parameters:
  ///   - connection: The one where the source is attached.
  ///   - fingerprint: The state of the source that was planned for; should it be another one when it is held, `open` drops
  ///     the pages.
  /// - Throws: `DecantError` where the pages cannot be copied.
  func adoptPages(from connection: Connection, in fingerprint: Fingerprint) throws(DecantError)

  /// Opens the session and holds both sides: nobody changes the destination from here on, and the
  /// source is read in one state, whose fingerprint is returned.
  ///
  /// The session asks `stop` from the beginning: a statement that is stopped undoes its transaction.
  func open(_ source: any SourceStore, _ stop: ProgressCheck) throws(DecantError) -> (
    session: CopySession, fingerprint: Fingerprint
  )

  /// Makes everything ready for rows.
  ///
  /// - Returns: The checkpoint of a run whose batches are committed one by one.
  func begin(_ planning: any PlannedCopy, on session: CopySession) throws(DecantError) -> (any Checkpoint)?

  /// Brings over values that lie in files of their own; `nil` where the kinds of stores know none.
  func copyFiles(_ planning: any PlannedCopy, from source: any SourceStore, on session: CopySession)
    throws(DecantError) -> CopyReport.FileCounts?

  /// Ends the work on rows: what is no row is filled in, indexes are built.
  func finish(_ planning: any PlannedCopy, on session: CopySession) throws(DecantError)

  /// Returns a connection on which the result is read afresh, and the schema it has there.
  func reader(_ session: CopySession) throws(DecantError) -> (connection: Connection, schema: String)

  /// The state of the store that is changed, as it is held; `nil` where it is new.
  var heldState: Fingerprint? { get throws(DecantError) }

  /// Notes that the ID table `file` is to get its name when the result is visible.
  func note(idTable file: String) throws(DecantError)

  /// Makes the result visible, durably.
  func publish(_ session: CopySession) throws(DecantError)

  /// Removes what is left of the work; the result is visible, and every other file has its name. What cannot be removed is a note.
  func clear()

  /// Puts everything back as it was, or leaves what can be resumed.
  ///
  /// - Parameters:
  ///   - toResume: Whether what is there can and shall be gone on with.
  ///   - error: Why the copy ends.
  /// - Returns: The error, with how the destination is left where that is not how it was.
  func abandon(toResume: Bool, after error: DecantError) -> DecantError

  /// Whether, after `abandon`, the whole copy is there all the same, or may be.
  var holdsCopy: Bool { get }
}

extension CopyWriter {
  /// Rows are added to what is there.
  package var hasPages: Bool { false }

  package var workPlace: String? { nil }

  package func adoptPages(from connection: Connection, in fingerprint: Fingerprint) throws(DecantError) {}
}
