internal import SQLite

/// The ID table as a file: a SQLite database that says which object became which.
///
/// `ids(entity, source, destination, count, outcome)`: one row for every run of consecutive keys,
/// gaps included. `about(key, value)` holds what the run was.
struct IDTableFile {
  let path: String

  init(_ path: String) { self.path = path }

  /// Throws if anything is there: an ID table is kept for good and never overwritten.
  func check() throws(DecantError) {
    try OutputFile.checkMayWrite(path, option: "--keep-ids") { _ in false }
  }

  func write(
    _ planning: Planning,
    from source: any SourceStore,
    to destination: any DestinationStore
  ) throws(DecantError) {
    try explaining("cannot write the ID table “\(path)”") { () throws(SQLiteError) in
      let connection = try Connection(DatabaseFile.uri(of: path, "mode=rwc"), mode: .create)
      try connection.transaction { () throws(SQLiteError) in
        try connection.run(
          """
          CREATE TABLE ids (
            entity TEXT NOT NULL, source, destination, count INTEGER NOT NULL, outcome TEXT NOT NULL)
          """
        )
        try connection.run("CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT)")
        let about = [
          ("source.kind", source.identity.kind), ("source.uuid", source.identity.uuid ?? ""),
          ("destination.kind", destination.identity.kind),
          ("destination.uuid", destination.identity.uuid ?? ""), ("plan", planning.plan.hash),
        ]
        for (key, value) in about {
          try connection.run("INSERT INTO about VALUES (?1, ?2)", .text(key), .text(value))
        }
        try connection.run("INSERT INTO about VALUES ('time', strftime('%Y-%m-%dT%H:%M:%fZ'))")
        let insertion = try connection.prepare("INSERT INTO ids VALUES (?1, ?2, ?3, ?4, ?5)")
        for case .objects(let root) in planning.plan.steps.map(\.kind) {
          guard let map = planning.ids.map(of: root) else { continue }
          try map.forEachRun { first, target, count, outcome throws(SQLiteError) in
            try insertion.run(
              .text(root),
              .integer(first),
              target.map { .integer($0) } ?? .null,
              .integer(count),
              .text(outcome)
            )
          }
        }
      }
    }
  }
}

extension IDTableFile {
  /// Reads the runs of copied objects, by root entity.
  func read() throws(DecantError) -> [String: KeyRuns] {
    try DatabaseFile.checkIsFile(path)
    var runs: [String: [KeyRuns.Run]] = [:]
    try explaining("cannot read the ID table “\(path)”") { () throws(SQLiteError) in
      let connection = try Connection(DatabaseFile.uri(of: path, "mode=ro"), mode: .readOnly)
      try connection.forEachRow(
        """
        SELECT entity, source, destination, count FROM ids
        WHERE destination IS NOT NULL AND outcome IN ('copied', 'kept-both')
        """
      ) { row in
        runs[row.text(at: 0) ?? "", default: []].append(
          KeyRuns.Run(
            first: row.integer(at: 1),
            target: row.integer(at: 2),
            count: row.integer(at: 3)
          )
        )
      }
    }
    return runs.mapValues { KeyRuns($0) }
  }
}

extension IDMap {
  /// Calls `body` for every run of keys that map to consecutive keys with the same outcome.
  ///
  /// Keys of which the source has no object belong to the run around them; an object that is not
  /// copied ends it.
  func forEachRun(
    _ body: (_ first: Int64, _ target: Int64?, _ count: Int64, _ outcome: String)
      throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    var run: (first: Int64, target: Int64, last: Int64)?
    func end() throws(SQLiteError) {
      if let run { try body(run.first, run.target, run.last &- run.first &+ 1, "copied") }
      run = nil
    }
    for rank in 0..<existing.count {
      guard let key = try existing.key(at: rank) else { continue }
      guard let target = try destination(of: key) else {
        try end()
        // What a filter left out is in no store; what was rejected is told.
        if try exceptions?.contains(key) == true { try body(key, nil, 1, "rejected") }
        continue
      }
      if let open = run, target &- key == open.target &- open.first,
        !key.subtractingReportingOverflow(open.first).overflow
      {
        run = (open.first, open.target, key)
      } else {
        try end()
        run = (key, target, key)
      }
    }
    try end()
  }
}
