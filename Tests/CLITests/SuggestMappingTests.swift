import Foundation
import TestSupport
import Testing

/// `decant copy --suggest-mapping`.
@Suite struct SuggestMappingTests {
  private let place: CommandFolder

  init() throws { place = try CommandFolder() }

  /// A plain database of recipes whose maker called everything a little differently.
  private static let old = """
    CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL, emblem TEXT);
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT NOT NULL, serving INTEGER,
      cook_minutes INTEGER NOT NULL, ident TEXT NOT NULL, rating TEXT, created TEXT, "order" TEXT,
      section_id INTEGER REFERENCES categories (id));
    CREATE TABLE ingredients (id INTEGER PRIMARY KEY, name TEXT NOT NULL, amount TEXT,
      recipe_id INTEGER NOT NULL REFERENCES recipe (id));
    CREATE TABLE labels (id INTEGER PRIMARY KEY, name TEXT NOT NULL, color INTEGER NOT NULL);
    CREATE TABLE recipe_labels (recipe_id INTEGER REFERENCES recipe (id),
      label_id INTEGER REFERENCES labels (id), PRIMARY KEY (recipe_id, label_id));
    CREATE TABLE visits (id INTEGER PRIMARY KEY, who TEXT);
    INSERT INTO categories VALUES (1, 'Soups', 'bowl'), (2, 'Cakes', NULL);
    INSERT INTO recipe VALUES
      (1, 'Leek Soup', 4, 30, '0f0e0d0c-0b0a-4908-8706-050403020100', '4.5', '2024-05-06T07:08:09Z', 'x', 1),
      (2, 'Tart', NULL, 45, '1f0e0d0c-0b0a-4908-8706-050403020100', NULL, NULL, NULL, NULL);
    INSERT INTO ingredients VALUES (1, 'Leek', '2', 1), (2, 'Salt', 'some', 1), (3, 'Plum', NULL, 2);
    INSERT INTO labels VALUES (1, 'green', 3);
    INSERT INTO recipe_labels VALUES (1, 1);
    INSERT INTO visits VALUES (1, 'Ann'), (2, 'Bo')
    """

  /// What a person would write, with every reason.
  ///
  /// Numbers of the kitchen have a default, so that none is wanted.
  private static let expected = """
    # How to convert the objects of old.db to those of Kitchen.sqlite.
    # Names that both have in common are not listed. Check every line with “guess”.
    decant: 1
    contract: { entities: discard }  # discarded:
    #   visits: 2 objects
    # Not filled: RecipeImage, StepImage, Step

    entities:
      Category:
        from: categories  # guess: nearly the same name
        # set to their default: sortIndex
        generate:
          uuid: uuid4  # guess: is required, and each object gets a different one
        set:
          symbol: emblem  # guess: the same type, and no other is left
      Ingredient:
        from: ingredients  # guess: nearly the same name
        # no source: note, unit
        # set to their default: isGarnish, sortIndex
        generate:
          uuid: uuid4  # guess: is required, and each object gets a different one
        set:
          amount: 'CAST("amount" AS REAL)'  # guess: string here, double there; 1 value does not fit
          recipe: recipe_id  # guess: one name contains the other
      Recipe:
        from: recipe  # guess: nearly the same name
        # rating: string here, float there
        # no source: author, energy, lastCookedAt, nutrition, price, sourceURL, subtitle, cover, variantOf
        # set to their default: isFavorite, prepMinutes, viewCount
        set:
          cookMinutes: cook_minutes  # guess: nearly the same name
          createdAt: 'coalesce("created", 0)'  # guess: one name contains the other
          servings: serving  # guess: nearly the same name
          uuid: ident  # guess: values of the same sort, and no other is left
          modifiedAt: 0  # guess: is required
          category: section_id  # guess: the only one that points to one object of this type
          tags: recipe_labels  # guess: the only one that points to many objects of this type
        drop:
          - order  # string, 1 value
      Tag:
        from: labels  # guess: 2 of its attributes have the same names
        # color: int64 here, int32 there
        generate:
          uuid: uuid4  # guess: is required, and each object gets a different one

    """

