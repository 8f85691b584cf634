internal import DecantBase
internal import DecantRecipeFormats

extension PageLayout {
  /// The kinds of times that recipes give.
  enum Time { case prep, cook, total }

  /// The yield, if a line or a part of it states it: “Serves 4 | Vegan”, “Portionen: 6”.
  var yield: String? {
    if let text = values[.yield] { return Servings.withoutLabel(text) }
    for (index, line) in lines.enumerated() {
      for segment in Self.segments(of: line.text) {
        // “2 portions cooked rice” is an ingredient.
        let found = PageYield(segment)
        if line.isItem ? PageYield.isAlone(segment) : found.isWhole { return Servings.withoutLabel(segment) }
      }
      if parts[index] == .ingredients, let text = PageYield.behindName(line.text) { return text }
      guard index + 1 < lines.count, line.text.utf8.count <= 40, lines[index + 1].text.utf8.count <= 20 else {
        continue
      }
      // The number is in an element of its own.
      let text = line.text.withoutBullets
      if PageYield(text).isLabel, lines[index + 1].text.first?.isNumber == true {
        let both = "\(text) \(lines[index + 1].text)"
        if PageYield(both).isWhole { return Servings.withoutLabel(both) }
      }
    }
    return nil
  }

  /// Returns the parts of a short line that bars, dots and long dashes separate.
  private static func segments(of line: String) -> [String] {
    guard line.utf8.count <= 120 else { return [] }
    return line.split { "|•·—".contains($0) }.map { String($0).withoutBullets }.filter {
      !$0.isEmpty && $0.utf8.count <= 60
    }
  }

  /// Returns a time, if one or two lines give it after its name: “Prep time: 20 min”.
  func time(_ time: Time) -> RecipeTime? {
    if let text = values[.time(time)], let told = Self.told(text, isWhole: true) { return told }
    for (index, line) in lines.enumerated() {
      for segment in Self.segments(of: line.text) {
        guard let (name, rest) = Self.rest(of: segment, behind: time) else { continue }
        // “Cook 20 minutes, then serve” is a step, but “cook time 20 minutes, then 5” is a time.
        let isTold = Self.times.contains(where: name.contains)
        if rest.contains(where: \.isNumber) {
          if let time = Self.told(rest, isWhole: !isTold) { return time }
        } else if rest.isEmpty || isTold && rest.utf8.count <= 20, index + 1 < lines.count,
          let time = Self.told(lines[index + 1].text, isWhole: !isTold)
        {
          return time
        }
      }
    }
    return nil
  }

  /// Returns the time that a short text is or, unless `isWhole` is set, contains: “20 minutes active, plus cooling”.
  private static func told(_ text: String, isWhole: Bool) -> RecipeTime? {
    func folded() -> String { FoldedText.searchedText(text) }
    if let minutes = Durations.minutes(text) ?? Durations.minutes(folded()), minutes > 0 {
      return RecipeTime(text: text, minutes: minutes)
    }
    guard !isWhole, text.utf8.count <= 60 else { return nil }
    let words = text.split(separator: " ").map { $0.last == "," || $0.last == ";" ? $0.dropLast() : $0 }
      .drop { !$0.contains(where: \.isNumber) }
    for count in stride(from: min(words.count, 6), to: 0, by: -1) {
      let minutes = Durations.minutes(words.prefix(count).joined(separator: " "))
      if let minutes, minutes > 0 { return RecipeTime(text: text, minutes: minutes) }
    }
    return nil
  }

  /// The only time above the ingredients, if it stands alone without a label: “25 min”.
  var loneTime: RecipeTime? {
    var found: RecipeTime?
    for line in lines.prefix(headCount) {
      for segment in Self.segments(of: line.text) where segment.utf8.count <= 20 {
        guard let minutes = Durations.minutes(segment), minutes > 0 else { continue }
        guard found == nil || found?.minutes == minutes else { return nil }
        found = RecipeTime(text: segment, minutes: minutes)
      }
    }
    return found
  }

  /// Whether a line states a time.
  static func isTime(_ text: String) -> Bool {
    guard text.utf8.count <= 120, text.contains(where: \.isNumber) else { return false }
    return [.prep, .cook, .total].contains { rest(of: text, behind: $0).flatMap { Durations.minutes($0.text) } != nil }
  }

  /// Returns the name of a time and the text after it, without punctuation; `nil` if the line does not begin with one.
  private static func rest(of line: String, behind time: Time) -> (name: String, text: String)? {
    let folded = FoldedText.searchedText(line.withoutBullets)
    guard let name = names[time]?.first(where: folded.hasPrefix) else { return nil }
    guard folded.dropFirst(name.count).first?.isLetter != true else { return nil }
    // The text after the name is returned as written.
    let text = line.withoutBullets
    let end = text.indices.first { FoldedText.searchedText(String(text[...$0])) == name }
    guard let end else { return nil }
    return (name, text[text.index(after: end)...].drop { !$0.isLetter && !$0.isNumber }.trimmed)
  }

  /// Words that occur only in the names of times.
  private static let times = PageWords.list(
    "time,zeit,temps,tiempo,tempo,tijd,czas,doba,cas,tid,sure,"
      + "ido,χρονος,время,час,時間,时间,시간,وقت,مدة"
  )

