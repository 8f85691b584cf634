internal import DecantBase
internal import DecantPlan
internal import DecantRecipeFormats
internal import DecantRecipes
internal import DecantSQLite
internal import DecantStore

/// The objects of an app's store that a mapping turns into recipes, and the attributes that become fields of these.
struct AppRecipes {
  /// The entity of the objects.
  let entity: String
  private let rule: Mapping.EntityRule?
  private let model: Model
  private let views: EntityViews
  /// The store, as the user named it.
  private let place: String

  /// Finds the entity in `store`, which the user named `place`.
  ///
  /// - Throws: `DecantError` of the family `.usage` if the keys of the recipes are not those of the original objects.
  init(_ mapping: Mapping, of store: any SourceStore, _ place: String) throws(DecantError) {
    let rules = mapping.entities.filter { $0.name.text == "Recipe" }
    let sources = rules.flatMap { $0.sources.isEmpty ? ["Recipe"] : $0.sources.map(\.text) }
    guard sources.count < 2 else {
      throw DecantError(
        .unsupportedRequest,
        "recipes of “\(place)” are made of several entities: \(sources.joined(separator: ", "))",
        remedy: "change them in the app, or use a mapping that makes them of one entity"
      )
    }
    (entity, rule, self.place) = (sources.first ?? "Recipe", rules.first, place)
    model = store.model
    views = EntityViews(model: store.model, layout: store.layout)
  }

  /// Returns the attribute values of an object from which the mapping reads the values of an edit.
  ///
  /// - Throws: `DecantError` of the family `.usage` for a field that no attribute value can produce.
  func values(of edit: RecipeEdit) throws(DecantError) -> [String: StoreValue] {
    if let (table, _) = edit.names.first { throw isNoAttribute(name(of: table)) }
    if let (table, _) = edit.lines.first { throw isNoAttribute(name(of: table)) }
    var origins: [String: Origin] = [:]
    var values: [String: StoreValue] = [:]
    for (column, value) in edit.values {
      guard let origin = origin(of: column) else { continue }
      origins[column] = origin
      // If two fields are read from one attribute, the one for which the attribute has a possible value counts.
      if values[origin.attribute.name] == nil { values[origin.attribute.name] = try origin.value(that: value) }
    }
    for (column, value) in edit.values where edit.changes.contains(where: { $0.field == column }) {
      // If a time is read from the attribute of its minutes alone, the minutes decide; the words may differ.
      if column.hasSuffix("Time"),
        let minutes = edit.values.first(where: { $0.column == column.dropLast(4) + "Minutes" }),
        minutes.value != .null, let source = origins[minutes.column], let held = values[source.attribute.name],
        try source.gives(minutes.value, for: held),
        origins[column].map({ $0.attribute.name == source.attribute.name }) ?? true
      {
        continue
      }
      guard let origin = origins[column] else { throw isComputed(column) }
      guard let told = values[origin.attribute.name], try origin.gives(value, for: told) else {
        throw cannotGive(column, origin, value)
      }
    }
    return values
  }

  // MARK: Attributes

  /// The attribute that a field is read from, and the expression for reading it.
  private struct Origin {
    let attribute: Attribute
    let entity: String
    let expression: String

    /// Returns the value of the attribute that the mapping reads as `value`; `nil` without such an attribute.
    func value(that value: StoreValue) throws(DecantError) -> StoreValue? {
      for candidate in candidates(for: value) where try gives(value, for: candidate) { return candidate }
      return nil
    }

    /// Returns possible values of the attribute.
    private func candidates(for value: StoreValue) -> [StoreValue] {
      let (text, number): (String, Double?) =
        switch value {
        case .text(let text): (text, Double(text))
        case .integer(let integer): ("\(integer)", Double(integer))
        case .double(let number): (AmountText.text(number), number)
        default: ("", nil)
        }
      let isNull = value == .null
      let zero = isNull ? 0 : number
      let found: [StoreValue?] =
        switch attribute.type {
        case .string: [.text(text)]
        case .uri: [.uri(text)]
        case .integer16: [zero.flatMap(Int16.init(exactly:)).map { .integer(Int64($0)) }]
        case .integer32: [zero.flatMap(Int32.init(exactly:)).map { .integer(Int64($0)) }]
        case .integer64: [zero.flatMap(Int64.init(exactly:)).map { .integer($0) }]
        case .boolean: [zero.flatMap { $0 == 0 || $0 == 1 ? .integer(Int64($0)) : nil }]
        case .double, .float: [zero.map { .double($0) }]
        case .decimal: [zero.map { .decimal(AmountText.text($0)) }]
        case .date: [DateText.seconds(of: text).map { .date($0) }]
        case .undefined, .binary, .uuid, .transformable, .objectID, .composite: []
        }
      return (isNull && attribute.isOptional ? [.null] : []) + found.compactMap(\.self)
    }

