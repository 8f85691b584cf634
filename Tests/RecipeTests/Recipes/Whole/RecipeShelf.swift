import Decant
import Foundation
import TestSupport
import Testing

/// A folder of a test's own in which recipe files become stores, and stores recipe files.
struct RecipeShelf {
  let folder: TestSupport.TemporaryFolder

  init() throws { folder = try TestSupport.TemporaryFolder() }

  func path(_ name: String) -> String {
    name.hasPrefix("/") ? name : folder.path(name)
  }

  /// The place of a real recipe file.
  static func fixture(_ name: String) throws -> String {
    try #require(Fixtures.folder).appendingPathComponent("recipes/\(name)").path
  }

  /// Imports recipe files; what is to be read goes into one store as a whole, so there is one report.
  @discardableResult
  func `import`(
    _ files: String...,
    into store: String = "kitchen.sqlite",
    _ configure: (inout Import) -> Void = { _ in }
  ) throws -> CopyReport {
    try self.import(files, into: store, configure)
  }

  @discardableResult
  func `import`(
    _ files: [String],
    into store: String = "kitchen.sqlite",
    _ configure: (inout Import) -> Void = { _ in }
  ) throws -> CopyReport {
    var work = Import(files.map(path), into: path(store))
    configure(&work)
    let reports = try work.run()
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    for entity in report.entities { #expect(entity.isBalanced, "\(entity)") }
    return report
  }

  @discardableResult
  func export(_ store: String = "kitchen.sqlite", to place: String) throws -> CopyReport {
    let parts = place.split(separator: ":", maxSplits: 1).map(String.init)
    let target = parts.count == 2 ? "\(parts[0]):\(path(parts[1]))" : path(place)
    let report = try Export(from: path(store), to: target).run()
    #expect(report.isVerified)
    return report
  }

  /// Writes a page or a mail of the recipes that meet a condition.
  @discardableResult
  func page(
    _ name: String,
    of store: String = "kitchen.sqlite",
    where condition: String = "1",
    _ configure: (inout PageOptions) -> Void = { _ in }
  ) throws -> CopyReport {
    var options = CopyOptions()
    options.roots = [CopyOptions.Filter(entity: "Recipe", expression: condition)]
    var export = Export(from: path(store), to: path(name), options: options)
    configure(&export.page)
    let report = try export.run()
    #expect(report.isVerified)
    return report
  }

  func write(_ bytes: some Sequence<UInt8>, _ name: String) throws {
    let url = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  func write(_ text: String, _ name: String) throws { try write(text.utf8, name) }

  /// Makes a file with a program in Python, which finds its path in `place`, and some helpers.
  func make(_ name: String, _ script: String, inFolder: Bool = false) throws {
    if inFolder { try write([], name) }
    let run = try Program.run(["python3", "-c", Self.helpers + "\n" + script, path(name)])
    guard run.status == 0 else { throw Program.Failure(program: "python3", errors: run.errors) }
  }

  private static let helpers = """
    import base64, gzip, json, sys, zipfile
    place = sys.argv[1]
    png = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
    def recipe(title, **more):
        name = title
        made = {"uid": "UID-" + name, "name": name, "ingredients": "1 cup flour\\n2 eggs of " + name,
                "directions": "Mix.\\n\\nBake " + name + ".", "source_url": "", "photo_data": None}
        made.update(more)
        return made
    def packed(made): return gzip.compress(json.dumps(made).encode(), mtime=0)
    def paprika(made): open(place, "wb").write(packed(made))
    def library(entries, method=zipfile.ZIP_DEFLATED, to=place):
        with zipfile.ZipFile(to, "w", method) as file:
            for name, data in entries: file.writestr(name, data)
    """

  /// One library, written by hand as two apps have it, without any ID in common.
  func makeLibraries() throws {
    try make(
      "a.paprikarecipes",
      """
      library([(f"{n}.paprikarecipe", packed(recipe(n, source_url=u))) for n, u in (
          ("Bread", "https://example.org/bread?id=1"), ("Soup", ""), ("Crème brûlée", ""))])
      """
    )
    try make(
      "b.melarecipes",
      """
      def mela(name, link): return json.dumps({"id": "mela-" + name, "title": name, "link": link,
          "ingredients": "1 cup flour\\n2 eggs of " + name, "instructions": "Mix.\\nBake " + name + "."})
      library([("1.melarecipe", mela("Bread", "http://www.example.org/bread/?utm_source=x&id=1#top")),
          ("2.melarecipe", mela("SOUP", "")), ("3.melarecipe", mela("Cre\\u0300me bru\\u0302le\\u0301e", ""))])
      """
    )
    try make(
      "c.json",
      """
      steps = lambda n: [{"@type": "HowToStep", "text": "Mix."}, {"@type": "HowToStep", "text": f"Bake {n}."}]
      json.dump([{"@context": "https://schema.org", "@type": "Recipe", "name": n, "url": u,
          "recipeIngredient": ["1 cup flour", f"2 eggs of {n}"], "recipeInstructions": steps(n)}
          for n, u in (("Bread", "HTTPS://EXAMPLE.org:443/bread?id=1&fbclid=3"), ("soup", ""), ("crème brûlée", ""))],
          open(place, "w"))
      """
    )
  }

  /// The value that a statement gives, by `sqlite3`; empty for none.
  @discardableResult
  func value(_ sql: String, of store: String = "kitchen.sqlite") throws -> String {
    try Program.sqlite3(path(store), sql)
  }

  /// What is in a store, read by Python.
  func content(_ store: String = "kitchen.sqlite") throws -> RecipeContent {
    try RecipeContent(of: path(store))
  }
}

/// What the notes of an export name as lost.
enum RecipeLossNames {
  /// How many recipes lose each.
  static func counts(_ notes: [String]) -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for note in notes {
      if let match = note.firstMatch(of: /cannot hold: fields of other formats: (.*)$/) {
        for field in match.1.matches(of: /(.+?) \((\d+)\)(?:, |$)/) {
          counts["extra.\(field.1)", default: 0] += Int64(field.2) ?? 0
        }
      } else if let match = note.firstMatch(of: /cannot hold: (.*) \((\d+) recipes?\)$/) {
        counts[String(match.1), default: 0] += Int64(match.2) ?? 0
      }
    }
    return counts
  }
}

/// All recipes of a store as Python's SQLite reads them; pictures by the SHA-256 of their bytes.
struct RecipeContent: Decodable, Equatable {
  /// Each recipe's fields as JSON by their names, those of its parts among them; without keys and UUID.
  var recipes: [[String: String]]
  /// How many rows each table has.
  let counts: [String: Int]
  /// What is wrong with the file itself.
  let faults: [String]

