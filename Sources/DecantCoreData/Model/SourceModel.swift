internal import DecantBase
internal import DecantPropertyList
internal import DecantXML

/// Editable models: an `.xcdatamodel` folder with XML in it, or an `.xcdatamodeld` folder of several versions.
///
/// A source describes the same entities as the compiled model, but has no version hashes: only Core Data can compute
/// them.
enum SourceModel {
  private static let currentName = ".xccurrentversion"

  /// Returns whether `folder` holds versions of a model.
  static func isFolder(_ folder: ModelFile) -> Bool {
    folder.file(currentName).exists || !folder.files(withExtension: "xcdatamodel").isEmpty
  }

  /// Returns whether `folder` is one version.
  static func isVersion(_ folder: ModelFile) -> Bool {
    folder.file("contents").exists || folder.file("elements").exists
  }

  /// Returns the version of a single `.xcdatamodel`.
  static func version(_ folder: ModelFile) -> ModelVersion {
    ModelVersion(name: folder.stem, path: folder.path, isSource: true)
  }

  /// Returns the versions in an `.xcdatamodeld` folder, in order.
  static func versions(in folder: ModelFile) throws(DecantError) -> [ModelVersion] {
    var current: String?
    let file = folder.file(currentName)
    if file.exists,
      case .string(let name)? = try ModelPropertyList.dictionary(in: file)["_XCCurrentVersionName"]
    {
      current = ModelFile.stem(of: name)
    }
    let versions = folder.files(withExtension: "xcdatamodel").map { version in
      ModelVersion(name: version.stem, path: version.path, isCurrent: version.stem == current, isSource: true)
    }
    if let current, !versions.contains(where: \.isCurrent) {
      throw DecantError(
        .modelDamaged,
        "the current version “\(current)” of the model is missing",
        place: folder.path,
        remedy: "use a complete copy of the model"
      )
    }
    return versions.inOrder(of: folder.stem)
  }

  /// Reads one version, given as its folder or as the XML file in it.
  static func read(_ location: ModelFile) throws(DecantError) -> Model {
    var file = location
    if location.isFolder {
      file = location.file("contents")
      guard file.exists || !location.file("elements").exists else {
        throw DecantError(
          .unsupportedModel,
          "the model is in the format of Xcode 3, which decant does not read",
          place: location.path,
          remedy: "save it with a newer Xcode, or use the compiled .mom"
        )
      }
    }
    let bytes = try file.read()
    let tree: XMLTree
    do {
      tree = try XMLTree.read(bytes)
    } catch {
      throw DecantError(
        .modelDamaged,
        "the model is damaged: \(error)",
        place: file.path,
        remedy: "use an undamaged copy of the model",
        cause: error
      )
    }
    guard tree.name == "model" else {
      throw DecantError(.modelDamaged, "“\(file.name)” is not a model", place: file.path, remedy: ModelLocation.remedy)
    }
    let reader = SourceModelReader(tree, place: file.path)
    return try ModelAssembly.model(
      of: try reader.entities(),
      versionIdentifiers: [tree.attributes["userDefinedModelVersionIdentifier"]].compactMap(\.self),
      place: file.path
    )
  }
}
