package import DecantBase
package import DecantJSON
package import DecantPlain
package import DecantPlan
internal import DecantPostgres
package import DecantStore

/// The choices besides the model that determine the tables for its objects; recorded in `decant.store`.
package struct ServerForm: Sendable {
  /// Whether dates are stored as numbers.
  package var exactDates = false
  package var names = TableNaming.small
  /// The types of attributes that the user chose.
  package var types: [Property: ConvertedType] = [:]

  package init(exactDates: Bool = false, names: TableNaming = .small) {
    (self.exactDates, self.names) = (exactDates, names)
  }

  /// The form of the tables.
  package var objects: ObjectsForm {
    let names = names
    return ObjectsForm(name: { ServerNames.name($0, names) }, nameLimit: ServerNames.limit, numbersNames: true) {
      [self] type, property in
      types[property]?.encoding ?? .strict(ServerType(type, exactDates: exactDates).strictType)
    }
  }

  /// Returns the chosen type of the values in a column.
  package func chosenType(of column: RelationColumn) -> ConvertedType? {
    guard case .attribute(let property) = column.columnRole else { return nil }
    return types[property]
  }

  /// Returns the type of a column.
  package func type(of column: RelationColumn) -> ServerType {
    guard column.targetRoot == nil else { return .bigint }
    return chosenType(of: column)?.type ?? ServerType(column.type, exactDates: exactDates)
  }

  /// Whether a column has dates that are rounded to microseconds.
  package func roundsDates(in column: RelationColumn) -> Bool {
    column.type == .date && chosenType(of: column) == nil && type(of: column) == .timestamp
  }
}

extension ServerForm {
  /// The members of the JSON object that records it.
  package var members: [(String, JSONValue)] {
    var members = [("dates", JSONValue.string((exactDates ? ServerType.double : .timestamp).rawValue))]
    if names != .small { members.append(("names", .string(names.rawValue))) }
    guard !types.isEmpty else { return members }
    let list = types.sorted { $0.key.description < $1.key.description }.map { property, chosen in
      JSONValue.array(
        [property.entity, property.name, chosen.type.rawValue, chosen.form.description].map { .string($0) })
    }
    return members + [("types", .array(list))]
  }

  /// Reads a recorded form; `nil` if it is not valid.
  package init?(_ json: JSONValue) {
    exactDates = json["dates"]?.string != ServerType.timestamp.rawValue
    if let name = json["names"]?.string {
      guard let names = TableNaming(rawValue: name) else { return nil }
      self.names = names
    }
    for value in json["types"]?.values ?? [] {
      let parts = value.values.compactMap(\.string)
      guard parts.count == 4, let type = ServerType(rawValue: parts[2]), let form = ValueForm(parts[3])
      else { return nil }
      types[Property(parts[0], parts[1])] = ConvertedType(type: type, form: form)
    }
  }
}
