internal import DecantBase
package import DecantJSON
internal import DecantStore

/// Tables in the form recorded in `decant.store`, for a store whose layout is not determined by a model.
extension ServerSchema {
  /// The tables with the names, types and forms on the server and in the database that was copied.
  package var json: JSONValue {
    .array(
      tables.map { table in
        .object([
          ("table", .string(table.name)), ("of", .string(table.own)),
          (
            "columns",
            .array(
              table.columns.map { column in
                .array(
                  ([column.name, column.own, column.type.rawValue] + [column.form?.description].compactMap(\.self))
                    .map { .string($0) })
              })
          ),
        ])
      })
  }

  /// Reads such a list; `nil` if it is not valid.
  package init?(_ json: JSONValue?) {
    guard case .array(let values) = json else { return nil }
    for value in values {
      guard let name = value["table"]?.string, let origin = value["of"]?.string else { return nil }
      var table = Table(name: name, columns: [], key: [])
      table.origin = origin
      for column in value["columns"]?.values ?? [] {
        let parts = column.values.compactMap(\.string)
        guard parts.count == 3 || parts.count == 4, let type = ServerType(rawValue: parts[2])
        else { return nil }
        var own = Column(name: parts[0], type: type)
        own.origin = parts[1]
        if parts.count == 4 {
          guard let form = ValueForm(parts[3]) else { return nil }
          own.form = form
        }
        table.columns.append(own)
      }
      tables.append(table)
    }
  }
}
