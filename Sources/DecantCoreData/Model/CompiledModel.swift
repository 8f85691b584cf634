internal import DecantBase
internal import DecantPropertyList

/// Compiled models in an app: a `.mom` file, or a `.momd` folder of them.
///
/// A `.mom` is an archive of the model without its version hashes; those are in the folder's `VersionInfo.plist`. The
/// `.omo` beside the current version has the same content in another format.
enum CompiledModel {
  private static let infoName = "VersionInfo.plist"

  /// Returns whether `folder` holds compiled models.
  static func isFolder(_ folder: ModelFile) -> Bool {
    folder.file(infoName).exists || !folder.files(withExtension: "mom").isEmpty
  }

  /// Reads a `.mom`.
  static func read(_ file: ModelFile, versionHashes: [String: [UInt8]]) throws(DecantError) -> Model {
    try ArchivedModel.read(try file.read(), versionHashes: versionHashes, place: file.path)
  }

  /// Returns the version of a single `.mom`; its hashes are known if its folder has them.
  static func version(_ file: ModelFile) -> ModelVersion {
    // Even if the folder is damaged, the named file may be intact.
    let siblings = file.folder.file(infoName).exists ? try? versions(in: file.folder) : nil
    return siblings?.first { $0.name == file.stem && file.name.hasSuffix(".mom") }
      ?? ModelVersion(name: file.stem, path: file.path, isSource: false)
  }

  /// Returns the versions in a `.momd` folder, in order.
  static func versions(in folder: ModelFile) throws(DecantError) -> [ModelVersion] {
    let info = folder.file(infoName)
    let entries = info.exists ? try dictionary(in: info) : [:]
    let hashes = dictionary(entries["NSManagedObjectModel_VersionHashes"])
    let checksums = dictionary(entries["NSManagedObjectModel_VersionChecksums"])
    let current = string(entries["NSManagedObjectModel_CurrentVersionName"])
    let versions = folder.files(withExtension: "mom").map { file in
      ModelVersion(
        name: file.stem,
        path: file.path,
        isCurrent: file.stem == current,
        versionHashes: dictionary(hashes[file.stem]).compactMapValues(data),
        checksum: string(checksums[file.stem]),
        isSource: false
      )
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

  private static func dictionary(in file: ModelFile) throws(DecantError) -> [String: PropertyList] {
    try ModelPropertyList.dictionary(in: file)
  }

  private static func dictionary(_ list: PropertyList?) -> [String: PropertyList] {
    if case .dictionary(let entries)? = list { entries } else { [:] }
  }

  private static func string(_ list: PropertyList?) -> String? {
    if case .string(let text)? = list { text } else { nil }
  }

  private static func data(_ list: PropertyList) -> [UInt8]? {
    if case .data(let bytes) = list { bytes } else { nil }
  }
}

/// The property lists beside models.
enum ModelPropertyList {
  /// Returns the entries of the dictionary in `file`.
  static func dictionary(in file: ModelFile) throws(DecantError) -> [String: PropertyList] {
    let bytes = try file.read()
    do {
      if case .dictionary(let entries) = try PropertyList.read(bytes) { return entries }
    } catch {
      throw DecantError(
        .modelDamaged,
        "“\(file.name)” is damaged: \(error)",
        place: file.path,
        remedy: "use an undamaged copy of the model",
        cause: error
      )
    }
    throw ModelAssembly.damaged("“\(file.name)” does not contain a dictionary", file.path)
  }
}
