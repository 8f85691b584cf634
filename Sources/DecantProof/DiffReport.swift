public import DecantBase
public import DecantMatch

/// What two stores have in common and what not.
public struct DiffReport: Sendable, Hashable {
  /// The two stores, called A and B.
  public var a: StoreIdentity
  public var b: StoreIdentity
  /// The concrete entities of which one of the stores has objects, in the model's order.
  public var entities: [Entity]
  /// Links of many to many, and tables of an app's own, by name.
  public var rows: [Rows]
  /// The first objects and links that differ.
  public var differences: [Item]
  /// Whether there are more differences than are named.
  public var isCutOff: Bool
  public var notes: [ReportNote]
  /// The first differences between the schemas, of each kind.
  public var schema: [SchemaDifference] = []
  /// How many differences between the schemas there are.
  public var schemaCount: Int64 = 0

  /// Describes what two stores have in common.
  public init(
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

  /// Whether nothing differs.
  public var isEqual: Bool {
    differences.isEmpty && schemaCount == 0
      && entities.allSatisfy { $0.changed + $0.onlyInA + $0.onlyInB == 0 }
      && rows.allSatisfy { $0.changed + $0.onlyInA + $0.onlyInB == 0 }
  }

  /// The objects of one concrete entity.
  public struct Entity: Sendable, Hashable {
    public var name: String
    /// Objects that both have, equal ones and others.
    public var same: Int64 = 0
    public var changed: Int64 = 0
    /// Objects that one of them has.
    public var onlyInA: Int64 = 0
    public var onlyInB: Int64 = 0
    /// By what objects were known again.
    public var matchedBy: MatchedBy

    /// Counts the objects of an entity.
    public init(
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
    /// Rows that both have, equal ones and those that differ in their place in a list.
    public var same: Int64 = 0
    public var changed: Int64 = 0
    /// Rows that one of them has.
    public var onlyInA: Int64 = 0
    public var onlyInB: Int64 = 0

    /// Counts the rows of a table.
    public init(name: String, same: Int64 = 0, changed: Int64 = 0, onlyInA: Int64 = 0, onlyInB: Int64 = 0) {
      (self.name, self.same, self.changed, self.onlyInA) = (name, same, changed, onlyInA)
      self.onlyInB = onlyInB
    }
  }

  /// One object, or one link, that is not the same in both stores.
  public struct Item: Sendable, Hashable {
    /// In what way it differs.
    public enum Kind: String, Sendable {
      case changed, onlyInA, onlyInB
    }

    /// The concrete entity, or the relationship for a link.
    public var entity: String
    public var kind: Kind
    /// The object's key in either store, as far as it is there; for a link those of its two ends in A.
    public var keysInA: [Int64] = []
    public var keysInB: [Int64] = []
    /// The key in words, where rows have another one than an object's number.
    public var name: String?
    /// In what a changed object differs.
    public var changes: [Change] = []

    /// Describes an object or link that differs.
    public init(
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

  /// One property of an object that is not the same in both stores.
  public struct Change: Sendable, Hashable {
    public var property: String
    /// The values, as text that can be read; only where values were asked for.
    public var valueInA: String?
    public var valueInB: String?

    /// Describes a property that differs.
    public init(property: String, valueInA: String? = nil, valueInB: String? = nil) {
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

  /// The key by which a person finds it; both where they are not the same.
  private var keyText: String? {
    let keys = keysInA.isEmpty ? keysInB : keysInA
    guard !keys.isEmpty else { return nil }
    let text = keys.map(Terms.objects.key).joined(separator: " → ")
    guard kind == .changed, !keysInB.isEmpty, keysInB != keysInA else { return text }
    return "\(text) (\(keysInB.map(Terms.objects.key).joined(separator: " → ")) in B)"
  }
}
