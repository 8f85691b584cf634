import Decant
import Foundation
import TestSupport
import Testing

/// Recipes in Markdown, and the table of My Recipe Box.
@Suite struct MarkdownFileTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// The recipe in the store, its lines and how many pictures it has.
  private func read(_ name: String) throws -> [String] {
    try shelf.import(name)
    return try [
      "title || coalesce(', ' || yield, '') || coalesce(', ' || prepMinutes, '') || coalesce(', ' || cookMinutes, '') FROM Recipe",
      "group_concat(iif(isHeading, '#', '') || text, '; ') FROM (SELECT * FROM Ingredient ORDER BY recipe_position)",
      "group_concat(iif(isHeading, '#', '') || text, '; ') FROM (SELECT * FROM Step ORDER BY recipe_position)",
      "count(*) FROM Image",
    ].map { try shelf.value("SELECT \($0)") }
  }

  private static let files = [
    "chowdown": """
    ---

    layout: recipe
    title:  "Pea soup: green"
    image: pea-soup.png
    tags: soups, quick
    servings: 4
    prep_time: 10 min
    cook_time: 20

    ingredients:
    - 1 l water
    - 200 g peas (frozen: yes)

    directions:
    - Boil the *water*.
    - Add the peas.

    ---

    From my aunt.
    """,
    "Obsidian": """
    ---
    servings: 4
    prep-time: 10
    cook time: 20 minutes
    tags: [soup, quick]
    ---
    # Pea soup: green

    ![[pea-soup.png]]
    A soup from [my aunt](https://example.com).

    ## Ingredients
    - [ ] 1 l water
    - [x] **200 g** [[Peas|peas]] (frozen: yes)

    ## Directions
    1. Boil the _water_.
    2. Add the peas.

    ## Notes
    Freezes well.
    """,
    "Hugo": """
    +++
    title = "Pea soup: green"
    servings = 4
    prepTime = "10 min"
    cookTime = "20 min"
    image = "/images/pea-soup.png"
    draft = false
    +++
    Zutaten
    -------
    * 1 l water
    * 200 g peas (frozen: yes)

    Zubereitung
    -----------
    Boil the water.

    Add the peas.
    """,
    "lines": """
    # Pea soup: green

    **Servings:** 4
    Prep time: 10 min
    - Cook time: 20 min

    ![A plate](images/pea-soup.png)

    **Ingredients:**

    - 1 l water
    - 200 g peas (frozen: yes)

    **Method**

    1. Boil
       the water.
    2. Add the peas.
    """,
  ]

  @Test(arguments: files.keys.sorted())
  func `a recipe in Markdown is read with its picture`(_ name: String) throws {
    try shelf.write(try #require(Self.files[name]), "site/_recipes/pea.md")
    try shelf.write("# About\n\nI cook.\n", "site/README.md")
    try shelf.make("site/images/pea-soup.png", "open(place, 'wb').write(png)", inFolder: true)
    if name == "Obsidian" {
      try shelf.make("site/_recipes/pea-soup.png", "open(place, 'wb').write(png)", inFolder: true)
    }
    if name == "lines" {
      try shelf.make("site/_recipes/images/pea-soup.png", "open(place, 'wb').write(png)", inFolder: true)
    }
    let read = try read("site")
    #expect(
      read == [
        "Pea soup: green, 4, 10.0, 20.0", "1 l water; 200 g peas (frozen: yes)", "Boil the water.; Add the peas.", "1",
      ],
      "\(name)")
  }

  /// Fields as YAML's writers and people have them, with the ingredients and the steps that they give.
  @Test(arguments: [
    (
      """
      ingredients:
      - 500 g flour
      - "350 ml water, lukewarm
        from the tap"
      directions:
      - Fold the dough over itself and leave it to rest in a
        warm place for two hours.
      - |
        Shape it.
        Bake at 230 degrees.
      - >-
        Cool on a rack
        overnight.
      """, "500 g flour; 350 ml water, lukewarm from the tap",
      "Fold the dough over itself and leave it to rest in a warm place for two hours.; Shape it.\nBake at 230 degrees.; Cool on a rack overnight."
    ),
    (
      """
      ingredients: [1 egg, "salt, pepper",
        oil]
      steps: |
        1. Beat the egg.
        2. Fry it.
      """, "1 egg; salt, pepper; oil", "Beat the egg.; Fry it."
    ),
    (
      """
      ingredients:
        Dough:
          - 200 g flour
        Filling:
          - 3 apples
      steps: [Bake.]
      """, "#Dough; 200 g flour; #Filling; 3 apples", "Bake."
    ),
    // None of these lines is valid YAML.
    (
      """
      source: my aunt: Ann
      ingredients:
      - [[Peas]] 200 g
      - @home: 1 l water
      - "00" flour: 2 cups: sifted
      - 2 tins #400
      - 100% rye
      steps:
      - *Boil* it, and
        stir: often
      - Note: `serve` it: hot
      """, "Peas 200 g; @home: 1 l water; \"00\" flour: 2 cups: sifted; 2 tins #400; 100% rye",
      "Boil it, and stir: often; Note: serve it: hot"
    ),
  ])
  func `the fields of a recipe hold its lists`(_ fields: String, _ ingredients: String, _ steps: String) throws {
    try shelf.write("---\ntitle: Soup\n\(fields)\n---\n", "soup.md")
    let read = try read("soup.md")
    #expect(Array(read[1...2]) == [ingredients, steps])
    #expect(try shelf.value("SELECT coalesce(source_id, '') FROM Recipe") == (fields.hasPrefix("source") ? "1" : ""))
  }

  @Test func `a site that is zipped is read with its pictures`() throws {
    try shelf.make(
      "site.zip",
      """
      text = TEXT
      library([("site/_recipes/pea.md", text), ("site/images/pea-soup.png", png), ("site/index.md", "# Recipes")])
      """.replacingOccurrences(of: "TEXT", with: "'''\(try #require(Self.files["chowdown"]))'''"))
    #expect(try read("site.zip").last == "1")
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1")
    #expect(try shelf.value("SELECT summary FROM Recipe") == "From my aunt.")
  }

  @Test func `groups have their headings`() throws {
    try shelf.write(
      """
      # Pie
      ## Ingredients
      ### For the dough
      - 200 g flour
      ### Filling
      - 3 apples
      ## Method
      ### Dough
      1. Knead it
         - for ten minutes
      ### Filling
      1. Cut the apples.
      ## See also
      Cakes
      """, "pie.md")
    let read = try read("pie.md")
    #expect(read[1] == "#For the dough; 200 g flour; #Filling; 3 apples")
    #expect(read[2] == "#Dough; Knead it\nfor ten minutes; #Filling; Cut the apples.")
    #expect(try shelf.value("SELECT notes FROM Recipe") == "See also\nCakes")
  }

  @Test(arguments: ["# Read me\n\nIngredients of success\n\n- luck\n", "---\ntitle: x\n---\n\ntext\n", ""])
  func `other Markdown is no recipe`(_ text: String) throws {
    try shelf.write(text, "a.md")
    #expect(throws: DecantError.self) { try shelf.import("a.md") }
  }

  @Test(arguments: [
    ("[peas](a.html \"Peas\"), green", "peas, green"), ("[[Pea soup|peas]]", "peas"), ("[[peas]]", "peas"),
    ("![](a.png) peas", "peas"), ("[a [pea](b)", "[a pea"), ("[peas] (green)", "[peas] (green)"),
    ("**Peas**, *green* or _yellow_.", "Peas, green or yellow."), ("***peas***", "peas"),
    ("2 * 3 * 4 peas", "2 * 3 * 4 peas"),
    ("snake_case_peas", "snake_case_peas"), ("`peas`", "peas"), ("peas \\*", "peas *"),
    ("peas ** green", "peas ** green"),
  ])
  func `a line is read without its marks`(_ line: String, _ text: String) throws {
    try shelf.write("# Soup\n\n## Ingredients\n\n- \(line)\n- 1 l water\n\n## Steps\n\n1. Boil.\n", "soup.md")
    try shelf.import("soup.md")
    #expect(try shelf.value("SELECT text FROM Ingredient WHERE text <> '1 l water'") == text)
  }

  // The lines are not arguments themselves, as the test run would print them.
  @Test(
    .timeLimit(.minutes(5)),
    arguments: ["[", "![", "[a](", "![[", "[[a|", "]", "**a ", "*a ", " _", "`", "\\", "[[a]] "])
  func `whatever a line is made of is read in time`(_ part: String) throws {
    let line = String(repeating: part, count: 100_000)
    try shelf.write("# Soup\n\n## Ingredients\n\n- 1 egg\n- \(line)\n\n## Steps\n\n1. Boil.\n", "soup.md")
    let clock = ContinuousClock()
    let time = try clock.measure { try shelf.import("soup.md") }
    #expect(time < .seconds(60))
    #expect(try shelf.value("SELECT title FROM Recipe") == "Soup")
  }

  @Test func `the table of My Recipe Box is read`() throws {
    try shelf.write(
      """
      title,description,preparationTime,cookingTime,inactiveTime,totalTime,quantity,ingredients,instructions,notes,nutrition,favorite,rating,categories,tags,video,source,originalPicture,
      Pea soup,"Green, and quick.",10,20,,30,4,"1 l water
      200 g peas","1. Boil the water.
      2. Add the peas.",Freezes well.,"calories : 100 kcal
      fat : 2 g",true,4,Soups;Quick,easy,,https://example.com/pea,https://example.com/pea.jpg,
      Bean soup,,5,,,5,,"1 l water","Boil.

      ",,,false,,Soups,Quick,,,https://example.com/bean,https://example.com/bean.jpg
      """, "box.csv")
    let report = try shelf.import("box.csv")
    #expect(report.recipes?.taken == 2 && report.unread.isEmpty, "\(report.unread)")
    let text = try shelf.value(
      """
      SELECT group_concat(title || '|' || coalesce(url, '') || '|' || coalesce(rating, '') || '|' || coalesce(totalMinutes, '')
        || '|' || (SELECT group_concat(name) FROM (SELECT name FROM Category JOIN Category_recipes ON Category_id = id
          WHERE Recipe_id = r.id ORDER BY name)) || '|' || (SELECT count(*) FROM Nutrition WHERE recipe_id = r.id), char(10))
      FROM Recipe AS r
      """)
    #expect(
      text
        == "Pea soup|https://example.com/pea|4.0|30.0|Quick,Soups|2\nBean soup|https://example.com/bean||5.0|Quick,Soups|0"
    )
    #expect(
      try shelf.value("SELECT group_concat(text, '; ') FROM Step WHERE recipe_id = 1")
        == "Boil the water.; Add the peas.")
  }
}