  init(of path: String) throws {
    let run = try Program.run(["python3", "-c", Self.script, path])
    guard run.status == 0 else { throw Program.Failure(program: "python3", errors: run.errors) }
    self = try JSONDecoder().decode(Self.self, from: Data(run.output.utf8))
  }

  var titles: [String] { recipes.map { Self.texts($0["title"])[0] } }

  /// The pictures of all recipes.
  var pictures: [String] { recipes.flatMap { Self.texts($0["pictures"]) } }

  /// The texts of a field.
  static func texts(_ json: String?) -> [String] {
    let data = Data((json ?? "null").utf8)
    let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    return (value as? [Any])?.map { $0 as? String ?? "" } ?? [value as? String ?? ""]
  }

  /// The field of the recipe of a title.
  func field(_ name: String, of title: String) -> [String] {
    Self.texts(recipes.first { Self.texts($0["title"]) == [title] }?[name])
  }

  /// The recipes, in an order that does not depend on that of the file.
  var sorted: [[String: String]] {
    recipes.sorted { (Self.key($0)) < (Self.key($1)) }
  }

  private static func key(_ recipe: [String: String]) -> String {
    ["title", "ingredients", "steps"].map { recipe[$0] ?? "" }.joined(separator: "\n")
  }

  /// A field that is not the same.
  struct Difference {
    /// How many recipes differ in it.
    var count: Int64 = 0
    /// The first of them, with the beginnings of the values.
    var example = ""
  }

  /// The fields that are not the same in some recipe, but for those of `keys`.
  ///
  /// - Parameters:
  ///   - other: What it is held against: as many recipes, in the same order.
  ///   - keys: Fields that may differ.
  ///   - isOrdered: Whether the order of the recipes counts; else title and lines of ingredients give it.
  /// - Returns: By the name of the field; “recipes” where there are more here or there.
  func differences(from other: RecipeContent, except keys: Set<String> = [], isOrdered: Bool = true)
    -> [String: Difference]
  {
    let (mine, others) = isOrdered ? (recipes, other.recipes) : (sorted, other.sorted)
    guard mine.count == others.count else {
      let (left, right) = (Set(titles), Set(other.titles))
      let example = "\(others.count), became \(mine.count): \(left.symmetricDifference(right))"
      return ["recipes": Difference(count: 1, example: example)]
    }
    var found: [String: Difference] = [:]
    for (became, was) in zip(mine, others) {
      for name in Set(was.keys).union(became.keys).subtracting(keys)
      where !Self.isKept(was[name] ?? "null", became[name] ?? "null")
        && !Self.isInWords(name, was, became)
      {
        found[name, default: Difference()].count += 1
        guard found[name]?.count == 1 else { continue }
        found[name]?.example =
          "\(name) of \(was["title"] ?? ""): \((was[name] ?? "–").prefix(400)) "
          + "became \((became[name] ?? "–").prefix(400))"
      }
    }
    return found
  }

  /// Whether a time that was a duration of ISO 8601 is there in words: it has as many minutes as before.
  private static func isInWords(_ name: String, _ was: [String: String], _ became: [String: String]) -> Bool {
    guard name.hasSuffix("Time"), texts(was[name])[0].hasPrefix("PT") else { return false }
    let minutes = name.replacing("Time", with: "Minutes")
    let isSame = was[minutes] != "null" && was[minutes] == became[minutes]
    return isSame && texts(became[name])[0].contains(/^([0-9]+ (h|min|s) ?)+$/)
  }

