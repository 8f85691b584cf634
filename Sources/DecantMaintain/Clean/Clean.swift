public import DecantPlan
public import DecantBase
public import DecantStore

/// The removal of sync metadata from a store: which kinds of it, from where.
///
/// A value that can be kept and run again; nothing is opened before it runs. The store stays the same
/// store: its identifier, its objects, its system tables and its model are not touched.
public struct Clean: Runnable {
  public let store: StoreLocation
  /// The kinds to remove, by their words; no other kind is.
  public let kinds: [String]
  /// Whether a copy of the store as it was is kept beside it.
  public var keepsBackup = true
  /// Whether to say only what would go, and write nothing.
  public var isDryRun = false
  private let opener: any CleanableStoreOpener

  /// Describes a removal from a store of the kinds that `opener` knows.
  public init(_ store: StoreLocation, of kinds: [String], opener: any CleanableStoreOpener) {
    self.store = store
    self.kinds = kinds
    self.opener = opener
  }

  /// The removal; where there is nothing to remove, the file is not touched.
  ///
  /// One that fails or is stopped leaves the store as it was, unless the error says that it is cleaned.
  public var operation: DecantOperation<CleanReport> {
    DecantOperation("removal", .change) { cancellation, tell throws(DecantError) in
      let store = try opener.openCleanable(store)
      return try CleanRun(self, store, try checkedKinds(of: store), cancellation).run(tell)
    }
  }

  /// Returns the kinds in the store's own order, each once.
  private func checkedKinds(of store: any CleanableStore) throws(DecantError) -> [String] {
    let known = store.syncMetadataKinds
    for kind in kinds where !known.contains(kind) {
      throw DecantError(
        .unknownName,
        "unknown kind of sync metadata “\(kind)”",
        place: "\(option: .what) accepts \(known.joined(separator: ", ")), separated by commas",
        remedy: kind.nearest(in: known).map { "did you mean \($0)?" }
          ?? "\(shell: "“decant inspect \(store.identity.place.shellWord)”", app: "an inspection") shows which of them the store has",
        remedies: [.correctName(kind, among: known)]
      )
    }
    guard !kinds.isEmpty else {
      throw DecantError(
        .missingOption,
        "nothing to remove was given",
        place: "\(option: .what) accepts \(known.joined(separator: ", ")), separated by commas",
        remedy: "list each kind to remove",
        remedies: [.setOption(.what, nil)]
      )
    }
    return known.filter(kinds.contains)
  }
}
