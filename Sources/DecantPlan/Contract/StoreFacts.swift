package import DecantBase
public import DecantStore

/// Facts that only a store's own kind knows, beyond the tables in its layout.
public struct StoreFacts: Sendable, Hashable {
  /// The origin of the model, in words: `in the store`.
  public var modelOrigin: String
  /// The version of the framework that last wrote the store, if recorded.
  public var frameworkVersion: Int64?
  /// The systems with that framework, roughly: `macOS 14, iOS 17`.
  public var frameworkEra: String?
  /// The sync metadata, one element for each kind that is present.
  public var syncMetadata: [SyncMetadataLayer] = []
  /// The keys of the app's own metadata in the store.
  public var metadataKeys: [String] = []
  /// The problems of the store's own metadata.
  public var problems: [StoreProblem] = []
  /// The file from which the store was read, if it is not a database: an archive, recipes.
  public var container: StoreContainer?

  /// Begins with no facts except the origin of the model.
  package init(modelOrigin: String) {
    self.modelOrigin = modelOrigin
  }
}

/// The metadata that one kind of sync left in a store.
public struct SyncMetadataLayer: Sendable, Hashable {
  /// The kind, as named for `clean`: `icloud`, `cloudkit`, `history`.
  public var kind: String
  /// Its metadata keys, without their values.
  public var metadataKeys: [String]
  /// Its tables.
  public var tables: [Table]

  /// A table of sync metadata, and its number of rows.
  public struct Table: Sendable, Hashable {
    /// The table's name, unquoted, without schema.
    public var name: String
    /// What a row represents, if known: `transaction`.
    public var noun: String?
    /// The number of rows at the time of the inspection.
    public var rowCount: Int64

    /// Describes a table; without a noun its rows are just called rows.
    package init(name: String, noun: String? = nil, rowCount: Int64) {
      self.name = name
      self.noun = noun
      self.rowCount = rowCount
    }
  }

  /// Describes the keys and tables of one kind of sync.
  package init(kind: String, metadataKeys: [String] = [], tables: [Table] = []) {
    self.kind = kind
    self.metadataKeys = metadataKeys
    self.tables = tables
  }
}

/// A problem of a store.
public struct StoreProblem: Sendable, Hashable {
  /// The kind of a problem; the raw value is the name that the JSON of `inspect` has under `problem`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Kind: String, CaseIterable, Sendable {
    /// Links lead to objects that do not exist.
    case danglingLinks
    /// Rows have an entity that the store does not know.
    case unknownEntity
    /// External files of values are missing.
    case missingFiles
    /// Values are neither inline data nor references to a file.
    case unreadableValues
    /// Links lead to an object of an entity that the relationship does not allow.
    case strayLinks
    /// The entity stored with the key of a link differs from that of the target.
    case wrongTargetEntity
    /// Links in an ordered list have no position.
    case missingPositions
    /// The model in the store cannot be read.
    case unreadableModel
    /// The store has no metadata row, or several, where one is required.
    case metadataRows
    /// The counter of keys is exhausted: no object can be added.
    case fullCounter
    /// The counter of keys is too low: the next object would get a key that is taken.
    case lowCounter
    /// Rows on a server cannot be read, because a unique column or the like of the store forbids them.
    case rowsRefused
    /// Rows on a server break a condition (CHECK) that only the store has.
    case conditionsBroken
    /// The store refers to an entity by a former name.
    case staleName
    /// The database itself is damaged.
    case damage
    /// Sync left tables or keys; only `doctor` reports that as a finding.
    case syncMetadata
    /// A column contains keys of other rows without a declaration; only `doctor` looks for that.
    case undeclaredLink
  }

  /// The kind of the problem, for scripts.
  public var kind: Kind
  /// The relationship, attribute, entity or table concerned.
  public var subject: String?
  /// The number of links, rows or files; `nil` if nothing is counted.
  public var count: Int64?
  /// The problem in words.
  public var text: String

  /// Describes a problem; `text` must not contain a value of an object.
  package init(_ kind: Kind, subject: String? = nil, count: Int64? = nil, text: String) {
    self.kind = kind
    self.subject = subject
    self.count = count
    self.text = text
  }
}

extension StoreProblem {
  /// Returns the problem of `count` links of `relationship` whose targets do not exist.
  package static func dangling(_ count: Int64, of relationship: String, _ terms: Terms) -> StoreProblem {
    let text = "\(relationship): \(count.counted("dangling link")) (the target \(terms.object) does not exist)"
    return StoreProblem(.danglingLinks, subject: relationship, count: count, text: text)
  }
}
