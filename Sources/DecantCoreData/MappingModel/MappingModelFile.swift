package import DecantBase
internal import DecantPropertyList
internal import DecantXML

/// Detects the form of a mapping model in a file or folder.
enum MappingModelFile {
  private static let sourceName = "xcmapping.xml"
  private static let remedy = "use a .cdm file or an .xcmappingmodel folder"

  /// Reads a compiled `.cdm`, an `.xcmappingmodel` folder or its XML, detected by content, not by extension.
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
    // White space or a byte order mark may precede the first bracket of XML.
    guard bytes.prefix(10).contains(UInt8(ascii: "<")) else {
      throw DecantError(.modelDamaged, "“\(file.name)” is not a mapping model", place: place, remedy: remedy)
    }
    return try SourceMappingModel.read(bytes, place: place)
  }

  /// Returns the error for an inconsistent mapping model.
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
  /// Reads a mapping model, compiled or as edited in Xcode.
  ///
  /// - Parameter path: A `.cdm` file, an `.xcmappingmodel` folder, or the `xcmapping.xml` in it.
  /// - Returns: The mapping model.
  /// - Throws: `DecantError` of the family `.storeNotFound` if the path does not exist, `.corruptStore` if it is
  ///   damaged or not a mapping model.
  package static func read(_ path: String) throws(DecantError) -> MappingModel {
    try MappingModelFile.read(path)
  }
}
