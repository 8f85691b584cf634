/// The template of a new store.
public enum NewStore: Sendable, Hashable {
  /// The source is the template; with `keepsSyncMetadata` iCloud keys, CloudKit mirror and persistent history are
  /// copied.
  case likeSource(keepsSyncMetadata: Bool = false)
  /// A store's place or a model's is the template; with `isUnversioned` the model may lack version hashes.
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
