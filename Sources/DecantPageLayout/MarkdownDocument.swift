internal import DecantBase
internal import DecantRecipeFormats

/// A recipe in Markdown, line by line.
struct MarkdownDocument {
  private let fields: [FrontMatter.Field]
  private let lines: [String]
  private let isOpen: Bool

  init(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.last == "\r" ? line.dropLast() : line)
    }[...]
    var fields: [FrontMatter.Field] = []
    var isOpen = false
    if let start = lines.firstIndex(where: { !$0.trimmed.isEmpty }),
      case let fence = lines[start].trimmed, fence == "---" || fence == "+++"
    {
      if let end = lines[(start + 1)...].firstIndex(where: { $0.trimmed == fence }) {
        let head = lines[(start + 1)..<end]
        fields = FrontMatter.fields(fence == "+++" ? head.filter { !Self.isTable($0) }.map(Self.yaml) : Array(head))
        lines = lines[(end + 1)...]
      } else {
        isOpen = true
      }
    }
    (self.fields, self.lines, self.isOpen) = (fields, Array(lines), isOpen)
  }

  /// Whether a line of TOML names the table of the fields below it.
  private static func isTable(_ line: String) -> Bool {
    let text = line.trimmed
    return text.first == "[" && text.last == "]" && !text.contains(where: { "\"',".contains($0) })
  }

  /// Converts a TOML field, `servings = 4`, into a YAML field.
  private static func yaml(_ line: String) -> String {
    guard let sign = line.firstIndex(of: "="), line[..<sign].allSatisfy({ $0.isLetter || "_- ".contains($0) }) else {
      return line
    }
    return "\(line[..<sign].trimmed): \(line[line.index(after: sign)...].trimmed)"
  }

  /// Returns the part of a recipe that a field is named after and contains all lines of.
  private static func part(_ field: FrontMatter.Field) -> PagePart? {
    guard field.isList || field.values.contains(where: { $0.contains("\n") }) else { return nil }
    let name = field.name.split(separator: ".").first.map(String.init) ?? field.name
    return PagePart(heading: name, isHeading: true)
  }

  /// Whether the document has a list of this part.
  func hasList(_ part: PagePart) -> Bool {
    fields.contains { Self.part($0) == part }
      || lines.indices.contains { MarkdownLine(lines, $0).part == part }
  }

  /// The recipes of the file: one for each heading with ingredients and steps of its own, or a single one.
  var recipes: [Recipe] {
    let headings = lines.indices.compactMap { index -> RecipeSections.Heading? in
      let line = MarkdownLine(lines, index)
      guard line.level != nil || line.part != nil else { return nil }
      return RecipeSections.Heading(place: index, level: line.level, part: line.part, text: line.words)
    }
    let sections = RecipeSections.ranges(headings, count: lines.count)
    guard !sections.isEmpty else { return [recipe(lines)] }
    var recipes = sections.map { section in
      let heading = MarkdownLine(lines, section.lowerBound)
      var recipe = recipe(Array(lines[section].dropFirst(heading.count)), title: heading.words)
      // An ID at the head of the file does not belong to any single recipe.
      recipe.nativeID = nil
      return recipe
    }
    let rest = lines.indices.filter { index in !sections.contains { $0.contains(index) } }
    if rest.contains(where: { !lines[$0].trimmed.isEmpty && MarkdownLine(lines, $0).level == nil }) {
      recipes[0].warnings.append("the file has \(sections.count) recipes; the text outside of them was not read")
    }
    return recipes
  }

  private func recipe(_ lines: [String], title: String? = nil) -> Recipe {
    var recipe = Recipe()
    if isOpen { recipe.warnings.append("the fields at the head of the file are not closed") }
    take(fields, in: &recipe)
    if let title { recipe.title = title }
    var body = MarkdownBody(hasTitle: !recipe.title.isEmpty)
    body.read(lines)
    if recipe.title.isEmpty { recipe.title = body.title }
    if recipe.ingredients.isEmpty { recipe.ingredients = body.ingredients }
    if recipe.steps.isEmpty { recipe.steps = body.steps }
    CooklangFields.set(body.fields, in: &recipe)
    let intro = body.intro.joined(separator: "\n").trimmed
    if !intro.isEmpty {
      if recipe.summary == nil { recipe.summary = intro } else { body.notes.insert(intro, at: 0) }
    }
    let notes = ([recipe.notes] + [body.notes.joined(separator: "\n")]).compactMap { $0?.trimmed }
    recipe.notes = notes.filter { !$0.isEmpty }.joined(separator: "\n\n")
    if recipe.notes?.isEmpty == true { recipe.notes = nil }
    for picture in body.pictures where recipe.images.count < 100 { add(picture.path, picture.text, to: &recipe) }
    return recipe
  }

  private func take(_ fields: [FrontMatter.Field], in recipe: inout Recipe) {
    var others: [FrontMatter.Field] = []
    for field in fields {
      let group = field.name.split(separator: ".").dropFirst().joined(separator: ".")
      switch Self.part(field) {
      case .ingredients:
        if !group.isEmpty { recipe.ingredients.append(RecipeIngredient(group, isHeading: true)) }
        recipe.ingredients += field.lines.map { RecipeIngredient(line: $0, headings: .colon) }
      case .steps:
        if !group.isEmpty { recipe.steps.append(RecipeStep(group, isHeading: true)) }
        recipe.steps += field.items.map { RecipeStep($0.withoutStepNumber) }
      case .other, nil:
        if Self.pictureFields.contains(field.name.lowercased()) {
          for path in field.values { add(path, nil, to: &recipe) }
        } else if !Self.layoutFields.contains(field.name.lowercased()) {
          others.append(MarkdownBody.field(field))
        }
      }
    }
    CooklangFields.set(others, in: &recipe)
  }

  private static let pictureFields: Set = [
    "image", "images", "photo", "photos", "recipe_image", "featured_image", "cover", "cover.image", "thumbnail",
    "picture",
  ]
  /// Fields that concern the website and not the recipe.
  private static let layoutFields: Set = ["layout", "draft", "cssclass", "cssclasses", "permalink", "weight", "type"]

  /// Adds a picture: beside the file, in the image folder of the website, or on the web, which is not fetched.
  private func add(_ path: String, _ text: String?, to recipe: inout Recipe) {
    var path = path.trimmed
    if path.hasPrefix("[["), path.hasSuffix("]]") { path = String(path.dropFirst(2).dropLast(2)) }
    if path.hasPrefix("![[") { path = String(path.dropFirst(3).dropLast(2)) }
    guard !path.isEmpty else { return }
    if path.contains("://") { return recipe.keep(pictureAddress: path) }
    let plain = PageAddress.unescaped(path.hasPrefix("/") ? String(path.dropFirst()) : path)
    let folders = [
      "", "../", "../images/", "images/", "../static/", "../../static/", "../assets/", "attachments/",
      "../attachments/",
    ]
    var image = RecipeImage(.file(folders.map { $0 + plain }), caption: text)
    image.isNamed = false
    recipe.images.append(image)
  }
}

extension FrontMatter.Field {
  /// The lines of the field's values.
  fileprivate var lines: [String] { values.flatMap(Self.lines) }

  /// The items of a list, of one or more lines each; the lines of a text.
  fileprivate var items: [String] {
    isList ? values.map { Self.lines($0).joined(separator: "\n") }.filter { !$0.isEmpty } : lines
  }

  private static func lines(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { MarkdownText.plain($0.trimmed) }.filter { !$0.isEmpty }
  }
}
