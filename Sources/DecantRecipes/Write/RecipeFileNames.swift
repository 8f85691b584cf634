internal import DecantBase
internal import DecantRecipeFormats

/// File names for recipes: the titles, made unique and without characters that systems reject or readers skip.
struct RecipeFileNames {
  /// Whether a number after a dot at the end has another meaning.
  let avoidsNumbers: Bool
  private var taken: Set<String> = []

  init(avoidsNumbers: Bool = false) { self.avoidsNumbers = avoidsNumbers }

  /// Returns an unused name for `title`, without an extension.
  mutating func name(for title: String) -> String {
    let name = Self.plain(title, avoidsNumbers: avoidsNumbers)
    var unique = name
    var number = 2
    while !taken.insert(unique.lowercased()).inserted {
      unique = "\(name) \(number)"
      number += 1
    }
    return unique
  }

  private static func plain(_ title: String, avoidsNumbers: Bool) -> String {
    let forbidden: Set<Character> = ["/", "\\", ":", "*", "?", "\"", "<", ">", "|"]
    var name = String(
      title.map { character in
        forbidden.contains(character) || character.isNewline
          || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
          ? "-" : character
      }
    )
    while name.utf8.count > 120 { name.removeLast() }
    name = String(name.drop { $0 == "." || $0.isWhitespace })
    while let last = name.last, last == "." || last.isWhitespace { name.removeLast() }
    if name.isEmpty { name = Recipe.untitled }
    let stem = name.prefix { $0 != "." }
    if devices.contains(stem.trimmed.lowercased()) {
      name = stem.trimmed + "_" + name.dropFirst(stem.count)
    }
    let isNoise = ["thumbs.db", "desktop.ini", "__macosx"].contains(name.lowercased())
    if isNoise || RecipeEntry.isNoise(name) { name += "_" }
    if avoidsNumbers, let dot = name.lastIndex(of: "."),
      name[dot...].dropFirst().allSatisfy({ $0.isNumber })
    {
      name.replaceSubrange(dot...dot, with: "-")
    }
    return name
  }

  /// Names that Windows reserves for devices, whatever the extension.
  private static let devices: Set<String> = Set(
    ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] }
  )
}
