package import DecantBase

/// One version of a model, in a folder of versions or a single file.
package struct ModelVersion: Sendable, Hashable {
  /// The file name without the extension.
  package var name: String
  /// The path of the file or, for the source of a model, of the folder.
  package var path: String
  /// Whether it is the current version, from which the app makes new stores.
  package var isCurrent: Bool
  /// The version hashes of the entities, if known.
  package var versionHashes: [String: [UInt8]]
  /// The checksum of all hashes, as base64 text, if known.
  package var checksum: String?
  /// Whether it is the source of a model, which has no version hashes.
  package var isSource: Bool
  /// Whether it is a store, read for the model that it contains.
  package var isStore: Bool

  init(
    name: String,
    path: String,
    isCurrent: Bool = false,
    versionHashes: [String: [UInt8]] = [:],
    checksum: String? = nil,
    isSource: Bool,
    isStore: Bool = false
  ) {
    self.name = name
    self.path = path
    self.isCurrent = isCurrent
    self.versionHashes = versionHashes
    self.checksum = checksum
    self.isSource = isSource
    self.isStore = isStore
  }

  /// Reads the model of this version.
  package func read() throws(DecantError) -> Model {
    if isStore { return try StoreModel.read(path) }
    if isSource { return try SourceModel.read(ModelFile(path)) }
    return try CompiledModel.read(ModelFile(path), versionHashes: versionHashes)
  }
}

extension [ModelVersion] {
  /// Returns the versions of the folder `stem` by name, with the current one last.
  func inOrder(of stem: String) -> [ModelVersion] {
    let ordered = byName(of: stem)
    return ordered.filter { !$0.isCurrent } + ordered.filter(\.isCurrent)
  }

  /// Returns the versions of the folder `stem` in natural order, 2.9 before 2.21.
  ///
  /// The version named like the folder is the first: Xcode gives names only to later versions.
  func byName(of stem: String) -> [ModelVersion] {
    sorted {
      ($0.name == stem) == ($1.name == stem)
        ? NaturalOrder.isBefore($0.name, $1.name) : $0.name == stem
    }
  }
}

/// The natural order of names that contain numbers.
enum NaturalOrder {
  /// Returns whether `a` comes before `b`: numbers are compared by value, other text ignoring case.
  static func isBefore(_ a: String, _ b: String) -> Bool {
    let (first, second) = (pieces(a), pieces(b))
    for (x, y) in zip(first, second) where x != y {
      if x.isNumber, y.isNumber {
        // Without leading zeros the longer number is larger.
        let (m, n) = (x.text.drop { $0 == "0" }, y.text.drop { $0 == "0" })
        if m.count != n.count { return m.count < n.count }
        if m != n { return m < n }
      } else if x.text != y.text {
        return x.text < y.text
      }
    }
    return first.count == second.count ? a < b : first.count < second.count
  }

  /// A run of digits, or of other characters, in a version's name.
  private struct Piece: Equatable {
    var text: String
    var isNumber: Bool
  }

  private static func pieces(_ name: String) -> [Piece] {
    var pieces: [Piece] = []
    for character in name.lowercased() {
      let isNumber = character.isASCII && character.isNumber
      if let last = pieces.last, last.isNumber == isNumber {
        pieces[pieces.count - 1].text.append(character)
      } else {
        pieces.append(Piece(text: String(character), isNumber: isNumber))
      }
    }
    return pieces
  }
}
