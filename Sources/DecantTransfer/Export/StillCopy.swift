internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantStore

/// A temporary copy of a store, for an export that reads it more than once.
struct StillCopy: Sendable {
  /// The place of the copy.
  let location: StoreLocation
  /// The store that was copied, and its state at that time.
  let identity: StoreIdentity
  let fingerprint: String
  /// Notes about the copy.
  let notes: [ReportNote]

  /// Copies the store at `source` to `folder`.
  ///
  /// - Parameters:
  ///   - source: The store; others may write to it meanwhile.
  ///   - options: How the store is read.
  ///   - folder: The folder for the copy.
  ///   - opener: Opens the store.
  ///   - cancellation: Ends the copy.
  ///   - tell: Receives the progress, as that of a search.
  /// - Throws: `DecantError`, like a copy.
  init(
    of source: StoreLocation,
    options: CopyOptions,
    in folder: ScratchFolder,
    opener: StoreKinds,
    cancellation: Cancellation,
    _ tell: @escaping (WorkEvent) -> Void = { _ in }
  ) throws(DecantError) {
    var whole = options.takingAll
    whole.readsPrivateCopy = options.readsPrivateCopy
    whole.verifies = options.verifies
    let place = StoreLocation(kind: nil, place: "\(folder.path)/whole.sqlite")
    let report: CopyReport
    do throws(DecantError) {
      report = try Copy(from: source, to: place, options: whole, opener: opener)
        .perform(cancellation, SearchProgress(tell).run(.pages))
    } catch {
      throw error.naming(source.place, for: place.place)
    }
    location = StoreLocation(kind: report.source.kind, place: place.place)
    identity = report.source
    fingerprint = report.sourceFingerprint
    notes = report.notes
  }
}

extension CopyOptions {
  /// The options for reading a copy that was made with these options.
  var readingCopy: CopyOptions {
    var options = CopyOptions()
    options.model = model
    options.links = links
    options.noLinks = noLinks
    return options
  }

  /// The options for copying the whole store, whatever is selected of it.
  var takingAll: CopyOptions {
    var options = readingCopy
    options.leftOutTables = leftOutTables
    options.keepsMetadata = keepsMetadata
    return options
  }
}

extension DecantError {
  /// Returns the error with `place` in place of that of a temporary copy.
  func naming(_ place: String, for copy: String) -> DecantError {
    var error = self
    error.what = error.what.replacing(copy, with: place)
    error.spot = error.spot?.replacing(copy, with: place)
    error.advice = error.advice?.replacing(copy, with: place)
    return error
  }
}
