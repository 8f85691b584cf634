extension Menu {
  /// A few recipes in a store that is older than it looks.
  static let syncMetadata = Menu(
    name: "SyncMetadata",
    categories: [("Italian", nil)],
    tags: [("weekend", 0xDB4030), ("vegetarian", 0x4E9A3B)],
    dishes: [minestrone, focaccia, grapeFocaccia]
  )

  private static let minestrone = Dish(
    title: "Minestrone",
    category: "Italian",
    tags: ["vegetarian"],
    prepMinutes: 25,
    cookMinutes: 60,
    servings: 6,
    rating: 4.4,
    price: 5.6,
    created: Moment(2012, 11, 11, 11, 11, 11.125),
    changedAfter: 300_000_000,
    ingredients: [
      Part(2, nil, "carrots"),
      Part(2, "stalks", "celery"),
      Part(250, "g", "white beans", "soaked over night"),
      Part(200, "g", "savoy cabbage"),
      Part(1, "rind", "parmesan"),
    ],
    steps: [
      Move("Cook the beans in plain water until nearly tender.", seconds: 2_400),
      Move("Sweat the vegetables in oil, carrots first, cabbage last.", seconds: 900),
      Move("Join both with the rind and simmer until thick.", seconds: 1_800),
    ],
    picture: .bowl(soup: 0xC8642B, garnish: 0x4E9A3B)
  )

  private static let focaccia = Dish(
    title: "Focaccia",
    category: "Italian",
    tags: ["weekend", "vegetarian"],
    prepMinutes: 20,
    cookMinutes: 25,
    servings: 8,
    created: Moment(2013, 6, 1, 10, 0),
    ingredients: [
      Part(500, "g", "flour"),
      Part(400, "ml", "water"),
      Part(7, "g", "dried yeast"),
      Part(80, "ml", "olive oil"),
      Part(nil, nil, "coarse salt"),
    ],
    steps: [
      Move("Mix a slack dough and let it rise twice.", seconds: 7_200),
      Move("Pour it into an oiled tin and press holes with your fingers."),
      Move("Salt, oil, and bake at 230 °C.", seconds: 1_500),
    ]
  )

  private static let grapeFocaccia = Dish(
    title: "Focaccia with Grapes",
    category: "Italian",
    tags: ["weekend"],
    variantOf: "Focaccia",
    prepMinutes: 25,
    cookMinutes: 25,
    servings: 8,
    created: Moment(2015, 9, 19, 16, 30),
    ingredients: [
      Part(500, "g", "flour"),
      Part(400, "ml", "water"),
      Part(7, "g", "dried yeast"),
      Part(300, "g", "black grapes"),
      Part(2, "tbsp", "fennel seeds"),
    ],
    steps: [
      Move("Make the dough of the plain focaccia."),
      Move("Press the grapes into the holes and strew the fennel over."),
      Move("Bake until the juice has turned to syrup.", seconds: 1_500),
    ]
  )
}
