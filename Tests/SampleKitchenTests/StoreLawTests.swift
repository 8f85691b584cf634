import Testing

/// The law of the format, asked of the `sqlite3` program.
struct StoreLawTests {
  static let tables = ["CATEGORY", "IMAGE", "INGREDIENT", "RECIPE", "STEP", "TAG"]
  /// Links: table, column, table they lead to.
  static let links = [
    ("ZIMAGE", "ZCOVEROF", "ZRECIPE"), ("ZIMAGE", "ZRECIPE", "ZRECIPE"),
    ("ZIMAGE", "ZSTEP", "ZSTEP"), ("ZINGREDIENT", "ZRECIPE", "ZRECIPE"),
    ("ZRECIPE", "ZCATEGORY", "ZCATEGORY"), ("ZRECIPE", "ZCOVER", "ZIMAGE"),
    ("ZRECIPE", "ZVARIANTOF", "ZRECIPE"), ("ZSTEP", "ZRECIPE", "ZRECIPE"),
    ("Z_6TAGS", "Z_6RECIPES", "ZRECIPE"), ("Z_6TAGS", "Z_8TAGS", "ZTAG"),
  ]

  @Test(arguments: SamplesTests.files)
  func `the file is sound and set up like Core Data's`(file: String) throws {
    let answers = try Samples.committed.ask(
      file,
      "PRAGMA integrity_check; PRAGMA page_size; PRAGMA auto_vacuum; PRAGMA journal_mode; "
        + "PRAGMA user_version; PRAGMA encoding"
    )
    #expect(answers == "ok\n4096\n2\ndelete\n0\nUTF-8")
  }

  @Test(arguments: SamplesTests.files)
  func `entities are numbered depth first`(file: String) throws {
    let rows = try Samples.committed.ask(file, "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000")
    #expect(
      rows == """
        1|Category|0
        2|Image|0
        3|RecipeImage|2
        4|StepImage|2
        5|Ingredient|0
        6|Recipe|0
        7|Step|0
        8|Tag|0
        """
    )
  }

  @Test(arguments: SamplesTests.files)
  func `no key is above the highest handed out`(file: String) throws {
    let samples = Samples.committed
    for table in StoreLawTests.tables {
      let sql = """
        SELECT max(Z_PK) <= (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE upper(Z_NAME) = '\(table)')
        FROM Z\(table)
        """
      #expect(try samples.ask(file, sql) == "1", "\(table)")
    }
    let below = "SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_SUPER > 0 AND Z_MAX > 0"
    #expect(try samples.ask(file, below) == "0")
  }

  @Test(arguments: SamplesTests.files)
  func `every link resolves`(file: String) throws {
    let samples = Samples.committed
    for (table, column, target) in StoreLawTests.links {
      let sql = """
        SELECT count(*) FROM \(table)
        WHERE \(column) IS NOT NULL AND \(column) NOT IN (SELECT Z_PK FROM \(target))
        """
      #expect(try samples.ask(file, sql) == "0", "\(table).\(column)")
    }
  }

  @Test(arguments: SamplesTests.files)
  func `a discriminator is the entity of the object it leads to`(file: String) throws {
    let sql = """
      SELECT count(*), sum(r.Z2_COVER IS NOT i.Z_ENT)
      FROM ZRECIPE r LEFT JOIN ZIMAGE i ON i.Z_PK = r.ZCOVER
      """
    let counts = try Samples.committed.ask(file, sql).split(separator: "|")
    #expect(counts.last == "0")
  }

  @Test(arguments: SamplesTests.files)
  func `every step has a place of its own in its recipe`(file: String) throws {
    let sql = """
      SELECT count(*), sum((ZRECIPE IS NULL) <> (Z_FOK_RECIPE IS NULL)),
        count(*) - count(DISTINCT ZRECIPE || ' ' || Z_FOK_RECIPE) FROM ZSTEP
      """
    #expect(try Samples.committed.ask(file, sql).hasSuffix("|0|0"))
  }

  @Test(arguments: SamplesTests.files)
  func `the columns of a sibling entity are empty and no object is abstract`(file: String) throws {
    let sql = """
      SELECT count(*) FROM ZIMAGE WHERE
        Z_ENT NOT IN (3, 4)
        OR (Z_ENT = 3 AND (ZSTEP IS NOT NULL OR ZCAPTION1 IS NOT NULL))
        OR (Z_ENT = 4 AND (ZRECIPE IS NOT NULL OR ZCAPTION IS NOT NULL))
      """
    #expect(try Samples.committed.ask(file, sql) == "0")
  }

  @Test(arguments: SamplesTests.files)
  func `a cover knows what it covers`(file: String) throws {
    let sql = """
      SELECT (SELECT count(*) FROM ZRECIPE WHERE ZCOVER IS NOT NULL)
        = (SELECT count(*) FROM ZRECIPE r JOIN ZIMAGE i
           ON i.Z_PK = r.ZCOVER AND i.ZCOVEROF = r.Z_PK)
        AND (SELECT count(*) FROM ZIMAGE WHERE ZCOVEROF IS NOT NULL)
        = (SELECT count(*) FROM ZRECIPE WHERE ZCOVER IS NOT NULL)
      """
    #expect(try Samples.committed.ask(file, sql) == "1")
  }
}
