extension SchemaRecipe {
  /// All recipes in a block of JSON-LD, in their order, each once: at its top, in a `@graph`, in a list, in a page.
  ///
  /// Where a node only points to another by its `@id`, that one is put in its place.
  package static func recipes(in value: DocumentValue) -> [DocumentValue] { Graph(value).recipes }

  /// What a block of JSON-LD holds, looked through once.
  package struct Graph {
    private let search: Search

    package init(_ value: DocumentValue) {
      var search = Search()
      search.walk(value, isTop: true)
      self.search = search
    }

    /// As `SchemaRecipe.recipes(in:)` says.
    package var recipes: [DocumentValue] {
      guard !search.recipes.isEmpty else { return [] }
      var resolver = Resolver(nodes: search.nodes)
      return search.recipes.map { resolver.resolve($0) }
    }

    /// Whether a recipe in it refers to a node that is not in there.
    package var isPending: Bool {
      search.recipes.contains { recipe in
        recipe.members.contains { name, member in
          !SchemaRecipe.asides.contains(name) && SchemaRecipe.refers(member, beyond: search.nodes)
        }
      }
    }

    /// Whether a recipe in it may go on in another node; none with long texts does.
    package var isPartial: Bool { search.recipes.contains { SchemaRecipe.isPartial($0) && !$0.isLong } }

    /// The nodes that others may refer to by their `@id`, but for recipes and what has long texts.
    package var referable: [(id: String, node: DocumentValue)] {
      search.nodes.compactMap { id, node in
        SchemaRecipe.isRecipe(node) || node.isLong ? nil : (id, node)
      }
    }
  }

  /// What tells a recipe from others in a document: its `@id` and name; `nil` for one without an `@id`.
  package static func identity(of value: DocumentValue) -> String? {
    guard let id = id(of: value) else { return nil }
    guard case .text(.short(let name))? = value["name"] else { return id }
    return "\(id)\n\(name)"
  }

  /// Whether another node of its `@id` may have what a recipe lacks.
  private static func isPartial(_ value: DocumentValue) -> Bool {
    guard id(of: value) != nil else { return false }
    return value["name"] == nil || value["recipeIngredient"] == nil && value["ingredients"] == nil
      || value["recipeInstructions"] == nil
  }

  private static func refers(_ value: DocumentValue, beyond nodes: [String: DocumentValue]) -> Bool {
    switch value {
    case .array(let elements): return elements.contains { refers($0, beyond: nodes) }
    case .object(let members):
      if let id = reference(value) { return nodes[id] == nil }
      return members.contains { refers($0.1, beyond: nodes) }
    default: return false
    }
  }

  /// The `@id` of the node that stands in the place of `value`, where that says nothing itself.
  private static func reference(_ value: DocumentValue) -> String? {
    guard value.members.count <= 2, value.members.allSatisfy({ $0.0.hasPrefix("@") }) else {
      return nil
    }
    return id(of: value)
  }

  /// Members in which a recipe is named that is not the subject.
  private static let asides: Set<String> = [
    "review", "reviews", "comment", "itemReviewed", "isRelatedTo", "isSimilarTo", "isBasedOn",
    "isPartOf",
  ]

  private struct Search {
    var recipes: [DocumentValue] = []
    /// The nodes that say something about what goes by an `@id`.
    var nodes: [String: DocumentValue] = [:]
    /// Where the recipes of an `@id` are in `recipes`.
    private var places: [String: [Int]] = [:]

    /// Looks at a value and at what is in it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - isTop: Whether a node here is a subject of the document, so that a name alone makes a recipe.
    mutating func walk(_ value: DocumentValue, isTop: Bool) {
      if case .array(let elements) = value {
        for element in elements { walk(element, isTop: isTop) }
        return
      }
      guard value.isObject else { return }
      note(value)
      let isRecipe = SchemaRecipe.isRecipe(value)
      if isRecipe, isTop ? SchemaRecipe.matches(value) : hasBody(value) {
        take(value)
      }
      for (name, member) in value.members where !SchemaRecipe.asides.contains(name) {
        // Nodes within a recipe are referred to, but are no recipes of their own.
        if isRecipe {
          index(member)
        } else {
          walk(member, isTop: isTop && ["@graph", "recipes", "mainEntity"].contains(name))
        }
      }
    }

    private mutating func index(_ value: DocumentValue) {
      for element in value.elements where element.isObject { note(element) }
    }

    /// Keeps a node that says more than another of its `@id` did, and more than a reference does.
    private mutating func note(_ node: DocumentValue) {
      guard let id = SchemaRecipe.id(of: node), SchemaRecipe.reference(node) == nil,
        node.members.count > (nodes[id]?.members.count ?? 1)
      else { return }
      nodes[id] = node
    }

    private func hasBody(_ value: DocumentValue) -> Bool {
      ["recipeIngredient", "ingredients", "recipeInstructions"].contains {
        value[$0].map { !$0.isVoid } ?? false
      }
    }

    /// Takes a recipe; one of the `@id` of another, and of no other name, only completes that.
    private mutating func take(_ value: DocumentValue) {
      guard let id = SchemaRecipe.id(of: value) else { return recipes.append(value) }
      let place = places[id, default: []].first { place in
        let names = [recipes[place], value].compactMap { SchemaRecipe.identity(of: $0) }.filter { $0 != id }
        return Set(names).count < 2
      }
      guard let place else {
        places[id, default: []].append(recipes.count)
        return recipes.append(value)
      }
      let missing = value.members.filter { name, member in !member.isVoid && recipes[place][name]?.isVoid ?? true }
      if !missing.isEmpty { recipes[place] = .object(recipes[place].members + missing) }
    }
  }

  /// What a node goes by.
  package static func id(of value: DocumentValue) -> String? {
    guard case .text(.short(let id))? = value["@id"], !id.isEmpty else { return nil }
    return id
  }

  /// Puts nodes in the place of references to them.
  private struct Resolver {
    let nodes: [String: DocumentValue]
    /// How many values may still be put somewhere: nodes that refer to each other may multiply.
    private var budget = 1_000_000
    private var path: [String] = []

    init(nodes: [String: DocumentValue]) { self.nodes = nodes }

    /// Resolves what a recipe refers to, and what that refers to.
    mutating func resolve(_ recipe: DocumentValue) -> DocumentValue {
      path = [SchemaRecipe.id(of: recipe) ?? ""]
      return .object(recipe.members.map { ($0, SchemaRecipe.asides.contains($0) ? $1 : value($1)) })
    }

    private mutating func value(_ value: DocumentValue) -> DocumentValue {
      if path.count > 1 { budget -= 1 }
      switch value {
      case .array(let elements): return .array(elements.map { self.value($0) })
      case .object(let members):
        if let id = SchemaRecipe.reference(value), let node = nodes[id], !path.contains(id),
          path.count < 5, budget > 0
        {
          path.append(id)
          defer { path.removeLast() }
          return .object(node.members.map { ($0, self.value($1)) })
        }
        return .object(members.map { ($0, self.value($1)) })
      default: return value
      }
    }
  }
}

extension DocumentValue {
  /// Whether there is a text in it that is too long for memory.
  fileprivate var isLong: Bool {
    switch self {
    case .text(let text): text.isSpooled
    case .array(let elements): elements.contains(where: \.isLong)
    case .object(let members): members.contains { $0.1.isLong }
    case .null, .bool, .number: false
    }
  }
}
