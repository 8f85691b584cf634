package import DecantBase
package import DecantPlan
package import DecantSQLite
package import DecantStore

/// A type of a column on the server other than the one derived from the source, and the conversion of the values.
package struct ConvertedType: Sendable, Hashable {
  package var type: ServerType
  package var form: ValueForm

  package var encoding: ValueEncoding { .converted(type.strictType, form) }
}

/// The types that the user chose for columns.
package struct ColumnChoices {
  /// One choice.
  package struct Choice {
    package let property: Property
    package let type: ServerType
    /// The unit of numbers that are converted to points in time.
    package let unit: ValueForm.Kind?
    fileprivate let text: String
  }

  private let choices: [Choice]
  private let options: CopyOptions
  /// Descriptions of the values that the types cannot hold.
  package private(set) var misfits: [String] = []

  package var isEmpty: Bool { choices.isEmpty }

  /// Reads the choices in `options`; `known` are the properties that have columns.
  package init(_ options: CopyOptions, known: [Property]) throws(DecantError) {
    var choices: [Choice] = []
    for choice in options.columnTypes {
      let property = known.first {
        $0.entity.isSameName(as: choice.property.entity) && $0.name.isSameName(as: choice.property.name)
      }
      guard let property else {
        throw DecantError(
          .unknownName,
          "there is no column \(choice.property), for which \(option: .type) chooses a type",
          remedy: DecantError.Text(
            choice.property.description.remedy(among: known.map(\.description), of: "columns"))
        )
      }
      guard !choices.contains(where: { $0.property == property }) else {
        throw DecantError(
          .conflictingOptions, "\(option: .type) names \(property) more than once", remedy: "keep one of them")
      }
      let (type, unit) = try ColumnChoices.parse(choice)
      choices.append(Choice(property: property, type: type, unit: unit, text: choice.type))
    }
    (self.choices, self.options) = (choices, options)
  }

  /// The units of numbers that can be converted to points in time.
  private static let units: [(String, ValueForm.Kind)] = [
    ("unix", .unix), ("milliseconds", .milliseconds), ("2001", .since2001),
  ]

  private static func parse(_ choice: ColumnChoice) throws(DecantError) -> (ServerType, ValueForm.Kind?) {
    let words = choice.type.foldedName.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let end = words.range(ofText: " from ")
    let name = end.map { String(words[..<$0.lowerBound]) } ?? words
    guard let type = ServerType(spelling: name) else {
      throw DecantError(
        .unknownName,
        "\(option: .type) gives \(choice.property) a type that decant does not create columns of",
        remedy: "the types are \(ServerType.spellings.joined(separator: ", "))"
      )
    }
    guard let end else { return (type, nil) }
    let unit = units.first { $0.0 == words[end.upperBound...] }?.1
    guard let unit, type == .timestamp else {
      throw DecantError(
        .unknownName,
        "\(option: .type) does not know what the numbers of \(choice.property) count from",
        remedy: "write timestamptz from unix, timestamptz from milliseconds or timestamptz from 2001"
      )
    }
    return (type, unit)
  }

  /// Returns the choice for a property.
  package func choice(for property: Property) -> Choice? { choices.first { $0.property == property } }

  /// Determines how values are converted to the chosen type of a column, and how many cannot be.
  ///
  /// - Parameters:
  ///   - choice: The chosen type.
  ///   - value: SQL for a value.
  ///   - rows: SQL for the rows, from `FROM` on.
  ///   - affinity: The affinity of the column in which the values are read back.
  ///   - unitesNumbers: Whether 2 and 2.0 are equal in that column.
  ///   - session: The session with the source.
  /// - Returns: The type, with the form that most values have.
  /// - Throws: `DecantError` if the values cannot be read.
  package mutating func form(
    _ choice: Choice,
    of value: String,
    _ rows: String,
    _ affinity: Affinity,
    unitesNumbers: Bool,
    on session: CopySession
  ) throws(DecantError) -> ConvertedType {
    let kinds = kinds(for: choice, affinity)
    let forms = kinds.map { ValueForm($0, unitesNumbers: unitesNumbers) }
    var (all, best): (Int64, (ValueForm, Int64)?) = (0, nil)
    try explaining("cannot read the values of \(choice.property)") { () throws(SQLiteError) in
      let connection = session.connection
      let isText = choice.type == .timestamp && choice.unit == nil
      let sums =
        isText
        ? DateForm.all.indices.map { "total(date_forms(\(value)) >> \($0) & 1)" }
        : forms.map {
          "total(is_held(\(value), \(FormFunctions.name(choice.type.strictType, $0).sqlText)) AND \(value) IS NOT NULL)"
        }
      try connection.forEachRow("SELECT count(\(value)), \(sums.joined(separator: ", ")) \(rows)") { row in
        all = row.integer(at: 0)
        for (index, form) in forms.enumerated() {
          let held = Int64(row.real(at: index + 1))
          if held > best?.1 ?? -1 { best = (form, held) }
        }
      }
    }
    guard let best else { return ConvertedType(type: choice.type, form: ValueForm(.same, unitesNumbers: false)) }
    if best.1 < all {
      misfits.append(
        "\(choice.property): \(choice.text) holds \(best.1) of \(all.counted("value")) so that they can be read back unchanged"
      )
    }
    return ConvertedType(type: choice.type, form: best.0)
  }

  /// Returns the type of a column whose values were read from a server as texts in `spelling`; `nil` if decant does not make
  /// columns of that type, or if a value does not fit.
  package static func kept(
    _ spelling: ValueSpelling,
    of value: String,
    _ rows: String,
    unitesNumbers: Bool,
    on session: CopySession
  ) throws(DecantError) -> ConvertedType? {
    let kept: (ServerType, ValueForm.Kind)? =
      switch spelling.kind {
      case .uuid: (.uuid, .lowerUUID)
      case .numeric: (.numeric, .number)
      case .timestamptz: MomentSpelling.exact.map { (.timestamp, .date($0)) }
      default: nil
      }
    guard let (type, kind) = kept else { return nil }
    let form = ValueForm(kind, unitesNumbers: unitesNumbers)
    let isHeld = "is_held(\(value), \(FormFunctions.name(type.strictType, form).sqlText))"
    let misfit = try explaining("cannot read the values of a column") { () throws(SQLiteError) in
      try session.connection.integer("SELECT 1 \(rows) WHERE \(value) IS NOT NULL AND NOT \(isHeld) LIMIT 1")
    }
    return misfit == nil ? ConvertedType(type: type, form: form) : nil
  }

  private func kinds(for choice: Choice, _ affinity: Affinity) -> [ValueForm.Kind] {
    switch choice.type {
    case .smallint, .integer, .bigint, .boolean, .double, .numeric: [.same, .number]
    case .text: affinity.isNumeric ? [.same, .digits] : [.same]
    case .bytea: [.same]
    case .uuid: [.same, .lowerUUID, .upperUUID]
    case .timestamp: choice.unit.map { [$0] } ?? DateForm.all.map { .date($0) }
    }
  }

  /// Throws if there are values that a chosen type cannot hold, unless they may be left out.
  package func check(_ place: String) throws(DecantError) {
    guard !misfits.isEmpty, options.onError == .stop, !options.choosesObjects else { return }
    throw DecantError(
      .unsupportedRequest,
      "\(misfits.joined(separator: "; "))",
      place: "\(place)",
      remedy:
        "choose another type; numbers become points in time by timestamptz from unix, from milliseconds or from 2001; "
        + "\(option: .where) chooses the rows, \(option: .onError, "reject") leaves out those whose values do not fit"
    )
  }
}

extension String {
  /// Returns where `text` first occurs.
  fileprivate func range(ofText text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
