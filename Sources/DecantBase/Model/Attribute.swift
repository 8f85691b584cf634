/// An attribute: a value that an object holds.
public struct ModelAttribute: Sendable, Hashable {
  /// The name in the model; for a leaf of a composite attribute its own name, without that of the composite.
  public var name: String
  /// The type of its values; a column may still hold any other value, as SQLite allows it.
  public var type: AttributeType
  /// Whether an object may have no value.
  public var isOptional: Bool
  /// Whether the value exists in memory only and is not stored.
  public var isTransient: Bool
  /// The expression that computes the value, for a derived attribute; the value is stored too.
  public var derivation: String?
  /// Whether large values may be stored in files of their own beside the store.
  public var allowsExternalStorage: Bool
  /// Whether persistent history keeps the value when the object is deleted.
  public var isPreservedInHistory: Bool
  /// Whether the model asks for an index of the attribute, as models did before fetch indexes.
  public var isIndexed: Bool
  /// The value of a new object, and of copied objects whose source lacks the attribute.
  public var defaultValue: StoreValue?
  /// The validation rules of an app for its values.
  public var rules: ValueRules
  /// The value transformer of a transformable attribute, if the model names one.
  public var valueTransformer: String?
  /// The name of this attribute in an earlier version, if the developer gave one.
  public var renamingIdentifier: String?
  /// A text that changes the version hash without any other change.
  public var versionHashModifier: String?
  /// The developer's notes in the model; texts only.
  public var userInfo: [String: String]

  /// Describes an attribute; by default required and stored with the object.
  package init(
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

  /// Whether the store computes the value from other values.
  public var isDerived: Bool { derivation != nil }
}

/// The type of an attribute's values.
public indirect enum AttributeType: Sendable, Hashable {
  /// No type was set; a store has no column for such an attribute.
  case undefined
  /// Signed integers of 16, 32 or 64 bits.
  case integer16, integer32, integer64
  /// Numbers with a fraction: decimal digits, or binary with 64 and 32 bits.
  case decimal, double, float
  /// Values of other kinds; those of `transformable` are bytes in a format that only the app knows.
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
