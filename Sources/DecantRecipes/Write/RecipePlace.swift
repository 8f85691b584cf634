internal import DecantRecipeFormats
package import DecantBase
package import DecantStore

/// Where recipes are written to.
package struct RecipePlace {
  /// What is made there.
  package enum Form {
    /// A file that holds one recipe, or all of them.
    case single, library
    /// A folder with files for each.
    case folder
  }

  /// Writes it.
  package let writer: any RecipeWriter.Type
  package let form: Form
  package let path: String

  /// The name of the format.
  package var format: String { writer.format }

  /// Tells by the kind that was said, else by the ending; `nil` for anything else.
  package init?(_ location: StoreLocation) {
    var place = location.place
    while place.count > 1, place.hasSuffix("/") { place.removeLast() }
    let ending = Self.ending(of: place)
    for writer in RecipeWriters.all where location.kind == nil || location.kind == writer.format {
      guard let form = writer.form(ending, isAsked: location.kind != nil) else { continue }
      (self.writer, self.form, path) = (writer, form, place)
      return
    }
    return nil
  }

  /// What stands behind the last dot of a name, in lower case; the whole name where there is none.
  private static func ending(of path: String) -> String {
    let name = Files.name(of: path).lowercased()
    return name.lastIndex(of: ".").map { String(name[$0...].dropFirst()) } ?? name
  }

  /// What people call the format.
  package var title: String { Self.title(of: format) }

  private static func title(of format: String) -> String {
    RecipeFormats.all.first { $0.name == format }?.title ?? format
  }

  /// Refuses a place where nothing can be made.
  package func check() throws(DecantError) {
    let name = Files.name(of: path)
    guard !name.isEmpty, name != ".", name != "..", path != "-" else {
      throw DecantError(
        .invalidPlace,
        "“\(path)” is not a file name for \(title) recipes",
        remedy: form == .folder
          ? "write to a folder: \(format):FOLDER" : "use a file name"
      )
    }
    try OutputFile.checkIsNew(path)
    let folder = Files.folder(of: path)
    guard FileStatus(folder)?.isFolder == true else {
      throw DecantError(
        .folderNotFound,
        "there is no folder “\(folder)” to create “\(name)” in",
        remedy: "create the folder first",
        remedies: [.makeFolder(folder), .chooseAnotherPlace]
      )
    }
  }

  // MARK: What is no such place

  /// Refuses a name that asks for recipes in some format, and not in one that can be written so.
  package static func checkName(_ location: StoreLocation) throws(DecantError) {
    let place = location.place
    let kinds = RecipeFormats.names
    let kind =
      location.kind.flatMap { kinds.contains($0) ? $0 : nil }
      ?? (location.kind == nil ? formatsByEnding[ending(of: place)] : nil)
    guard let kind, RecipePlace(location) == nil else { return }
    guard let writer = RecipeWriters.writer(kind) else {
      throw DecantError(
        .unsupportedKind,
        "“\(place)” cannot be written: \(title(of: kind)) is a read-only format",
        remedy: "for apps: \(RecipeWriters.all.map { $0.places }.joined(separator: "; ")); "
          + "for all data: NAME.decant"
      )
    }
    throw DecantError(
      .invalidPlace,
      "“\(place)” is not a file name for \(title(of: kind)) recipes",
      remedy: "write \(writer.places)"
    )
  }

  /// The formats whose files end in what no other file does.
  private static let formatsByEnding = [
    "cook": "cooklang", "crumb": "crouton", "grmt": "gourmet", "kreml": "krecipes",
    "kre": "krecipes", "fdx": "fdx", "fdxz": "fdx", "mgourmet": "macgourmet", "mcb": "cookmate",
    "cml": "cookml", "mx2": "mx2", "mz2": "mx2", "mxp": "mastercook-text", "rk": "rezkonv",
  ]
}
