public import DecantBase
public import DecantMatch

/// What a comparison of two stores found.
public struct VerifyReport: Sendable, Hashable {
  public var source: StoreIdentity
  public var destination: StoreIdentity
  public var entities: [Entity]
  /// Objects of which the ID table says that the copy rejected them.
  public var rejectedCount: Int64
  /// Whether every object and link that was compared is in the destination and equal, and the schemas are.
  public var isEqual: Bool
  /// The first objects and links that differ; not all, where there are many.
  public var differences: [Difference]
  /// Whether there are more differences than are named.
  public var isCutOff: Bool
  public var notes: [ReportNote]
  /// The first differences between the schemas, of each kind; A is the source.
  public var schema: [SchemaDifference] = []
  /// How many differences between the schemas there are.
  public var schemaCount: Int64 = 0

  /// Describes what a comparison found.
  public init(
    source: StoreIdentity,
    destination: StoreIdentity,
    entities: [Entity],
    rejectedCount: Int64,
    isEqual: Bool,
    differences: [Difference],
    isCutOff: Bool,
    notes: [ReportNote],
    schema: [SchemaDifference] = [],
    schemaCount: Int64 = 0
  ) {
    (self.source, self.destination, self.entities) = (source, destination, entities)
    (self.rejectedCount, self.isEqual, self.differences) = (rejectedCount, isEqual, differences)
    (self.isCutOff, self.notes, self.schema) = (isCutOff, notes, schema)
    self.schemaCount = schemaCount
  }

  /// The objects of one concrete entity.
  public struct Entity: Sendable, Hashable {
    public var name: String
    /// Objects in the source.
    public var source: Int64
    /// Those that should be in the destination: all, or those that the ID table knows.
    public var expected: Int64
    /// By what they were known again.
    public var matchedBy: MatchedBy

    /// Counts the objects of an entity.
    public init(name: String, source: Int64, expected: Int64, matchedBy: MatchedBy) {
      (self.name, self.source, self.expected, self.matchedBy) = (name, source, expected, matchedBy)
    }
  }

  /// The least sure way by which objects were matched, entities without objects left aside.
  public var matchedBy: MatchedBy {
    let entities =
      entities.contains { $0.source > 0 } ? entities.filter { $0.source > 0 } : entities
    return entities.map(\.matchedBy).max() ?? .key
  }
}
