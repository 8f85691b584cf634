/// A name in the model, split into words: `prepTime`, `prep_time` and `PREP_TIME` have the same two.
///
/// Only its name shows what an attribute means to a person. The lists of words are deliberately short: an attribute
/// whose name is in none of them is shown according to its type.
struct PageName {
  /// The words in lower case; abbreviations such as `URL` are one word.
  let words: [String]
  private let spelled: [String]

  /// Splits `name` into words.
  init(_ name: String) {
    var words: [String] = []
    var word = ""
    func end() {
      if !word.isEmpty { words.append(word) }
      word = ""
    }
    let letters = Array(name)
    for (position, letter) in letters.enumerated() {
      guard letter.isLetter || letter.isNumber else {
        end()
        continue
      }
      let last = position > 0 ? letters[position - 1] : letter
      let next = position + 1 < letters.count ? letters[position + 1] : letter
      // Split before a capital after a lower-case letter, and before the last of several capitals: `sourceURLText`.
      if letter.isUppercase, last.isLowercase || (last.isUppercase && next.isLowercase) { end() }
      if letter.isLetter, last.isNumber, letter.isUppercase { end() }
      word.append(letter)
    }
    end()
    let isShouted = words.allSatisfy { $0 == $0.uppercased() } && words.joined().count > 4
    spelled = words.map { isShouted ? $0.lowercased() : $0 }
    self.words = words.map { $0.lowercased() }
  }

  /// The words as one, without anything between them: `preptime`.
  var joined: String { words.joined() }

  /// Returns whether the name is one of `names`, which are in the form of `joined`.
  func isOne(of names: Set<String>) -> Bool { names.contains(joined) }

  /// Returns whether one of its words is in `list`, perhaps in the plural.
  func has(_ list: Set<String>) -> Bool {
    words.contains { list.contains($0) || ($0.last == "s" && list.contains(String($0.dropLast()))) }
  }

  /// The name for a reader: `Prep time`, `Source URL`; abbreviations are unchanged.
  var label: String { PageName.label(of: spelled) }

  /// Returns the name without words at its end that describe the value: `createdAt` becomes `Created`.
  func label(without endings: Set<String>) -> String {
    var shown = spelled
    while shown.count > 1, let last = shown.last, endings.contains(last.lowercased()) {
      shown.removeLast()
    }
    return PageName.label(of: shown)
  }

  /// The name of a boolean: `isFavorite` becomes `Favorite`.
  var booleanLabel: String {
    let isAsking = spelled.count > 1 && ["is", "has"].contains(spelled[0].lowercased())
    return PageName.label(of: isAsking ? Array(spelled.dropFirst()) : spelled)
  }

  private static func label(of words: [String]) -> String {
    let shown = words.map { word in
      word.count > 1 && word == word.uppercased() ? word : word.lowercased()
    }
    guard let first = shown.first else { return "–" }
    return ([first.prefix(1).uppercased() + first.dropFirst()] + shown.dropFirst())
      .joined(separator: " ")
  }
}

/// Common words for the roles of attributes, in a few languages.
enum PageWords {
  /// The title of an object, the most reliable first.
  static let titles = [
    "title", "name", "titel", "nom", "titre", "nombre", "titulo", "título", "nome", "titolo",
    "naam",
    "namn", "navn", "tytuł", "displayname", "fullname", "label", "heading", "headline", "subject",
    "caption", "filename", "lastname", "firstname",
  ]
  /// A line below the title.
  static let leads: Set<String> = ["subtitle", "tagline", "headline", "untertitel", "soustitre"]
  /// Text for reading, as opposed to values.
  static let bodies: Set<String> = [
    "text", "body", "content", "description", "summary", "abstract", "note", "comment", "remark",
    "instruction", "direction", "method", "detail", "introduction", "intro", "story", "overview",
    "beschreibung",
    "notiz", "bemerkung", "zubereitung", "anleitung", "texte", "contenu", "remarque", "descripcion",
    "descripción", "nota", "descrizione", "beskrivelse", "omschrijving",
  ]
  /// The order of objects.
  static let positions: Set<String> = [
    "position", "index", "sortindex", "sortorder", "order", "ordinal", "rank", "sort", "sequence",
    "seq", "displayorder", "orderindex", "ordernumber", "sortposition", "listposition", "idx",
    "reihenfolge", "rang", "orden", "ordre", "ordine", "sortkey", "stepnumber", "linenumber",
  ]
  /// Values that only programs read.
  static let internals: Set<String> = [
    "uuid", "guid", "id", "identifier", "uid", "revision", "etag", "hash", "checksum", "sha",
    "recordname", "changetag", "recordid", "objectid", "dirty", "synced", "cachekey", "slug", "opt",
    "zone", "fingerprint", "extra", "sha256",
  ]
  /// Values for the small print below an object.
  static let asides: Set<String> = [
    "created", "creation", "modified", "modification", "updated", "update", "added", "changed",
    "viewed", "view", "count", "color", "colour", "symbol", "icon", "locale", "timestamp",
    "inserted",
  ]
  /// Facts that a picture's own bytes contain, or its display shows.
  static let pictureFacts: Set<String> = [
    "width", "height", "bytecount", "mimetype", "size", "filesize", "contenttype", "format",
    "mediatype", "scale", "length", "type", "mime", "orientation",
  ]
}

extension PageName {
  /// Whether an attribute with this name is for programs only.
  var isInternal: Bool {
    isOne(of: PageWords.internals) || words.first == "ck"
      || words.last.map(PageWords.internals.contains) == true
  }
}
