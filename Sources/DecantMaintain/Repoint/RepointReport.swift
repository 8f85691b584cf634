public import DecantBase

/// The result of a re-pointing: all numbers are counted.
public struct RepointReport: Sendable, Hashable {
  /// The store that holds the references.
  public var store: StoreIdentity
  /// The store whose objects the references lead to, if it was given.
  public var target: StoreIdentity?
  /// The kept ID table, if one was given.
  public var idTable: String?
  /// Whether references become identities.
  public var isToIdentity: Bool
  /// The results for each place.
  public var places: [Place] = []
  /// The number of changed objects; in a dry run the number that would be changed.
  public var objectCount: Int64 = 0
  /// The place of the backup, if there is one.
  public var backup: String?
  /// Whether nothing was written, so that the counts say what would be changed.
  public var isDryRun = false
  /// Whether every changed reference was read back and leads to the right object.
  public var isVerified = false
  /// Whether the encoded report includes the values of references, which are user data and not shown by default.
  public var showsValues = false
  /// Notes for the reader.
  public var notes: [ReportNote] = []

  /// The results for one place; `count` is the sum of the other counts.
  public struct Place: Sendable, Hashable {
    /// The place in command-line notation.
    public var name: String
    /// The number of references; missing values are not counted.
    public var count: Int64 = 0
    /// The number of changed references.
    public var changedCount: Int64 = 0
    /// The number of references that already lead to the right object.
    public var settledCount: Int64 = 0
    /// The references that lead nowhere and were kept, by reason.
    public var kept: [Kept] = []

    /// The number of kept references.
    public var keptCount: Int64 { kept.reduce(0) { $0 + $1.count } }

    /// Creates the empty counts of a place.
    package init(name: String) { self.name = name }
  }

  /// References that lead nowhere and were kept, of one kind.
  public struct Kept: Sendable, Hashable {
    /// The reason.
    public var reason: Reason
    /// The number of references.
    public var count: Int64
    /// The first references.
    public var examples: [Example]

    /// Creates the count of references of one kind.
    package init(reason: Reason, count: Int64, examples: [Example]) {
      (self.reason, self.count, self.examples) = (reason, count, examples)
    }
  }

  /// A reference, and the object that holds it.
  public struct Example: Sendable, Hashable {
    /// The entity of the object, as named by the place.
    public var entity: String
    /// The key of the object.
    public var key: Int64
    /// The value of the reference, which is user data and not shown by default.
    public var value: String

    /// Creates an example.
    package init(entity: String, key: Int64, value: String) {
      (self.entity, self.key, self.value) = (entity, key, value)
    }
  }

  /// Why a reference was kept.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// It names an object of another store.
    case otherStore
    /// It names an object that was never saved.
    case temporary
    /// It names an unknown entity.
    case unknownEntity
    /// The ID table has no object with that key.
    case notInTable
    /// The copy rejected the object.
    case rejected
    /// The store has no such object.
    case noObject
    /// The object has no identity.
    case noIdentity
    /// It may refer to several objects.
    case ambiguous
    /// The value is not a reference.
    case noReference
  }

  /// Creates the report of a run that has not changed anything yet.
  package init(store: StoreIdentity, target: StoreIdentity? = nil, idTable: String? = nil, isToIdentity: Bool = false) {
    self.store = store
    self.target = target
    self.idTable = idTable
    self.isToIdentity = isToIdentity
  }

  /// The number of changed references.
  public var changedCount: Int64 { places.reduce(0) { $0 + $1.changedCount } }
}

extension RepointReport.Place {
  /// The maximum number of examples of each kind.
  private static let exampleLimit = 5

  /// Counts a reference that is kept.
  mutating func keep(_ reason: RepointReport.Reason, _ example: @autoclosure () -> RepointReport.Example) {
    let index: Int
    if let found = kept.firstIndex(where: { $0.reason == reason }) {
      index = found
    } else {
      index = kept.count
      kept.append(RepointReport.Kept(reason: reason, count: 0, examples: []))
    }
    kept[index].count += 1
    guard kept[index].examples.count < Self.exampleLimit else { return }
    kept[index].examples.append(example())
  }
}
