internal import DecantRecipeFormats
internal import DecantContainers
internal import DecantBase
internal import DecantDigests
internal import DecantSystem
internal import DecantJSON

/// Writes Paprika's `.paprikarecipes`, a ZIP file of gzipped JSON objects, or a single one as `.paprikarecipe`.
final class PaprikaWriter: JSONRecipeWriter {
  static let format = "paprika"
  static let places = "NAME.paprikarecipes, or NAME.paprikarecipe for one recipe"

  static func form(_ ending: String, isAsked: Bool) -> RecipePlace.Form? {
    ["paprikarecipe": .single, "paprikarecipes": .library][ending]
  }
  static let reading: any JSONRecipeFormat.Type = PaprikaFormat.self
  static let entryName = "recipe.paprikarecipe"

  private let output: RecipeOutput
  private let zip: ZipWriter?
  private var names = RecipeFileNames()
  private let folder: ScratchFolder
  private var count = 0

  init(_ path: String, _ form: RecipePlace.Form) throws {
    output = try RecipeOutput(path)
    zip = form == .single ? nil : try ZipWriter(descriptor: output.descriptor)
    folder = try ScratchFolder()
  }

  static func isOwn(_ entry: StoredRecipes.Entry) -> Bool { entry.format == format }

  static func pictureLosses(_ entry: StoredRecipes.Entry) -> [String] {
    // Only the cover has no caption.
    let isCaptionLost = entry.images.first.map { $0.caption != nil && !isPhoto($0) } ?? false
    return entry.pictureLosses(keepsCaptions: !isCaptionLost)
  }

