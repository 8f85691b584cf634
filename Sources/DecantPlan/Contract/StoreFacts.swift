public import DecantStore

/// What only a store's own kind can tell of it, beyond the tables that its layout names.
public struct StoreFacts: Sendable, Hashable {
  /// Where the model was found, in words: `in the store`.
  public var modelOrigin: String
  /// The version of the framework that wrote the store last, where it says so.
  public var frameworkVersion: Int64?
  /// Which systems had that framework, roughly: `macOS 14, iOS 17`.
  public var frameworkEra: String?
  /// What syncing left behind, one for each kind of it that is there.
  public var syncMetadata: [SyncMetadataLayer] = []
  /// The names under which the app itself keeps metadata in the store.
  public var metadataKeys: [String] = []
  /// What is wrong with the store's own bookkeeping.
  public var problems: [StoreProblem] = []
  /// The file that the store was read out of, where that is no database: an archive, recipes.
  public var container: StoreContainer?

  /// Begins with a store that has nothing but its tables to tell.
  public init(modelOrigin: String) {
    self.modelOrigin = modelOrigin
  }
}

/// What one kind of syncing left behind in a store.
public struct SyncMetadataLayer: Sendable, Hashable {
  /// The kind, by the word with which `clean` removes it: `icloud`, `cloudkit`, `history`.
  public var kind: String
  /// Its metadata keys, without their values.
  public var metadataKeys: [String]
  /// Its tables.
  public var tables: [Table]

  /// A table of sync metadata, and how many rows it has.
  public struct Table: Sendable, Hashable {
    /// The table's name, unquoted, without schema.
    public var name: String
    /// What a row is, where that is known: `transaction`.
    public var noun: String?
    /// How many rows it has at the moment of the inspection.
    public var rowCount: Int64

    /// Counts a table; without a noun its rows are just rows.
    public init(name: String, noun: String? = nil, rowCount: Int64) {
      self.name = name
      self.noun = noun
      self.rowCount = rowCount
    }
  }

  /// Names what one kind of syncing left: keys, tables, or both.
  public init(kind: String, metadataKeys: [String] = [], tables: [Table] = []) {
    self.kind = kind
    self.metadataKeys = metadataKeys
    self.tables = tables
  }
}

/// Something that is wrong with a store.
public struct StoreProblem: Sendable, Hashable {
  /// What is wrong; scripts know the problem by this word.
  public struct Kind: Sendable, Hashable {
    /// The word, as the JSON of `inspect` has it under `problem`.
    public let name: String

    private init(_ name: String) { self.name = name }

    /// Links lead to objects that are not there.
    public static let danglingLinks = Kind("danglingLinks")
    /// Rows are of no entity that the store knows.
    public static let unknownEntity = Kind("unknownEntity")
    /// Values lie in files that are not there.
    public static let missingFiles = Kind("missingFiles")
    /// Values have no form that says whether they are here or in which file.
    public static let unreadableValues = Kind("unreadableValues")
    /// Links have an object of an entity at their end that the relationship does not lead to.
    public static let strayLinks = Kind("strayLinks")
    /// The entity noted beside the key of a link is not that of the object at its end.
    public static let wrongTargetEntity = Kind("wrongTargetEntity")
    /// Links have no position, although the list they are in is ordered.
    public static let missingPositions = Kind("missingPositions")
    /// The store holds a model that cannot be read.
    public static let unreadableModel = Kind("unreadableModel")
    /// The store says of itself nothing, or several things, where it should say one.
    public static let metadataRows = Kind("metadataRows")
    /// The counter of keys has come to the end: no object can be added.
    public static let fullCounter = Kind("fullCounter")
    /// The counter of keys is behind the keys: the next object would get a key that is taken.
    public static let lowCounter = Kind("lowCounter")
    /// The store knows an entity by a name that it no longer has.
    public static let staleName = Kind("staleName")
    /// The database itself is damaged.
    public static let damage = Kind("damage")
    /// Syncing left tables or keys behind; `doctor` alone counts that as a finding.
    public static let syncMetadata = Kind("syncMetadata")
    /// A column holds keys of other rows, and nothing declares so; `doctor` alone looks for that.
    public static let undeclaredLink = Kind("undeclaredLink")
  }

  /// What is wrong, for scripts.
  public var kind: Kind
  /// The relationship, attribute, entity or table concerned.
  public var subject: String?
  /// How many links, rows or files; `nil` where there is nothing to count.
  public var count: Int64?
  /// The problem as a person reads it.
  public var text: String

  /// Describes a problem; `text` must not show a value of an object.
  public init(_ kind: Kind, subject: String? = nil, count: Int64? = nil, text: String) {
    self.kind = kind
    self.subject = subject
    self.count = count
    self.text = text
  }
}
