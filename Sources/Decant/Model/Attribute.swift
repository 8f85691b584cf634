/// A value an object holds.
public struct Attribute: Sendable, Hashable {
  public var name: String
  public var type: AttributeType
  public var isOptional: Bool
  /// Whether the value lives in memory only: a store holds nothing of it.
  public var isTransient: Bool
  /// The expression that computes the value, for a derived attribute; the value is stored too.
  public var derivation: String?
  /// Whether large values may lie in files of their own beside the store.
  public var allowsExternalStorage: Bool
  /// Whether persistent history keeps the value when the object is deleted.
  public var isPreservedInHistory: Bool
  public var defaultValue: Value?
  /// The transformer of a transformable attribute, where the model names one.
  public var valueTransformer: String?
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  public var userInfo: [String: String]

  public init(
    name: String,
    type: AttributeType,
    isOptional: Bool = false,
    isTransient: Bool = false,
    derivation: String? = nil,
    allowsExternalStorage: Bool = false,
    isPreservedInHistory: Bool = false,
    defaultValue: Value? = nil,
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
    self.defaultValue = defaultValue
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
  case undefined
  case integer16, integer32, integer64
  case decimal, double, float
  case string, boolean, date, binary, uuid, uri, transformable, objectID
  /// Several values under one name, each stored on its own; leaves may be composite again.
  case composite([Attribute])

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
