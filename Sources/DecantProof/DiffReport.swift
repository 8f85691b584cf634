public import DecantBase
public import DecantMatch

/// The equalities and differences of two stores.
public struct DiffReport: Sendable, Hashable {
  /// The two stores, called A and B.
  public var a: StoreIdentity
  public var b: StoreIdentity
  /// The concrete entities with objects in at least one of the stores, in the model's order.
  public var entities: [Entity]
  /// Many-to-many links and the app's own tables, by name.
  public var rows: [Rows]
  /// The first differing objects and links.
  public var differences: [Item]
  /// Whether there are more differences than the named ones.
  public var isCutOff: Bool
  public var notes: [ReportNote]
  /// The first schema differences of each kind.
  public var schema: [SchemaDifference] = []
  /// The total number of schema differences.
  public var schemaCount: Int64 = 0

  /// Creates a report.
  package init(
    a: StoreIdentity,
    b: StoreIdentity,
    entities: [Entity],
    rows: [Rows],
    differences: [Item],
    isCutOff: Bool,
    notes: [ReportNote],
    schema: [SchemaDifference] = [],
    schemaCount: Int64 = 0
  ) {
    (self.a, self.b, self.entities, self.rows) = (a, b, entities, rows)
    (self.differences, self.isCutOff, self.notes) = (differences, isCutOff, notes)
    (self.schema, self.schemaCount) = (schema, schemaCount)
  }

  /// Whether the stores are equal.
  public var isEqual: Bool {
    differences.isEmpty && schemaCount == 0
      && entities.allSatisfy { $0.changed + $0.onlyInA + $0.onlyInB == 0 }
      && rows.allSatisfy { $0.changed + $0.onlyInA + $0.onlyInB == 0 }
  }

  /// The objects of one concrete entity.
  public struct Entity: Sendable, Hashable {
    public var name: String
    /// The numbers of equal and of different objects that both stores have.
    public var same: Int64 = 0
    public var changed: Int64 = 0
    /// The numbers of objects that only one of the stores has.
    public var onlyInA: Int64 = 0
    public var onlyInB: Int64 = 0
    /// How objects were matched.
    public var matchedBy: MatchedBy

    /// Creates the counts of an entity.
    package init(
      name: String,
      same: Int64 = 0,
      changed: Int64 = 0,
      onlyInA: Int64 = 0,
      onlyInB: Int64 = 0,
      matchedBy: MatchedBy
    ) {
      (self.name, self.same, self.changed, self.onlyInA) = (name, same, changed, onlyInA)
      (self.onlyInB, self.matchedBy) = (onlyInB, matchedBy)
    }
  }

  /// The rows of a table that holds no objects.
  public struct Rows: Sendable, Hashable {
    /// The relationship, or `table` and the name of an app's own table.
    public var name: String
    /// The numbers of rows that both stores have: equal ones, and ones with a different position in a list.
    public var same: Int64 = 0
    public var changed: Int64 = 0
    /// The numbers of rows that only one of the stores has.
    public var onlyInA: Int64 = 0
    public var onlyInB: Int64 = 0

    /// Creates the counts of a table.
    package init(name: String, same: Int64 = 0, changed: Int64 = 0, onlyInA: Int64 = 0, onlyInB: Int64 = 0) {
      (self.name, self.same, self.changed, self.onlyInA) = (name, same, changed, onlyInA)
      self.onlyInB = onlyInB
    }
  }

  /// One object or link that differs between the stores.
  public struct Item: Sendable, Hashable {
    /// How it differs.
    public enum Kind: String, Sendable {
      case changed, onlyInA, onlyInB
    }

    /// The concrete entity, or the relationship for a link.
    public var entity: String
    public var kind: Kind
    /// The object's key in each store that has it; for a link, the keys of its two ends in A.
    public var keysInA: [Int64] = []
    public var keysInB: [Int64] = []
    /// The key in words, for rows not identified by an object's number.
    public var name: String?
    /// The properties in which a changed object differs.
    public var changes: [Change] = []

    /// Creates a differing object or link.
    package init(
      entity: String,
      kind: Kind,
      keysInA: [Int64] = [],
      keysInB: [Int64] = [],
      name: String? = nil,
      changes: [Change] = []
    ) {
      (self.entity, self.kind, self.keysInA, self.keysInB) = (entity, kind, keysInA, keysInB)
      (self.name, self.changes) = (name, changes)
    }
  }

  /// One property of an object that differs between the stores.
  public struct Change: Sendable, Hashable {
    public var property: String
    /// The values as readable text, if values were requested.
    public var valueInA: String?
    public var valueInB: String?

    /// Creates a differing property.
    package init(property: String, valueInA: String? = nil, valueInB: String? = nil) {
      (self.property, self.valueInA, self.valueInB) = (property, valueInA, valueInB)
    }
  }
}

extension DiffReport.Item: CustomStringConvertible {
  /// One line, without values.
  public var description: String {
    let object = ([entity] + [name ?? keyText].compactMap(\.self)).joined(separator: " ")
    return switch kind {
    case .changed: "\(object) differs in \(changes.map(\.property).joined(separator: ", "))"
    case .onlyInA: "\(object) only in A"
    case .onlyInB: "\(object) only in B"
    }
  }

  /// The key for the reader; both keys if they differ.
  private var keyText: String? {
    let keys = keysInA.isEmpty ? keysInB : keysInA
    guard !keys.isEmpty else { return nil }
    let text = keys.map(Terms.objects.key).joined(separator: " → ")
    guard kind == .changed, !keysInB.isEmpty, keysInB != keysInA else { return text }
    return "\(text) (\(keysInB.map(Terms.objects.key).joined(separator: " → ")) in B)"
  }
}
