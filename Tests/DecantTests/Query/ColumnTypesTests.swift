import DecantSQLite
import Testing

@testable import DecantBase
@testable import DecantPlan
@testable import DecantStore

@Suite struct ColumnTypesTests {
  private static let views = EntityViews(model: ExpressionTests.model, layout: Layout(of: ExpressionTests.model))

  private func type(_ sql: String) throws -> String? {
    let statement = try QueryStatement(sql, views: Self.views)
    return statement.columns.first?.type?.attribute.name
  }

  @Test(arguments: [
    "SELECT title FROM Recipe", "SELECT r.title AS x FROM Recipe AS r",
    "SELECT x FROM (SELECT title AS x FROM Recipe) AS s",
    "WITH s(x) AS (SELECT title FROM Recipe) SELECT x FROM s ORDER BY 1 LIMIT 2",
    "SELECT max(title) FROM Recipe", "SELECT min(DISTINCT title) AS x FROM Recipe",
    "SELECT category, max(title) AS m FROM Recipe GROUP BY 1 HAVING max(title) > 'a' ORDER BY 2",
    "SELECT coalesce(title, name) FROM Recipe, Category",
    "SELECT ifnull(title, (SELECT max(name) FROM Category)) FROM Recipe",
    "SELECT coalesce(min(title), max(title)) /* , */ FROM Recipe -- (",
    "SELECT (SELECT name FROM Category) FROM Recipe;",
    "SELECT title FROM Recipe UNION SELECT name FROM Category ORDER BY 1 LIMIT 3",
    "SELECT max(x) FROM (SELECT title AS x FROM Recipe UNION ALL SELECT name AS x FROM Category)",
    "WITH s AS (SELECT title FROM Recipe) SELECT title FROM s EXCEPT SELECT name FROM Category",
    "SELECT max(title, name) FROM Recipe, Category",
    "SELECT title FROM Recipe WHERE rating IN (SELECT rating FROM Recipe)",
    "SELECT min(title) OVER () FROM Recipe",
    "SELECT max(title) OVER w FROM Recipe WINDOW w AS (PARTITION BY rating ORDER BY title)",
    "SELECT max(title) FILTER (WHERE rating > 1) FROM Recipe",
    "SELECT max(title) FILTER (WHERE rating > 1) OVER (ORDER BY rating) AS m FROM Recipe",
    "SELECT lag(title, 1, title) OVER (ORDER BY rating) FROM Recipe",
    "SELECT nth_value(title, 2) OVER (ORDER BY rating) FROM Recipe",
    "SELECT iif(rating > 1, title, title) FROM Recipe",
    "SELECT nullif(title, 'x') FROM Recipe",
    "WITH s AS (SELECT title AS x FROM Recipe UNION ALL SELECT name FROM Category) SELECT x FROM s",
    """
    WITH a AS (SELECT 1), s AS NOT MATERIALIZED(SELECT title AS "x y" FROM Recipe
    UNION SELECT name FROM Category), b(z) AS (SELECT 2) SELECT "x y" FROM s, a, b
    """,
  ])
  func `a column of one attribute's values is known`(_ sql: String) throws {
    let statement = try QueryStatement(sql, views: Self.views)
    let types = statement.columns.map { $0.type?.attribute.name }
    #expect(types.contains("string"), "\(types)")
  }

  @Test(arguments: [
    "SELECT rating + 1 FROM Recipe", "SELECT 1", "SELECT title || 'x' FROM Recipe",
    "SELECT count(*) FROM Recipe", "SELECT avg(rating) FROM Recipe",
    "SELECT coalesce(title, rating) FROM Recipe", "SELECT coalesce(title, 'none') FROM Recipe",
    "SELECT coalesce(coalesce(title, rating), title) FROM Recipe",
    "SELECT coalesce(title, coalesce(title, rating)) FROM Recipe",
    "SELECT title FROM Recipe UNION SELECT rating FROM Recipe",
    "SELECT title FROM Recipe UNION ALL SELECT title FROM Recipe UNION ALL SELECT rating FROM Recipe",
    "SELECT x FROM (SELECT title AS x FROM Recipe UNION SELECT rating AS x FROM Recipe)",
    "SELECT (SELECT title FROM Recipe UNION SELECT rating FROM Recipe)",
    "SELECT max(title, rating) FROM Recipe", "SELECT count(title) OVER () FROM Recipe",
    "SELECT lag(title, 1, rating) OVER () FROM Recipe", "SELECT ntile(2) OVER () FROM Recipe",
    "SELECT iif(rating > 1, title, rating) FROM Recipe", "SELECT nullif(1, title) FROM Recipe",
    "WITH s AS (SELECT title AS x FROM Recipe UNION ALL SELECT rating FROM Recipe) SELECT x FROM s",
    "VALUES ((SELECT title FROM Recipe)), (1)",
    "WITH RECURSIVE s(x) AS (SELECT title FROM Recipe UNION SELECT 1 FROM s) SELECT x FROM s",
    "SELECT CASE WHEN rating > 1 THEN title END FROM Recipe",
  ])
  func `what is computed, or of several types, has none`(_ sql: String) throws {
    #expect(try type(sql) == nil)
  }

  @Test func `too many choices are not tried`() throws {
    let call = "coalesce(title, title)"
    let six = Array(repeating: call, count: 6).joined(separator: ", ")
    let seven = Array(repeating: call, count: 7).joined(separator: ", ")
    #expect(try type("SELECT \(six) FROM Recipe") == "string")
    #expect(try type("SELECT \(seven) FROM Recipe") == nil)
  }

  @Test(arguments: [
    ("a--b\n c", ["a", "c"]), ("a/* ' */b", ["a", "b"]), ("a/*", ["a"]),
    ("'it''s'x", ["'it''s'", "x"]),
    ("\"a\"\"b\"[c d]`e`", ["\"a\"\"b\"", "[c d]", "`e`"]), ("x'00'X'ff'", ["x'00'", "X'ff'"]),
    ("12ab(über_$1)", ["12ab", "(", "über_$1", ")"]), ("'open", ["'open"]), ("--", []),
    ("a->>b", ["a", "-", ">", ">", "b"]), ("/", ["/"]), ("\"", ["\""]), ("[", ["["]),
  ])
  func `a statement is taken apart as SQLite does`(_ sql: String, _ tokens: [String]) {
    #expect(SQLTokens(sql).tokens.map(\.text) == tokens)
  }
}
