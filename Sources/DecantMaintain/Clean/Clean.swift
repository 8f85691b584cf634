package import DecantPlan
public import DecantBase
public import DecantStore

/// The removal of sync metadata from a store.
///
/// The value can be stored and run again; nothing is opened before it runs. The store's identifier, objects, system
/// tables and model are not touched.
public struct Clean: Runnable {
  public let store: StoreLocation
  /// The kinds to remove, by name; other kinds are kept.
  public let kinds: [String]
  /// Whether a backup of the store is kept next to it.
  public var keepsBackup = true
  /// Whether to report only what would be removed, and write nothing.
  public var isDryRun = false
  private let opener: any CleanableStoreOpener

  /// Creates a removal from a store of a kind that `opener` supports.
  package init(_ store: StoreLocation, of kinds: [String], opener: any CleanableStoreOpener) {
    self.store = store
    self.kinds = kinds
    self.opener = opener
  }

  /// The removal; if there is nothing to remove, the file is not touched.
  ///
  /// If a removal fails or is cancelled, the store is unchanged, unless the error says that it was replaced anyway.
  public var operation: DecantOperation<CleanReport> {
    DecantOperation("removal", .clean) { cancellation, tell throws(DecantError) in
      let store = try opener.openCleanable(store)
      return try CleanRun(self, store, try checkedKinds(of: store), cancellation).run(tell)
    }
  }

  /// Returns the kinds in the store's own order, without duplicates.
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
