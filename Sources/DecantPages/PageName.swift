/// A name of the model, taken apart into words: `prepTime`, `prep_time` and `PREP_TIME` are the same two.
///
/// What an attribute is to a person nothing in a model says but its name. The lists of words are
/// short on purpose: a name that is in none of them is shown as what its type says.
struct PageName {
  /// The words in small letters; abbreviations such as `URL` are one word.
  let words: [String]
  private let spelled: [String]

  /// Takes `name` apart.
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
      // At a capital behind a small letter, and at the last of several before a small one: `sourceURLText`.
      if letter.isUppercase, last.isLowercase || (last.isUppercase && next.isLowercase) { end() }
      if letter.isLetter, last.isNumber, letter.isUppercase { end() }
      word.append(letter)
    }
    end()
    let isShouted = words.allSatisfy { $0 == $0.uppercased() } && words.joined().count > 4
    spelled = words.map { isShouted ? $0.lowercased() : $0 }
    self.words = words.map { $0.lowercased() }
  }

  /// The words as one, without what is between them: `preptime`.
  var joined: String { words.joined() }

  /// Returns whether the name is one of `names`, which are written as `joined` is.
  func isOne(of names: Set<String>) -> Bool { names.contains(joined) }

  /// Returns whether one of its words is in `list`, also in the plural.
  func has(_ list: Set<String>) -> Bool {
    words.contains { list.contains($0) || ($0.last == "s" && list.contains(String($0.dropLast()))) }
  }

  /// The name for a reader: `Prep time`, `Source URL`; abbreviations stay as they are.
  var label: String { PageName.label(of: spelled) }

  /// The name without words at its end that say what the value is: `createdAt` is `Created`.
  func label(without endings: Set<String>) -> String {
    var shown = spelled
    while shown.count > 1, let last = shown.last, endings.contains(last.lowercased()) {
      shown.removeLast()
    }
    return PageName.label(of: shown)
  }

  /// The name of a boolean: `isFavorite` is `Favorite`.
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

/// Names by which a person's words for things are recognised, in a few languages.
enum PageWords {
  /// What an object is called, the surest first.
  static let titles = [
    "title", "name", "titel", "nom", "titre", "nombre", "titulo", "título", "nome", "titolo",
    "naam",
    "namn", "navn", "tytuł", "displayname", "fullname", "label", "heading", "headline", "subject",
    "caption", "filename", "lastname", "firstname",
  ]
  /// A line below the title.
  static let leads: Set<String> = ["subtitle", "tagline", "headline", "untertitel", "soustitre"]
  /// Text to be read, not looked up.
  static let bodies: Set<String> = [
    "text", "body", "content", "description", "summary", "abstract", "note", "comment", "remark",
    "instruction", "direction", "method", "detail", "introduction", "intro", "story", "overview",
    "beschreibung",
    "notiz", "bemerkung", "zubereitung", "anleitung", "texte", "contenu", "remarque", "descripcion",
    "descripción", "nota", "descrizione", "beskrivelse", "omschrijving",
  ]
  /// What keeps objects in order.
  static let positions: Set<String> = [
    "position", "index", "sortindex", "sortorder", "order", "ordinal", "rank", "sort", "sequence",
    "seq", "displayorder", "orderindex", "ordernumber", "sortposition", "listposition", "idx",
    "reihenfolge", "rang", "orden", "ordre", "ordine", "sortkey", "stepnumber", "linenumber",
  ]
  /// What only programs read.
  static let internals: Set<String> = [
    "uuid", "guid", "id", "identifier", "uid", "revision", "etag", "hash", "checksum", "sha",
    "recordname", "changetag", "recordid", "objectid", "dirty", "synced", "cachekey", "slug", "opt",
    "zone", "fingerprint", "extra", "sha256",
  ]
  /// What goes into the small print below an object.
  static let asides: Set<String> = [
    "created", "creation", "modified", "modification", "updated", "update", "added", "changed",
    "viewed", "view", "count", "color", "colour", "symbol", "icon", "locale", "timestamp",
    "inserted",
  ]
  /// What a picture's own bytes tell, or its frame shows.
  static let pictureFacts: Set<String> = [
    "width", "height", "bytecount", "mimetype", "size", "filesize", "contenttype", "format",
    "mediatype", "scale", "length", "type", "mime", "orientation",
  ]
}

extension PageName {
  /// Whether only programs read what goes by this name.
  var isInternal: Bool {
    isOne(of: PageWords.internals) || words.first == "ck"
      || words.last.map(PageWords.internals.contains) == true
  }
}