  /// How many recipes lack each member of `extra`, or have it otherwise.
  func lostMembers(from other: RecipeContent, isOrdered: Bool) -> [String: Int64] {
    let (mine, others) = isOrdered ? (recipes, other.recipes) : (sorted, other.sorted)
    var lost: [String: Int64] = [:]
    for (became, was) in zip(mine, others) {
      let before = Self.value(was["extra"] ?? "{}") as? [String: Any] ?? [:]
      let after = Self.value(became["extra"] ?? "{}") as? [String: Any] ?? [:]
      for (name, value) in before where name != "untitled" && !Self.isSame(value, after[name]) {
        lost[name, default: 0] += 1
      }
    }
    return lost
  }

  /// Whether a member is the same, or the same in words where a format has nothing but texts.
  private static func isSame(_ was: Any, _ became: Any?) -> Bool {
    if isKept(was, became) { return true }
    guard let text = became as? String else { return false }
    if isBoolean(was), let flag = was as? Bool { return text == (flag ? "true" : "false") }
    return (was as? NSNumber).map { "\($0)" == text } ?? false
  }

  private static func isBoolean(_ value: Any) -> Bool {
    (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? (value is Bool)
  }

  /// Whether all that was there is there: something new is no loss where there was nothing.
  static func isKept(_ was: String, _ became: String) -> Bool {
    was == became || isKept(value(was), value(became))
  }

  private static func value(_ json: String) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
  }

  private static func isKept(_ was: Any?, _ became: Any?) -> Bool {
    switch (was, became) {
    case (nil, _), (is NSNull, _): return true
    case (let was as [String: Any], let became as [String: Any]):
      return was.allSatisfy { isKept($0.value, became[$0.key]) }
    case (let was as [Any], let became as [Any]):
      return was.count == became.count && zip(was, became).allSatisfy { isKept($0, $1) }
    case (let was as NSNumber, let became as NSNumber): return was == became
    case (let was as String, let became as String): return was == became
    default: return false
    }
  }

  private static let script = """
    import hashlib, json, sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    faults = [row[0] for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
    faults += ["dangling " + row[0] for row in db.execute("PRAGMA foreign_key_check")]
    def rows(sql, *values):
        cursor = db.execute(sql, values)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row)) for row in cursor]
    def text(value): return json.dumps(value, ensure_ascii=False, sort_keys=True)
    def extra(value): return json.loads(value) if value else {}
    recipes = []
    for r in rows("SELECT r.*, s.name AS source FROM Recipe r LEFT JOIN Source s ON s.id = source_id ORDER BY r.id"):
        key = r.pop("id")
        for name in ("uuid", "source_id"): r.pop(name)
        r["extra"] = extra(r["extra"])
        if r["isFavorite"] == 0: r["isFavorite"] = None
        for name, table in (("ingredients", "Ingredient"), ("steps", "Step")):
            parts = rows(f"SELECT * FROM {table} WHERE recipe_id = ? ORDER BY recipe_position, id", key)
            places = {part["id"]: number for number, part in enumerate(parts)}
            r[name] = [("# " if part["isHeading"] else "") + part["text"] for part in parts]
            for part in parts:
                for gone in ("id", "recipe_id", "recipe_position", "text", "isHeading"): part.pop(gone)
                part["extra"] = extra(part["extra"])
            for column in parts[0] if parts else []: r[f"{name}.{column}"] = [part[column] for part in parts]
        images = rows("SELECT * FROM Image WHERE recipe_id = ? ORDER BY recipe_position, id", key)
        for image in images:
            for gone in ("id", "recipe_id", "recipe_position"): image.pop(gone)
            digest = hashlib.sha256(image.pop("data")).hexdigest()
            if digest != image["sha256"]: faults.append("digest of a picture of " + r["title"])
            image["sha256"] = digest
            image["step"] = places.get(image.pop("step_id"))
            image["extra"] = extra(image["extra"])
        r["pictures"] = [image["sha256"] for image in images]
        for column in ("type", "caption", "name", "step", "extra"):
            r[f"pictures.{column}"] = [image[column] for image in images]
        r["nutrition"] = [[n["name"], n["value"]] for n in rows(
            "SELECT * FROM Nutrition WHERE recipe_id = ? ORDER BY recipe_position, id", key)]
        r["ids"] = {n["format"]: n["value"] for n in rows("SELECT * FROM NativeID WHERE recipe_id = ?", key)}
        for name, table, links in (("categories", "Category", "Category_recipes"), ("tags", "Tag", "Recipe_tags")):
            r[name] = sorted(n["name"] for n in rows(
                f"SELECT name FROM {links} l JOIN {table} n ON n.id = l.{table}_id WHERE Recipe_id = ?", key))
        recipes.append({name: text(value) for name, value in r.items()})
    tables = [row[0] for row in db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'decant_imported'")]
    counts = {table: db.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for table in tables}
    print(json.dumps({"recipes": recipes, "counts": counts, "faults": faults}))
    """
}
