internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantStore

/// A copy of a store that keeps still while an export reads it more than once.
struct StillCopy: Sendable {
  /// Where the copy lies.
  let location: StoreLocation
  /// The store that was copied, and its state then.
  let identity: StoreIdentity
  let fingerprint: String
  /// What to know of the copy.
  let notes: [ReportNote]

  /// Copies the store at `source` into `folder`.
  ///
  /// - Parameters:
  ///   - source: The store; others may write to it meanwhile.
  ///   - options: How it is read.
  ///   - folder: Where the copy goes.
  ///   - opener: What opens the store.
  ///   - cancellation: Ends the copy.
  /// - Throws: `DecantError` as a copy does.
  init(
    of source: StoreLocation,
    options: CopyOptions,
    in folder: ScratchFolder,
    opener: StoreKinds,
    cancellation: Cancellation
  ) throws(DecantError) {
    var whole = options.takingAll
    whole.readsPrivateCopy = options.readsPrivateCopy
    whole.verifies = options.verifies
    let place = StoreLocation(kind: nil, place: "\(folder.path)/whole.sqlite")
    let report = try Copy(from: source, to: place, options: whole, opener: opener)
      .run(cancellation: cancellation)
    location = StoreLocation(kind: report.source.kind, place: place.place)
    identity = report.source
    fingerprint = report.sourceFingerprint
    notes = report.notes
  }
}

extension CopyOptions {
  /// How a copy of the store is read that was made with these options.
  var readingCopy: CopyOptions {
    var options = CopyOptions()
    options.model = model
    options.links = links
    options.noLinks = noLinks
    return options
  }

  /// How a store is copied as a whole, whichever part of it is wanted.
  var takingAll: CopyOptions {
    var options = readingCopy
    options.leftOutTables = leftOutTables
    options.keepsMetadata = keepsMetadata
    return options
  }
}
