import Foundation
import TestSupport

/// Merges without a base of two databases that were merged both ways before: what was new in one has another key in the
/// other one.
extension LawCases {
  static let mergedBefore: [LawCase] = ["skip", "update"].flatMap {
    edits($0) + others($0) + [parents($0), categories($0), tags($0)]
  }

  private static func edits(_ policy: String) -> [LawCase] {
    [
      tasks("one value of an object was edited", policy, theirs: done("berry")),
      tasks("two that have each other's keys, one edited in each", policy, mine: done("apple"), theirs: done("berry")),
      tasks(
        "the two outer ones were edited, the inner one has one key", policy, inner: "corn", mine: done("apple"),
        theirs: done("berry")),
      tasks("both outer ones were edited in theirs", policy, inner: "corn", theirs: done("apple") + done("berry")),
      tasks(
        "the dates of both outer ones were edited", policy, inner: "corn",
        theirs: "UPDATE task SET due = id WHERE title IN ('buy apple', 'buy berry')"),
      tasks(
        "one was edited, and theirs deleted the one that has its key here", policy, inner: "corn", mine: done("berry"),
        theirs: "UPDATE task SET prio = 3 WHERE title = 'buy berry'; DELETE FROM step WHERE text = 'go apple';"
          + "DELETE FROM task WHERE title = 'buy apple'"),
      tasks("a part was edited", policy, theirs: "UPDATE step SET n = 5 WHERE text = 'go berry'"),
      tasks(
        "one was edited, and the part of another one", policy, inner: "corn",
        mine: done("berry") + "UPDATE step SET n = 5 WHERE text = 'go apple'",
        theirs: "UPDATE task SET prio = 3 WHERE title = 'buy apple'"),
      tasks(
        "three devices", policy, inner: "corn", order: ["berry", "corn", "apple"], mine: done("corn"),
        theirs: done("apple") + "UPDATE task SET prio = 1 WHERE title = 'buy berry'", isTurned: true),
      tasks(
        "one was edited, and each has another new one", policy, mine: add("ann"), theirs: add("bob") + done("berry"),
        new: ["ann", "bob"]),
      tasks(
        "one was edited, and each has a new one of one title", policy, mine: add("new", "2026-03-01"),
        theirs: add("new", "2026-03-09") + done("berry"), new: ["new", "new"]),
    ]
  }

  private static func done(_ fruit: String) -> String { "UPDATE task SET done = 1 WHERE title = 'buy \(fruit)';" }

  private static func add(_ fruit: String, _ due: String = "2026-04-01", _ prio: Int = 2) -> String {
    """
    INSERT INTO task (title, due, prio, done) VALUES ('buy \(fruit)', '\(due)', \(prio), 0);
    INSERT INTO step (task, text, n) VALUES (last_insert_rowid(), 'go \(fruit)', 1);
    """
  }

  private static let tables = """
    CREATE TABLE task (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, due TEXT, prio INT, done INT);
    CREATE TABLE step (id INTEGER PRIMARY KEY AUTOINCREMENT, task INTEGER REFERENCES task (id), text TEXT, n INT)
    """

  private static func state(_ fruits: [String]) -> String {
    """
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
    INSERT INTO task SELECT i, 'task ' || i, printf('2026-01-%02d', i), i % 3 + 1, 0 FROM n;
    INSERT INTO step SELECT id, id, 'step of ' || id, id % 4 FROM task;
    """
      + fruits.map { add($0, "2026-02-0\(["apple": 1, "berry": 5, "corn": 9][$0] ?? 2)", $0 == "berry" ? 2 : 1) }
      .joined()
  }

  /// Twenty tasks that two devices had, then a new one of each, which have each other's keys: apple is mine, berry theirs.
  ///
  /// `inner` has one key, between theirs.
  private static func tasks(
    _ name: String,
    _ policy: String,
    inner: String? = nil,
    order: [String]? = nil,
    mine: String = "",
    theirs: String = "",
    new: [String] = [],
    isTurned: Bool = false
  ) -> LawCase {
    let inner = inner.map { [$0] } ?? []
    let (here, there) = (["apple"] + inner + ["berry"], order ?? ["berry"] + inner + ["apple"])
    return LawCase(
      name: "merged before: \(name), \(policy)",
      schema: tables,
      source: state(there) + theirs,
      destination: state(here) + mine,
      options: ["--merge", policy],
      facts: [
        .init(
          "SELECT title, text FROM task LEFT JOIN step ON step.task = task.id WHERE task.id > 20 ORDER BY 1, 2",
          rows: (here + new).sorted().map { "'buy \($0)','go \($0)'" }),
        .init("SELECT count(*) FROM task", "\(20 + here.count + new.count)"),
      ],
      counts: ["task": ["new": new.isEmpty ? 0 : 1]],
      exempt: unkeyed
    )
  }

