import Testing

/// What the samples promise to those who try decant on them.
struct SampleContentTests {
  @Test func `the kitchen has what makes copying hard`() throws {
    let samples = Samples.committed
    func count(_ sql: String) throws -> String { try samples.ask("Kitchen.sqlite", sql) }
    #expect(try count("SELECT count(*) FROM ZRECIPE") == "12")
    // A gap in the keys, and keys handed out beyond the last object.
    #expect(try count("SELECT count(*) FROM ZRECIPE WHERE Z_PK = 5") == "0")
    #expect(try count("SELECT max(Z_PK) FROM ZRECIPE") == "13")
    #expect(try count("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Recipe'") == "15")
    #expect(try count("SELECT count(*) FROM ZRECIPE WHERE ZVARIANTOF NOT NULL") == "2")
    // Both kinds of images are covers.
    #expect(
      try count(
        "SELECT group_concat(n) FROM (SELECT DISTINCT Z2_COVER n FROM ZRECIPE WHERE n NOT NULL ORDER BY n)"
      ) == "3,4"
    )
    // One list whose order is not that of its keys.
    let disordered = """
      SELECT count(DISTINCT a.ZRECIPE) FROM ZSTEP a JOIN ZSTEP b
      ON a.ZRECIPE = b.ZRECIPE AND a.Z_PK < b.Z_PK AND a.Z_FOK_RECIPE > b.Z_FOK_RECIPE
      """
    #expect(try count(disordered) == "1")
    #expect(try count("SELECT count(*) FROM ZRECIPE WHERE ZVIEWCOUNT > 4294967295") == "1")
    #expect(try count("SELECT count(*) FROM ZRECIPE WHERE ZCREATEDAT < 0") == "1")
    #expect(try count("SELECT count(*) FROM ZRECIPE WHERE ZCATEGORY IS NULL") == "1")
    #expect(try count("SELECT count(*) FROM ZRECIPE WHERE ZSUBTITLE LIKE '%שקשוקה%'") == "1")
    #expect(try count("SELECT count(*) FROM ZRECIPE WHERE ZTITLE = 'Käsespätzle'") == "1")
    #expect(try count("SELECT count(*) FROM ZTAG WHERE ZNAME = '🌶️ spicy'") == "1")
    #expect(try count("SELECT group_concat(DISTINCT typeof(ZCREATEDAT)) FROM ZRECIPE") == "integer,real")
  }

  @Test(arguments: SamplesTests.files)
  func `every recipe has ingredients and steps`(file: String) throws {
    let sql = """
      SELECT min(i), max(i), min(s), max(s) FROM (SELECT
        (SELECT count(*) FROM ZINGREDIENT WHERE ZRECIPE = r.Z_PK) AS i,
        (SELECT count(*) FROM ZSTEP WHERE ZRECIPE = r.Z_PK) AS s FROM ZRECIPE r)
      """
    let counts = try Samples.committed.ask(file, sql).split(separator: "|").compactMap { Int($0) }
    try #require(counts.count == 4)
    #expect(counts[0] >= 5 && counts[1] <= 8 && counts[2] >= 3 && counts[3] <= 5)
  }

  @Test func `the guests' keys collide and one recipe is the same`() throws {
    let samples = Samples.committed
    let other = samples.path("Guests.sqlite").replacing("'", with: "''")
    let shared = try samples.ask(
      "Kitchen.sqlite",
      """
      ATTACH '\(other)' AS g;
      SELECT k.ZTITLE, g.ZMODIFIEDAT > k.ZMODIFIEDAT FROM ZRECIPE k JOIN g.ZRECIPE g USING (ZUUID);
      SELECT count(*) FROM ZRECIPE JOIN g.ZRECIPE USING (Z_PK);
      SELECT count(*) FROM ZTAG JOIN g.ZTAG USING (ZUUID);
      SELECT (SELECT group_concat(hex(Z_PLIST)) FROM Z_METADATA)
        = (SELECT group_concat(hex(Z_PLIST)) FROM g.Z_METADATA);
      SELECT (SELECT Z_UUID FROM Z_METADATA) = (SELECT Z_UUID FROM g.Z_METADATA);
      """
    )
    #expect(shared == "Carrot Cake Loaf|1\n4\n0\n1\n0")
  }

  @Test func `the syncMetadata has history and a mirror`() throws {
    let samples = Samples.committed
    func answer(_ sql: String) throws -> String { try samples.ask("SyncMetadata.sqlite", sql) }
    #expect(try answer("SELECT ZCHANGETYPE, count(*) FROM ACHANGE GROUP BY 1") == "0|32\n1|1\n2|1")
    let tables = [
      "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING", "ANSCKDATABASEMETADATA", "ANSCKEVENT",
      "ANSCKMETADATAENTRY", "ANSCKRECORDMETADATA", "ANSCKRECORDZONEMETADATA",
    ]
    for table in tables {
      let sql = """
        SELECT count(*) > 0 AND max(Z_PK) <= (SELECT Z_MAX FROM Z_PRIMARYKEY p WHERE p.Z_ENT = t.Z_ENT)
        FROM \(table) t
        """
      #expect(try answer(sql) == "1", "\(table)")
    }
    // Every change but the deleted recipe's belongs to a transaction and to an object.
    #expect(
      try answer("SELECT count(*) FROM ACHANGE WHERE ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)") == "0"
    )
    #expect(
      try answer(
        "SELECT length(ZTOMBSTONE0), ZENTITYPK IN (SELECT Z_PK FROM ZRECIPE) FROM ACHANGE "
          + "WHERE ZCHANGETYPE = 2"
      ) == "16|0"
    )
    // Bits 0, 9, 13 and 18: category, modifiedAt, rating and title.
    #expect(try answer("SELECT hex(ZCOLUMNS) FROM ACHANGE WHERE ZCHANGETYPE = 1") == "80442000")
    #expect(
      try answer(
        "SELECT count(*) FROM ANSCKRECORDMETADATA m WHERE ZENTITYID = 6 "
          + "AND ZENTITYPK NOT IN (SELECT Z_PK FROM ZRECIPE)"
      ) == "0"
    )
  }
}
