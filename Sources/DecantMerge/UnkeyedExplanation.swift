internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Explains the outcome of a merge for a row without an integer key.
struct UnkeyedExplanation {
  let connection: Connection
  let planning: Planning
  /// The places of the stores.
  let places: Sided<String>
  /// The schema name of the destination.
  let schema: String

  /// Returns the condition that `columns` have `values`, given as texts.
  static func condition(_ columns: [String], _ values: [String]) -> String {
    zip(columns, values).map { "CAST(\($0) AS TEXT) = \($1.sqlText)" }.joined(separator: " AND ")
  }

  /// Returns whether a row merged value by value takes something from the source.
  private func isUpdated(_ step: CopyStep, _ root: String, _ isKey: String) throws(SQLiteError) -> Bool {
    guard let number = planning.ids.numberedRows?.sourceNumbers(of: root)?.proven else {
      return false
    }
    return try connection.integer(
      "SELECT merge_outcome(\(root.sqlText), \(number)) FROM \(step.sourceTable) WHERE \(isKey) LIMIT 1"
    ) == MergeOutcome.updated.rawValue
  }

  /// Returns the lines, the first of which names the row; empty if neither store has it.
  func lines(of root: String, _ relation: Relation, _ values: [String]) throws(SQLiteError) -> [String] {
    guard
      let step = planning.plan.steps.first(where: {
        if case .unkeyed(root, _) = $0.kind { true } else { false }
      })
    else { return [] }
    let key = step.assignments.filter { step.identityColumns.contains($0.column) }
    guard !key.isEmpty, key.count == values.count else { return [] }
    let others = step.rowValues
    func row(_ side: MatchSide) -> String {
      func value(_ assignment: CopyStep.Assignment) -> String {
        (side == .source ? assignment.proof?.expected : assignment.proof?.actual) ?? "NULL"
      }
      let columns =
        key.enumerated().map { "\(value($1)) AS k\($0)" }
        + others.enumerated().map { "\(value($1)) AS v\($0)" }
      let table = side == .source ? step.sourceTable : "\(schema.sqlName).\(step.table.sqlName)"
      return "(SELECT \(columns.joined(separator: ", ")) FROM \(table))"
    }
    let isKey = Self.condition(key.indices.map { "k\($0)" }, values)
    func isThere(_ side: MatchSide) throws(SQLiteError) -> Bool {
      try connection.integer("SELECT 1 FROM \(row(side)) WHERE \(isKey) LIMIT 1") == 1
    }
    let text = "\(root) \(RowNames.name(of: values.map(Binding.text)))"
    let names = key.map(\.column).joined(separator: ", ")
    let (isHere, isInDestination) = (try isThere(.source), planning.isNew ? false : try isThere(.destination))
    guard isHere else {
      return isInDestination
        ? [
          "\(text) of “\(places.destination)”",
          "  is not in “\(places.source)”: no row there has the same \(names); it is unchanged",
        ] : []
    }
    guard isInDestination else {
      return [
        "\(text) of “\(places.source)”",
        "  is new: no row in “\(places.destination)” has the same \(names)",
      ]
    }
    var differing: [String] = []
    let both = "\(row(.source)) AS s, \(row(.destination)) AS d"
    let isSame =
      "\(Self.condition(key.indices.map { "s.k\($0)" }, values)) AND "
      + Self.condition(key.indices.map { "d.k\($0)" }, values)
    for (number, assignment) in others.enumerated() {
      let differs = "s.v\(number) IS NOT d.v\(number)"
      if try connection.integer("SELECT \(differs) FROM \(both) WHERE \(isSame) LIMIT 1") == 1 {
        differing.append(assignment.column)
      }
    }
    let lines = [
      "\(text) of “\(places.source)”", "  is in “\(places.destination)”: they have the same \(names)",
    ]
    guard !differing.isEmpty else { return lines + ["  has the same values: no change"] }
    let policy = step.rowRule?.policy ?? .skip
    let isUpdated = try isUpdated(step, root, Self.condition(key.map(\.column.sqlName), values))
    let what =
      switch policy {
      case .threeWay where isUpdated: "it takes the values that only the source changed"
      case .update, .replace: "it takes the source's values"
      case .fill: "it takes the source's values where its own are empty"
      case .newest: "it takes the source's values if they were changed later"
      case .skip, .error, .keepBoth, .threeWay: "it is unchanged"
      }
    return lines + [
      "  differs in \(differing.joined(separator: ", "))", "  policy \(policy.rawValue): \(what)",
    ]
  }
}
