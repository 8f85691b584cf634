import Foundation
import TestSupport
import Testing

/// The keys of objects that are added while apps add rows as well.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct KeyRangeTests {
  private let place: PostgresFolder

  init() throws {
    place = try PostgresFolder()
    try place.expect("copy", "Kitchen.sqlite", place.location)
  }

  private let sequence = "pg_get_serial_sequence('recipe', 'id')"
  /// The columns of a recipe that need a value, and values.
  private let required = "uuid, view_count, cook_minutes, prep_minutes, servings, is_favorite, created_at, modified_at"
  private let values = "gen_random_uuid(), 0, 0, 0, 0, false, now(), now()"

  @Test func `a number that an app has taken stays its own`() throws {
    let taken = try place.psql("SELECT nextval(\(sequence))")
    try place.expect("copy", "Guests.sqlite", place.location, "--append")
    try place.expect("merge", "Guests.sqlite", place.location, "--merge", "keep-both")
    try place.psql("INSERT INTO recipe (id, title, \(required)) VALUES (\(taken), 'mine', \(values))")
    try place.psql("INSERT INTO recipe (title, \(required)) VALUES ('next', \(values))")
    #expect(try place.psql("SELECT count(*) = count(DISTINCT id) FROM recipe") == "t")
  }

  @Test func `rows above the sequence are no obstacle`() throws {
    try place.psql(
      """
      INSERT INTO recipe (id, title, \(required)) VALUES (5000, 'far', \(values)), (90000000000, 'farther', \(values))
      """)
    try place.expect("copy", "Guests.sqlite", place.location, "--append")
    #expect(try place.psql("SELECT min(id) FROM recipe WHERE id > 5000 AND id <> 90000000000") == "90000000001")
    let next = "INSERT INTO recipe (title, \(required)) VALUES ('next', \(values)) RETURNING id"
    #expect(try place.psql("WITH n AS (\(next)) SELECT n.id > (SELECT max(id) FROM recipe) FROM n") == "t")
  }

  @Test func `wide gaps between the source's keys take no numbers`() throws {
    try place.psql(
      "CREATE SCHEMA n; CREATE TABLE n.note (id serial PRIMARY KEY, v text); INSERT INTO n.note (v) VALUES ('mine')")
    let notes = place.server.location(place.database, schema: "n")
    for name in ["a", "b", "c"] {
      _ = try Program.sqlite3(
        place.folder.path("\(name).db"),
        """
        CREATE TABLE note (id INTEGER PRIMARY KEY, v TEXT);
        INSERT INTO note VALUES (1, '\(name)1'), (1000000000, '\(name)2')
        """)
      try place.expect("copy", "\(name).db", notes, "--append")
    }
    let rows = try place.psql("SELECT string_agg(v, ' ' ORDER BY id), max(id) < 100 FROM n.note")
    #expect(rows == "mine a1 a2 b1 b2 c1 c2|t")
  }

  @Test func `runs at once and an app share no key`() throws {
    let rounds = Effort.isThorough ? 50 : 2
    let guests = "(SELECT count(*) FROM recipe WHERE title NOT LIKE 'app %')"
    let highest = try place.psql("SELECT max(id) FROM recipe")
    let before = Int(try place.psql("SELECT \(guests)")) ?? 0
    let each = Int(try Program.sqlite3(place.folder.path("Guests.sqlite"), "SELECT count(*) FROM ZRECIPE")) ?? 0
    let script = """
      cd '\(place.folder.url.path)'
      for round in $(seq \(rounds)); do
        for run in 1 2 3 4 5; do
          '\(DecantProgram.path)' copy Guests.sqlite '\(place.location)' --append > run.$round.$run 2>&1 \
            || echo failed $run: $(cat run.$round.$run) &
          runs="$runs $!"
        done
        wait $runs
        runs=
      done
      touch stop
      """
    let app = """
      cd '\(place.folder.url.path)'
      while ! [ -e stop ]; do
        psql -X -q -v ON_ERROR_STOP=1 -h '\(place.server.socket)' -U \(PostgresServer.owner) -d \(place.database) \
          -f app.sql > app.out 2>&1 < /dev/null || { cat app.out; break; }
        echo . >> inserted
      done
      """
    let insertion = """
      BEGIN; SELECT nextval(\(sequence)) AS n \\gset
      INSERT INTO recipe (id, title, \(required)) VALUES (:n, 'app ' || :n, \(values));
      INSERT INTO recipe (title, \(required)) VALUES ('app ', \(values)) RETURNING id AS r \\gset
      INSERT INTO ingredient (name, recipe_id, uuid, is_garnish, sort_index)
        VALUES ('of ' || :r, :r, gen_random_uuid(), false, 0);
      COMMIT;
      """
    try insertion.write(toFile: place.folder.path("app.sql"), atomically: true, encoding: .utf8)
    try script.write(toFile: place.folder.path("runs.sh"), atomically: true, encoding: .utf8)
    try app.write(toFile: place.folder.path("app.sh"), atomically: true, encoding: .utf8)
    let folder = place.folder.url.path
    let run = try Program.run(["bash", "-c", "bash '\(folder)/app.sh' & bash '\(folder)/runs.sh'; wait"])
    #expect(run.output == "" && run.status == 0, "\(run.output)\(run.errors)")
    #expect(FileManager.default.fileExists(atPath: place.folder.path("inserted")))
    #expect(try place.psql("SELECT \(guests)") == "\(before + rounds * 5 * each)")
    #expect(
      try place.psql(
        "SELECT count(*) FROM ingredient AS i JOIN recipe AS r ON r.id = i.recipe_id "
          + "WHERE i.name LIKE 'of %' AND r.title NOT LIKE 'app %'") == "0")
    // Each recipe of the guests has the ingredients that it has in their store, as often as it was added.
    let names = "string_agg(name, ',' ORDER BY name)"
    #expect(
      try place.psql(
        """
        SELECT count(*) FROM (SELECT r.title, (SELECT \(names) FROM ingredient WHERE recipe_id = r.id) AS list
          FROM recipe AS r WHERE r.id > \(highest) AND r.title NOT LIKE 'app %' GROUP BY r.title, list
          HAVING count(*) <> \(rounds * 5)) AS t
        """) == "0")
  }
}
