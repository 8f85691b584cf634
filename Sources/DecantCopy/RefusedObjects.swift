internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantSQLite

/// The objects whose rows the place of the destination refused, when the rows are written again without them.
///
/// From then on the session refuses the same rows, so that each object is rejected like any other. An object that
/// existed before stays as it is.
struct RefusedObjects {
  let connection: Connection
  let planning: Planning
  let rejects: Rejects
  let bound: RejectBound

  private static let table = "temp.decant_refused"
  private static let function = "refuse_row"

  /// Rejects the objects whose rows are about to be written.
  func begin(_ rows: [RefusedRow]) throws(DecantError) {
    guard !rows.isEmpty else { return }
    try explaining("cannot list the refused rows") { () throws(SQLiteError) in
      try connection.register(RefusingFunction(), as: RefusedObjects.function, argumentCount: 1, .directOnly)
      try connection.run(
        "CREATE TABLE \(RefusedObjects.table) (place INTEGER, key TEXT, reason TEXT, PRIMARY KEY (place, key)) WITHOUT ROWID"
      )
      let insertion = try connection.prepare("INSERT INTO \(RefusedObjects.table) VALUES (?1, ?2, ?3)")
      for (place, rows) in tables(rows).enumerated() {
        for row in rows {
          defer { insertion.reset() }
          try insertion.bind([.integer(Int64(place)), .text(row.key), .text(Refusal(row).message)])
          while try insertion.step() {}
        }
        try connection.run(
          """
          CREATE TEMP TRIGGER decant_refused_\(place) AFTER INSERT ON main.\(rows[0].table.sqlName) BEGIN
            SELECT \(RefusedObjects.function)(reason) FROM \(RefusedObjects.table)
            WHERE place = \(place) AND key = \(RefusedRow.keyText(rows[0].keyColumns, of: "new"));
          END
          """)
      }
    }
    for step in planning.steps { try rejectChanges(by: step, rows) }
  }

  /// Stops rejecting rows: those that are written later are not of a single object.
  func end(_ rows: [RefusedRow]) throws(DecantError) {
    try explaining("cannot remove temporary tables") { () throws(SQLiteError) in
      for place in tables(rows).indices { try connection.run("DROP TRIGGER temp.decant_refused_\(place)") }
    }
  }

  /// Returns the new ones among the rows, by table.
  private func tables(_ rows: [RefusedRow]) -> [[RefusedRow]] {
    Dictionary(grouping: rows.filter(\.isNew), by: \.table).sorted { $0.key < $1.key }.map(\.value)
  }

  /// Rejects the objects of `step` that exist and whose changes were refused.
  private func rejectChanges(by step: CopyStep, _ rows: [RefusedRow]) throws(DecantError) {
    let changes = rows.filter { !$0.isNew && $0.table.isSameName(as: step.table) }
    guard !changes.isEmpty, case .objects(let root) = step.kind, let map = planning.ids.map(of: root),
      let matched = map.matchedObjects, let updated = matched.updated
    else { return }
    let byKey = Dictionary(changes.map { ($0.key, $0) }) { first, _ in first }
    var found: [(key: Int64, row: RefusedRow)] = []
    try explaining("cannot find the refused objects") { () throws(SQLiteError) in
      let refused = try KeySet(like: map.existing, on: connection)
      try updated.forEach { key throws(SQLiteError) in
        guard let there = try map.destination(of: key), let row = byKey["\(there)"] else { return }
        found.append((key, row))
        try refused.insert(key)
      }
      try refused.seal()
      matched.refused = refused
    }
    for (key, row) in found {
      try explaining("cannot record a rejected object") { () throws(SQLiteError) in
        try rejects.add(root: root, key: .integer(key), Refusal(row))
      }
      try bound.note(rejects)
    }
  }

  /// Forgets the rejects of an attempt that is undone.
  func forget() {
    bound.restart()
    for step in planning.steps {
      guard case .objects(let root) = step.kind, let map = planning.ids.map(of: root) else { continue }
      map.except(nil)
      map.matchedObjects?.refused = nil
    }
  }
}

/// The SQL function that fails with a message about the current row.
private final class RefusingFunction: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    result.fail(arguments.text(at: 0))
  }
}
