internal import DecantJSON

/// The parts of a format that the common model has no place for, in the form kept in `extra`.
extension MarkupElement {
  /// Returns the attributes and children that were not read, under their own names.
  ///
  /// - Parameters:
  ///   - attributes: The attributes that were read, ignoring case.
  ///   - children: The elements that were read, ignoring case.
  ///   - context: Receives warnings about values that are too long to be kept.
  /// - Returns: Names and values, the attributes first.
  /// - Throws: `DecantError` where the spool cannot be read.
  func rest(
    except attributes: Set<String> = [],
    children: Set<String> = [],
    _ context: RecipeContext
  ) throws -> [(String, JSONValue)] {
    let known = Set(attributes.map { $0.lowercased() })
    let knownChildren = Set(children.map { $0.lowercased() })
    var extra: [(String, JSONValue)] = []
    for (name, value) in self.attributes.sorted(by: { $0.key < $1.key })
    where !known.contains(name.lowercased()) && !value.isEmpty {
      extra.append((name, .string(value)))
    }
    var places: [String: [JSONValue]] = [:]
    var names: [String] = []
    for child in self.children where !knownChildren.contains(child.name.lowercased()) {
      guard let value = try child.kept(context) else { continue }
      if places[child.name] == nil { names.append(child.name) }
      places[child.name, default: []].append(value)
    }
    for name in names {
      guard let values = places[name] else { continue }
      extra.append((name, values.count == 1 ? values[0] : .array(values)))
    }
    return extra
  }

  /// The element as a value: its text, or an object of its attributes, children and text; `nil` if it is empty.
  private func kept(_ context: RecipeContext) throws -> JSONValue? {
    for case .text(.long) in nodes {
      context.warn("\(name) is too long to keep")
      return nil
    }
    var members = try rest(context)
    let text = MarkupTexts.trimmed(try ownText)
    if members.isEmpty { return text.map { .string($0) } }
    if let text { members.append(("#text", .string(text))) }
    return .object(members)
  }
}

extension [(String, JSONValue)] {
  /// Keeps a text if there is one.
  mutating func keep(_ name: String, _ text: String?) {
    if let text { append((name, .string(text))) }
  }

  /// Keeps a list of texts unless it is empty.
  mutating func keep(_ name: String, _ texts: [String]) {
    if !texts.isEmpty { append((name, .array(texts.map { .string($0) }))) }
  }
}

extension RecipeContext {
  /// Adds a picture to a recipe, unless there is none or the recipe has it already.
  func add(_ image: RecipeImage?, to recipe: inout Recipe) {
    guard let image else { return }
    guard let place = recipe.images.firstIndex(where: { isSame($0, image) }) else {
      return recipe.images.append(image)
    }
    if recipe.images[place].caption == nil { recipe.images[place].caption = image.caption }
    if recipe.images[place].step == nil { recipe.images[place].step = image.step }
  }

  private func isSame(_ one: RecipeImage, _ other: RecipeImage) -> Bool {
    switch (one.place, other.place) {
    case (.taken(let one), .taken(let other)):
      pictures.areSame(one, other)
    case (.file(let one), .file(let other)): one == other
    default: false
    }
  }

  /// Returns a picture in a file beside the document, given by its path or a relative address; `nil` without a path, or
  /// for a picture on the network, which is not fetched.
  ///
  /// - Parameters:
  ///   - path: The path as written.
  ///   - folders: Folders that may hold a file of that name, with `/` at the end, the likeliest first.
  /// - Returns: The picture, with all names that its file may have.
  func picture(file path: String?, folders: [String] = []) -> RecipeImage? {
    guard let path = path.flatMap(MarkupTexts.trimmed), !path.contains("://"), !path.hasPrefix("//")
    else { return nil }
    let unified = String(path.map { $0 == "\\" ? "/" : $0 })
    guard let base = unified.split(separator: "/").last.map(String.init) else { return nil }
    var names: [String] = []
    let isAbsolute = unified.hasPrefix("/") || unified.dropFirst().first == ":"
    let written = isAbsolute ? [] : [unified]
    for name in written + folders.map({ $0 + base }) + [base] where !names.contains(name) {
      names.append(name)
      let plain = PageAddress.unescaped(name)
      if plain != name { names.append(plain) }
    }
    var image = RecipeImage(.file(names), name: base)
    image.isForeign = isAbsolute
    return image
  }
}
