import StoreTestSupport
import Decant
import Testing

/// The links of a store are counted alike wherever it goes.
@Suite struct ArchiveLinkCountTests {
  /// Of five rows between `a` and `b` three have both ends; a column leads nowhere, and a text leads to a text.
  private let tables = """
    CREATE TABLE a (id INTEGER PRIMARY KEY, t TEXT UNIQUE);
    CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id), t TEXT REFERENCES a (t));
    CREATE TABLE ab (a INTEGER REFERENCES a (id), b INTEGER REFERENCES b (id), PRIMARY KEY (a, b));
    INSERT INTO a VALUES (3, 'a3'), (4, 'a4');
    INSERT INTO b VALUES (6, 99, 'a3'), (8, NULL, 'no'), (9, 3, NULL);
    INSERT INTO ab VALUES (3, 8), (99, 6), (3, 99), (4, 8), (4, 9)
    """

  @Test(arguments: [false, true]) func `an archive holds as many as the store`(isDryRun: Bool)
    throws
  {
    let place = try PlainDatabase()
    try place.make("a.db", tables)
    var export = Export(from: place.path("a.db"), to: place.path("a.decant"))
    export.options.isDryRun = isDryRun
    let links = try export.run().links
    #expect(links == LinkCounts(copied: 5, cut: 0, dangling: 4))
    #expect(try Inspect(place.path("a.db")).run().linkCount == 5)
  }
}