  /// The names of times in the form used for searching; longer ones precede their own prefixes.
  private static let names: [Time: [String]] = {
    func list(_ text: String) -> [String] {
      PageWords.list(text).sorted { $0.count > $1.count }
    }
    return [
      .prep: list(
        "prep time,preparation time,prep,preparation,prepping time,active time,hands on time,vorbereitungszeit,vorbereitung,"
          + "arbeitszeit,zubereitungszeit,zubereitung,temps de préparation,préparation,tiempo de preparación,preparación,"
          + "tempo de preparo,tempo de preparação,preparo,tempo di preparazione,preparazione,bereidingstijd,bereiding,"
          + "voorbereidingstijd,voorbereiding,voorbereiden,czas przygotowania,przygotowanie,doba přípravy,příprava,príprava,"
          + "tillagningstid,förberedelse,forberedelse,arbejdstid,előkészítés,χρόνος προετοιμασίας,προετοιμασία,hazırlama süresi,"
          + "время подготовки,подготовка,準備時間,下準備,准备时间,준비 시간,준비시간,وقت التحضير,مدة التحضير"
      ),
      .cook: list(
        "cook time,cooking time,cooking,cook,bake time,baking time,baking,kochzeit,kochen,garzeit,backzeit,koch-/backzeit,"
          + "temps de cuisson,cuisson,tiempo de cocción,cocción,tempo de cozimento,tempo di cottura,cottura,kooktijd,oventijd,"
          + "baktijd,wachttijd in oven,czas gotowania,czas pieczenia,doba vaření,doba pečení,pečení,koketid,stegetid,bagetid,"
          + "koktid,χρόνος μαγειρέματος,μαγείρεμα,ψήσιμο,pişirme süresi,sütési idő,főzési idő,время готовки,время варки,"
          + "время выпекания,調理時間,加熱時間,調理时间,调理时间,烹饪时间,烹飪時間,烹调时间,料理時間,조리 시간,조리시간,وقت الطهي,وقت الطبخ,مدة الطهي"
      ),
      .total: list(
        "total time,total,totale,ready in,takes,time,overall time,gesamtzeit,gesamt,insgesamt,dauer,temps total,durée totale,"
          + "tiempo total,tempo total,tempo totale,totale tijd,totaal,totale bereidingstijd,czas całkowity,całkowity czas,"
          + "celkový čas,celkem,tid i alt,total tid,totaltid,συνολικός χρόνος,σύνολο,toplam süre,общее время,"
          + "время приготовления,所要時間,合計時間,总时间,總時間,总用时,총 시간,총시간,الوقت الكلي,الوقت الإجمالي,المدة الكلية"
      ),
    ]
  }()
}

/// A text that may state a yield.
struct PageYield {
  private let words: [String]

  init(_ text: String) {
    let folded = FoldedText.searchedText(text)
    words = folded.split { !$0.isLetter && !$0.isNumber }.flatMap { word -> [String] in
      // “4人分” consists of a number and a unit.
      let digits = word.prefix { $0.isNumber }
      let isCounted = !digits.isEmpty && digits.count < word.count
      return isCounted ? [String(digits), String(word.dropFirst(digits.count))] : [String(word)]
    }
  }

  /// The yield in a heading of ingredients: “for 4 people” in “Ingredients for 4 people”.
  static func behindName(_ heading: String) -> String? {
    guard heading.utf8.count <= 120, heading.contains(where: \.isNumber) else { return nil }
    var wasWord = false
    let starts = heading.indices.filter { index in
      defer { wasWord = heading[index].isLetter }
      return heading[index].isNumber || heading[index].isLetter && !wasWord
    }
    for start in starts.dropFirst().prefix(9) {
      let text = heading[start...].trimmed
      let end = text.lastIndex { $0.isLetter || $0.isNumber }.map { text.index(after: $0) } ?? text.endIndex
      if PageYield(String(text[..<end])).isWhole { return String(text[..<end]) }
    }
    return nil
  }

  /// Whether it begins with a word after which a number is the yield.
  var isLabel: Bool {
    words.first.map(Self.labels.contains) == true || Self.labels.contains(words.prefix(2).joined(separator: " "))
  }

  /// Whether it states both a number and its unit.
  var isWhole: Bool {
    guard words.count > 1, words.count <= 7 else { return false }
    let numbers = words.indices.filter { isNumber(words[$0]) }
    guard let first = numbers.first, let last = numbers.last else { return false }
    if isLabel, first <= 2 { return true }
    let behind = last + 1 < words.count ? words[last + 1] : ""
    let isCounted = Self.units.contains(behind)
    if first == 0 { return isCounted && last <= 2 && words.count <= last + 4 }
    return isCounted && first == 1 && Self.prepositions.contains(words[0])
  }

  /// Whether it states a yield and nothing else.
  var isAlone: Bool {
    isWhole && (isLabel || words.lastIndex(where: isNumber).map { words.count <= $0 + 2 } == true)
  }

  /// Whether a text states a yield and nothing else, except in brackets or behind a slash.
  static func isAlone(_ text: String) -> Bool {
    PageYield(String(text.prefix { !"(/".contains($0) })).isAlone
  }

  private func isNumber(_ word: String) -> Bool { Int(word).map { 1...200 ~= $0 } ?? false }

  private static func set(_ words: Set<String>) -> Set<String> {
    Set(words.map { FoldedText.searchedText($0) })
  }

  private static let units = set(Servings.servings.union(["os", "parts", "pieces", "pers"]))
  /// Words between the name of a list and the number of servings.
  static let prepositions = set(["for", "für", "pour", "voor", "per", "para", "na", "för", "til", "pro", "на"])
  private static let labels = set(
    Servings.introductions.subtracting(prepositions).union([
      "makes", "yield", "yields", "分量", "份量", "份数", "份數", "人数", "rendimento", "rinde", "ración", "porción", "dosi",
      "ergibt",
      "порций", "порции", "количество порций", "число порций", "выход", "분량", "عدد الحصص", "الحصص", "تكفي", "يكفي",
    ])
  )
}
