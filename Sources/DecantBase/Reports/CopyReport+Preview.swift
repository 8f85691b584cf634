extension CopyReport {
  /// A group of objects that a merge would treat alike, for a dry run.
  public struct Preview: Sendable, Hashable {
    /// The outcome of a merge for an object.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
      /// The object is added.
      case added
      /// The destination's object takes values of the source.
      case updated
      /// The object is added beside that of the destination.
      case keptBoth
      /// The destination's object has other values, and is kept unchanged.
      case kept
      /// The destination's object is removed, as it was removed in the source.
      case removed
    }

    /// An object, identified by its key and title.
    public struct Object: Sendable, Hashable {
      /// The key as JSON text, in the destination if the object exists there, otherwise in the source.
      public var key: String
      /// The title or name of the object, if it has one.
      public var title: String?

      /// Describes an object; `key` must be JSON.
      package init(key: String, title: String? = nil) {
        (self.key, self.title) = (key, title)
      }
    }

    /// The outcome for these objects.
    public var outcome: Outcome
    /// The concrete entity.
    public var entity: String
    /// The number of objects.
    public var count: Int64 = 0
    /// The first few, by key.
    public var objects: [Object] = []

    /// Describes a group of objects.
    package init(outcome: Outcome, entity: String, count: Int64 = 0, objects: [Object] = []) {
      (self.outcome, self.entity, self.count, self.objects) = (outcome, entity, count, objects)
    }
  }
}
