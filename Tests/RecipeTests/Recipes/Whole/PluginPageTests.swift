import TestSupport
import Testing

/// Pages as plugins and microformats write them, without JSON-LD.
@Suite struct PluginPageTests {
  private let page: LaidOutPage

  init() throws { page = try LaidOutPage() }

  private static let method =
    "<ol><li>Peel the pears, and cut them into small pieces.</li><li>Boil the oats with them for twenty minutes.</li></ol>"
  private static let rows = "<h3>Ingredients</h3><ul><li>250 g oats</li><li>2 pears</li></ul>"

  @Test func `groups of steps may be called as those of ingredients are`() throws {
    try page.read(
      """
      <h1>Pie</h1><h3>Ingredients</h3><h4>Crust</h4><ul><li>250 g oats</li><li>1 egg</li></ul>
      <h4>Filling</h4><ul><li>2 pears</li><li>1 lemon</li></ul>
      <h3>Method</h3><h4>Crust</h4><ol><li>Rub the egg into the oats until none is left.</li></ol>
      <h4>Filling</h4><ol><li>Peel the pears, and squeeze the lemon.</li></ol>
      """)
    #expect(
      try page.lines("Step")
        == "#Crust|Rub the egg into the oats until none is left.|#Filling|Peel the pears, and squeeze the lemon.")
  }

  @Test(arguments: [
    (#"by <span class="author">Ann</span>"#, "Ann"), (#"<span class="author">By: Ann Lee</span>"#, "Ann Lee"),
    (#"<span class="author vcard">by <span class="fn">Ann</span></span>"#, "Ann"), ("", ""),
  ])
  func `hRecipe has an author, as a card or not`(_ author: String, _ expected: String) throws {
    try page.read(
      "<div class=\"comment\"><span class=\"author\">Bob</span></div><div class=\"hrecipe\"><h2 class=\"fn\">Tea</h2>"
        + "<p>\(author)</p><ul><li class=\"ingredient\">2 cups water</li><li class=\"ingredient\">1 bag tea</li></ul>"
        + "<div class=\"instructions\"><p>Boil.</p><p>Steep.</p></div></div>")
    #expect(try page.field("coalesce(author, '')") == expected)
  }

  @Test func `notes of Mediavine Create are read`() throws {
    let data =
      #"{"@context":"https://schema.org","@type":"Recipe","name":"Cake","recipeIngredient":["1 cup flour","2 eggs"],"#
      + #""recipeInstructions":["Mix.","Bake."]}"#
    try page.read(
      """
      <script type="application/ld+json">\(data)</script><div class='mv-create-card'><h1 class='mv-create-title'>Cake</h1>
      <div class='mv-create-ingredients'><h2>Ingredients</h2><ul><li>1 cup flour</li><li>2 eggs</li></ul></div>
      <div class='mv-create-instructions'><h2>Instructions</h2><ol><li>Mix.</li><li>Bake.</li></ol></div>
      <div class='mv-create-notes'><h2 class='mv-create-notes-title'>Notes</h2>
      <div class='mv-create-notes-content'><p>Cool first.</p><p>Then eat.</p></div></div></div>
      """)
    #expect(try page.field("notes") == "Cool first.\nThen eat.")
    #expect(try page.lines("Step") == "Mix.|Bake.")
  }

  @Test(arguments: [
    "<div class='ad'>Advertisement</div>", "<aside>Werbung</aside>", "<span class='ad-label'>ADVERTISEMENT</span>",
    "<div><p>Advertisement</p></div>",
  ])
  func `an advertisement within a step is left out`(_ notice: String) throws {
    try page.read(
      "<h1>Scones</h1>\(Self.rows)<h3>Method</h3><ol><li>Rub in the butter.\(notice)</li><li>Bake.</li></ol>")
    #expect(try page.lines("Step") == "Rub in the butter.|Bake.")
  }

  /// The HTML of a text of JSON-LD, and the steps.
  @Test(arguments: [
    ("<h3>Cake</h3><p>Mix.</p><p>Bake.</p><h3>Frosting</h3><p>Beat.</p>", "#Cake|Mix.|Bake.|#Frosting|Beat."),
    ("<H2 class='x'><b>Cake:</b></H2>Mix.<br>Bake.<h2></h2>Eat.", "#Cake:|Mix.|Bake.|Eat."),
    ("<h4>Mix it.</h4><p>Well.</p><h4>Bake it.</h4><p>Long.</p>", "Mix it.|Well.|Bake it.|Long."),
    ("<h3>Mix all</h3><h3>Bake all</h3>", "Mix all|Bake all"), ("<hr><p>Mix.</p><header>Bake.</header>", "Mix.|Bake."),
    ("<h3>1</h3><p>Mix.</p><h3>2</h3><p>Bake.</p>", "Mix.|Bake."),
  ])
  func `headings in the HTML of the instructions are headings`(_ text: String, _ expected: String) throws {
    try page.read(
      #"<script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe","name":"Cake","#
        + #""recipeIngredient":["1 cup flour","2 eggs"],"recipeInstructions":"\#(text)"}</script>"#)
    #expect(try page.lines("Step") == expected)
  }

  @Test func `ingredients between the steps are left out with their headings`() throws {
    let list =
      "<ul><li>2 eggplants</li><li>1 clove of garlic</li></ul><p><i>Chips</i></p><ul><li>1 kg potatoes</li><li>Salt</li></ul>"
    try page.read(
      """
      <h1>Dip</h1><h2>Ingredients</h2>\(list)<h2>Method</h2><div>\(list)<ol><li>Bake the potatoes for half an hour.</li>
      <li>Char the eggplants, and mash them with the garlic.</li></ol></div>
      """)
    #expect(try page.lines("Ingredient") == "2 eggplants|1 clove of garlic|#Chips|1 kg potatoes|Salt")
    #expect(
      try page.lines("Step")
        == "Bake the potatoes for half an hour.|Char the eggplants, and mash them with the garlic.")
  }

  @Test func `a heading of steps stays if ingredients are repeated below it`() throws {
    let (dip, chips) = (
      "<ul><li>2 eggplants</li><li>Some garlic</li></ul>", "<ul><li>1 kg potatoes</li><li>Salt</li></ul>"
    )
    try page.read(
      """
      <h1>Dip</h1><h2>Ingredients</h2><h3>Dip part</h3>\(dip)<h3>Chips</h3>\(chips)<h2>Method</h2>
      <h3>Dip part</h3>\(dip)<ol><li>Char the eggplants, and mash them with the garlic.</li></ol>
      <h3>Chips</h3>\(chips)<ol><li>Bake the potatoes for half an hour.</li></ol>
      """)
    #expect(
      try page.lines("Step")
        == "#Dip part|Char the eggplants, and mash them with the garlic.|#Chips|Bake the potatoes for half an hour.")
  }

  @Test(arguments: [
    "display:none", "Display : None", "DISPLAY:NONE !important", "display:block;display:none",
    "display:none;background:url(\(String(repeating: "a", count: 3_000)))",
  ]) func `what its style hides among the ingredients is left out`(style: String) throws {
    let rows = "<li>250 g oats</li><li style=\"\(style)\">9 kg hay</li><li>2 pears</li><li>1 egg</li>"
    try page.read("<h1>Pie</h1><h3>Ingredients</h3><ul>\(rows)</ul><h3>Method</h3>\(Self.method)")
    #expect(try page.lines("Ingredient") == "250 g oats|2 pears|1 egg")
  }

  @Test(arguments: ["Metric • US", "Cups – Grams", "Units Scale"]) func `buttons among the ingredients are left out`(
    line: String
  ) throws {
    #expect(
      try page.ingredients(
        "<h1>Pie</h1><h3>Ingredients</h3><ul><li>\(line)</li><li>250 g oats</li><li>2 pears</li></ul><h3>Method</h3>"
          + Self.method) == "250 g oats|2 pears")
  }

  @Test func `what is a block by its style stands apart`() throws {
    try page.read(
      """
      <h1>Pie</h1>\(Self.rows)<h3>Method</h3><ol><li><span style="display: block;">Peel the pears.</span><span
      style="display: block;">Boil them with the oats.</span></li><li>Let it cool for an hour.</li></ol>
      """)
    #expect(try page.lines("Step") == "Peel the pears. Boil them with the oats.|Let it cool for an hour.")
  }

  @Test func `boxes to tick are rows and their legend is a heading`() throws {
    try page.read(
      """
      <h1>Pie</h1><h2>Ingredients</h2><fieldset><legend>Crust</legend><label><input type="checkbox"> 250 g oats</label><label><input
      type="checkbox"> 1 egg</label></fieldset><fieldset><legend>Filling</legend><label><input type="checkbox"> 2
      pears</label><label><input type="checkbox"> 1 lemon</label></fieldset>\(LaidOutPage.steps)
      """)
    #expect(try page.lines("Ingredient") == "#Crust|250 g oats|1 egg|#Filling|2 pears|1 lemon")
  }

  @Test func `names of units and sizes to choose from are no heading`() throws {
    try page.read(
      """
      <h1>Pie</h1><h3>Ingredients</h3><div><span>Units</span> <button>US</button> <span>Scale</span> <button>2x</button></div>
      <ul><li>250 g oats</li><li>2 pears</li></ul><p><b>To serve</b></p><ul><li>1 lemon</li></ul>\(LaidOutPage.steps)
      """)
    #expect(try page.lines("Ingredient") == "250 g oats|2 pears|#To serve|1 lemon")
  }

  @Test func `labels of ingredients in microdata are headings though a line was encoded twice`() throws {
    try page.read(
      """
      <h1>Soup</h1><div itemscope itemtype="http://schema.org/Recipe"><div itemprop="name">Soup</div>
      <p>Ingredients</p><ul><li class="ingredient" itemprop="ingredients">2 carrots &amp;amp; 1 onion</li>
      <div class="ingredient-label">To serve</div><li class="ingredient" itemprop="ingredients">4 tbsp yoghurt</li></ul>
      <p>Instructions</p><ol><li itemprop="recipeInstructions">Boil the carrots and the onion.</li></ol></div>
      """)
    #expect(try page.lines("Ingredient") == "2 carrots & 1 onion|#To serve|4 tbsp yoghurt")
  }

  @Test func `values of microdata are read without their labels`() throws {
    try page.read(
      """
      <div class="hrecipe h-recipe" itemscope itemtype="https://schema.org/Recipe"><h3 class="p-name fn" itemprop="name">Loaf</h3>
      <ul><li class="p-yield yield" itemprop="recipeYield"><strong>Servings: </strong>2 loaves</li>
      <li><time itemprop="totalTime" datetime="P1DT2H"><strong>Time: </strong>1 day 2 hours</time></li></ul>
      <h4>Ingredients</h4><ul><li itemprop="recipeIngredient">500 g rye</li><li itemprop="recipeIngredient">400 ml water</li></ul>
      <div itemprop="recipeInstructions"><h4>Directions</h4><ol><li>Stir.</li><li>Bake for 2 hours.</li></ol></div></div>
      """)
    #expect(try page.field("yield || '|' || totalTime || '|' || totalMinutes") == "2 loaves|1 day 2 hours|1560.0")
    #expect(try page.lines("Step") == "#Directions|Stir.|Bake for 2 hours.")
  }

  /// Notes that only the card of a plugin has, beside JSON-LD and without; those of another recipe's card are left out.
  @Test(arguments: ["wprm-recipe", "tasty-recipes"], [true, false])
  func `a card has notes`(_ plugin: String, _ isBesideData: Bool) throws {
    func card(_ title: String) -> String {
      let names =
        plugin == "wprm-recipe"
        ? ("wprm-recipe-name", "wprm-recipe-notes") : ("tasty-recipes-title", "tasty-recipes-notes-body")
      return """
        <div class="\(plugin)"><h2 class="\(names.0)">\(title)</h2>\(Self.rows)\(LaidOutPage.steps)
        <div class="\(names.1)">Use 100 g of <b>sugar</b><br>2 eggs are enough<p>It freezes
        well.</p>And keeps.</div></div>
        """
    }
    let data = """
      {"@type":"Recipe","name":"Pie","recipeIngredient":["250 g oats","2 pears"],"recipeInstructions":
      ["Stir the meal into the water until no lump is left.","Let it boil for a while."]}
      """
    let head = isBesideData ? "<script type=\"application/ld+json\">\(data)</script>" : ""
    try page.read("<h1>Pie</h1>\(card("Pie"))", head: head)
    #expect(try page.field("notes") == "Use 100 g of sugar\n2 eggs are enough\nIt freezes well.\nAnd keeps.")
    #expect(try page.lines("Ingredient") == "250 g oats|2 pears")
    guard isBesideData else { return }
    let other = try LaidOutPage()
    try other.read(card("Cake"), head: head)
    #expect(try other.field("coalesce(notes, '-')") == "-")
  }

  @Test func `classes of hRecipe count more than lines`() throws {
    try page.read(
      """
      <div class="hrecipe"><span class="item"><h2 class="fn">Swedish Pancakes</h2></span><span class="author vcard"><span
      class="fn">Nils</span></span><p>Prep time: <span class="preptime">10 min</span> Cook time: <span
      class="cooktime">20 min</span> Total time: <span class="duration">30 min</span></p><p class="summary">Thin ones.</p>
      <p>Yield: <span class="yield">12 pancakes</span></p>\(Self.rows)\(LaidOutPage.steps)</div>
      """, head: "<title>Pancakes</title>")
    #expect(try page.field("title || '|' || author || '|' || summary") == "Swedish Pancakes|Nils|Thin ones.")
    #expect(try page.field("prepTime || '|' || cookTime || '|' || totalTime") == "10 min|20 min|30 min")
    #expect(try page.field("yield") == "12 pancakes")
  }

  @Test func `the name of an author is no title`() throws {
    try page.read(
      """
      <article class="h-recipe"><ul><li class="p-author h-card"><a class="p-name" href="/a">Nils</a> <a href="/b">All of
      Nils's recipes</a></li></ul><h1><span class="p-name">Loaf</span></h1>\(Self.rows)\(LaidOutPage.steps)</article>
      """)
    #expect(try page.field("title || '|' || author") == "Loaf|Nils")
  }

  @Test func `a step whose parts say what it says has it once`() throws {
    try page.shelf.write(
      """
      {"@type":"Recipe","name":"Custard","recipeIngredient":["3 yolks"],"recipeInstructions":[{"@type":"HowToStep",
      "text":"Whisk the yolks.","itemListElement":[{"@type":"HowToDirection","text":"Whisk the yolks."},
      {"@type":"HowToTip","text":"Cold ones are best."}]}]}
      """, "a.json")
    try page.shelf.import("a.json")
    #expect(try page.lines("Step") == "Whisk the yolks.\nCold ones are best.")
  }
}