    /// Whether the mapping reads `value` if the attribute holds `told`.
    func gives(_ value: StoreValue, for told: StoreValue) throws(DecantError) -> Bool {
      do throws(SQLiteError) {
        let connection = try Connection(":memory:", mode: .create)
        try ValueFunctions.register(on: connection)
        let statement = try connection.prepare(
          "SELECT (\(expression)\n) FROM (SELECT ?1 AS \(attribute.name.quotedName)) AS \(entity.quotedName)")
        try statement.bind([Self.binding(told)])
        guard try statement.step() else { return false }
        let isNothing = statement.type(at: 0) == .null || statement.text(at: 0) == ""
        switch value {
        case .integer(let integer): return !isNothing && statement.real(at: 0) == Double(integer)
        case .double(let number): return !isNothing && statement.real(at: 0) == number
        case .text(let text) where !text.isEmpty:
          return statement.text(at: 0) == text
            || statement.type(at: 0) == .real && AmountText.text(statement.real(at: 0)) == text
            || attribute.type == .date && isDate(text, statement)
        default: return isNothing
        }
      } catch {
        // An expression may fail for such a value; one that reads other objects cannot be tested alone.
        return false
      }
    }

    /// Whether the result of `statement`, a date or its text, is the date that `text` names.
    private func isDate(_ text: String, _ statement: Statement) -> Bool {
      guard let seconds = DateText.seconds(of: text) else { return false }
      guard statement.type(at: 0) == .text else { return statement.real(at: 0) == seconds }
      return statement.text(at: 0).flatMap(DateText.seconds(of:)) == seconds
    }

    private static func binding(_ value: StoreValue) -> Binding {
      switch value {
      case .integer(let integer): .integer(integer)
      case .double(let number), .date(let number): .real(number)
      case .text(let text), .uri(let text): .text(text)
      case .decimal(let text): Double(text).map { .real($0) } ?? .text(text)
      case .null, .uuid, .binary: .null
      }
    }
  }

  /// Returns the attribute from which the mapping reads the column of a recipe; `nil` unless it is exactly one.
  private func origin(of column: String) -> Origin? {
    let attributes = model.attributes(of: entity)
    if rule?.generated.contains(where: { $0.attribute.text == column }) == true
      || rule?.anonymized.contains(where: { $0.attribute.text == column }) == true
    {
      return nil
    }
    guard let setting = rule?.settings.first(where: { $0.property.text == column }) else {
      guard rule?.dropped.contains(where: { $0.text == column }) != true,
        let own = attributes.first(where: { $0.name == column })
      else { return nil }
      return isWritable(own) ? Origin(attribute: own, entity: entity, expression: column.quotedName) : nil
    }
    guard !setting.isOwnObject,
      let expression = try? Expression(setting.value.text, over: entity, views: views),
      expression.reads.count == 1, let read = expression.reads.first, read.entity == entity,
      let own = attributes.first(where: { $0.name == read.name })
    else { return nil }
    return isWritable(own) ? Origin(attribute: own, entity: entity, expression: expression.text) : nil
  }

  private func isWritable(_ attribute: Attribute) -> Bool { attribute.derivation == nil && !attribute.isTransient }

  // MARK: Refusals

  private static let remedy: DecantError.Text = "change it in the app that the store belongs to"

  /// Returns the name of the field whose names or lines are in `table`.
  private func name(of table: String) -> String {
    ["Source": "source", "Category": "categories", "Tag": "tags", "Ingredient": "ingredients", "Step": "steps"][table]
      ?? table
  }

  private func isNoAttribute(_ field: String) -> DecantError {
    DecantError(
      .unsupportedRequest,
      "\(field) cannot be edited in “\(place)”: there they are objects of their own, not an attribute of \(entity)",
      remedy: Self.remedy
    )
  }

  private func isComputed(_ field: String) -> DecantError {
    let setting = rule?.settings.first { $0.property.text == field }?.value.text
    return DecantError(
      .unsupportedRequest,
      setting.map {
        "\(field) cannot be edited in “\(place)”: the mapping computes it as “\($0)”, not from one attribute of \(entity)"
      } ?? "\(field) cannot be edited in “\(place)”: by the mapping no attribute of \(entity) is this field",
      remedy: Self.remedy
    )
  }

  private func cannotGive(_ field: String, _ origin: Origin, _ value: StoreValue) -> DecantError {
    let wanted =
      switch value {
      case .text(let text): "“\(text)”"
      case .integer(let integer): "\(integer)"
      case .double(let number): AmountText.text(number)
      default: "nothing"
      }
    return DecantError(
      .unsupportedRequest,
      "\(field) cannot become \(wanted) in “\(place)”: the mapping reads it from \(entity).\(origin.attribute.name), "
        + "of type \(origin.attribute.type.name), by “\(origin.expression)”",
      remedy: Self.remedy
    )
  }
}
