import Testing

@testable import DecantRecipeFormats

/// Lines as people write them, most from real recipes, with what a careful reader takes from them.
@Suite struct IngredientPartsTests {
  struct Case: Sendable, CustomStringConvertible {
    var line: String
    var amount: Double?
    var to: Double?
    var unit: String?
    var name: String?
    var note: String?

    init(
      _ line: String,
      _ amount: Double? = nil,
      to: Double? = nil,
      _ unit: String? = nil,
      _ name: String? = nil,
      note: String? = nil
    ) {
      (self.line, self.amount, self.to, self.unit) = (line, amount, to, unit)
      (self.name, self.note) = (name, note)
    }

    var description: String { line }
  }

  @Test(arguments: [
    Case("1 1/2 cups flour, sifted", 1.5, "cups", "flour", note: "sifted"),
    Case("1-1/2 cups flour", 1.5, "cups", "flour"),
    Case("½ TL Salz", 0.5, "TL", "Salz"),
    Case("½ cup – 1 cup (~90g) walnuts, chopped (to taste)"),
    Case("2-3 carrots", 2, to: 3, nil, "carrots"),
    Case("2 – 3 EL Öl", 2, to: 3, "EL", "Öl"),
    Case(
      "2 to 4 tablespoons cornstarch (see note above)",
      2,
      to: 4,
      "tablespoons",
      "cornstarch",
      note: "see note above"
    ),
    Case("2 bis 3 Zehen Knoblauch", 2, to: 3, "Zehen", "Knoblauch"),
    Case("3-2 carrots"),
    Case("80/20 ground beef, 1 lb"), Case("93/7 turkey"), Case("50/50 butter and oil"),
    Case("5/4 cups milk", 1.25, "cups", "milk"), Case("3/2 kg beef", 1.5, "kg", "beef"),
    Case("00 flour"), Case("000 flour"), Case("0.5 kg flour", 0.5, "kg", "flour"), Case("00-flour"),
    Case("1.5 kg/3 lb 5 oz lamb", 1.5, "kg", "lamb", note: "3 lb 5 oz"),
    Case("1kg/2lb 4oz potatoes, peeled", 1, "kg", "potatoes", note: "2lb 4oz, peeled"),
    Case("500 g / 1 lb 2 oz minced beef", 500, "g", "minced beef", note: "1 lb 2 oz"),
    Case("1.2 litres/2 pints 2 fl oz stock", 1.2, "litres", "stock", note: "2 pints 2 fl oz"),
    Case("200 g/7 oz/1 cup sugar", 200, "g", "sugar", note: "7 oz/1 cup"),
    Case("25g/1oz butter", 25, "g", "butter", note: "1oz"),
    Case("2 x 400g/14oz tins tomatoes", 2, "tins", "tomatoes", note: "400g/14oz"),
    Case("1 (14 oz) can tomatoes", 1, "can", "tomatoes", note: "14 oz"),
    Case("1 can (10 1/2 oz.) Campbell's® Condensed Soup", 1, "can", "Campbell's® Condensed Soup", note: "10 1/2 oz."),
    Case("1 14-oz can tomatoes, drained", 1, "can", "tomatoes", note: "14-oz, drained"),
    Case("1 6 oz can tomato paste", 1, "can", "tomato paste", note: "6 oz"),
    Case("2 6oz cans tuna in oil, drained", 2, "cans", "tuna in oil", note: "6oz, drained"),
    Case(
      "3 1-lb. packages fresh or frozen, thawed banana or plantain leaves",
      3,
      "packages",
      "fresh or frozen, thawed banana or plantain leaves",
      note: "1-lb."
    ),
    Case("15 oz can diced tomatoes ($0.59)"),
    Case("1 - 14 oz can tomatoes"),
    Case("2 x 400g tins chopped tomatoes", 2, "tins", "chopped tomatoes", note: "400g"),
    Case("2 x 150 g salmon fillets, skinned", 2, nil, "salmon fillets", note: "150 g, skinned"),
    Case("1,5 dl crème", 1.5, "dl", "crème"),
    Case("0,5 ml (1/8 c. à thé) de sel", 0.5, "ml", "sel", note: "1/8 c. à thé"),
    Case("15 ml (1 c. à soupe) de zeste de lime râpé", 15, "ml", "zeste de lime râpé", note: "1 c. à soupe"),
    Case("1 c. à thé de vanille", 1, "c. à thé", "vanille"),
    Case("1/3 tasse (80 ml) de yogourt nature", 1.0 / 3, "tasse", "yogourt nature", note: "80 ml"),
    Case("3 œufs", 3, nil, "œufs"),
    Case("2 gousses d’ail, hachées", 2, "gousses", "ail", note: "hachées"),
    Case("une pincée de sel", 1, "pincée", "sel"),
    Case("200g flour", 200, "g", "flour"),
    Case("200g/7oz plain flour, plus extra for dusting", 200, "g", "plain flour", note: "7oz, plus extra for dusting"),
    Case("35 g Speisestärke", 35, "g", "Speisestärke"),
    Case("1 Stück(e) Ingwer , walnussgroß", 1, "Stück(e)", "Ingwer", note: "walnussgroß"),
    Case("2 Möhre(n)", 2, nil, "Möhre(n)"),
    Case("200 g Feige(n) , getrocknete", 200, "g", "Feige(n)", note: "getrocknete"),
    Case("1 große Zwiebel(n)", 1, nil, "große Zwiebel(n)"),
    Case("4 Essl. Olivenöl", 4, "Essl", "Olivenöl"),
    Case("1 Handvoll Walnüsse", 1, "Handvoll", "Walnüsse"),
    Case(" Öl , 3 - 4 EL"),
    Case("1¾ cups (211g) sifted all-purpose flour", 1.75, "cups", "sifted all-purpose flour", note: "211g"),
    Case("1 3/4 cups flour", 1.75, "cups", "flour"),
    Case("1 ½ cups flour", 1.5, "cups", "flour"),
    Case("1 and 1/2 cups flour", 1.5, "cups", "flour"),
    Case("⅓ cup salad oil (or melted shortening)", 1.0 / 3, "cup", "salad oil", note: "or melted shortening"),
    Case("1⁄2 cup milk", 0.5, "cup", "milk"),
    Case(".5 oz gin", 0.5, "oz", "gin"),
    Case("1 stick (8 tablespoons) unsalted butter", 1, "stick", "unsalted butter", note: "8 tablespoons"),
    Case("1 clove garlic, minced", 1, "clove", "garlic", note: "minced"),
    Case("4 cinnamon sticks", 4, nil, "cinnamon sticks"),
    Case("2 cloves", 2, nil, "cloves"),
    Case("2 bay leaves", 2, nil, "bay leaves"),
    Case("1 medium sweet onion, thinly sliced", 1, nil, "medium sweet onion", note: "thinly sliced"),
    Case("1 large, ripe banana", 1, nil, "large, ripe banana"),
    Case("2.5 pounds boneless, skinless chicken breasts", 2.5, "pounds", "boneless, skinless chicken breasts"),
    Case(
      "8 small skin-on, bone-in chicken thighs (about 2½ lb. total)",
      8,
      nil,
      "small skin-on, bone-in chicken thighs",
      note: "about 2½ lb. total"
    ),
    Case("1/2 cup canola, vegetable, or light olive oil oil", 0.5, "cup", "canola, vegetable, or light olive oil oil"),
    Case(
      "1/2 ounce dried wakame seaweed (1/4 cup, optional)",
      0.5,
      "ounce",
      "dried wakame seaweed",
      note: "1/4 cup, optional"
    ),
    Case("2 Tbsp. Diamond Crystal or 1 Tbsp. plus ½ tsp. kosher salt"),
    Case(
      "10 tablespoons granulated sugar, plus 1 tablespoon for sprinkling",
      10,
      "tablespoons",
      "granulated sugar",
      note: "plus 1 tablespoon for sprinkling"
    ),
    Case("1 lb 2 oz beef"),
    Case("1 cup plus 2 tbsp sugar"),
    Case("2% milk"),
    Case("9-inch pie crust"),
    Case("7UP"),
    Case("1.000 g Mehl"),
    Case("1,000 g flour"),
    Case("1.125 cups flour", 1.125, "cups", "flour"),
    Case("0.125 tsp salt", 0.125, "tsp", "salt"),
    Case("1/2/3 cups"),
    Case("1/0 cups flour"),
    Case("2 fl. oz. cream", 2, "fl. oz", "cream"),
    Case("2 cups of flour", 2, "cups", "flour"),
    Case("a pinch of salt", 1, "pinch", "salt"),
    Case("A ingredients", nil, nil, "A ingredients"),
    Case("salt to taste", nil, nil, "salt", note: "to taste"),
    Case("freshly cracked pepper, to taste", nil, nil, "freshly cracked pepper", note: "to taste"),
    Case("Kosher salt and freshly ground black pepper", nil, nil, "Kosher salt and freshly ground black pepper"),
    Case("Salz, Pfeffer", nil, nil, "Salz, Pfeffer"),
    Case("Olive oil, for tossing", nil, nil, "Olive oil", note: "for tossing"),
    Case("Flaky sea salt (such as Maldon)", nil, nil, "Flaky sea salt", note: "such as Maldon"),
    Case("Huile d’arachide-2,5 ml (½ c. à thé)"),
    Case("- 2 eggs", 2, nil, "eggs"),
    Case("• 1 cup milk", 1, "cup", "milk"),
    Case("1 cup\u{A0}milk", 1, "cup", "milk"),
    Case("4 to 4 1/2 pounds apples; peeled", 4, to: 4.5, "pounds", "apples", note: "peeled"),
    Case("2 Chiles, calif.; roast & peel", 2, nil, "Chiles, calif.", note: "roast & peel"),
    Case("1/4 cup butter -- melted", 0.25, "cup", "butter", note: "melted"),
    Case("", nil),
    Case("99999999999999999999 eggs"),
  ])
  func `a line gives what is sure, and no more`(_ expected: Case) {
    let line = IngredientParts(expected.line)
    #expect(line.amount == expected.amount)
    #expect(line.amountTo == expected.to)
    #expect(line.unit == expected.unit)
    #expect(line.name == expected.name)
    #expect(line.note == expected.note)
  }

