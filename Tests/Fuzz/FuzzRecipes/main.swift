import CFuzzer
import DecantBase
import DecantJSON
@testable import DecantPageLayout
@testable import DecantRecipeFormats
@testable import DecantRecipes
import DecantXML
import Glibc

/// Reads each input as a document of recipes; its first byte says of which kind.
///
/// Faults are welcome; a trap, a report of the address sanitizer, more memory or time than libFuzzer allows,
/// and a document whose recipes depend on the size of the pieces that it comes in are findings.
private func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  guard let kind = bytes.first else { return 0 }
  let document = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
  let formats = RecipeFormats.text
  do {
    switch Int(kind) % (formats.count + 6) {
    case 0:
      let whole = try json(document, [1 << 15])
      let parts = try json(document, [3, 100, 1])
      precondition(whole == parts, "\(whole) and in parts \(parts)")
    case 1: try xml(document)
    case 2: try page(document)
    case 3: try table(document)
    case 4: values(String(decoding: document, as: UTF8.self))
    case 5: values(TextEncoding.text(Array(document)))
    case let number: try text(document, formats[number - 6])
    }
  } catch {}
  return 0
}

/// Reads `bytes` as JSON, by pieces of `sizes`; returns what tells its recipes apart, and its faults.
private func json(_ bytes: UnsafeRawBufferPointer, _ sizes: [Int]) throws -> [String] {
  var found: [String] = []
  let context = RecipeContext(entry: "recipe.json", pictures: pictures)
  func take(_ value: DocumentValue) throws {
    guard case .object = value else { return }
    for format in RecipeFormats.json where format.matches(value) {
      try finish(context, &found) { try format.recipe(value, context) }
    }
    for node in SchemaRecipe.recipes(in: value) {
      try finish(context, &found) { try SchemaRecipe.recipe(node, context) }
    }
  }
  defer { spool.clear() }
  let document = JSONDocument(spool: spool, source(bytes, sizes))
  let recipes = JSONRecipes(
    document,
    spool: spool,
    JSONRecipes.Takers(
      object: {
        try take($0)
        return true
      },
      node: { node in
        try finish(context, &found) { try SchemaRecipe.recipe(node, context) }
      },
      fault: { found.append($0.message) },
      warning: { found.append($0) }
    )
  )
  do {
    _ = try recipes.read()
  } catch let fault as RecipeFault {
    found.append(fault.message)
  }
  return found
}

private func xml(_ bytes: UnsafeRawBufferPointer) throws {
  var found: [String] = []
  let context = RecipeContext(entry: "recipes.xml", pictures: pictures)
  let document = try MarkupDocument(spool: spool, isHTML: false, source(bytes, [5000, 7]))
  guard let root = try document.root() else { return }
  let formats = RecipeFormats.markup.filter { $0.matches(root: root) }
  var current: (any MarkupRecipeFormat.Type)?
  try document.forEachRecord { element, path in
    current = formats.first { $0.isRecord(element, path: path) }
    return current != nil
  } _: { element in
    try finish(context, &found) { try current?.recipe(element, context) }
  }
}

private func page(_ bytes: UnsafeRawBufferPointer) throws {
  var found: [String] = []
  let context = RecipeContext(entry: "recipes.html", pictures: pictures)
  let document = try MarkupDocument(spool: spool, isHTML: true, source(bytes, [5000, 7]))
  defer { shown.clear() }
  let shownPictures = PagePictures(spool: shown, address: "https://example.com/a/b", holdsWeb: bytes.count % 2 == 0)
  try HTMLRecipes.read(document, context, LayoutReader(shownPictures)) { text, context, take in
    guard let text else { return }
    let value = try JSONDocument(text, spool: spool).read()
    for node in SchemaRecipe.recipes(in: value) {
      let result: Result<Recipe, RecipeFault>
      do { result = .success(try SchemaRecipe.recipe(node, context)) } catch let fault
        as RecipeFault
      {
        result = .failure(fault)
      }
      try take(result)
    }
  } _: { thing in
    switch thing {
    case .recipe(_, let result): try finish(context, &found) { try result.get() }
    case .again(let recipe, let place):
      precondition(place.number < found.count, "\(place.number) of \(found.count)")
      try finish(context, &found) { recipe }
      found.append("\(place.imageCount)")
    case .damage(let text): found.append(text)
    }
  }
}

