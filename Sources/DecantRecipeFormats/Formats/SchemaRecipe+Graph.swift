extension SchemaRecipe {
  /// Returns the distinct recipes in a block of JSON-LD, in order: at its top, in a `@graph`, in a list, in a page.
  ///
  /// A node that only refers to another by its `@id` is replaced by that node.
  package static func recipes(in value: DocumentValue) -> [DocumentValue] { Graph(value).recipes }

  /// The content of a block of JSON-LD, searched once.
  package struct Graph {
    private let search: Search

    package init(_ value: DocumentValue) {
      var search = Search()
      search.walk(value, isTop: true)
      self.search = search
    }

    /// The recipes, as described at `SchemaRecipe.recipes(in:)`.
    package var recipes: [DocumentValue] {
      guard !search.recipes.isEmpty else { return [] }
      var resolver = Resolver(nodes: search.nodes)
      return search.recipes.map { resolver.resolve($0) }
    }

    /// The `@id` of each node that a recipe refers to and that is not in this block.
    package var missing: Set<String> {
      var missing: Set<String> = []
      for (name, member) in search.recipes.flatMap(\.members) where !SchemaRecipe.asides.contains(name) {
        SchemaRecipe.addReferences(in: member, beyond: search.nodes, to: &missing)
      }
      return missing
    }

    /// Whether a recipe may be continued in another node; never true of recipes with long texts.
    package var isPartial: Bool { search.recipes.contains { SchemaRecipe.isPartial($0) && !$0.isLong } }

    /// The nodes that others may refer to by their `@id`, except recipes and nodes with long texts.
    package var referable: [(id: String, node: DocumentValue)] {
      search.nodes.compactMap { id, node in
        SchemaRecipe.isRecipe(node) || node.isLong ? nil : (id, node)
      }
    }
  }

  /// Returns the `@id` and name that identify a recipe in a document; `nil` without an `@id`.
  package static func identity(of value: DocumentValue) -> String? {
    guard let id = id(of: value) else { return nil }
    guard case .text(.short(let name))? = value["name"] else { return id }
    return "\(id)\n\(name)"
  }

  /// Whether another node with the same `@id` may complete a recipe.
  private static func isPartial(_ value: DocumentValue) -> Bool {
    guard id(of: value) != nil else { return false }
    return value["name"] == nil || value["recipeIngredient"] == nil && value["ingredients"] == nil
      || value["recipeInstructions"] == nil
  }

  private static func addReferences(
    in value: DocumentValue, beyond nodes: [String: DocumentValue], to missing: inout Set<String>
  ) {
    switch value {
    case .array(let elements): for element in elements { addReferences(in: element, beyond: nodes, to: &missing) }
    case .object(let members):
      if let id = reference(value) {
        if nodes[id] == nil { missing.insert(id) }
      } else {
        for (_, member) in members { addReferences(in: member, beyond: nodes, to: &missing) }
      }
    default: break
    }
  }

  /// Returns the `@id` that `value` refers to, if it has no content of its own.
  private static func reference(_ value: DocumentValue) -> String? {
    guard value.members.count <= 2, value.members.allSatisfy({ $0.0.hasPrefix("@") }) else {
      return nil
    }
    return id(of: value)
  }

  /// Members that name a recipe which is not the subject.
  private static let asides: Set<String> = [
    "review", "reviews", "comment", "itemReviewed", "isRelatedTo", "isSimilarTo", "isBasedOn",
    "isPartOf",
  ]

  private struct Search {
    var recipes: [DocumentValue] = []
    /// The nodes with content, by `@id`.
    var nodes: [String: DocumentValue] = [:]
    /// The places in `recipes` of the recipes with an `@id`.
    private var places: [String: [Int]] = [:]

    /// Searches a value and its content.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - isTop: Whether a node here is a subject of the document, so that a name alone makes it a recipe.
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
        // Nodes within a recipe may be referred to, but are not recipes of their own.
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

    /// Keeps a node that has more content than earlier ones with its `@id`, and than a mere reference.
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

    /// Takes a recipe; one with the `@id` of another, and no other name, only completes it.
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

  /// Returns the `@id` of a node.
  package static func id(of value: DocumentValue) -> String? {
    guard case .text(.short(let id))? = value["@id"], !id.isEmpty else { return nil }
    return id
  }

  /// Replaces references with the nodes that they refer to.
  private struct Resolver {
    let nodes: [String: DocumentValue]
    /// How many values may still be inserted: nodes that refer to each other could multiply without limit.
    private var budget = 1_000_000
    private var path: [String] = []

    init(nodes: [String: DocumentValue]) { self.nodes = nodes }

    /// Resolves the references in a recipe, recursively.
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
  /// Whether the value contains a text that is too long for memory.
  package var isLong: Bool {
    switch self {
    case .text(let text): text.isSpooled
    case .array(let elements): elements.contains(where: \.isLong)
    case .object(let members): members.contains { $0.1.isLong }
    case .null, .bool, .number: false
    }
  }
}
