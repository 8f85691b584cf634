internal import DecantBase
package import DecantJSON

/// Recipes in JSON-LD with schema.org terms: in pages, in files, in RecipeSage's exports, in Nextcloud.
package enum SchemaRecipe: JSONRecipeFormat {
  package static let name = "schema"
  package static let title = "schema.org/Recipe (JSON-LD)"

  /// The members of an outermost object whose elements are recipes, or contain some.
  static let listKeys: Set<String> = ["recipes"]

  package static func matches(_ value: DocumentValue) -> Bool {
    isRecipe(value) && hasContent(value)
  }

  /// Whether a node is declared to be a recipe.
  static func isRecipe(_ value: DocumentValue) -> Bool {
    guard let type = value["@type"] else { return false }
    if case .text(.short(let text)) = type { return isRecipe(type: text) }
    return type.elements.contains { if case .text(.short(let text)) = $0 { isRecipe(type: text) } else { false } }
  }

  /// Whether a type is a recipe, ignoring case, with or without its vocabulary.
  private static func isRecipe(type: String) -> Bool {
    let bytes = type.utf8
    guard bytes.count >= 6, zip(bytes.suffix(6), "recipe".utf8).allSatisfy({ $0 | 0x20 == $1 }) else { return false }
    return bytes.count == 6 || "/#:".utf8.contains(bytes.dropLast(6).last ?? 0)
  }

  /// Returns the names of types in lower case, without their vocabulary.
  static func types(of value: DocumentValue) -> [String] {
    value.elements.compactMap { element in
      guard case .text(.short(let text)) = element else { return nil }
      return text.split { "/#:".contains($0) }.last?.lowercased()
    }
  }

  /// Whether a node has content, rather than a reference to one that does.
  private static func hasContent(_ value: DocumentValue) -> Bool {
    ["name", "headline", "recipeIngredient", "ingredients", "recipeInstructions"].contains {
      value[$0].map { !$0.isVoid } ?? false
    }
  }

  package static func recipe(_ value: DocumentValue, _ context: RecipeContext) throws -> Recipe {
    guard isRecipe(value) else { throw RecipeFault("this is not a schema.org recipe") }
    let value = value.withSchemaNames
    var members = JSONMembers(value)
    var recipe = Recipe()
    var unread: [(String, JSONValue)] = []
    let titles = members.take("name", "headline", "title")
    recipe.title = try titles?.words ?? ""
    if let titles, titles.elements.count > 1 { unread.append(("name", try titles.json)) }
    recipe.summary = try members.take("description", "abstract")?.allWords
    recipe.author = try members.take("author", "creator")?.names()
    try readSource(&members, &recipe)
    if let yield = members.take("recipeYield", "yield") {
      let yields = try yield.yields
      recipe.yield = yields.isEmpty ? nil : yields.joined(separator: ", ")
      let numbers = Set(yields.compactMap(Servings.number))
      recipe.servings = numbers.count == 1 ? numbers.first : nil
      if yield.elements.contains(where: \.exceedsQuantity) { unread.append(("recipeYield", try yield.json)) }
    }
    func time(_ name: String) throws -> RecipeTime? {
      guard let value = members.take(name) else { return nil }
      let isMore = value.elements.count > 1 || value.elements.contains(where: \.exceedsQuantity)
      if isMore { unread.append((name, try value.json)) }
      return try value.time
    }
    recipe.prepTime = try time("prepTime")
    recipe.cookTime = try time("cookTime")
    if recipe.cookTime == nil { recipe.cookTime = try time("performTime") }
    recipe.totalTime = try time("totalTime")
    try readOwn(&members, &recipe)
    readRating(&members, &recipe)
    recipe.language = try members.take("inLanguage")?.names()
    recipe.created = RecipeTime.date(try members.text("dateCreated"))
    // Nextcloud writes 0 if the date is unknown.
    if recipe.created == nil { recipe.created = RecipeTime.date(try members.text("datePublished")) }
    recipe.modified = RecipeTime.date(try members.text("dateModified"))
    var others: [JSONValue] = []
    recipe.ingredients = try ingredients(members.take("recipeIngredient", "ingredients", "ingredient"), &others)
    if !others.isEmpty { unread.append(("recipeIngredient", .array(others))) }
    var steps = SchemaInstructions(context: context)
    if let value = members.take("recipeInstructions", "instructions") { try steps.read(value) }
    recipe.steps = steps.steps
    if !steps.unread.isEmpty { unread.append(("recipeInstructions", .array(steps.unread))) }
    recipe.tags = try members.take("keywords", "tags")?.wordList ?? []
    recipe.categories = try members.take("recipeCategory", "categories")?.wordList ?? []
    if let value = members.take("nutrition") { recipe.nutrition = try nutrition(value) }
    try readNotes(&members, &recipe)
    var pictures = SchemaPictures(context: context)
    try pictures.read(&members)
    recipe.images = NextcloudFormat.images(context) + pictures.images + steps.images
    recipe.nativeID = try nativeID(&members)
    members.pass("@context")
    if value["@type"]?.elements.count == 1 { members.pass("@type") }
    recipe.extra = try members.rest()
    if let rest = pictures.rest { recipe.extra.append(("image", rest)) }
    if !unread.isEmpty {
      recipe.extra.append((unreadMember, .object(unread)))
      let names = unread.map(\.0).withoutRepeats.joined(separator: ", ")
      context.warn("data that were only read in part are kept in “extra” as “\(unreadMember)”: \(names)")
    }
    return recipe
  }

  /// The member of `extra` for members of a recipe that were read only in part, in full.
  private static let unreadMember = "unread"

  /// The member for values that decant writes and schema.org has no place for: times in words.
  package static let ownMember = "decant"

  /// Replaces durations with decant's words for them, unless the durations have been edited since.
  private static func readOwn(_ members: inout JSONMembers, _ recipe: inout Recipe) throws {
    guard let own = members.value[ownMember], own.isObject else { return }
    func words(_ name: String, _ duration: RecipeTime?) throws -> RecipeTime? {
      guard let text = try own[name]?.trimmed else { return duration }
      for plainIsMinutes in [false, true] {
        let minutes = Durations.minutes(text, plainIsMinutes: plainIsMinutes)
        if minutes == duration?.minutes { return RecipeTime(text: text, minutes: minutes) }
      }
      return duration
    }
    members.pass(ownMember)
    recipe.prepTime = try words("prepTime", recipe.prepTime)
    recipe.cookTime = try words("cookTime", recipe.cookTime)
    recipe.totalTime = try words("totalTime", recipe.totalTime)
  }

  /// Reads the page, and the site or the book.
  private static func readSource(_ members: inout JSONMembers, _ recipe: inout Recipe) throws {
    if let page = try members.text("url") {
      recipe.url = page
    } else if let page = try members.value["isBasedOn"]?.address {
      recipe.url = page
      if case .text? = members.value["isBasedOn"] { members.pass("isBasedOn") }
    } else if let page = try members.value["mainEntityOfPage"]?.address {
      recipe.url = page
    } else if let page = try members.value["@id"]?.address {
      recipe.url = page
    }
    if let credit = try members.text("creditText") {
      recipe.source = credit
    } else if let name = try members.value["publisher"]?.names() {
      recipe.source = name
      if case .text? = members.value["publisher"] { members.pass("publisher") }
    } else if case .text? = members.value["isBasedOn"],
      try members.value["isBasedOn"]?.address == nil
    {
      // A person, or a book.
      recipe.source = try members.text("isBasedOn")
    }
  }

  /// Reads a rating with a single vote, which is the owner's, as others write it, too; any other stays in `extra`.
  private static func readRating(_ members: inout JSONMembers, _ recipe: inout Recipe) {
    guard let rating = members.value["aggregateRating"]?.elements.first,
      rating["ratingCount"]?.double == 1
    else { return }
    let best = rating["bestRating"]?.double ?? 5
    guard let value = rating["ratingValue"]?.double, best > 0 else { return }
    let stars = value * 5 / best
    guard stars > 0, stars <= 5 else { return }
    recipe.rating = stars
    let known = ["@type", "ratingValue", "bestRating", "worstRating", "ratingCount"]
    if rating.members.allSatisfy({ known.contains($0.0) }) { members.pass("aggregateRating") }
  }

  /// The name of a comment that holds the cook's own notes, as RecipeSage writes it.
  private static let noteName = "Author Notes"

  /// Returns the cook's own notes as a comment.
  package static func note(_ text: String) -> JSONValue {
    .object([("@type", .string("Comment")), ("name", .string(noteName)), ("text", .string(text))])
  }

  /// Reads the notes, which RecipeSage and decant write as a comment.
  private static func readNotes(_ members: inout JSONMembers, _ recipe: inout Recipe) throws {
    if case .text? = members.value["notes"] { recipe.notes = try members.take("notes")?.words }
    let comments = members.value["comment"]?.elements ?? []
    let isNote = try comments.map { try $0["name"]?.trimmed == noteName }
    let notes = try zip(comments, isNote).filter(\.1).compactMap { try $0.0["text"]?.words }
    guard !notes.isEmpty else { return }
    recipe.notes = ([recipe.notes].compactMap { $0 } + notes).joined(separator: "\n\n")
    if !isNote.contains(false) { members.pass("comment") }
  }

  /// Reads ingredients; headings are lines that begin with `##`, as in Nextcloud, or names of groups of lines.
  ///
  /// Elements that were not read, or only in part, are added to `unread`.
  private static func ingredients(_ value: DocumentValue?, _ unread: inout [JSONValue]) throws -> [RecipeIngredient] {
    var ingredients: [RecipeIngredient] = []
    for element in value?.elements ?? [] {
      if case .array = element {
        ingredients += try self.ingredients(element, &unread)
      } else if let part = groupMembers.first(where: { element[$0] != nil }) {
        var members = JSONMembers(element)
        members.pass("@type", "type", "position", part)
        if let name = try members.take("name")?.words {
          ingredients.append(RecipeIngredient(name, isHeading: true))
        }
        ingredients += try self.ingredients(element[part], &unread)
        if try !members.rest().isEmpty { unread.append(try element.json) }
      } else if let item = element["item"], item.isObject {
        ingredients += try self.ingredients(item, &unread)
      } else {
        let text = try element.ingredientText ?? ""
        if text.isEmpty, element.isObject, !element.isVoid { unread.append(try element.json) }
        var found = lines(text).map { line in
          let heading = MarkedHeading.text(of: line) ?? LineHeading.colon.text(line)
          return RecipeIngredient(heading ?? line, isHeading: heading != nil)
        }
        if !found.isEmpty { found[0].extra = try element.ingredientRest(without: text) }
        ingredients += found
      }
    }
    return ingredients
  }

  /// The members that hold the lines of a group.
  private static let groupMembers = ["itemListElement", "ingredients", "recipeIngredient", "items"]

  /// Returns the lines of an ingredient; an amount and its name on two lines are one.
  private static func lines(_ text: String) -> [String] {
    let lines = PlainText.lines(text)
    guard lines.count == 2, IngredientParts.isAmount(lines[0]), lines[1].first?.isNumber == false,
      lines[1].last != ":"
    else { return lines }
    return [lines.joined(separator: " ")]
  }

  private static func nutrition(_ value: DocumentValue) throws -> [RecipeNutrient] {
    try value.elements.flatMap { element -> [RecipeNutrient] in
      guard element.isObject else {
        return try element.words.map { [RecipeNutrient(name: nil, value: $0)] } ?? []
      }
      return try element.members.compactMap { name, value in
        guard !name.hasPrefix("@"), let text = try value.quantity else { return nil }
        return RecipeNutrient(name: name == "description" ? nil : name, value: text)
      }
    }
  }

  /// Returns a globally unique identifier: short names and numbers are unique to one site only.
  private static func nativeID(_ members: inout JSONMembers) throws -> String? {
    let identifier = members.value["identifier"]?.elements.first
    if let text = try identifier?.trimmed ?? identifier?["value"]?.trimmed, isWorldwide(text) {
      if case .text? = members.value["identifier"] { members.pass("identifier") }
      return text
    }
    guard let text = try members.value["@id"]?.trimmed, text.contains("://") else { return nil }
    members.pass("@id")
    return PageAddress.isSite(text) ? nil : text
  }

  /// Whether a name is a URI, or has as many hexadecimal digits as a UUID; words are unique to one site only.
  private static func isWorldwide(_ text: String) -> Bool {
    if text.contains("://") { return !PageAddress.isSite(text) }
    if text.lowercased().hasPrefix("urn:") { return true }
    let signs = text.filter { !"-{}".contains($0) }
    return signs.count >= 32 && signs.allSatisfy(\.isHexDigit)
  }
}

/// Lines that are marked as headings by their first characters.
enum MarkedHeading {
  /// Returns the text of a line that begins with `#` and a space, without these; otherwise `nil`.
  static func text(of line: String) -> String? {
    let text = line.drop { $0 == "#" }
    guard text.startIndex != line.startIndex, text.first?.isWhitespace == true else { return nil }
    let heading = text.trimmed
    return heading.isEmpty ? nil : heading
  }
}