  func write(_ entry: StoredRecipes.Entry, of store: StoredRecipes) throws {
    count += 1
    guard let zip else {
      let gzip = try ContainerWriter(descriptor: output.descriptor, .gzip)
      try writeJSON(entry, of: store) { try gzip.write($0) }
      return try gzip.finish()
    }
    // Compressed twice, as Paprika does it: the inner stream has to be complete first.
    let path = "\(folder.path)/recipe"
    defer { unlink(path) }
    let inner = try RecipeOutput(path)
    let gzip = try ContainerWriter(descriptor: inner.descriptor, .gzip)
    try writeJSON(entry, of: store) { try gzip.write($0) }
    try gzip.finish()
    try zip.begin("\(names.name(for: entry.recipe.title)).paprikarecipe")
    var failure: (any Error)?
    try Files.forEachPiece(of: path) { piece in
      do { try zip.append(piece) } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
  }

  func finish() throws { try zip?.finish() }

  private func writeJSON(
    _ entry: StoredRecipes.Entry,
    of store: StoredRecipes,
    _ write: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let members = Self.members(entry)
    var object = try JSONObjectWriter(write)
    for (name, value) in members { try object.member(name, value) }
    try writePictures(entry, of: store, Set(members.map(\.0)), &object)
    try object.end()
    try "\n".utf8.withContiguousStorageIfAvailable { try write(UnsafeRawBufferPointer($0)) }
  }

  /// Returns the members of the object, except its pictures.
  static func members(_ entry: StoredRecipes.Entry) -> [(String, JSONValue)] {
    let recipe = entry.recipe
    let uid = entry.ids[Self.format] ?? entry.uuid
    // Paprika considers a recipe unchanged as long as the hash is the same.
    let gone: Set<String> =
      entry.isEdited
      ? [Recipe.untitledMark, "hash"]
      : [Recipe.untitledMark]
    let extra = isOwn(entry) ? recipe.extra.filter { !gone.contains($0.0) } : []
    let own = Set(extra.map(\.0))
    var members: [(String, JSONValue)] = [
      ("uid", .string(uid)), ("name", .string(recipe.isUntitled ? "" : recipe.title)),
      (
        "ingredients",
        .string(recipe.ingredientLines(text: PaprikaFormat.ingredient) { "\($0):" }.joined(separator: "\n"))
      ),
      ("directions", .string(recipe.stepLines(text: PaprikaFormat.step) { "\($0):" }.joined(separator: "\n\n"))),
      ("notes", .text(recipe.notes)), ("description", .text(recipe.summary)),
      ("nutritional_info", .string(recipe.nutritionLines.joined(separator: "\n"))),
      ("difficulty", .text(recipe.difficulty)),
      ("servings", .text(recipe.yield ?? recipe.servings.map(AmountText.text))),
      ("prep_time", .text(recipe.prepTime?.text)), ("cook_time", .text(recipe.cookTime?.text)),
      ("total_time", .text(recipe.totalTime?.text)), ("rating", .integer(stars(recipe.rating))),
      // Paprika has no tags and no author.
      ("categories", .array((recipe.categories + recipe.tags).withoutRepeats.map { .string($0) })),
      ("source", .text(recipe.source ?? recipe.author)), ("source_url", .text(recipe.url)),
    ]
    if let created = recipe.created.flatMap(date) { members.append(("created", .string(created))) }
    members.append(("on_favorites", .bool(recipe.isFavorite ?? false)))
    members.append(("image_url", .null))
    members = members.filter { !own.contains($0.0) } + extra
    // An unchanged recipe from Paprika that had no hash gets none.
    if !own.contains("hash"), entry.isEdited || !isOwn(entry) {
      let hash = SHA2.sha256(Array(JSONValue.object(members).text.utf8))
      members.append(("hash", .string(SHA256.text(hash).uppercased())))
    }
    return members
  }

  /// Returns whole stars, up to five; 0 for no rating.
  private static func stars(_ rating: Double?) -> Int64 {
    guard let rating, !rating.isNaN else { return 0 }
    return Int64(max(0, min(5, rating)).rounded())
  }

  /// Returns a date in Paprika's form, `2026-01-31 08:15:00`, in its original time zone; `nil` for anything else.
  static func date(_ text: String) -> String? {
    guard DateText.seconds(of: text) != nil else { return nil }
    let (day, time) = (text.prefix(10), text.dropFirst(11).prefix { $0.isASCIIDigit || $0 == ":" })
    switch time.count {
    case 0: return "\(day) 00:00:00"
    case 5: return "\(day) \(time):00"
    default: return "\(day) \(time.prefix(8))"
    }
  }

  private static func isPhoto(_ image: StoredRecipes.Image) -> Bool {
    image.extra.contains { $0.0 == "photo" }
  }

  private func writePictures(
    _ entry: StoredRecipes.Entry,
    of store: StoredRecipes,
    _ own: Set<String>,
    _ object: inout JSONObjectWriter
  ) throws {
    let cover = entry.images.first.flatMap { Self.isPhoto($0) ? nil : $0 }
    if let cover {
      let isOwn = Self.isOwn(entry)
      let name = cover.name ?? (isOwn ? nil : "\(entry.uuid).\(cover.pathExtension)")
      try object.member("photo", name.map { .string($0) } ?? .null)
      if !own.contains("photo_hash"), !isOwn || name != nil {
        try object.member("photo_hash", .string(cover.digest.uppercased()))
      }
      try object.member("photo_data") { put in
        try put("\"")
        try store.forEachBase64Piece(of: cover, put)
        try put("\"")
      }
    } else {
      try object.member("photo", .null)
      try object.member("photo_data", .null)
    }
    let photos = entry.images.dropFirst(cover == nil ? 0 : 1)
    try object.member("photos") { put in
      try put("[")
      for (index, image) in photos.enumerated() {
        if index > 0 { try put(",") }
        let name = JSONValue.string(image.caption ?? "\(index + 1)").text
        let file = JSONValue.string(image.name ?? "\(image.digest.prefix(32)).\(image.pathExtension)")
        try put(
          #"{"name":\#(name),"filename":\#(file.text),"hash":"\#(image.digest.uppercased())","#
        )
        try put(#""data":""#)
        try store.forEachBase64Piece(of: image, put)
        try put("\"}")
      }
      try put("]")
    }
  }
}