  @Test func `the line itself stays as written, trimmed`() {
    let ingredient = RecipeIngredient(line: "  1  cup\tnuts (optional) ", headings: .all)
    #expect(ingredient.text == "1  cup\tnuts (optional)")
    #expect(ingredient.isOptional == true)
    #expect(ingredient.name == "nuts")
    #expect(!ingredient.isHeading)
  }

  @Test(
    arguments: [
      ("For the sauce:", LineHeading.colon, "For the sauce"), ("For the sauce:", .hash, nil),
      ("# Sauce", .hash, "Sauce"), ("## Sauce", .all, "Sauce"), ("#Sauce", .hash, nil),
      ("# Sauce", .colon, nil), ("**Sauce**", .bold, "Sauce"), ("**Sauce:**", .bold, "Sauce"),
      ("**Sauce**:", .all, "Sauce"), ("**2** eggs **big**", .bold, nil), ("**", .bold, nil),
      (":", .colon, nil), ("#", .hash, nil), ("flour", .all, nil), ("****", .all, nil),
    ] as [(String, LineHeading, String?)]
  )
  func `the caller decides what is a heading`(_ line: String, _ rules: LineHeading, _ text: String?) {
    #expect(rules.text(line) == text)
  }

  @Test(
    arguments: [
      ("4", 4), ("4 servings", 4), ("Serves 6", 6), ("Serves: 6", 6), ("für 4 Personen", 4),
      ("4 Portionen", 4), ("pour 6 personnes", 6), ("6 people", 6), ("Serves 1.5", 1.5),
      ("Makes 12 servings", 12), ("12 cookies (4 servings)", 4), ("8 servings (2 cups each)", 8),
      ("Serves 4 (or 6 as a side)", 4), ("2 loaves", nil), ("4-6 servings", nil),
      ("Serves 4 to 6", nil),
      ("4 or 6 servings", nil), ("", nil), ("0 servings", nil), ("about 24 cookies", nil),
      ("a few", nil),
      ("1 Recipe", nil), ("~4 servings", nil), ("1,000 servings", nil),
      ("4 servings or 6 portions", nil),
      ("Serves 2 hungry men", nil),
    ] as [(String, Double?)]
  )
  func `servings are told where they are one number`(_ text: String, _ number: Double?) {
    #expect(Servings.number(in: text) == number)
  }
}
