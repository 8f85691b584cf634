public import DecantBase
internal import DecantPlan
internal import DecantSQLite

/// The row of one object during reading; only `init(_:)` of a ``StoredObject`` receives one.
public struct ObjectRow: ~Copyable {
  let statement: Statement
  let shape: RowShape

  /// The number of leading columns in each statement: key and entity.
  static let leadingCount = 2

  /// The key of the object; `nil` if the rows of the table have no integer key.
  public var key: Int64? { statement.integerOrNil(at: 0) }

  /// The entity of the object, which may be a subentity of the requested one.
  public var entity: String { statement.text(at: 1) ?? shape.entity }

  /// The names of the values.
  public var names: [String] { shape.names }

  /// Returns the key of the object.
  ///
  /// - Throws: `DecantError` if the rows of the table have no integer key.
  public func id<Object>() throws(DecantError) -> ObjectID<Object> {
    guard let key else {
      throw DecantError(
        .unsupportedContent, "the rows of \(shape.entity) have no integer key, so none of them has an ID")
    }
    return ObjectID(key)
  }

  /// Returns the value at `index`.
  ///
  /// - Throws: `DecantError` if there is no value or if it does not fit the type.
  public func value<Value: FieldValue>(_ index: Int) throws(DecantError) -> Value {
    guard let value: Value = try optional(index) else {
      throw DecantError(
        .unsupportedContent,
        "\(name) has no value of \(shape.names[index]), which its model requires",
        remedy: "give it one, or make the attribute optional in the model"
      )
    }
    return value
  }

  /// Returns the value at `index`, or `nil` if there is none.
  ///
  /// - Throws: `DecantError` if the value does not fit the type.
  public func optional<Value: FieldValue>(_ index: Int) throws(DecantError) -> Value? {
    let place = index + Self.leadingCount
    guard statement.type(at: place) != .null else { return nil }
    guard let value = Value(ColumnReader(statement: statement, place: place).value(nil)) else {
      throw DecantError(
        .unsupportedContent,
        "\(shape.names[index]) of \(name) is not of the type \(Value.self)",
        remedy: "read it by name as a StoreRecord"
      )
    }
    return value
  }

  /// Returns the value at `index` in decant's canonical form.
  public func value(at index: Int) -> StoreValue {
    ColumnReader(statement: statement, place: index + Self.leadingCount).value(shape.types[index])
  }

  private var name: String { "\(entity) \(key.map(String.init) ?? "without a key")" }
}

/// The meaning of the columns of a statement.
struct RowShape: Sendable {
  let entity: String
  let names: [String]
  let types: [AttributeType?]
}

/// Reads one column of the current row of a statement.
struct ColumnReader {
  let statement: Statement
  let place: Int

  func value(_ type: AttributeType?) -> StoreValue {
    switch statement.type(at: place) {
    case .null: .null
    case .integer: type == .date ? .date(statement.real(at: place)) : .integer(statement.integer(at: place))
    case .real: type == .date ? .date(statement.real(at: place)) : .double(statement.real(at: place))
    case .text: type == .uri ? .uri(text) : .text(text)
    case .blob: bytes(type)
    }
  }

  private var text: String { statement.text(at: place) ?? "" }

  private func bytes(_ type: AttributeType?) -> StoreValue {
    let bytes = statement.bytes(at: place)
    return type == .uuid && bytes.count == 16 ? .uuid(bytes) : .binary(bytes)
  }
}
