import Testing

@testable import DecantRecipeFormats

/// What the formats make of malformed and rare input.
@Suite struct MarkupDefectTests {
  private static func one(
    _ format: any MarkupRecipeFormat.Type,
    _ document: String,
    isHTML: Bool = false
  ) throws -> Recipe {
    try #require(try MarkupRecipes(format, Array(document.utf8), isHTML: isHTML).recipes.first)
  }

  @Test func `MasterCook's quotes in attributes and codes of lines`() throws {
    let bytes =
      Array(
        """
        <?xml version="1.0" standalone="yes" encoding="ISO-8859-1"?>
        <!DOCTYPE mx2 SYSTEM "mx2.dtd"><mx2><RcpE name="A" img="a pic.jpg">
        <IngR name="tomatoes in 3/4" dice" unit="cups" qty="1 1/2" code="I"><IPrp>ripe</IPrp></IngR>
        <IngR name="For the top" code="S"/><IngR name="no salt" code="T"/>
        <DirS><DirT img="s.jpg">Mother
        """.utf8
      ) + [0x92] + Array("s way</DirT></DirS></RcpE><RcpE name=\"\"/></mx2>".utf8)
    let read = try MarkupRecipes(MX2Format.self, bytes)
    #expect(read.recipes.map(\.title) == ["A", ""])
    let recipe = read.recipes[0]
    #expect(
      recipe.ingredients.map(\.text) == [
        "1 1/2 cups tomatoes in 3/4\" dice, ripe", "For the top", "no salt",
      ]
    )
    #expect(recipe.ingredients.map(\.isHeading) == [false, true, false])
    #expect(recipe.steps.map(\.text) == ["Mother’s way"])
    #expect(recipe.images.map(\.step) == [nil, 0])
    #expect(recipe.images.map(\.name) == ["a pic.jpg", "s.jpg"])
    #expect(read.warnings == ["the value of an attribute has a quote in it (line 3)"])
  }

  @Test func `XHTML entities and a DTD that is absent`() throws {
    let recipe = try Self.one(
      CookMLFormat.self,
      """
      <!DOCTYPE cookml SYSTEM "cookml.dtd"><cookml><recipe lang="DE"><head title="K&auml;se" rid="1,2"
      servingqty="4"><cat>3</cat><cat>Kuchen</cat></head><part title="Teig"><ingredient item="Ei &amp; Milch"/></part>
      <preparation><step>Eins</step><step>Zwei&nbsp;</step></preparation><remark><line>a</line><line>b</line></remark>
      </recipe></cookml>
      """
    )
    #expect(recipe.title == "Käse" && recipe.language == "de" && recipe.nativeID == "1,2")
    #expect(recipe.ingredients.map(\.text) == ["Teig", "Ei & Milch"])
    #expect(recipe.steps.map(\.text) == ["Eins", "Zwei"])
    #expect(recipe.categories == ["Kuchen"] && recipe.notes == "a\nb")
  }

  @Test func `MacGourmet's tree, labels and a list that is none`() throws {
    let read = try MarkupRecipes(
      MacGourmetFormat.self,
      Array(
        """
        <plist><array><dict><key>NAME</key><string>A</string><key>INGREDIENTS_TREE</key><array><dict>
        <key>DESCRIPTION</key><string>Top</string><key>IS_DIVIDER</key><true/><key>CHILDREN</key><array><dict>
        <key>QUANTITY</key><string>1/2</string><key>DESCRIPTION</key><string>egg</string></dict></array></dict></array>
        <key>DIRECTIONS_LIST</key><array><dict><key>LABEL_TEXT</key><string>One</string><key>DIRECTION_TEXT</key>
        <string>Do</string></dict></array><key>IMAGE</key><string>47494638 39610100</string><key>COURSE_NAME</key>
        <string>--</string></dict><dict><key>X</key><string>y</string></dict></array></plist>
        """.utf8
      )
    )
    #expect(read.faults == [] && read.recipes.count == 1)
    let recipe = try #require(read.recipes.first)
    #expect(recipe.ingredients.map(\.text) == ["Top", "1/2 egg"])
    #expect(recipe.ingredients.map(\.isHeading) == [true, false])
    #expect(recipe.steps.map(\.title) == ["One"])
    #expect(recipe.categories.isEmpty)
    #expect(read.digests[0].count == 1)
  }

  @Test func `Cookmate's paths count by their last part, and lists may be text`() throws {
    let recipe = try Self.one(
      CookmateFormat.self,
      """
      <cookbook><recipe><title>A</title><preptime>1 h 20 mn</preptime><ingredient>1 egg
      2 cups milk</ingredient><recipetext>One.
      Two.</recipetext><imagepath>/storage/emulated/0/Pictures/a b.jpg</imagepath>
      <image><path>images/c.jpg</path></image><image>http://x/y.jpg</image><rating>4</rating></recipe></cookbook>
      """
    )
    #expect(recipe.prepTime?.minutes == 80)
    #expect(recipe.ingredients.count == 2 && recipe.steps.count == 2 && recipe.rating == 4)
    let names = recipe.images.map { image -> [String] in
      guard case .file(let names) = image.place else { return [] }
      return names
    }
    #expect(names == [["images/a b.jpg", "a b.jpg"], ["images/c.jpg", "c.jpg"]])
  }

  @Test func `KRecipes' ranges and groups`() throws {
    let recipe = try Self.one(
      KRecipesFormat.self,
      """
      <krecipes><krecipes-recipe><krecipes-description><title>A</title><yield><amount><min>2</min><max>3</max></amount>
      <type>loaves</type></yield><preparation-time>01:30</preparation-time></krecipes-description><krecipes-ingredients>
      <ingredient-group name="G"><ingredient><name>x</name><amount><min>1</min><max>2</max></amount><unit>cup</unit>
      <prep>a</prep></ingredient></ingredient-group></krecipes-ingredients></krecipes-recipe></krecipes>
      """
    )
    #expect(recipe.yield == "2-3 loaves" && recipe.servings == nil)
    #expect(recipe.prepTime == RecipeTime(text: "01:30", minutes: 90))
    #expect(recipe.ingredients.map(\.text) == ["G", "1-2 cup x, a"])
    #expect(recipe.ingredients[1].amountTo == 2)
  }

  @Test func `Recipe Keeper's headings, repeated cover and odd case`() throws {
    let recipe = try Self.one(
      RecipeKeeperFormat.self,
      """
      \u{feff}<html><body><DIV class="recipe-details"><h2 itemprop=name>A &amp; B</h2>
      <img src="images/x_1.jpg" class="recipe-photos"><img src="images/x_0.jpg" class="recipe-photo">
      <img src="images/x_0.jpg" class="recipe-photos"><div itemprop="recipeIngredients"><h3>Top</h3><p>1 egg
      <p><b>Base</b><p>2 <b>cups</b> milk</div><div itemprop="recipeDirections">One<br>Two</div></DIV></body></html>
      """,
      isHTML: true
    )
    #expect(recipe.title == "A & B")
    #expect(recipe.images.map(\.name) == ["x_0.jpg", "x_1.jpg"])
    #expect(recipe.ingredients.map(\.text) == ["Top", "1 egg", "Base", "2 cups milk"])
    #expect(recipe.ingredients.map(\.isHeading) == [true, false, true, false])
    #expect(recipe.steps.map(\.text) == ["One", "Two"])
  }

  @Test(
    arguments: [
      ("1 hour 30 mins", 90), ("1:30", 90), ("PT1H30M", 90), ("P0DT0H30M", 30), ("1 ½ Stunden", 90),
      ("20 mn", 20), ("45 min.", 45), ("1 hour and 5 minutes", 65), ("2 days", 2880), ("90", nil),
      ("1 hour to 4 hours", nil), ("8 20 minutes", nil), ("over night", nil), ("PT", nil),
      ("", nil),
    ] as [(String, Double?)]
  )
  func `minutes are told from texts that are clear`(_ text: String, _ minutes: Double?) {
    #expect(Durations.minutes(text) == minutes)
  }

  @Test(
    arguments: [
      ("2", 2, nil), ("1/2", 0.5, nil), ("1 1/2", 1.5, nil), ("1½", 1.5, nil), ("¾", 0.75, nil),
      ("0,75", 0.75, nil), ("1,000", 1000, nil), ("2-3", 2, 3), ("1/2 to 1", 0.5, 1), ("2–3", 2, 3),
      ("1⁄2", 0.5, nil),
      ("a few", nil, nil), ("", nil, nil), ("1/0", nil, nil), ("1.2.3", nil, nil),
    ] as [(String, Double?, Double?)]
  )
  func `amounts are told from texts that are numbers`(_ text: String, _ from: Double?, _ to: Double?) {
    let amount = Quantity(text)
    #expect(amount?.from == from)
    #expect(amount?.to == to)
  }
}
