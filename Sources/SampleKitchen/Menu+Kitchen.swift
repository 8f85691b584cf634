extension Menu {
  /// The household's own recipes.
  static let kitchen = Menu(
    name: "Kitchen",
    categories: [
      ("Soups", "🥣"), ("Mains", "🍽️"), ("Breakfast", "🍳"), ("Baking", "🍞"), ("Salads", nil),
    ],
    tags: [
      ("vegetarian", 0x4E9A3B), ("quick", 0xE8C22E), ("für Gäste", 0x7A4FA3),
      ("🌶️ spicy", 0xB83A24), ("keeps well", 0x5487AC), ("unused", 0),
    ],
    dishes: soups + breakfasts + mains + baking
  )

  private static let soups = [
    Dish(
      title: "Beetroot Soup with Dill",
      subtitle: "Deep red, a little sour, good on the second day",
      author: "Marta",
      category: "Soups",
      tags: ["vegetarian", "keeps well"],
      prepMinutes: 20,
      cookMinutes: 55,
      servings: 6,
      rating: 4.5,
      price: 6.4,
      food: Food(212.5, fat: 7.5, carbohydrate: 29, protein: 6.25),
      isFavorite: true,
      views: 4_294_967_301,
      created: Moment(2019, 2, 17, 18, 30),
      changedAfter: 31_536_000.75,
      cooked: Moment(2024, 1, 6, 12, 15),
      ingredients: [
        Part(600, "g", "beetroot", "with leaves, if they are fresh"),
        Part(2, nil, "waxy potatoes"),
        Part(1, nil, "onion"),
        Part(1.2, "l", "vegetable stock"),
        Part(2, "tbsp", "cider vinegar"),
        Part(nil, nil, "salt"),
        Part(0.5, "bunch", "dill", isGarnish: true),
        Part(100, "g", "soured cream", isGarnish: true),
      ],
      steps: [
        Move("Peel the beetroot and the potatoes and cut them into small dice.", seconds: 900),
        Move("Soften the chopped onion in a little oil without letting it colour.", seconds: 480),
        Move("Add beetroot, potatoes and stock and simmer with the lid on.", seconds: 2_100),
        Move("Sharpen with vinegar, salt to taste, and serve with cream and dill."),
      ],
      picture: .bowl(soup: 0x9E1F4E, garnish: 0xF4F0E6),
      caption: "The colour fades if it boils too long"
    ),
    Dish(
      title: "Carrot and Ginger Soup",
      author: "Jonas Öztürk-Weiß",
      category: "Soups",
      tags: ["vegetarian", "quick"],
      prepMinutes: 10,
      cookMinutes: 25,
      servings: 4,
      rating: 4.1,
      price: 4.15,
      food: Food(168, fat: 9, carbohydrate: 19.5, protein: 2.5),
      source: "https://recipes.example/soup?root=carrot&spice=ginger",
      created: Moment(2020, 11, 3, 20, 5, 12.25),
      ingredients: [
        Part(750, "g", "carrots"),
        Part(30, "g", "fresh ginger"),
        Part(1, nil, "shallot"),
        Part(200, "ml", "coconut milk"),
        Part(600, "ml", "water"),
        Part(1, nil, "lime", "juice only"),
      ],
      steps: [
        Move(
          "Scrub the carrots and slice them thinly; grate the ginger.",
          seconds: 420,
          picture: .carrot,
          caption: "No need to peel young ones"
        ),
        Move("Sweat shallot, ginger and carrots until they smell sweet.", seconds: 360),
        Move("Add water, cook until soft, then blend with the coconut milk.", seconds: 1_080),
        Move("Season with lime juice and salt."),
      ],
      picture: .bowl(soup: 0xE88A2A, garnish: 0x6DBB55)
    ),
    Dish(
      title: "Red Lentil Dal",
      subtitle: "दाल — the weekday one",
      category: "Soups",
      tags: ["vegetarian", "🌶️ spicy", "keeps well"],
      prepMinutes: 10,
      cookMinutes: 30,
      servings: 4,
      rating: 4.8,
      price: 3.2,
      food: Food(341, fat: 8.2, carbohydrate: 46, protein: 19),
      views: 37,
      created: Moment(2021, 1, 9, 12, 0),
      ingredients: [
        Part(250, "g", "red lentils", "rinsed until the water is clear"),
        Part(2, "cloves", "garlic"),
        Part(1, "tsp", "turmeric"),
        Part(1, "tsp", "cumin seeds"),
        Part(1, nil, "dried chilli"),
        Part(2, "tbsp", "ghee"),
        Part(nil, nil, "coriander leaves", isGarnish: true),
      ],
      steps: [
        Move("Boil the lentils with turmeric in a litre of water and skim them.", seconds: 1_200),
        Move("Fry cumin, chilli and garlic in the ghee until the garlic is golden.", seconds: 90),
        Move("Pour the hot fat over the lentils and put the lid on at once."),
      ]
    ),
  ]

  private static let breakfasts = [
    Dish(
      title: "Shakshuka",
      subtitle: "שקשוקה — eggs in tomato and pepper",
      author: "Noa",
      category: "Breakfast",
      tags: ["vegetarian", "quick", "🌶️ spicy"],
      prepMinutes: 10,
      cookMinutes: 20,
      servings: 2,
      rating: 4.7,
      price: 5,
      food: Food(388, fat: 24.5, carbohydrate: 21, protein: 20),
      isFavorite: true,
      views: 112,
      created: Moment(2018, 6, 24, 9, 40),
      cooked: Moment(2023, 12, 31, 10, 0, 0.5),
      ingredients: [
        Part(400, "g", "tinned tomatoes"),
        Part(2, nil, "red peppers"),
        Part(1, nil, "onion"),
        Part(4, nil, "eggs"),
        Part(1, "tsp", "sweet paprika"),
        Part(0.5, "tsp", "cumin"),
        Part(nil, nil, "flat parsley", isGarnish: true),
      ],
      steps: [
        Move("Cook onion and peppers slowly in olive oil until very soft.", seconds: 720),
        Move("Stir in the spices, then the tomatoes, and let it thicken.", seconds: 480),
        Move(
          "Make hollows, break an egg into each, and cover until the whites are set.",
          seconds: 330,
          picture: .pan,
          caption: "The yolks should still run"
        ),
      ],
      isCoveredByStep: true
    ),
    Dish(
      title: "Green Shakshuka",
      subtitle: "With spinach and feta instead of tomatoes",
      author: "Noa",
      category: "Breakfast",
      tags: ["vegetarian"],
      variantOf: "Shakshuka",
      prepMinutes: 15,
      cookMinutes: 20,
      servings: 2,
      rating: 4.2,
      created: Moment(2021, 4, 11, 9, 55),
      changedAfter: 86_400,
      ingredients: [
        Part(400, "g", "spinach"),
        Part(1, nil, "leek"),
        Part(4, nil, "eggs"),
        Part(120, "g", "feta"),
        Part(0.25, "tsp", "nutmeg"),
      ],
      steps: [
        Move("Soften the sliced leek in butter.", seconds: 420),
        Move("Wilt the spinach in the same pan and season with nutmeg.", seconds: 240),
        Move("Set the eggs into the greens and crumble the feta over them.", seconds: 360),
      ],
      gap: 1
    ),
  ]
}
