extension CopyReport {
  /// The objects that `--root` includes, by distance, for a dry run.
  public struct Closure: Sendable, Hashable {
    /// The objects of one entity at one distance from the requested objects.
    public struct Level: Sendable, Hashable {
      /// The distance in links: 0 for the requested objects.
      ///
      /// Objects beyond `furthestLevel` are counted there.
      public var distance: Int64
      /// The concrete entity.
      public var entity: String
      /// The number of objects.
      public var objectCount: Int64
      /// The size of their values, including external files.
      public var byteCount: Int64

      /// Describes a level.
      package init(distance: Int64, entity: String, objectCount: Int64, byteCount: Int64) {
        (self.distance, self.entity, self.objectCount) = (distance, entity, objectCount)
        self.byteCount = byteCount
      }
    }

    /// The levels, nearest first, then in the model's order.
    public var levels: [Level]
    /// The greatest distance of an object.
    public var depth: Int64
    /// The rule of each relationship from an entity of which objects are included.
    public var rules: [String: ClosureRule]

    /// Describes the included objects.
    package init(levels: [Level], depth: Int64, rules: [String: ClosureRule]) {
      (self.levels, self.depth, self.rules) = (levels, depth, rules)
    }

    /// The distance from which objects are counted together.
    public static let furthestLevel: Int64 = 1000
  }
}
