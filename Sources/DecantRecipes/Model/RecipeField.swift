internal import DecantRecipeFormats
internal import DecantSQLite

/// A value of a recipe, or of a part of one: its name, its place in memory, and its columns in the tables.
///
/// The tables, the model, the statements and the comparisons of recipes are all derived from lists of these.
struct RecipeField<Owner>: Sendable {
  typealias Path<Value> = WritableKeyPath<Owner, Value> & Sendable

  /// The place of the value, which determines its type.
  enum Place: Sendable {
    case needed(any Path<String>)
    case text(any Path<String?>)
    case number(any Path<Double?>)
    case mark(any Path<Bool>)
    case truth(any Path<Bool?>)
    /// A time has two columns: its text and its minutes.
    case time(any Path<RecipeTime?>)
  }

  let name: String
  let place: Place
  /// The offset of the value in its owner, in bytes: access by offset takes a tenth of the time.
  private let offset: Int

  init(_ name: String, _ place: Place) {
    (self.name, self.place) = (name, place)
    let path: PartialKeyPath<Owner> =
      switch place {
      case .needed(let path): path
      case .text(let path): path
      case .number(let path): path
      case .mark(let path): path
      case .truth(let path): path
      case .time(let path): path
      }
    guard let offset = MemoryLayout<Owner>.offset(of: path) else { preconditionFailure("\(name) is not stored") }
    self.offset = offset
  }

  /// The columns that hold the value.
  var columns: [RecipeColumn] {
    switch place {
    case .needed: [RecipeColumn(name, .text, isNeeded: true)]
    case .text: [RecipeColumn(name, .text)]
    case .number: [RecipeColumn(name, .number)]
    case .mark: [RecipeColumn(name, .truth, isNeeded: true)]
    case .truth: [RecipeColumn(name, .truth)]
    case .time:
      [RecipeColumn(name, .text), RecipeColumn("\(name.dropLast("Time".count))Minutes", .number)]
    }
  }

  /// Returns the values of the columns for `owner`.
  func bindings(of owner: Owner) -> [Binding] { [self].bindings(of: owner) }

  /// Appends the values of the columns for the owner at `owner`.
  fileprivate func append(_ owner: UnsafePointer<Owner>, to values: inout [Binding]) {
    // The type is right because the offset was derived from the path.
    func value<Value>(_: any Path<Value>) -> Value {
      (UnsafeRawPointer(owner) + offset).assumingMemoryBound(to: Value.self).pointee
    }
    switch place {
    case .needed(let path): values.append(.text(value(path)))
    case .text(let path): values.append(.optional(value(path)))
    case .number(let path): values.append(.optional(value(path)))
    case .mark(let path): values.append(.integer(value(path) ? 1 : 0))
    case .truth(let path): values.append(value(path).map { .integer($0 ? 1 : 0) } ?? .null)
    case .time(let path):
      let time = value(path)
      values.append(.optional(time?.text))
      values.append(.optional(time?.minutes))
    }
  }

  /// Reads the value into `owner` from the columns of `row` that begin at `column`, and returns the next column.
  func read(_ row: Statement, at column: Int, into owner: inout Owner) -> Int {
    func number(_ column: Int) -> Double? {
      row.type(at: column) == .null ? nil : row.real(at: column)
    }
    switch place {
    case .needed(let path): owner[keyPath: path] = row.text(at: column) ?? ""
    case .text(let path): owner[keyPath: path] = row.text(at: column)
    case .number(let path): owner[keyPath: path] = number(column)
    case .mark(let path): owner[keyPath: path] = row.integer(at: column) != 0
    case .truth(let path): owner[keyPath: path] = row.integerOrNil(at: column).map { $0 != 0 }
    case .time(let path):
      let minutes = number(column + 1)
      owner[keyPath: path] = row.text(at: column).map { RecipeTime(text: $0, minutes: minutes) }
      return column + 2
    }
    return column + 1
  }

  /// Returns the names of values in `before` that `after` lacks or changes.
  func losses(_ before: Owner, _ after: Owner) -> [String] {
    func loss<Value: Equatable>(_ path: KeyPath<Owner, Value?>) -> [String] {
      guard let value = before[keyPath: path] else { return [] }
      return value == after[keyPath: path] ? [] : [name]
    }
    switch place {
    case .needed(let path): return before[keyPath: path] == after[keyPath: path] ? [] : [name]
    case .mark(let path): return before[keyPath: path] == after[keyPath: path] ? [] : [name]
    case .text(let path): return loss(path)
    case .number(let path): return loss(path)
    case .truth(let path): return loss(path)
    case .time(let path):
      guard let time = before[keyPath: path] else { return [] }
      let other = after[keyPath: path]
      guard time.text == other?.text else { return [name] }
      return time.minutes == nil || time.minutes == other?.minutes ? [] : ["\(name).minutes"]
    }
  }
}

extension Recipe {
  /// All single values of a recipe; lists and links to shared objects are not included.
  static let fields: [RecipeField<Recipe>] = [
    .init("title", .needed(\.title)), .init("summary", .text(\.summary)),
    .init("notes", .text(\.notes)), .init("author", .text(\.author)), .init("url", .text(\.url)),
    .init("yield", .text(\.yield)), .init("servings", .number(\.servings)),
    .init("prepTime", .time(\.prepTime)), .init("cookTime", .time(\.cookTime)),
    .init("totalTime", .time(\.totalTime)), .init("rating", .number(\.rating)),
    .init("difficulty", .text(\.difficulty)), .init("isFavorite", .truth(\.isFavorite)),
    .init("language", .text(\.language)), .init("created", .text(\.created)),
    .init("modified", .text(\.modified)),
  ]
}

extension RecipeIngredient {
  static let fields: [RecipeField<RecipeIngredient>] = [
    .init("text", .needed(\.text)), .init("isHeading", .mark(\.isHeading)),
    .init("amount", .number(\.amount)), .init("amountTo", .number(\.amountTo)),
    .init("unit", .text(\.unit)), .init("name", .text(\.name)), .init("note", .text(\.note)),
    .init("isOptional", .truth(\.isOptional)),
  ]
}

extension RecipeStep {
  static let fields: [RecipeField<RecipeStep>] = [
    .init("title", .text(\.title)), .init("text", .needed(\.text)),
    .init("isHeading", .mark(\.isHeading)),
  ]
}

extension RecipeNutrient {
  static let fields: [RecipeField<RecipeNutrient>] = [
    .init("name", .text(\.name)), .init("value", .needed(\.value)),
  ]
}

extension Array {
  /// Returns the columns of all fields.
  func columns<Owner>() -> [RecipeColumn] where Element == RecipeField<Owner> {
    flatMap(\.columns)
  }

  /// Returns the values of the columns of all fields for `owner`.
  func bindings<Owner>(of owner: Owner) -> [Binding] where Element == RecipeField<Owner> {
    var values: [Binding] = []
    values.reserveCapacity(count + 8)
    withUnsafePointer(to: owner) { owner in
      for field in self { field.append(owner, to: &values) }
    }
    return values
  }

  /// Reads all fields into `owner` from the columns of `row` that begin at `column`.
  func read<Owner>(_ row: Statement, at column: Int, into owner: inout Owner)
  where Element == RecipeField<Owner> {
    _ = reduce(column) { $1.read(row, at: $0, into: &owner) }
  }
}

extension Binding {
  /// Returns a text, or NULL for `nil`.
  static func optional(_ text: String?) -> Binding { text.map { .text($0) } ?? .null }

  /// Returns a number, or NULL for `nil`.
  static func optional(_ number: Double?) -> Binding { number.map { .real($0) } ?? .null }
}
