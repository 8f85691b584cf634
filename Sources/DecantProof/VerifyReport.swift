public import DecantBase
public import DecantMatch

/// The result of a comparison of two stores.
public struct VerifyReport: Sendable, Hashable {
  public var source: StoreIdentity
  public var destination: StoreIdentity
  public var entities: [Entity]
  /// The number of objects that the copy rejected, according to the ID table.
  public var rejectedCount: Int64
  /// Whether every compared object and link is in the destination and equal, and the schemas are equal too.
  public var isEqual: Bool
  /// The first differing objects and links; there may be more.
  public var differences: [Difference]
  /// Whether there are more differences than the named ones.
  public var isCutOff: Bool
  public var notes: [ReportNote]
  /// The first schema differences of each kind; A is the source.
  public var schema: [SchemaDifference] = []
  /// The total number of schema differences.
  public var schemaCount: Int64 = 0

  /// Creates a report.
  package init(
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
    /// The number of objects in the source.
    public var source: Int64
    /// The number expected in the destination: all, or those in the ID table.
    public var expected: Int64
    /// How they were matched.
    public var matchedBy: MatchedBy

    /// Creates the counts of an entity.
    package init(name: String, source: Int64, expected: Int64, matchedBy: MatchedBy) {
      (self.name, self.source, self.expected, self.matchedBy) = (name, source, expected, matchedBy)
    }
  }

  /// The least certain way by which objects were matched, ignoring entities without objects.
  public var matchedBy: MatchedBy {
    let entities =
      entities.contains { $0.source > 0 } ? entities.filter { $0.source > 0 } : entities
    return entities.map(\.matchedBy).max() ?? .key
  }
}
