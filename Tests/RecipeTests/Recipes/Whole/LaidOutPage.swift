import Decant
import TestSupport
import Testing

/// Pages without structured data, of which only what a test is about is written.
struct LaidOutPage {
  static let steps =
    "<h3>Method</h3><ol><li>Stir the meal into the water until no lump is left.</li><li>Let it boil for a while.</li></ol>"

  let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  @discardableResult
  func read(_ body: String, head: String = "", lang: String = "en") throws -> CopyReport {
    try shelf.write(
      "<!doctype html><html lang=\"\(lang)\"><head><meta charset=\"utf-8\">\(head)</head><body>\(body)</body></html>",
      "page.html")
    return try shelf.import("page.html")
  }

  /// All ingredients of a page, a bar between them; `#` in front of headings.
  func ingredients(_ body: String, head: String = "") throws -> String {
    try read(body, head: head)
    return try lines("Ingredient")
  }

  func lines(_ table: String, of title: String? = nil) throws -> String {
    let condition = title.map { "WHERE r.title = '\($0)'" } ?? ""
    return try shelf.value(
      """
      SELECT group_concat(line, '|') FROM (SELECT iif(isHeading, '#', '') || text AS line FROM \(table) AS l
        JOIN Recipe AS r ON r.id = l.recipe_id \(condition) ORDER BY l.recipe_id, l.recipe_position)
      """)
  }

  func field(_ expression: String) throws -> String { try shelf.value("SELECT \(expression) FROM Recipe") }
}
