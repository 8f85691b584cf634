internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

extension ObjectEdits {
  /// The columns of a row to write, and their new values.
  struct Row {
    private let entity: EditedEntity
    private let isFromTables: Bool
    /// The column names as SQL, each with its value as SQL.
    private var columns: [(name: String, value: String)] = []
    private(set) var bindings: [Binding] = []

    init(_ entity: EditedEntity, _ edits: ObjectEdits) {
      self.entity = entity
      isFromTables = edits.store.model.isFromTables
    }

    var isEmpty: Bool { columns.isEmpty }

    /// Sets the column `name`.
    mutating func set(_ name: String, _ value: Binding) { set(name, value) { $0 } }

    /// Sets a column that holds a key.
    mutating func set(_ column: RelationColumn, _ value: Binding) { set(column.name.sqlName, value) }

    /// Sets the value of an attribute.
    ///
    /// - Throws: `DecantError` with the code `.invalidInput` for a value of another type, `.constraintViolated` for one
    ///   that breaks a rule of the model.
    mutating func set(_ attribute: EditedAttribute, _ value: StoreValue, isDefault: Bool = false) throws(DecantError) {
      let column = attribute.column
      let name = column.columnRole.property?.name ?? column.name
      guard isDefault || isFromTables || value.fits(attribute.attribute?.type ?? column.type) else {
        throw DecantError(
          .invalidInput,
          "\(entity.name).\(name) takes \(attribute.attribute?.type.name ?? "another type"), and got \(value.typeName)",
          remedy: "give it a value of that type"
        )
      }
      if !isDefault, let broken = try attribute.attribute?.rules.broken(by: value) {
        throw DecantError(
          .constraintViolated,
          "\(entity.name).\(name) takes \(broken)",
          place: "\(entity.name).\(name)",
          remedy: "the model requires this: choose another value"
        )
      }
      var binding = value.binding
      // A float has 32 bits, its column 64.
      if attribute.attribute?.type == .float, case .real(let number) = binding {
        binding = .real(Double(Float(number)))
      }
      if case .blob(let bytes) = binding, !column.inlineMark.isEmpty { binding = .blob(column.inlineMark + bytes) }
      let property = "\(entity.name).\(name)"
      set(column.name.sqlName, binding) { column.encoding.encoding($0, of: property) }
    }

    private mutating func set(_ name: String, _ value: Binding, _ encoded: (String) -> String) {
      let known = columns.firstIndex { $0.name == name }
      if let known { return bindings[known] = value }
      bindings.append(value)
      columns.append((name, encoded("?\(bindings.count)")))
    }

    /// Returns the value set for a column.
    func value(of name: String) -> Binding? {
      columns.firstIndex { $0.name == name }.map { bindings[$0] }
    }

    var insertion: String {
      guard !columns.isEmpty else { return "INSERT INTO \(entity.table.sql) DEFAULT VALUES" }
      return "INSERT INTO \(entity.table.sql) (\(columns.map(\.name).joined(separator: ", "))) "
        + "VALUES (\(columns.map(\.value).joined(separator: ", ")))"
    }

    func update(_ condition: String) -> String {
      let sets = columns.map { "\($0.name) = \($0.value)" }
      return "UPDATE \(entity.table.sql) SET \(sets.joined(separator: ", ")) WHERE \(condition) AND (\(differences))"
    }

    /// The condition that a row differs from these values.
    var differences: String { columns.map { "\($0.name) COLLATE BINARY IS NOT \($0.value)" }.joined(separator: " OR ") }
  }
}

extension StoreValue {
  /// Whether an attribute of the type can have the value.
  func fits(_ type: AttributeType?) -> Bool {
    if self == .null { return true }
    guard let type else { return true }
    switch (type, self) {
    case (.integer16, .integer(let value)): return Int16(exactly: value) != nil
    case (.integer32, .integer(let value)): return Int32(exactly: value) != nil
    case (.integer64, .integer), (.undefined, _), (.objectID, _), (.composite, _): return true
    case (.boolean, .integer(let value)): return value == 0 || value == 1
    case (.float, .double(let value)): return !value.isNaN && (value.isInfinite || Float(value).isFinite)
    case (.double, .double(let value)), (.decimal, .double(let value)),
      (.date, .date(let value)), (.date, .double(let value)):
      return !value.isNaN
    case (.double, .integer), (.float, .integer), (.decimal, .integer), (.decimal, .decimal), (.date, .integer):
      return true
    case (.string, .text), (.uri, .uri), (.uri, .text): return true
    case (.uuid, .uuid(let bytes)), (.uuid, .binary(let bytes)): return bytes.count == 16
    case (.binary, .binary), (.transformable, .binary): return true
    default: return false
    }
  }

  /// The name of the value's type, for errors.
  var typeName: String {
    switch self {
    case .null: "no value"
    case .integer(let value): "the integer \(value)"
    case .double(let value): "the number \(value)"
    case .date: "a date"
    case .decimal: "a decimal"
    case .text: "a text"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .binary: "bytes"
    }
  }
}
