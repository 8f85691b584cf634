extension Menu {
  /// The recipes of friends.
  ///
  /// One of them the household has too: the carrot cake was copied from there, and changed since.
  static let guests = Menu(
    name: "Guests",
    categories: [("Tapas", "🫒"), ("Vegetables", "🍆"), ("Cakes", "🍰")],
    tags: [("vegetarian", 0x2F8F46), ("vegan", 0x1F7A5C), ("summer", 0xF6B92D)],
    dishes: [tomatoBread, aubergine, aubergineOnRice, plumCake, carrotCake]
  )

  private static let tomatoBread = Dish(
    title: "Pan con Tomate",
    subtitle: "Toast, tomato, oil, salt – nothing else",
    author: "Íñigo",
    category: "Tapas",
    tags: ["vegan", "summer"],
    prepMinutes: 10,
    cookMinutes: 5,
    servings: 4,
    rating: 4.3,
    price: 2.75,
    created: Moment(2022, 7, 3, 20, 30),
    ingredients: [
      Part(8, "slices", "country bread"),
      Part(4, nil, "very ripe tomatoes"),
      Part(1, "clove", "garlic"),
      Part(4, "tbsp", "olive oil"),
      Part(nil, nil, "flaky salt"),
    ],
    steps: [
      Move("Toast the bread on both sides until it is rough and brown.", seconds: 240),
      Move("Rub each slice with the cut garlic, lightly."),
      Move(
        "Grate the tomatoes, spoon them on, and finish with oil and salt.",
        picture: .tomato,
        caption: "Throw the skins away"
      ),
    ],
    isCoveredByStep: true
  )

  private static let aubergine = Dish(
    title: "Miso Aubergine",
    subtitle: "茄子の味噌焼き",
    category: "Vegetables",
    tags: ["vegan"],
    prepMinutes: 10,
    cookMinutes: 30,
    servings: 2,
    rating: 4.9,
    price: 4.6,
    food: Food(264, fat: 14, carbohydrate: 27.5, protein: 5),
    source: "https://friends.example/notes/茄子",
    isFavorite: true,
    created: Moment(2021, 5, 20, 19, 0),
    ingredients: [
      Part(2, nil, "aubergines"),
      Part(3, "tbsp", "white miso"),
      Part(2, "tbsp", "mirin"),
      Part(1, "tbsp", "sesame oil"),
      Part(1, "tsp", "sesame seeds", isGarnish: true),
      Part(2, nil, "spring onions", isGarnish: true),
    ],
    steps: [
      Move("Halve the aubergines and score the flesh crosswise.", seconds: 180),
      Move("Brush with oil and roast cut side down at 210 °C.", seconds: 1_200),
      Move("Turn, spread with miso and mirin, and grill until it blisters.", seconds: 300),
    ]
  )

  private static let aubergineOnRice = Dish(
    title: "Miso Aubergine on Rice",
    category: "Vegetables",
    tags: ["vegan", "summer"],
    variantOf: "Miso Aubergine",
    prepMinutes: 15,
    cookMinutes: 35,
    servings: 2,
    created: Moment(2023, 2, 2, 19, 15),
    ingredients: [
      Part(2, nil, "aubergines"),
      Part(150, "g", "short-grain rice"),
      Part(3, "tbsp", "red miso"),
      Part(1, "tbsp", "rice vinegar"),
      Part(0.5, nil, "cucumber"),
    ],
    steps: [
      Move("Wash the rice three times and start it.", seconds: 900),
      Move("Roast the aubergines with miso as usual.", seconds: 1_500),
      Move("Serve on the rice with cucumber dressed in vinegar."),
    ],
    picture: .bowl(soup: 0xF3EEDF, garnish: 0x5B2A5E)
  )

  private static let plumCake = Dish(
    title: "Zwetschgendatschi",
    subtitle: "Plum cake from the tray",
    author: "Familie Häberle",
    category: "Cakes",
    tags: ["vegetarian", "summer"],
    prepMinutes: 40,
    cookMinutes: 35,
    servings: 16,
    rating: 4.6,
    price: 8.2,
    created: Moment(2016, 9, 4, 14, 0),
    ingredients: [
      Part(375, "g", "flour"),
      Part(180, "ml", "milk"),
      Part(20, "g", "fresh yeast"),
      Part(60, "g", "butter"),
      Part(1.5, "kg", "plums", "stoned"),
      Part(2, "tbsp", "cinnamon sugar"),
    ],
    steps: [
      Move("Make a soft yeast dough and let it double.", seconds: 3_600),
      Move("Roll it out on the tray and prick it with a fork."),
      Move("Set the plums upright in rows, close together."),
      Move("Bake at 190 °C and sugar while hot.", seconds: 2_100),
    ],
    picture: .cake(filling: 0x5B2A5E)
  )

  private static let carrotCake = Dish(
    title: "Carrot Cake Loaf",
    subtitle: "Now with walnuts",
    category: "Cakes",
    tags: ["vegetarian"],
    prepMinutes: 30,
    cookMinutes: 50,
    servings: 10,
    rating: 4.8,
    price: 7.1,
    food: Food(389, fat: 22.5, carbohydrate: 41, protein: 6.5),
    created: Moment(2017, 4, 2, 15, 0),
    changedAfter: 157_680_000,
    ingredients: [
      Part(300, "g", "carrots", "finely grated"),
      Part(220, "g", "spelt flour"),
      Part(140, "g", "brown sugar"),
      Part(3, nil, "eggs"),
      Part(180, "ml", "rapeseed oil"),
      Part(2, "tsp", "baking powder"),
      Part(1, "tsp", "cinnamon"),
      Part(80, "g", "walnuts"),
    ],
    steps: [
      Move("Beat eggs, sugar and oil until pale.", seconds: 300),
      Move("Fold in flour, baking powder, cinnamon, carrots and nuts."),
      Move("Bake at 175 °C until a needle comes out clean.", seconds: 3_000),
    ],
    picture: .carrot
  )
}
