internal import DecantBase
internal import DecantMapping
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

extension IDTableFile {
  func write(
    _ planning: Planning,
    from source: StoreIdentity,
    to destination: StoreIdentity,
    links: [CopyOptions.Link] = [],
    through mapped: (store: MappedStore, session: Connection)?
  ) throws(DecantError) {
    remove()
    do throws(DecantError) {
      try writeNew(planning, from: source, to: destination, links: links, through: mapped)
    } catch {
      remove()
      throw error
    }
  }

  private func writeNew(
    _ planning: Planning,
    from source: StoreIdentity,
    to destination: StoreIdentity,
    links: [CopyOptions.Link],
    through mapped: (store: MappedStore, session: Connection)?
  ) throws(DecantError) {
    try makePartial()
    try explaining("cannot write the ID table “\(path)”") { () throws(SQLiteError) in
      let connection = try Connection(DatabaseFile.uri(of: partial, "mode=rw"), mode: .readWrite)
      try connection.transaction { () throws(SQLiteError) in
        try connection.run(
          """
          CREATE TABLE ids (
            entity TEXT NOT NULL, source, destination, count INTEGER NOT NULL, outcome TEXT NOT NULL)
          """
        )
        try connection.run("CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT)")
        let about = [
          ("source.kind", source.kind), ("source.uuid", source.uuid ?? ""),
          ("destination.kind", destination.kind),
          ("destination.uuid", destination.uuid ?? ""), ("destination.place", destination.place),
          ("plan", planning.plan.hash),
        ]
        for (key, value) in about {
          try connection.run("INSERT INTO about VALUES (?1, ?2)", .text(key), .text(value))
        }
        for (number, link) in links.enumerated() {
          try connection.run(
            "INSERT INTO about VALUES (?1, ?2)",
            .text("link \(number + 1)"),
            .text(
              ([link.property.entity, link.property.name, link.target]
                + (link.condition.map { ["\($0)"] } ?? [])).joined(separator: "\t")
            )
          )
        }
        try connection.run("INSERT INTO about VALUES ('time', strftime('%Y-%m-%dT%H:%M:%fZ'))")
        let roots = planning.plan.steps.compactMap { step in
          if case .objects(let root) = step.kind { root } else { nil }
        }
        if mapped != nil { try connection.run("ALTER TABLE ids ADD COLUMN became TEXT") }
        let insertion = try connection.prepare(
          "INSERT INTO ids VALUES (?1, ?2, ?3, ?4, ?5\(mapped == nil ? "" : ", ?6"))"
        )
        for root in roots {
          guard let map = planning.ids.map(of: root) else { continue }
          let origins = try mapped.flatMap { mapped throws(SQLiteError) in
            try mapped.store.origins(of: root, on: mapped.session)
          }
          func insert(_ run: MappedOrigins.Run) throws(SQLiteError) {
            let values: [Binding] = [
              .text(run.entity), .integer(run.first), run.target.map { .integer($0) } ?? .null,
              .integer(run.count), .text(run.outcome),
            ]
            try insertion.bind(values + (mapped == nil ? [] : [.text(root)]))
            defer { insertion.reset() }
            _ = try insertion.step()
          }
          try map.forEachRun { first, target, count, outcome throws(SQLiteError) in
            let run = MappedOrigins.Run(entity: root, first: first, target: target, count: count, outcome: outcome)
            if let origins { try origins.forEachRun(in: run, insert) } else { try insert(run) }
          }
        }
      }
    }
  }
}
