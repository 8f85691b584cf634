/// A value an object holds.
public struct ModelAttribute: Sendable, Hashable {
  /// What the model calls it; of a composite attribute's leaf its own name, without the whole's.
  public var name: String
  /// What its values are; a column may hold anything else all the same, as SQLite allows it.
  public var type: AttributeType
  /// Whether an object may do without a value.
  public var isOptional: Bool
  /// Whether the value lives in memory only: a store holds nothing of it.
  public var isTransient: Bool
  /// The expression that computes the value, for a derived attribute; the value is stored too.
  public var derivation: String?
  /// Whether large values may lie in files of their own beside the store.
  public var allowsExternalStorage: Bool
  /// Whether persistent history keeps the value when the object is deleted.
  public var isPreservedInHistory: Bool
  /// Whether the developer asked for an index of it, as models did before fetch indexes.
  public var isIndexed: Bool
  /// What a new object begins with, and what a copy gives to objects of a source that lacks it.
  public var defaultValue: StoreValue?
  /// What an app asks of the values it saves.
  public var rules: ValueRules
  /// The transformer of a transformable attribute, where the model names one.
  public var valueTransformer: String?
  /// The name this attribute had in an earlier version, where the developer said so.
  public var renamingIdentifier: String?
  /// A text of the developer's by which the version hash differs though nothing else does.
  public var versionHashModifier: String?
  /// What the developer noted beside it in the model; texts only.
  public var userInfo: [String: String]

  /// Describes an attribute: required and stored with the object, unless told otherwise.
  public init(
    name: String,
    type: AttributeType,
    isOptional: Bool = false,
    isTransient: Bool = false,
    derivation: String? = nil,
    allowsExternalStorage: Bool = false,
    isPreservedInHistory: Bool = false,
    isIndexed: Bool = false,
    defaultValue: StoreValue? = nil,
    rules: ValueRules = ValueRules(),
    valueTransformer: String? = nil,
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.derivation = derivation
    self.allowsExternalStorage = allowsExternalStorage
    self.isPreservedInHistory = isPreservedInHistory
    self.isIndexed = isIndexed
    self.defaultValue = defaultValue
    self.rules = rules
    self.valueTransformer = valueTransformer
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// Whether the attribute is kept up to date by the store from other values.
  public var isDerived: Bool { derivation != nil }
}

/// What the values of an attribute are.
public indirect enum AttributeType: Sendable, Hashable {
  /// None was said; a store has no column for such an attribute.
  case undefined
  /// Signed integers of so many bits.
  case integer16, integer32, integer64
  /// Numbers with a fraction: decimal digits, or 64 and 32 bits in binary.
  case decimal, double, float
  /// Values of other kinds; those of `transformable` are bytes in a form that only the app knows.
  case string, boolean, date, binary, uuid, uri, transformable, objectID
  /// Several values under one name, each stored on its own; leaves may be composite again.
  case composite([ModelAttribute])

  /// The word for this type in reports and models, such as `int16`, `string` or `date`.
  public var name: String {
    switch self {
    case .undefined: "undefined"
    case .integer16: "int16"
    case .integer32: "int32"
    case .integer64: "int64"
    case .decimal: "decimal"
    case .double: "double"
    case .float: "float"
    case .string: "string"
    case .boolean: "bool"
    case .date: "date"
    case .binary: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    case .transformable: "transformable"
    case .objectID: "objectID"
    case .composite: "composite"
    }
  }
}
