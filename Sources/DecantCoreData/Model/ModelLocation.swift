package import DecantBase
internal import DecantStore

/// A model as named by the user: a path, optionally with a version after `#`.
///
/// The path is a `.momd` or `.xcdatamodeld` folder of versions, a single `.mom` or `.xcdatamodel`, or a store that
/// contains its model; the content decides, not the extension. `App.xcdatamodeld#Model 3` selects a version by its file
/// name, with or without extension, or by its identifier.
package struct ModelLocation: Sendable, Hashable {
  /// The path of the model.
  package var path: String
  /// The requested version, or `nil` for the current one.
  package var version: String?

  static let remedy = "use a .momd, .mom, .xcdatamodeld or .xcdatamodel, or a store of the model"

  /// Splits `text` into path and version.
  ///
  /// A `#` in an existing path does not separate a version.
  package init(_ text: String) {
    if !ModelFile(text).exists, let mark = text.lastIndex(of: "#") {
      path = ModelFile(String(text[..<mark])).path
      version = String(text[text.index(after: mark)...])
    } else {
      path = ModelFile(text).path
      version = nil
    }
  }

  /// Reads the requested version.
  ///
  /// - Throws: `DecantError` of the family `.storeNotFound` if the path does not exist, `.corruptStore` if it is
  ///   damaged or not a model, `.usage` if the version does not exist or must be named.
  package func read() throws(DecantError) -> Model {
    try chosenVersion().read()
  }

  /// Returns the existing versions in natural order, with the current one last.
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
    // White space or a byte order mark may precede the first bracket of XML.
    guard start.prefix(10).contains(UInt8(ascii: "<")) else { throw noModel(file) }
    return [ModelVersion(name: file.stem, path: file.path, isSource: true)]
  }

  /// Returns the requested version, or the current one.
  package func chosenVersion() throws(DecantError) -> ModelVersion {
    let versions = try versions()
    guard let last = versions.last else { throw noModel(ModelFile(path)) }
    guard let version else {
      // If no version is marked as current, there must be only one.
      guard last.isCurrent || versions.count == 1 else {
        throw usage("the model does not say which version is the current one", versions)
      }
      return last
    }
    if let named = versions.first(where: { $0.isNamed(version) }) { return named }
    // The identifier of an unreadable version is unknown.
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
  /// Returns whether `name` is the version's file name, with or without extension.
  fileprivate func isNamed(_ name: String) -> Bool {
    name == self.name || name == ModelFile(path).name
  }
}
