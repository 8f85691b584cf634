package import DecantBase
package import DecantJSON

/// A model as a text of its own, outside an archive.
extension ArchiveModel {
  /// The text of `model`, in JSON.
  package static func text(of model: Model) -> String { ArchiveModel(model).json.text }

  /// Reads any JSON of decant's own; `place` names it in errors.
  package static func tree(in text: String, place: String) throws(DecantError) -> JSONValue {
    try ArchiveFault.telling(place) {
      let empty = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
      defer { empty.deallocate() }
      return try Array(text.utf8).withUnsafeBytes { bytes in
        var reader = JSONReader(bytes, UnsafeRawPointer(empty), depthLimit: ArchiveLimits().depth)
        let tree = try reader.value(limit: ArchiveLimits().headerByteCount / 64)
        try reader.finish()
        return tree
      }
    }
  }

  /// Reads the model that `text(of:)` described; `place` names it in errors.
  package static func model(in text: String, place: String) throws(DecantError) -> Model {
    let tree = try tree(in: text, place: place)
    return try ArchiveFault.telling(place) { try ArchiveModel(tree).model }
  }
}
