import Decant
import DecantStores
import Testing

/// Links that lead nowhere are told with one number, however they are copied and before they are.
@Suite struct LooseLinkCountTests {
  /// How what is copied comes to the destination.
  enum Way: String, CaseIterable {
    case pages, rows, append, merge, mapping
    case mappedAppend = "mapped append"
    case mappedMerge = "mapped merge"
  }

  /// Of five rows between `a` and `b` one has both ends, two lack an object of either, and two an
  /// object that a condition leaves out.
  private func databases(_ way: Way, isValued: Bool) throws -> PlainDatabase {
    let tables = """
      CREATE TABLE a (id INTEGER PRIMARY KEY, t TEXT UNIQUE);
      CREATE TABLE b (id INTEGER PRIMARY KEY, t TEXT UNIQUE, a INTEGER REFERENCES a (id));
      CREATE TABLE ab (a INTEGER NOT NULL REFERENCES a (id), b INTEGER NOT NULL REFERENCES b (id),
        PRIMARY KEY (a, b)) \(isValued ? "WITHOUT ROWID" : "");
      """
    let place = try PlainDatabase()
    try place.make(
      "a.db",
      tables
        + """
        INSERT INTO a VALUES (3, 'a3'), (4, 'a4');
        INSERT INTO b VALUES (6, 'b6', 99), (8, 'b8', NULL), (9, 'b9', 3);
        INSERT INTO ab VALUES (3, 8), (99, 6), (3, 99), (4, 8), (4, 9);
        """
    )
    if ![.pages, .rows, .mapping].contains(way) { try place.make("b.db", tables) }
    return place
  }

  private func options(_ way: Way) throws -> CopyOptions {
    var options = CopyOptions()
    switch way {
    case .pages: break
    case .rows: options.leftOver = .resume
    case .append, .mappedAppend: options.appends = true
    case .merge, .mappedMerge: options.merge = MergeRules()
    case .mapping: break
    }
    if way.rawValue.hasPrefix("mapp") {
      options.mapping = try Mapping(text: "decant: 1\n", place: "map.yaml")
    }
    return options
  }

  @Test(arguments: Way.allCases, [false, true])
  func `a dry run and a run count the same`(_ way: Way, isValued: Bool) throws {
    let place = try databases(way, isValued: isValued)
    for isDryRun in [true, false] {
      var options = try options(way)
      options.isDryRun = isDryRun
      let report = try Copy(from: place.path("a.db"), to: place.path("b.db"), options: options)
        .run()
      #expect(
        report.links == LinkCounts(copied: 4, cut: 0, dangling: 3),
        "\(isDryRun ? "dry run" : "run")"
      )
    }
    #expect(
      try place.read("b.db", "SELECT * FROM a JOIN ab ON ab.a = a.id JOIN b ON b.id = ab.b").count
        == 3
    )
  }

  @Test(arguments: Way.allCases)
  func `links of rows that no integer names are counted as any others`(_ way: Way) throws {
    let tables = """
      CREATE TABLE a (id INTEGER PRIMARY KEY, t TEXT UNIQUE);
      CREATE TABLE c (code TEXT PRIMARY KEY, a INTEGER REFERENCES a (id)) WITHOUT ROWID;
      """
    let place = try PlainDatabase()
    let rows =
      "INSERT INTO a VALUES (3, 'a3'); INSERT INTO c VALUES ('x', 3), ('y', 99), ('z', NULL)"
    try place.make("a.db", tables + rows)
    if ![.pages, .rows, .mapping].contains(way) { try place.make("b.db", tables) }
    for isDryRun in [true, false] {
      var options = try options(way)
      options.isDryRun = isDryRun
      let report = try Copy(from: place.path("a.db"), to: place.path("b.db"), options: options)
        .run()
      #expect(
        report.links == LinkCounts(copied: 1, cut: 0, dangling: 1),
        "\(isDryRun ? "dry run" : "run")"
      )
    }
  }

  @Test(arguments: [false, true])
  func `an archive holds as many links`(isValued: Bool) throws {
    let place = try databases(.pages, isValued: isValued)
    for isDryRun in [true, false] {
      var export = Export(from: place.path("a.db"), to: place.path("a.decant"))
      export.options.isDryRun = isDryRun
      let links = try export.run().links
      #expect(links == LinkCounts(copied: 4, cut: 0, dangling: 3))
    }
  }

  @Test(arguments: Way.allCases.filter { $0 != .pages }, [false, true])
  func `links to what is left out are cut in both`(_ way: Way, isValued: Bool) throws {
    let place = try databases(way, isValued: isValued)
    for isDryRun in [true, false] {
      var options = try options(way)
      options.isDryRun = isDryRun
      options.filters = [CopyOptions.Filter(entity: "a", expression: "t <> 'a4'")]
      let report = try Copy(from: place.path("a.db"), to: place.path("b.db"), options: options)
        .run()
      #expect(
        report.links == LinkCounts(copied: 2, cut: 2, dangling: 3),
        "\(isDryRun ? "dry run" : "run")"
      )
    }
  }
}