  /// Edited rows have nothing but the rows around them to be known by.
  private static let unkeyed: Set<Law> = [.renumbering, .damage, .editedCopy, .batches, .kill]

  /// Pairs of rows of other shapes: what is before the new ones, which are mine and theirs, what was edited or is new, and
  /// what comes out under skip and under update.
  private static func others(_ policy: String) -> [LawCase] {
    [
      rows(
        "texts only", policy, "title TEXT, author TEXT, genre TEXT",
        "'Book of ' || i, 'Author ' || i % 7, 'G' || i % 4",
        "'Dune', 'Herbert', 'SF'", "'Emma', 'Austen', 'Novel'", "'Ulysses', 'Joyce', 'Novel'", "'Solaris', 'Lem', 'SF'",
        theirs: "UPDATE entry SET genre = 'Old' WHERE title = 'Emma'",
        "'Dune','SF'", "'Emma','\(policy == "skip" ? "Novel" : "Old")'", "'Solaris','SF'", "'Ulysses','Novel'",
        of: "title, genre"),
      rows(
        "numbers only", policy, "time INT, kind INT, value INT", "1700000000 + i * 977, i % 5 + 1, i * i % 31 + 1",
        "1800000000, 4, 90", "1800000555, 7, 91", "1800000777, 4, 92", "1800000999, 8, 93",
        theirs: "UPDATE entry SET value = 50 WHERE kind = 7",
        "1800000000,90", "1800000555,\(policy == "skip" ? 91 : 50)", "1800000777,92", "1800000999,93",
        of: "time, value"),
      rows(
        "the mood of a day in a diary", policy, "day TEXT, body TEXT, mood INT", diary, "'2026-06-01', 'It rained', 3",
        "'2026-06-02', 'Grandma came to see us', 4", "'2026-06-03', 'It was hot', 2", "'2026-06-04', 'We went home', 1",
        theirs: "UPDATE entry SET mood = 5 WHERE day = '2026-06-02'",
        "'2026-06-01',3", "'2026-06-02',\(policy == "skip" ? 4 : 5)", "'2026-06-03',2", "'2026-06-04',1",
        of: "day, mood"),
      rows(
        "two entries of one day in a diary", policy, "day TEXT, body TEXT, mood INT", diary,
        "'2026-06-01', 'It rained', 3",
        "'2026-06-02', 'Grandma came to see us', 4", "'2026-06-03', 'It was hot', 2", "'2026-06-04', 'We went home', 1",
        mine:
          "INSERT INTO entry (day, body, mood) VALUES ('2026-06-07', 'Work', 1), ('2026-06-08', 'Cinema with Tom', 2)",
        theirs: "INSERT INTO entry (day, body, mood) VALUES ('2026-06-08', 'The doctor says all is well', 2)",
        "'Cinema with Tom'", "'The doctor says all is well'", "'Work'", of: "body", where: "day > '2026-06-06'"),
      rows(
        "two measurements of one time", policy, "time INT, kind INT, value INT",
        "1700000000 + i * 977, i % 5 + 1, i * i % 31 + 1", "1800000000, 4, 90", "1800000555, 7, 91",
        "1800000777, 4, 92",
        "1800000999, 8, 93",
        mine: "INSERT INTO entry (time, kind, value) VALUES (1800002000, 1, 1), (1800003000, 5, 33)",
        theirs: "INSERT INTO entry (time, kind, value) VALUES (1800003000, 4, 77)",
        "4,77", "5,33", of: "kind, value", where: "time = 1800003000"),
      rows(
        "glasses of water", policy, "time TEXT, drink TEXT, ml INT",
        "datetime('2026-01-01', '+' || (i * 137) || ' minutes'), iif(i % 4 = 0, 'tea', 'water'), 250",
        "'2026-02-01 08:00', 'water', 250", "'2026-02-01 09:00', 'coffee', 100", "'2026-02-01 10:00', 'water', 250",
        "'2026-02-01 11:00', 'coffee', 100",
        mine:
          "INSERT INTO entry (time, drink, ml) VALUES ('2026-02-02 08:00', 'water', 250), ('2026-02-02 09:00', 'tea', 250)",
        theirs: "INSERT INTO entry (time, drink, ml) "
          + "VALUES ('2026-02-02 09:00', 'water', 250), ('2026-02-02 10:00', 'water', 250)",
        "'08:00','water'", "'09:00','tea'", "'09:00','water'", "'10:00','water'",
        of: "substr(time, 12), drink", where: "time > '2026-02-02'"),
      // Only theirs was ever merged into mine: mine has an older row of its own.
      rows(
        "a title of mine that theirs uses as well", policy, "title TEXT, folder INT", "'Note ' || i, i % 3 + 1",
        "'Untitled', 2", nil, "'Eggs', 2", "'Milk', 2",
        theirs: "INSERT INTO entry (title, folder) VALUES ('Untitled', 3)", "2", "3", of: "folder",
        where: "title = 'Untitled'"),
      rows(
        "a title of mine that theirs uses as well, with other texts", policy, "title TEXT, body TEXT, folder INT",
        "'Note ' || i, 'Body ' || (i * 7919), i % 3 + 1", "'Untitled', 'Mine', 2", nil, "'Eggs', 'Six', 2",
        "'Milk', 'One litre', 2",
        theirs: "INSERT INTO entry (title, body, folder) VALUES ('Untitled', 'Theirs', 2)", "'Mine'", "'Theirs'",
        of: "body",
        where: "title = 'Untitled'"),
      rows(
        "the bills of two months", policy, "title TEXT, made TEXT, folder INT",
        "'Note ' || i, datetime('2026-01-01', '+' || (i * 7919) || ' minutes'), i % 3 + 1",
        "'Rent January flat Miller', '2027-01-05 10:00:00', 2", nil, "'Gas', '2027-01-01 11:00:00', 2",
        "'Milk', '2027-01-01 10:00:00', 2",
        theirs:
          "INSERT INTO entry (title, made, folder) VALUES ('Rent February flat Miller', '2027-02-01 10:00:00', 2)",
        "'Rent February flat Miller'", "'Rent January flat Miller'", of: "title", where: "title LIKE 'Rent%'"),
    ]
  }

