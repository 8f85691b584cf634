internal import DecantRecipeFormats
package import DecantBase
package import DecantStore

/// A place that recipes are written to.
package struct RecipePlace {
  /// The form of the output.
  package enum Form {
    /// A file that holds one recipe, or a file that holds all of them.
    case single, library
    /// A folder with separate files for each recipe.
    case folder
  }

  /// The writer of the format.
  package let writer: any RecipeWriter.Type
  package let form: Form
  package let path: String

  /// The name of the format.
  package var format: String { writer.format }

  /// Determines the format from the kind that was given, otherwise from the extension; `nil` for any other place.
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

  /// Returns the extension of a name in lower case, or the whole name if it has no dot.
  private static func ending(of path: String) -> String {
    let name = Files.name(of: path).lowercased()
    return name.lastIndex(of: ".").map { String(name[$0...].dropFirst()) } ?? name
  }

  /// The common name of the format.
  package var title: String { Self.title(of: format) }

  private static func title(of format: String) -> String {
    RecipeFormats.all.first { $0.name == format }?.title ?? format
  }

  /// Throws if nothing can be created at the place.
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

  // MARK: Other places

  /// Throws for a place that asks for recipes in some format, but not in one that can be written there.
  package static func checkName(_ location: StoreLocation) throws(DecantError) {
    let place = location.place
    let ending = ending(of: place)
    let format = RecipeFormats.all.first { format in
      location.kind.map { $0 == format.name } ?? format.fileEndings.contains(ending)
    }
    guard let format, RecipePlace(location) == nil else { return }
    guard let writer = RecipeWriters.writer(format.name) else {
      throw DecantError(
        .unsupportedKind,
        "“\(place)” cannot be written: \(format.title) is a read-only format",
        remedy: "for apps: \(RecipeWriters.all.map { $0.places }.joined(separator: "; ")); "
          + "for all data: NAME.decant"
      )
    }
    throw DecantError(
      .invalidPlace,
      "“\(place)” is not a file name for \(format.title) recipes",
      remedy: "write \(writer.places)"
    )
  }
}