  @Test func `every kind of guess is printed with its reason, and nothing is written`() throws {
    _ = try Program.sqlite3(place.folder.path("old.db"), Self.old)
    let (files, kitchen) = (try place.names(), place.content("Kitchen.sqlite"))
    let run = try place.run(["copy", "old.db", "Kitchen.sqlite", "--suggest-mapping"])
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.output == Self.expected)
    #expect(try place.names() == files && place.content("Kitchen.sqlite") == kitchen)
    // A dry run is no other.
    let dry = ["copy", "old.db", "Kitchen.sqlite", "--suggest-mapping", "--dry-run"]
    #expect(try place.run(dry).output == Self.expected)
  }

  @Test func `it runs as it is printed`() throws {
    _ = try Program.sqlite3(place.folder.path("old.db"), Self.old)
    let suggested = try place.run(["copy", "old.db", "Kitchen.sqlite", "--suggest-mapping"])
    try Data(suggested.output.utf8).write(to: place.url.appendingPathComponent("map.yaml"))
    let copy = ["copy", "old.db", "Kitchen.sqlite", "--mapping", "map.yaml", "--append"]
    let dry = try place.run(copy + ["--dry-run"])
    #expect(dry.status == 0, "\(dry.errors)")
    let run = try place.run(copy)
    #expect(run.status == 0, "\(run.errors)")
    let rows = try Program.sqlite3(
      place.folder.path("Kitchen.sqlite"),
      """
      SELECT r.ZTITLE, r.ZSERVINGS, r.ZCOOKMINUTES, r.ZRATING, r.ZCREATEDAT, hex(r.ZUUID), c.ZNAME, c.ZSYMBOL,
        (SELECT group_concat(i.ZNAME || coalesce(i.ZAMOUNT, '-')) FROM ZINGREDIENT i WHERE i.ZRECIPE = r.Z_PK),
        (SELECT group_concat(t.ZNAME || t.ZCOLOR) FROM Z_6TAGS j JOIN ZTAG t ON t.Z_PK = j.Z_8TAGS
          WHERE j.Z_6RECIPES = r.Z_PK)
      FROM ZRECIPE r LEFT JOIN ZCATEGORY c ON c.Z_PK = r.ZCATEGORY WHERE r.Z_PK > 15 ORDER BY 1
      """
    )
    // 2024-05-06T07:08:09Z is 1714979289 seconds after 1970, 736672089 after 2001.
    #expect(
      rows == """
        Leek Soup|4|30|4.5|736672089|0F0E0D0C0B0A49088706050403020100|Soups|bowl|Leek2.0,Salt0.0|green3
        Tart|0|45||0|1F0E0D0C0B0A49088706050403020100|||Plum-|
        """
    )
  }

  @Test func `two stores of one model leave nothing to say`() throws {
    let run = try place.run(["copy", "Guests.sqlite", "Kitchen.sqlite", "--suggest-mapping"])
    let said = run.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(said == ["decant: 1"] && run.status == 0)
  }

  @Test func `what YAML and SQL take for something else is quoted`() throws {
    _ = try Program.sqlite3(
      place.folder.path("old.db"),
      """
      CREATE TABLE "order" (id INTEGER PRIMARY KEY, "group" TEXT, "my name" TEXT, no INTEGER NOT NULL,
        "a:b" TEXT, "x""y" TEXT);
      CREATE TABLE "odd: table
      #" (id INTEGER PRIMARY KEY, v);
      INSERT INTO "order" VALUES (1, 'g', 'n', 5, 'c', 'q'), (2, NULL, 'm', 7, NULL, NULL)
      """
    )
    _ = try Program.sqlite3(
      place.folder.path("new.db"),
      """
      CREATE TABLE orders (id INTEGER PRIMARY KEY, groups TEXT NOT NULL, myName TEXT, "on" INTEGER NOT NULL,
        "A B" TEXT, "key" TEXT NOT NULL UNIQUE)
      """
    )
    let run = try place.run(["copy", "old.db", "new.db", "--suggest-mapping"])
    let lines = run.output.split(separator: "\n").map { $0.prefix { $0 != "#" } }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    for line in [
      "from: order", #"groups: "coalesce(\"group\", '')""#, #"myName: '"my name"'"#,
      #"'A B': '"a:b"'"#,
      "'on': 'no'", #"- 'x"y'"#, "key: uuid4",
    ] {
      #expect(lines.contains(line), "\(line) in:\n\(run.output)")
    }
    try Data(run.output.utf8).write(to: place.url.appendingPathComponent("map.yaml"))
    let copy = try place.run(["copy", "old.db", "new.db", "--mapping", "map.yaml"])
    #expect(copy.status == 0, "\(copy.errors)")
    let sql = #"SELECT groups, myName, "on", "A B", length("key") FROM orders"#
    #expect(try Program.sqlite3(place.folder.path("new.db"), sql) == "g|n|5|c|36\n|m|7||36")
  }

  @Test func `links that would be lost are counted at either end`() throws {
    let sql = """
      CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT,
        shelf_id INTEGER REFERENCES shelf (id));
      CREATE TABLE loan (id INTEGER PRIMARY KEY, recipe_id INTEGER REFERENCES recipe (id));
      INSERT INTO shelf VALUES (1, 'a'), (2, 'b');
      INSERT INTO recipe VALUES (1, 'x', 1), (2, 'y', 1), (3, 'z', NULL);
      INSERT INTO loan VALUES (1, 1), (2, 3), (3, NULL)
      """
    _ = try Program.sqlite3(place.folder.path("lent.db"), sql)
    _ = try Program.sqlite3(
      place.folder.path("target.db"),
      "CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT); "
        + "CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT)"
    )
    let run = try place.run(["copy", "lent.db", "target.db", "--suggest-mapping"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("#   loan: 3 objects, 2 links"), "\(run.output)")
    #expect(run.output.contains("shelf_id  # to one shelf, 2 links"), "\(run.output)")
  }

  @Test func `there must be a model to map to`() throws {
    try place.expect(
      ["copy", "Guests.sqlite", "nothing.sqlite", "--suggest-mapping"],
      64,
      "there is no store at “nothing.sqlite” to take the destination model from"
    )
    try place.expect(
      ["copy", "Guests.sqlite", "Kitchen.sqlite", "--suggest-mapping", "--mapping", "m.yaml"],
      64,
      "--suggest-mapping prints a new mapping file: remove --mapping and --json"
    )
  }
}
