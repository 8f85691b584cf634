internal import Containers
internal import Decant
internal import Digests
internal import Glibc
internal import JSON

/// Writes Paprika's `.paprikarecipes`, a zip of gzips of JSON, or one of these as `.paprikarecipe`.
final class PaprikaWriter: RecipeWriter {
  static let format = "paprika"

  private let output: RecipeOutput
  private let zip: ZipWriter?
  private var names = RecipeFileNames()
  private let folder: TemporaryFolder
  private var count = 0

  /// Begins a library, or with `isSingle` a file for one recipe.
  init(_ output: RecipeOutput, isSingle: Bool) throws {
    self.output = output
    zip = isSingle ? nil : try ZipWriter(descriptor: output.descriptor)
    folder = try TemporaryFolder()
  }

  static func losses(of entry: StoredRecipes.Entry, _ reader: WrittenRecipes) throws -> [String] {
    let losses = try reader.losses(
      of: entry.recipe,
      in: members(entry),
      as: PaprikaFormat.self,
      entry: "recipe.paprikarecipe"
    )
    // Only the cover has no words of its own.
    let isCaptionLost = entry.images.first.map { $0.caption != nil && !isPhoto($0) } ?? false
    return losses + entry.pictureLosses(keepsCaptions: !isCaptionLost)
  }

  func write(_ entry: StoredRecipes.Entry, of store: StoredRecipes) throws {
    count += 1
    guard let zip else {
      let gzip = try ContainerWriter(descriptor: output.descriptor, .gzip)
      try writeJSON(entry, of: store) { try gzip.write($0) }
      return try gzip.finish()
    }
    // Packed twice, as Paprika does: the inner stream has to be whole first.
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

  /// The members of the object, but for its pictures.
  private static func members(_ entry: StoredRecipes.Entry) -> [(String, JSONValue)] {
    let recipe = entry.recipe
    let uid = entry.ids[Self.format] ?? entry.uuid
    let isOwn = entry.format == Self.format
    let extra = isOwn ? recipe.extra.filter { $0.0 != "untitled" } : []
    let own = Set(extra.map(\.0))
    let members: [(String, JSONValue)] = [
      ("name", .string(recipe.isUntitled ? "" : recipe.title)),
      (
        "ingredients",
        .string(recipe.ingredientLines { "\($0):" }.joined(separator: "\n"))
      ),
      (
        "directions",
        .string(recipe.stepLines { "\($0):" }.joined(separator: "\n\n"))
      ),
      ("notes", .text(recipe.notes)), ("description", .text(recipe.summary)),
      ("nutritional_info", .string(recipe.nutritionLines.joined(separator: "\n"))),
      ("difficulty", .text(recipe.difficulty)),
      ("servings", .text(recipe.yield ?? recipe.servings.map(AmountText.text))),
      ("prep_time", .text(recipe.prepTime?.text)), ("cook_time", .text(recipe.cookTime?.text)),
      ("total_time", .text(recipe.totalTime?.text)),
      ("rating", .integer(Int64((recipe.rating ?? 0).rounded()))),
      ("categories", .array(recipe.categories.map { .string($0) })),
      ("source", .text(recipe.source)), ("source_url", .text(recipe.url)),
      ("created", .text(recipe.created)), ("on_favorites", .bool(recipe.isFavorite ?? false)),
      ("hash", .string(SHA256.text(SHA2.sha256(Array("\(uid)\(recipe.title)".utf8))).uppercased())),
      ("image_url", .null),
    ]
    return [("uid", .string(uid))] + members.filter { !own.contains($0.0) } + extra
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
      try object.member("photo", .string(cover.name ?? "\(entry.uuid).\(cover.pathExtension)"))
      if !own.contains("photo_hash") {
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
        let file = JSONValue.string(
          image.name ?? "\(image.digest.prefix(32)).\(image.pathExtension)"
        )
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