  private static let diary = "date('2026-01-01', '+' || i || ' days'), 'We wrote number ' || i || ' on it', i % 5"

  /// Forty rows, then new ones: mine has the first, the third and the fourth, theirs the second, the fourth and the third.
  private static func rows(
    _ name: String,
    _ policy: String,
    _ columns: String,
    _ before: String,
    _ first: String,
    _ second: String?,
    _ third: String,
    _ fourth: String,
    mine: String = "",
    theirs: String = "",
    _ expected: String...,
    of values: String,
    where condition: String = "id > 40"
  ) -> LawCase {
    func state(_ new: [String?]) -> String {
      "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) INSERT INTO entry SELECT i, \(before) FROM n;"
        + new.compactMap { $0 }.map { "INSERT INTO entry VALUES ((SELECT max(id) + 1 FROM entry), \($0));" }.joined()
    }
    let isOneWay = second == nil
    return LawCase(
      name: "merged before: \(name), \(policy)",
      schema: "CREATE TABLE entry (id INTEGER PRIMARY KEY, \(columns))",
      source: state(isOneWay ? [third, fourth] : [second, fourth, third, first]) + theirs,
      destination: state([first, third, fourth, second]) + mine,
      options: ["--merge", policy],
      facts: [.init("SELECT \(values) FROM entry WHERE \(condition) ORDER BY \(values)", rows: expected)],
      exempt: unkeyed
    )
  }

