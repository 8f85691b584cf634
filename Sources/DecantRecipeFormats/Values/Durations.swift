internal import DecantBase

/// Durations as people and programs write them.
package enum Durations {
  /// Returns a time without the label before it: “20 min” of “Prep time: 20 min”.
  package static func withoutLabel(_ text: String) -> String {
    guard let colon = text.firstIndex(where: { $0 == ":" || $0 == "：" }), !text[..<colon].contains(where: \.isNumber)
    else { return text }
    let rest = text[text.index(after: colon)...].trimmed
    return minutes(rest) == nil ? text : rest
  }

  /// Returns the number of minutes in `text`.
  ///
  /// It reads ISO 8601 (`PT1H30M`, `P1D`), clocks (`1:30`, `:45`, `1:30:00`), and numbers with units in several
  /// languages (“1 hr 15 min”, “2½ hours”, “1h30”, “1 Std. 10 Min.”), with a word such as “about” in front.
  ///
  /// - Parameters:
  ///   - text: The time as written.
  ///   - plainIsMinutes: Whether a number without a unit means minutes.
  /// - Returns: The minutes; `nil` for a range, which is not one number, for texts with other words, and for more than
  ///   `limit`.
  package static func minutes(_ text: String, plainIsMinutes: Bool = false) -> Double? {
    guard let minutes = told(text, plainIsMinutes: plainIsMinutes), minutes <= limit else {
      return nil
    }
    return minutes
  }

  /// Ten years in minutes: nothing edible takes longer.
  package static let limit: Double = 10 * 366 * 24 * 60

  private static func told(_ text: String, plainIsMinutes: Bool) -> Double? {
    let scalars = Array(text.trimmed.lowercased().unicodeScalars.prefix(200))
    guard let first = scalars.first else { return nil }
    if first == "p", let minutes = iso(scalars.dropFirst()) { return minutes }
    if scalars.contains(":") { return clock(scalars) }
    return words(scalars, plainIsMinutes: plainIsMinutes)
  }

  /// Reads the part of an ISO 8601 duration after the `P`; years and months cannot be converted to minutes.
  private static func iso(_ scalars: ArraySlice<Unicode.Scalar>) -> Double? {
    let hasTime = scalars.contains("t")
    var isTime = false
    var digits = ""
    var minutes: Double?
    for scalar in scalars {
      let factor: Double
      // Some write the letters of parts without a number: `PTH30M`.
      if digits.isEmpty, minutes != nil || scalar != "t", "hms".unicodeScalars.contains(scalar), isTime { continue }
      switch scalar {
      case "0"..."9":
        digits.unicodeScalars.append(scalar)
        continue
      case ".", ",":
        digits += "."
        continue
      case " ": continue
      case "t":
        guard !isTime, digits.isEmpty else { return nil }
        isTime = true
        continue
      case "w" where !isTime: factor = 7 * 24 * 60
      case "d": factor = 24 * 60
      case "h" where isTime || !hasTime: factor = 60
      // Without a “T” this would mean months, but in a recipe it means minutes.
      case "m" where isTime || !hasTime: factor = 1
      case "s" where isTime || !hasTime: factor = 1 / 60
      // These are years and months, which are ignored if they are 0.
      case "y", "m": factor = digits == "0" ? 0 : .nan
      default: return nil
      }
      guard let number = Double(digits), !factor.isNaN else { return nil }
      minutes = (minutes ?? 0) + number * factor
      digits = ""
    }
    return digits.isEmpty ? minutes : nil
  }

  /// Reads hours, minutes and perhaps seconds, separated by colons.
  private static func clock(_ scalars: [Unicode.Scalar]) -> Double? {
    var digits = scalars
    // “1:30 h” means the same as “1:30”.
    while let last = digits.last, last == "h" || last == " " { digits.removeLast() }
    let parts = digits.split(separator: ":", omittingEmptySubsequences: false).map { part in
      part.isEmpty ? 0 : part.allSatisfy { "0"..."9" ~= $0 } ? Double(text(part)) : nil
    }
    guard 2...3 ~= parts.count, let hours = parts[0], let minutes = parts[1], minutes < 60 else {
      return nil
    }
    guard parts.count == 3 else { return hours * 60 + minutes }
    return parts[2].map { hours * 60 + minutes + $0 / 60 }
  }

  /// Reads numbers with units after them, and adds them up.
  private static func words(_ scalars: [Unicode.Scalar], plainIsMinutes: Bool) -> Double? {
    var rest = scalars[...]
    var minutes: Double?
    var number: Double?
    // Whether the number is an article; in some languages that is also a word for “and”.
    var isArticle = false
    var isBehindHours = false
    while let scalar = rest.first {
      if let amount = takeNumber(&rest) {
        guard number == nil || isArticle else { return nil }
        (number, isArticle) = (amount, false)
      } else if scalar.isAlphabetic || scalar == "'" || scalar == "′" {
        let word = takeWord(&rest)
        if number == nil, ones.contains(word) {
          (number, isArticle) = (1, true)
        } else if number == nil || isArticle, let whole = wholes[word] {
          minutes = (minutes ?? 0) + whole
          (number, isArticle, isBehindHours) = (nil, false, whole == 60)
        } else if let part = halves[word], number == nil || isArticle {
          if isBehindHours, part < 1 {
            // “1 heure et demie”
            minutes = minutes.map { $0 + part * 60 }
            (number, isArticle, isBehindHours) = (nil, false, false)
          } else {
            // “half an hour”
            (number, isArticle) = (part, false)
            rest = rest.drop { $0 == " " }
            var behind = rest
            if ones.contains(takeWord(&behind)) { rest = behind }
          }
        } else if let amount = number, let factor = units[word] {
          minutes = (minutes ?? 0) + amount * factor
          (number, isArticle) = (nil, false)
          isBehindHours = factor == 60
        } else if !fillers.contains(word) || number != nil {
          return nil
        }
      } else {
        rest.removeFirst()
        switch scalar {
        case " ", "\u{a0}", ".", ",", "\t", "\u{202f}": continue
        case "~", "≈", "+", "&": if number != nil { return nil }
        // “30-minute”, but not “10-15 minutes”.
        case "-":
          guard number != nil, rest.first?.isAlphabetic == true else { return nil }
        default: return nil
        }
      }
    }
    guard let number, !isArticle else { return minutes }
    if isBehindHours, number < 60 { return minutes.map { $0 + number } }
    return plainIsMinutes && minutes == nil ? number : nil
  }

  private static func takeWord(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
    let word = rest.prefix { $0.isAlphabetic || $0 == "'" || $0 == "′" }
    rest = rest.dropFirst(word.count)
    return text(word)
  }

  /// Takes `2`, `1.5`, `1,5`, `1/2`, `1 1/2`, `½` or `2 ½` from the beginning.
  private static func takeNumber(_ rest: inout ArraySlice<Unicode.Scalar>) -> Double? {
    if let fraction = takeFraction(&rest) { return fraction }
    guard var number = takeDecimal(&rest) else { return nil }
    var behind = rest.drop { $0 == " " || $0 == "\u{a0}" }
    if let fraction = takeFraction(&behind), fraction < 1 {
      rest = behind
      number += fraction
    }
    return number
  }

  private static func takeDecimal(_ rest: inout ArraySlice<Unicode.Scalar>) -> Double? {
    var digits = rest.prefix { "0"..."9" ~= $0 }
    guard !digits.isEmpty else { return nil }
    let behind = rest.dropFirst(digits.count)
    if behind.first == "." || behind.first == "," {
      let decimals = behind.dropFirst().prefix { "0"..."9" ~= $0 }
      if !decimals.isEmpty { digits = rest.prefix(digits.count + 1 + decimals.count) }
    }
    rest = rest.dropFirst(digits.count)
    return Double(text(digits).map { $0 == "," ? "." : String($0) }.joined())
  }

  private static func takeFraction(_ rest: inout ArraySlice<Unicode.Scalar>) -> Double? {
    guard let first = rest.first else { return nil }
    // A character such as “½”; ordinary digits have a numeric value, too.
    if first.value > 0x7f, let value = first.properties.numericValue, value > 0, value < 1 {
      rest.removeFirst()
      return value
    }
    let upper = rest.prefix { "0"..."9" ~= $0 }
    let behind = rest.dropFirst(upper.count)
    guard behind.first == "/" || behind.first == "⁄" else { return nil }
    let lower = behind.dropFirst().prefix { "0"..."9" ~= $0 }
    guard let numerator = Double(text(upper)), let denominator = Double(text(lower)),
      denominator > 0
    else { return nil }
    rest = behind.dropFirst(1 + lower.count)
    return numerator / denominator
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }

  /// The number of minutes in each unit.
  private static let units: [String: Double] = {
    let names: [(Double, String)] = [
      (1 / 60, "s sec secs second seconds sek sekunde sekunden seconde secondes segundo segundos secondi"),
      (1, "m min mins minute minutes minuten mn mns minuto minutos minuti minuut minuter ' ′"),
      (1, "minut minuta minuty minút minúty minutter minutt perc minuuttia dakika dk λεπτά λεπτό λεπτα"),
      (1, "мин минут минуты минута минути хв хвилин хвилини 分 分钟 分鐘 분 phút menit minuts"),
      (60, "h hr hrs hour hours std stdn stunde stunden heure heures hora horas ora ore uur uren timme timmar tim"),
      (60, "godz godzina godziny godzin hod hodina hodiny hodin hodín time timer óra tunti tuntia saat"),
      (60, "ώρα ώρες ωρα ωρες"),
      (1, "دقيقة دقائق دقيقه דקה דקות"),
      (60, "ساعة ساعات ساعه שעה שעות"),
      (60, "ч час часа часов год година години годин часове 時間 小时 小時 시간 giờ jam hores"),
      (24 * 60, "d day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen dagar"),
      (7 * 24 * 60, "w wk wks week weeks woche wochen semaine semaines semana semanas settimana weken"),
    ]
    var units: [String: Double] = [:]
    for (minutes, words) in names {
      for word in words.split(separator: " ") { units[String(word)] = minutes }
    }
    return units
  }()

  /// Words for a half, and for one and a half.
  private static let halves: [String: Double] = {
    let names: [(Double, String)] = [
      (0.5, "half halbe halben demi demie media mezza mezzo meia halv halve pół puol puoli půl fél половина 半"),
      (1.5, "anderthalb eineinhalb anderhalf anderhalve półtorej poldruhé halvannan halvanden полтора"),
    ]
    var halves: [String: Double] = [:]
    for (part, words) in names {
      for word in words.split(separator: " ") { halves[String(word)] = part }
    }
    return halves
  }()

  /// Words that combine a number with its unit, in minutes.
  private static let wholes: [String: Double] = [
    "полчаса": 30, "mezz'ora": 30, "mezzora": 30, "félóra": 30, "un'ora": 60, "半小时": 30, "半小時": 30, "半時間": 30, "半时": 30,
  ]

  /// Words for one.
  private static let ones: Set<String> = [
    "a", "an", "one", "ein", "eine", "einer", "un", "une", "una", "uno", "um", "uma", "een", "en", "ett",
  ]

  /// Words without influence on the duration.
  private static let fillers: Set<String> = [
    "about", "approx", "approximately", "around", "circa", "ca", "etwa", "ungefähr", "rund",
    "environ", "env", "cirka", "około", "okolo", "asi", "kb", "περίπου", "约", "約",
    "and", "und", "et", "plus", "y", "e", "en", "och", "og", "i", "a", "és", "και", "и", "ve", "ja",
  ]
}

extension RecipeTime {
  /// Reads a time; `nil` if there is none, or if it is written as zero.
  ///
  /// - Parameters:
  ///   - text: The time as written.
  ///   - plainIsMinutes: Whether a number without a unit means minutes.
  init?(written text: String?, plainIsMinutes: Bool = false) {
    guard let text = text?.trimmed, !text.isEmpty else { return nil }
    let minutes = Durations.minutes(text, plainIsMinutes: plainIsMinutes)
    guard minutes != 0, minutes != nil || Double(text) != 0 else { return nil }
    self.init(text: text, minutes: minutes)
  }

  /// Creates a time from a number of minutes; `nil` for none and for zero.
  init?(minutes: Double?) {
    guard let minutes, minutes > 0, minutes.isFinite else { return nil }
    let digits = "\(minutes)"
    self.init(
      text: (digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits) + " min",
      minutes: minutes <= Durations.limit ? minutes : nil
    )
  }
}
