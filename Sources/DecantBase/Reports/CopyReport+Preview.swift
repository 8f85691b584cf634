extension CopyReport {
  /// Objects that a merge would treat alike, for a dry run.
  public struct Preview: Sendable, Hashable {
    /// What would become of objects.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
      /// It is added.
      case added
      /// The destination's object takes values of the source.
      case updated
      /// It is added beside the one of the destination.
      case keptBoth
      /// The destination's object has other values, and stays as it is.
      case kept
      /// The destination's object is removed, as the source has removed it.
      case removed
    }

    /// An object by its names.
    public struct Object: Sendable, Hashable {
      /// Its key as JSON text, in the destination if that has it, else in the source.
      public var key: String
      /// Its title or name, if it has one.
      public var title: String?

      /// Names an object; `key` must be JSON.
      public init(key: String, title: String? = nil) {
        (self.key, self.title) = (key, title)
      }
    }

    /// What would become of them.
    public var outcome: Outcome
    /// The concrete entity.
    public var entity: String
    /// How many there are.
    public var count: Int64 = 0
    /// The first few, by key.
    public var objects: [Object] = []

    /// Describes a group of objects.
    public init(outcome: Outcome, entity: String, count: Int64 = 0, objects: [Object] = []) {
      (self.outcome, self.entity, self.count, self.objects) = (outcome, entity, count, objects)
    }
  }
}
