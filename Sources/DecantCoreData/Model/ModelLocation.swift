package import DecantBase
internal import DecantStore

/// What a user names as a model: a path, and perhaps a version after `#`.
///
/// A path leads to a `.momd` or `.xcdatamodeld` folder of versions, to a single `.mom` or
/// `.xcdatamodel`, or to a store that holds its model; what is there decides, not its extension. `App.xcdatamodeld#Model 3` is a
/// version by the name of its file, with or without extension, or by its identifier.
package struct ModelLocation: Sendable, Hashable {
  /// Where the model lies.
  package var path: String
  /// The version asked for, or `nil` for the current one.
  package var version: String?

  static let remedy = "use a .momd, .mom, .xcdatamodeld or .xcdatamodel, or a store of the model"

  /// Takes `text` apart.
  ///
  /// A `#` that belongs to an existing path is no mark of a version.
  package init(_ text: String) {
    if !ModelFile(text).exists, let mark = text.lastIndex(of: "#") {
      path = ModelFile(String(text[..<mark])).path
      version = String(text[text.index(after: mark)...])
    } else {
      path = ModelFile(text).path
      version = nil
    }
  }

  /// Reads the version asked for.
  ///
  /// - Throws: `DecantError` of the family `.storeNotFound` when nothing is there, `.corruptStore` when
  ///   it is damaged or no model, `.usage` when the version does not exist or must be named.
  package func read() throws(DecantError) -> Model {
    try chosenVersion().read()
  }

  /// Returns the versions that are there, in the order people count and the current one last.
  package func versions() throws(DecantError) -> [ModelVersion] {
    let file = ModelFile(path)
    guard file.exists else {
      throw DecantError(.modelNotFound, "there is no model “\(file.name)”", place: path, remedy: Self.remedy)
    }
    if file.isFolder {
      if SourceModel.isVersion(file) { return [SourceModel.version(file)] }
      if CompiledModel.isFolder(file) { return try CompiledModel.versions(in: file) }
      if SourceModel.isFolder(file) { return try SourceModel.versions(in: file) }
      throw noModel(file)
    }
    if StoreModel.isStore(path) { return [StoreModel.version(file)] }
    let start = try file.read().prefix(200)
    if start.starts(with: "bplist".utf8) { return [CompiledModel.version(file)] }
    // White space or a byte order mark may stand before the first bracket of XML.
    guard start.prefix(10).contains(UInt8(ascii: "<")) else { throw noModel(file) }
    return [ModelVersion(name: file.stem, path: file.path, isSource: true)]
  }

  /// Returns the version asked for, or the current one.
  package func chosenVersion() throws(DecantError) -> ModelVersion {
    let versions = try versions()
    guard let last = versions.last else { throw noModel(ModelFile(path)) }
    guard let version else {
      // Without a note of the current version, only one that stands alone can be meant.
      guard last.isCurrent || versions.count == 1 else {
        throw usage("the model does not say which version is the current one", versions)
      }
      return last
    }
    if let named = versions.first(where: { $0.isNamed(version) }) { return named }
    // A version that cannot be read has no identifier that could be meant.
    let identified = versions.filter { candidate in
      (try? candidate.read())?.versionIdentifiers.contains(version) == true
    }
    guard let first = identified.first else {
      throw usage("the model has no version “\(version)”", versions)
    }
    guard identified.count == 1 else {
      throw usage("several versions of the model have the identifier “\(version)”", identified)
    }
    return first
  }

  private func usage(_ message: String, _ versions: [ModelVersion]) -> DecantError {
    let names = versions.map { "“\($0.name)”" }.joined(separator: ", ")
    return DecantError(
      .unknownName,
      message,
      place: path,
      remedy:
        "use one of \(names), for example \("\(path)#\(versions.last?.name ?? "")".shellWord)",
      remedies: [.nameModel]
    )
  }

  private func noModel(_ file: ModelFile) -> DecantError {
    DecantError(.modelDamaged, "“\(file.name)” is not a model", place: path, remedy: Self.remedy)
  }
}

extension ModelVersion {
  /// Whether `name` is the name of the version's file, with or without its extension.
  fileprivate func isNamed(_ name: String) -> Bool {
    name == self.name || name == ModelFile(path).name
  }
}
