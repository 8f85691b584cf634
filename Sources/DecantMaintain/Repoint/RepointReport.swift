public import DecantBase

/// What became of the references of a store: every number was counted.
public struct RepointReport: Sendable, Hashable {
  /// The store that holds the references.
  public var store: StoreIdentity
  /// The store whose objects they lead to, where it was named.
  public var target: StoreIdentity?
  /// The kept ID table, where one was named.
  public var idTable: String?
  /// Whether references become identities.
  public var isToIdentity: Bool
  /// What became of each place's references.
  public var places: [Place] = []
  /// How many objects were changed; in a dry run how many would be.
  public var objectCount: Int64 = 0
  /// Where the store is kept as it was, if it is.
  public var backup: String?
  /// Whether nothing was written, so that the counts say what would be changed.
  public var isDryRun = false
  /// Whether every changed reference was read again and leads where it is to lead.
  public var isVerified = false
  /// Whether the document of the report shows the values of references: user data, which is not to be shown unasked.
  public var showsValues = false
  /// What the reader should know.
  public var notes: [ReportNote] = []

  /// What became of the references of one place: `count` is the sum of the others.
  public struct Place: Sendable, Hashable {
    /// The place, as the command line has it.
    public var name: String
    /// The references; places without value do not count.
    public var count: Int64 = 0
    /// Those that were changed.
    public var changedCount: Int64 = 0
    /// Those that lead where they are to lead already.
    public var settledCount: Int64 = 0
    /// Those that lead nowhere and are as they were, by kind.
    public var kept: [Kept] = []

    /// Those that are as they were.
    public var keptCount: Int64 { kept.reduce(0) { $0 + $1.count } }

    /// Begins the counts of a place.
    public init(name: String) { self.name = name }
  }

  /// References of one kind that lead nowhere and were kept.
  public struct Kept: Sendable, Hashable {
    /// Why.
    public var reason: Reason
    /// How many.
    public var count: Int64
    /// The first of them.
    public var examples: [Example]

    /// Counts references of one kind.
    public init(reason: Reason, count: Int64, examples: [Example]) {
      (self.reason, self.count, self.examples) = (reason, count, examples)
    }
  }

  /// The object that holds a reference, and the reference.
  public struct Example: Sendable, Hashable {
    /// The entity of the object, as the place names it.
    public var entity: String
    /// Its key.
    public var key: Int64
    /// The value: user data, which is not to be shown unasked.
    public var value: String

    /// Names an object that holds a reference.
    public init(entity: String, key: Int64, value: String) {
      (self.entity, self.key, self.value) = (entity, key, value)
    }
  }

  /// Why a reference is kept as it is.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// It names an object of another store.
    case otherStore
    /// It names an object that had not been saved.
    case temporary
    /// It names an entity that nobody knows.
    case unknownEntity
    /// The ID table has no object of that key.
    case notInTable
    /// The object was left out of the copy.
    case rejected
    /// The store has no such object.
    case noObject
    /// The object has no identity.
    case noIdentity
    /// Several objects are what it may mean.
    case ambiguous
    /// It is no reference.
    case noReference
  }

  /// Begins the report of a run that has not changed anything yet.
  public init(store: StoreIdentity, target: StoreIdentity? = nil, idTable: String? = nil, isToIdentity: Bool = false) {
    self.store = store
    self.target = target
    self.idTable = idTable
    self.isToIdentity = isToIdentity
  }

  /// How many references were changed.
  public var changedCount: Int64 { places.reduce(0) { $0 + $1.changedCount } }
}

extension RepointReport.Place {
  /// How many examples of each kind are told.
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
