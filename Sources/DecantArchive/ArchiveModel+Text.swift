package import DecantBase
internal import DecantJSON

/// A model as a text of its own, outside an archive.
extension ArchiveModel {
  /// The text of `model`, in JSON.
  package static func text(of model: Model) -> String { ArchiveModel(model).json.text }

  /// Reads the model that `text(of:)` described; `place` names it in errors.
  package static func model(in text: String, place: String) throws(DecantError) -> Model {
    try ArchiveFault.telling(place) {
      let empty = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
      defer { empty.deallocate() }
      return try Array(text.utf8).withUnsafeBytes { bytes in
        var reader = JSONReader(bytes, UnsafeRawPointer(empty), depthLimit: ArchiveLimits().depth)
        let tree = try reader.members(
          called: ["versions", "fromTables", "entities"],
          limit: ArchiveLimits().headerByteCount / 64
        )
        try reader.finish()
        return try ArchiveModel(tree).model
      }
    }
  }
}
