/// Merges with a base in which objects have other keys, as two stores have that merge each other's new objects.
extension LawCases {
  static let otherKeys: [LawCase] = [
    synced("each side edits one value of an object that has another key on the other side", base: "mine"),
    synced("the same with a copy of theirs as the base", base: "theirs"),
    synced(
      "each side edits another one of two objects that have each other's keys", base: "mine", count: 1,
      mine: "UPDATE task SET prio = 3 WHERE title = 'buy apple 1'",
      theirs:
        "UPDATE task SET done = 1 WHERE title = 'buy apple 1'; UPDATE task SET done = 1 WHERE title = 'buy berry 1'",
      rows: "'buy apple 1',3,1,'go apple 1'", "'buy berry 1',1,1,'go berry 1'"),
    synced(
      "a part is edited whose owner has another key", base: "mine",
      mine: "UPDATE task SET prio = 3 WHERE title = 'buy apple 1'",
      theirs: "UPDATE step SET text = 'go apple 1 and pear' WHERE text = 'go apple 1'",
      rows: "'buy apple 1',3,0,'go apple 1 and pear'", "'buy apple 2',1,0,'go apple 2'",
      "'buy berry 1',1,0,'go berry 1'",
      "'buy berry 2',1,0,'go berry 2'"),
    // Theirs gives a new row the key that the base has for another one.
    LawCase(
      name: "moved keys: a new row has the key of the base's object, which was edited under another one",
      schema: "CREATE TABLE workout (id INTEGER PRIMARY KEY, day TEXT, exercise TEXT, reps INT, kg INT)",
      source: workouts
        + "INSERT INTO workout VALUES (21, '2026-02-05', 'curl', 11, 60), (23, '2026-02-03', 'bench', 7, 30), (24, '2026-02-09', 'curl', 10, 60)",
      destination: workouts
        + "INSERT INTO workout VALUES (23, '2026-02-03', 'bench', 7, 30), (24, '2026-02-05', 'curl', 11, 60)",
      base: workouts
        + "INSERT INTO workout VALUES (23, '2026-02-03', 'bench', 7, 30), (24, '2026-02-05', 'curl', 10, 60)",
      options: ["--base", "base.db"],
      facts: [
        .init(
          "SELECT * FROM workout WHERE day >= '2026-02' ORDER BY day",
          "23,'2026-02-03','bench',7,30",
          "24,'2026-02-05','curl',11,60",
          "25,'2026-02-09','curl',10,60"
        )
      ],
      exempt: others
    ),
  ]

  /// Such rows have nothing but the base to be known by where they were edited.
  private static let others: Set<Law> = [.renumbering, .batches, .pairs, .damage, .editedCopy, .kill]

  private static let workouts = """
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
    INSERT INTO workout SELECT i, printf('2026-01-%02d', i), substr('squatbenchcurl ', i % 3 * 5 + 1, 5), 5 + i % 4,
      20 + i % 5 * 10 FROM n;
    """

  /// Tasks that two devices had, then new ones of each, `apple` of mine and `berry` of theirs, which have each other's
  /// keys: the base is a copy of one of the two.
  private static func synced(
    _ name: String,
    base: String,
    count: Int = 2,
    mine: String = "UPDATE task SET prio = 3 WHERE title = 'buy apple 1'",
    theirs: String = "UPDATE task SET done = 1 WHERE title = 'buy apple 1'",
    rows: String...
  ) -> LawCase {
    func state(_ fruits: [String]) -> String {
      """
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
      INSERT INTO task SELECT i, 'task ' || i, '2026-01-' || i, i % 3, 0 FROM n;
      INSERT INTO step SELECT id, id, 'step of ' || id FROM task;
      """
        + fruits.map { fruit in
          (1...count).map {
            """
            INSERT INTO task (title, due, prio, done) VALUES ('buy \(fruit) \($0)', '2026-02-\($0)', 1, 0);
            INSERT INTO step (task, text) VALUES (last_insert_rowid(), 'go \(fruit) \($0)');
            """
          }.joined()
        }.joined()
    }
    let (here, there) = (state(["apple", "berry"]), state(["berry", "apple"]))
    let unchanged =
      (1...count).map { "'buy apple \($0)',\($0 == 1 ? "3,1" : "1,0"),'go apple \($0)'" }
      + (1...count).map { "'buy berry \($0)',1,0,'go berry \($0)'" }
    return LawCase(
      name: "moved keys: \(name)",
      schema: """
        CREATE TABLE task (id INTEGER PRIMARY KEY, title TEXT, due TEXT, prio INT, done INT);
        CREATE TABLE step (id INTEGER PRIMARY KEY, task INTEGER REFERENCES task (id), text TEXT)
        """,
      source: there + theirs,
      destination: here + mine,
      base: base == "mine" ? here : there,
      options: ["--base", "base.db"],
      facts: [
        .init(
          "SELECT title, prio, done, text FROM task LEFT JOIN step ON step.task = task.id WHERE title LIKE 'buy%' ORDER BY 1",
          rows: rows.isEmpty ? unchanged : rows)
      ],
      counts: ["task": ["new": 0], "step": ["new": 0]],
      exempt: others
    )
  }
}
