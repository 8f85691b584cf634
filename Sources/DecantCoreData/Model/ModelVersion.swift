package import DecantBase

/// One version of a model, as a folder of versions or a single file holds it.
package struct ModelVersion: Sendable, Hashable {
  /// The name of its file without the extension.
  package var name: String
  /// The file or, for the source of a model, the folder.
  package var path: String
  /// Whether the app makes its new stores from this version.
  package var isCurrent: Bool
  /// The bytes by which Core Data recognises the entities of this version, where they are known.
  package var versionHashes: [String: [UInt8]]
  /// The checksum over all of them, as base64 text, where it is known.
  package var checksum: String?
  /// Whether this is the source of a model, which has no version hashes.
  package var isSource: Bool
  /// Whether this is a store, read for the model inside it.
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
  /// The versions in the folder `stem`, by name but for the current one, which is last.
  func inOrder(of stem: String) -> [ModelVersion] {
    let ordered = byName(of: stem)
    return ordered.filter { !$0.isCurrent } + ordered.filter(\.isCurrent)
  }

  /// The versions in the folder `stem` as people count them, 2.9 before 2.21.
  ///
  /// The one that has the folder's own name is the first: Xcode names versions only from the second on.
  func byName(of stem: String) -> [ModelVersion] {
    sorted {
      ($0.name == stem) == ($1.name == stem)
        ? NaturalOrder.isBefore($0.name, $1.name) : $0.name == stem
    }
  }
}

/// The order in which people expect names with numbers in them.
enum NaturalOrder {
  /// Whether `a` stands before `b`: numbers by their value, everything else without regard to case.
  static func isBefore(_ a: String, _ b: String) -> Bool {
    let (first, second) = (pieces(a), pieces(b))
    for (x, y) in zip(first, second) where x != y {
      if x.isNumber, y.isNumber {
        // Without zeros in front the longer number is the larger one.
        let (m, n) = (x.text.drop { $0 == "0" }, y.text.drop { $0 == "0" })
        if m.count != n.count { return m.count < n.count }
        if m != n { return m < n }
      } else if x.text != y.text {
        return x.text < y.text
      }
    }
    return first.count == second.count ? a < b : first.count < second.count
  }

  /// A run of digits, or of anything else, in a version's name.
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
