package import DecantBase
internal import DecantPropertyList
internal import DecantXML

/// Finds out what a file or folder holds that was named as a mapping model.
enum MappingModelFile {
  private static let sourceName = "xcmapping.xml"
  private static let remedy = "use a .cdm file or an .xcmappingmodel folder"

  /// Reads a compiled `.cdm`, an `.xcmappingmodel` folder or the XML in one; what is there decides, not its extension.
  static func read(_ path: String) throws(DecantError) -> MappingModel {
    var file = ModelFile(path)
    let place = file.path
    if file.isFolder {
      file = file.file(sourceName)
      guard file.exists else {
        throw DecantError(
          .modelDamaged,
          "“\(ModelFile(path).name)” is not a mapping model: it does not contain \(sourceName)",
          place: place,
          remedy: remedy
        )
      }
    }
    guard file.exists else {
      throw DecantError(.modelNotFound, "there is no mapping model “\(file.name)”", place: place, remedy: remedy)
    }
    let bytes = try file.read()
    if PropertyList.isBinary(bytes) { return try CompiledMappingModel.read(bytes, place: place) }
    // White space or a byte order mark may stand before the first bracket of XML.
    guard bytes.prefix(10).contains(UInt8(ascii: "<")) else {
      throw DecantError(.modelDamaged, "“\(file.name)” is not a mapping model", place: place, remedy: remedy)
    }
    return try SourceMappingModel.read(bytes, place: place)
  }

  /// The error of a mapping model that does not hold together.
  static func damaged(_ message: String, _ place: String, cause: (any Error)? = nil) -> DecantError {
    DecantError(
      .modelDamaged,
      "the mapping model is damaged: \(message)",
      place: place,
      remedy: "use an undamaged copy of the mapping model",
      cause: cause
    )
  }
}

extension MappingModel {
  /// Reads a mapping model, compiled or as Xcode edits it.
  ///
  /// - Parameter path: A `.cdm` file, an `.xcmappingmodel` folder, or the `xcmapping.xml` in it.
  /// - Returns: What it says.
  /// - Throws: `DecantError` of the family `.storeNotFound` when nothing is there, `.corruptStore` when it is damaged or
  ///   no mapping model.
  package static func read(_ path: String) throws(DecantError) -> MappingModel {
    try MappingModelFile.read(path)
  }
}
