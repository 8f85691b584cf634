/// What a store is like that is made.
public enum NewStore: Sendable, Hashable {
  /// It is like its source; with `keepsSyncMetadata` iCloud keys, CloudKit mirror and persistent history go along.
  case likeSource(keepsSyncMetadata: Bool = false)
  /// It is made after a store's place, or a model's; with `isUnversioned` also after a model without version hashes.
  case like(String, isUnversioned: Bool = false)
}

extension CopyOptions {
  package var newStore: NewStore {
    get {
      if let template { return .like(template, isUnversioned: isUnversioned) }
      return .likeSource(keepsSyncMetadata: keepsMetadata)
    }
    set {
      switch newValue {
      case .likeSource(let keeps):
        (template, isUnversioned, keepsMetadata) = (nil, false, keeps)
      case .like(let place, let isUnversioned):
        (template, self.isUnversioned, keepsMetadata) = (place, isUnversioned, false)
      }
    }
  }
}
