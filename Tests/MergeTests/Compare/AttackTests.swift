import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Copies in which one thing was changed afterwards: `verify` and `diff` see it and name it.
///
/// What is changed, and how, `Tests/Databases/attack.py` chooses and does, which shares no code with decant.
/// By default a few changes to the copies of some stores; `DECANT_SLOW=1` makes every kind of change to the
/// copies of all stores, each made in two ways.
@Suite struct AttackTests {
  private static let ways = ["new", "rows", "ids", "found"]

  /// Every sixth of the real stores, or all.
  private static let stores = GroundTruth.names.enumerated().filter { Effort.isThorough || $0.offset % 6 == 1 }
    .map(\.element)

  /// What attacks upon copies of a store came to that were not seen, or not named.
  private func faults(
    in store: String,
    model: String? = nil,
    way: String,
    sample: Int,
    seed: Int = 1
  ) throws -> String {
    let script = Fixtures.projectFolder.appendingPathComponent("Tests/Databases/attack.py").path
    var arguments = ["python3", script, DecantProgram.path, store, "--seed", "\(seed)"]
    if let model { arguments += ["--model", model] }
    arguments += ["--way", way]
    if Effort.isThorough {
      arguments += ["--way", Self.ways[(seed + 1) % Self.ways.count]]
    } else {
      arguments += ["--sample", "\(sample)"]
    }
    let run = try Program.run(arguments)
    let told = run.output.split(separator: "\n")
    // Whether a copy that nobody changed is equal was asked in any case.
    guard told.contains(where: { $0.hasPrefix("untouched") }) else {
      return "nothing was tried: \(run.errors)"
    }
    if Effort.isThorough { print("\(URL(fileURLWithPath: store).lastPathComponent)\n\(run.output)") }
    return told.filter { $0.hasPrefix("FAULT") }.joined(separator: "\n")
  }

  @Test(.enabled(if: Fixtures.areAvailable), arguments: stores)
  func `what is changed in a copy of a real store is seen and named`(name: String) throws {
    let truth = try GroundTruth(of: name)
    let folder = try #require(Fixtures.stores)
    let index = try #require(GroundTruth.names.firstIndex(of: name))
    let faults = try faults(
      in: folder.appendingPathComponent(truth.file).path,
      model: truth.model,
      way: Self.ways[(Effort.isThorough ? index : index / 6) % Self.ways.count],
      sample: 4,
      seed: index
    )
    #expect(faults == "")
  }

  @Test(arguments: ways.filter { !Effort.isThorough || $0 == ways[0] })
  func `what is changed in a copy of a sample is seen and named`(way: String) throws {
    let kitchens = try Kitchens()
    #expect(try faults(in: kitchens.kitchen, way: way, sample: 4) == "")
    guard Effort.isThorough else { return }
    for sample in [kitchens.guests, kitchens.syncMetadata] {
      #expect(try faults(in: sample, way: way, sample: 4) == "")
    }
  }

  @Test func `what is changed in a copy of a store of rare shapes is seen and named`() throws {
    let store = try CornerStore()
    #expect(try faults(in: store.path, model: store.model, way: "new", sample: 6) == "")
  }

  @Test func `what is changed in a copy of a plain database is seen and named`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("plain.db")
    _ = try Program.sqlite3(path, Self.plain)
    #expect(try faults(in: path, way: "new", sample: 6) == "")
    #expect(try faults(in: path, way: "ids", sample: 3) == "")
  }

  /// Tables of every kind, and values of every storage class wherever a column takes them.
  private static let plain = """
    CREATE TABLE shelf (id INTEGER PRIMARY KEY, label TEXT, height REAL, note);
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT COLLATE NOCASE, shelf INTEGER REFERENCES shelf,
      price DECIMAL, bought DATETIME, cover BLOB, is_lent BOOLEAN, anything);
    CREATE TABLE word (language TEXT, word TEXT, weight, PRIMARY KEY (language, word)) WITHOUT ROWID;
    CREATE TABLE book_tag (book INTEGER REFERENCES book, tag INTEGER REFERENCES shelf, PRIMARY KEY (book, tag));
    CREATE TABLE loose (a, b TEXT COLLATE NOCASE);
    CREATE TABLE exact (id INTEGER PRIMARY KEY, a ANY, n REAL) STRICT;
    INSERT INTO shelf VALUES (1, 'top', 1.5, 1), (2, 'middle', 2.0, 1.0), (3, '', NULL, '1'), (4, 'Käse', -0.25, x'31');
    INSERT INTO book VALUES (1, 'One', 1, 9.5, '2020-01-01', x'00ff10', 1, 1), (2, 'one', 1, 10, NULL, x'', 0, 1.0),
      (3, 'Zwölf', 2, 1e300, 7, zeroblob(80000), NULL, '1'), (4, NULL, NULL, -0.0, 5.5, NULL, 1, -0.0),
      (5, printf('%.80000c', 'x'), 3, 0.1, '', 'text', 2, NULL), (6, 'Two', 4, 3, 'x', x'01', 1, x'31');
    INSERT INTO word VALUES ('de', 'Brot', 1), ('de', 'brot', 1.0), ('en', 'bread', NULL), ('en', '', '1');
    INSERT INTO book_tag VALUES (1, 1), (1, 2), (2, 1), (3, 4), (6, 3);
    INSERT INTO loose VALUES (1, 'a'), (1, 'a'), (1.0, 'A'), ('1', NULL), (NULL, ''), (x'31', 'b');
    INSERT INTO exact VALUES (1, 1, 1), (2, 1.0, 2.5), (3, '1', 0), (4, x'31', NULL)
    """
}