private func text(_ bytes: UnsafeRawBufferPointer, _ format: any TextRecipeFormat.Type) throws {
  var found: [String] = []
  let context = RecipeContext(entry: "Soup.cook", pictures: pictures)
  _ = format.matches(Array(bytes), name: context.entry)
  try format.read(TextLines(source(bytes, [1, 100, 4096])), context) { result in
    try finish(context, &found) { try result.get() }
  }
}

private func table(_ bytes: UnsafeRawBufferPointer) throws {
  let table = CSVReader(TextLines(source(bytes, [4096, 3])))
  while true {
    do { guard try table.next() != nil else { return } } catch is RecipeFault {}
  }
}

/// Reads a text as each of the values that recipes are made of.
private func values(_ text: String) {
  _ = CooklangParser.pieces(text)
  _ = FrontMatter.fields(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
  _ = PlainText.lines(text)
  _ = PlainText.of(text)
  _ = FoldedText.letters(of: text)
  _ = ColumnText(text).field(0..<9)
  for line in text.split(whereSeparator: \.isNewline).prefix(50).map(String.init) {
    _ = IngredientParts(line)
    _ = Durations.minutes(line)
    _ = Durations.minutes(line, plainIsMinutes: true)
    _ = Quantity(line)
    _ = Servings.number(in: line)
    _ = RecipeTime.date(line)
    _ = PageAddress.normalized(line)
    _ = PageAddress.absolute(line, on: "https://example.com/a/b?c#d")
    _ = PageAddress.unescaped(line)
    _ = PictureName(line, nil).isSame(PictureName(line, "https://example.com/a"))
    _ = PictureName.candidates(in: line)
    _ = MarkdownText.plain(line)
    _ = EntryPath.clean(line)
    _ = line.withoutStepNumber
  }
}

/// Takes the recipe that `read` gives as an import does, and forgets its pictures.
private func finish(_ context: RecipeContext, _ found: inout [String], _ read: () throws -> Recipe?) throws {
  defer { pictures.clear() }
  do {
    guard let recipe = try read() else { return }
    found.append("\(recipe.title) \(FoldedText.fingerprint(of: recipe)) \(recipe.images.count) \(recipe.extra.count)")
    for (_, value) in recipe.extra { _ = value.text }
    _ = recipe.url.flatMap(PageAddress.normalized)
  } catch let fault as RecipeFault {
    found.append(fault.message)
  }
  found += context.takeWarnings()
}

/// Gives `bytes` in pieces of `sizes`.
private func source(_ bytes: UnsafeRawBufferPointer, _ sizes: [Int]) -> (UnsafeMutableRawBufferPointer) throws -> Int {
  var place = 0
  var number = 0
  return { buffer in
    number += 1
    let count = min(bytes.count - place, buffer.count, sizes[number % sizes.count])
    guard count > 0 else { return 0 }
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[place..<(place + count)]))
    place += count
    return count
  }
}

// In memory, where there is a place for that; removed at the end of a run without findings.
if access("/dev/shm", W_OK) == 0 { setenv("TMPDIR", "/dev/shm", 1) }
private let folder = try ScratchFolder()
private nonisolated(unsafe) let spool = try TextSpool(in: folder.path)
private nonisolated(unsafe) let shown = try TextSpool(at: "\(folder.path)/shown")
private nonisolated(unsafe) let pictures = try RecipePictures(in: folder.path)
private var argumentCount = CommandLine.argc
private var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
private let status = LLVMFuzzerRunDriver(&argumentCount, &arguments, fuzz)
try Files.removeTree(folder.path)
exit(status)
