extension CopyReport {
  /// What `--root` takes along, by distance, for a dry run.
  public struct Closure: Sendable, Hashable {
    /// The objects of one entity that lie so many links away from those that were asked for.
    public struct Level: Sendable, Hashable {
      /// How many links away: 0 for what was asked for.
      ///
      /// What lies further than `furthestLevel` is counted there.
      public var distance: Int64
      /// The concrete entity.
      public var entity: String
      /// How many objects they are.
      public var objectCount: Int64
      /// The length of their values, those in files of their own included.
      public var byteCount: Int64

      /// Counts objects.
      public init(distance: Int64, entity: String, objectCount: Int64, byteCount: Int64) {
        (self.distance, self.entity, self.objectCount) = (distance, entity, objectCount)
        self.byteCount = byteCount
      }
    }

    /// Nearest first, and in the model's order.
    public var levels: [Level]
    /// How far the furthest object lies.
    public var depth: Int64
    /// The rule for each relationship that leads away from an entity of which something is taken.
    public var rules: [String: ClosureRule]

    /// Describes what is taken along.
    public init(levels: [Level], depth: Int64, rules: [String: ClosureRule]) {
      (self.levels, self.depth, self.rules) = (levels, depth, rules)
    }

    /// The distance from which on objects are counted together.
    public static let furthestLevel: Int64 = 1000
  }
}