  /// The parent of theirs was edited here, and so was the object that has its key here.
  private static func parents(_ policy: String) -> LawCase {
    let before = """
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 15)
      INSERT INTO task (title, due, prio, done) SELECT 'Task ' || i, printf('2026-01-%02d', i), i % 3 + 1, 0 FROM n;
      """
    let apple = "INSERT INTO task (title, due, prio, done, parent) VALUES ('apple', '2026-02-01', 1, 0, 3);"
    let corn = "INSERT INTO task (title, due, prio, done, parent) VALUES ('corn', '2026-02-02', 2, 0, 3);"
    let berry = "INSERT INTO task (title, due, prio, done, parent) VALUES ('berry', '2026-03-01', 1, 0, 5);"
    let due = policy == "skip" ? "2027-07-07" : "2026-02-01"
    return LawCase(
      name: "merged before: a task whose parent was edited, \(policy)",
      schema: """
        CREATE TABLE task (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, due TEXT, prio INT, done INT,
          parent INTEGER REFERENCES task (id))
        """,
      source: before + berry + corn + apple,
      destination: before + apple + corn + berry
        + "UPDATE task SET due = '2027-07-07' WHERE title IN ('apple', 'Task 5')",
      options: ["--merge", policy],
      facts: [
        .init(
          "SELECT id, title, due, parent FROM task WHERE id > 15 ORDER BY 1", "16,'apple','\(due)',3",
          "17,'corn','2026-02-02',3", "18,'berry','2026-03-01',5")
      ],
      counts: ["task": ["new": 0, "changed": 2]],
      exempt: unkeyed
    )
  }

  private static func categories(_ policy: String) -> LawCase {
    func state(_ new: [String]) -> String {
      "UPDATE ZCATEGORY SET ZSYMBOL = 'salad' WHERE Z_PK = 5;"
        + new.enumerated().map {
          "INSERT INTO ZCATEGORY (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSYMBOL, ZSORTINDEX) VALUES (\(6 + $0), 1, 1, \($1));"
        }.joined() + "UPDATE Z_PRIMARYKEY SET Z_MAX = \(5 + new.count) WHERE Z_ENT = 1;"
    }
    let (drinks, dips) = ("'Drinks', 'glass', 5", "'Dips', 'bowl', 6")
    return LawCase(
      name: "merged before: categories of a Core Data store, \(policy)",
      schema: "",
      source: state([dips, drinks])
        + "UPDATE ZCATEGORY SET ZSORTINDEX = 9 WHERE ZNAME = 'Drinks'; UPDATE ZRECIPE SET ZCATEGORY = 7 WHERE Z_PK = 9",
      destination: state([drinks, dips]),
      store: Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite"),
      options: ["--identity", "Category: none", "--merge", policy],
      facts: [
        .init(
          "SELECT Z_PK, ZNAME, ZSORTINDEX FROM ZCATEGORY WHERE Z_PK > 5 ORDER BY 1",
          "6,'Drinks',\(policy == "skip" ? 5 : 9)", "7,'Dips',6"),
        .init("SELECT ZCATEGORY FROM ZRECIPE WHERE Z_PK = 9", policy == "skip" ? "5" : "6"),
      ],
      counts: ["Category": ["new": 0, "changed": 1]],
      exempt: unkeyed
    )
  }

  /// Tags of moved tasks, in a link table.
  private static func tags(_ policy: String) -> LawCase {
    let tagged = """
      INSERT INTO tag VALUES (1, 'home'), (2, 'work'); INSERT INTO task_tag SELECT id, 1 + id % 2 FROM task WHERE id <= 20;
      INSERT INTO task_tag SELECT id, iif(title = 'buy apple', 1, 2) FROM task WHERE id > 20;
      """
    return LawCase(
      name: "merged before: links in a table, \(policy)",
      schema: """
        \(tables); CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
        CREATE TABLE task_tag (task INTEGER REFERENCES task (id), tag INTEGER REFERENCES tag (id), PRIMARY KEY (task, tag))
        """,
      source: state(["berry", "corn", "apple"]) + tagged + done("apple") + done("berry")
        + "INSERT INTO task_tag SELECT id, 1 FROM task WHERE title = 'buy berry'",
      destination: state(["apple", "corn", "berry"]) + tagged,
      options: ["--merge", policy],
      facts: [
        .init(
          "SELECT title, name FROM task JOIN task_tag ON task = task.id JOIN tag ON tag.id = tag WHERE task.id > 20 "
            + "ORDER BY 1, 2",
          "'buy apple','home'", "'buy berry','home'", "'buy berry','work'", "'buy corn','work'")
      ],
      counts: ["task": ["new": 0, "changed": 2]],
      exempt: unkeyed
    )
  }
}
