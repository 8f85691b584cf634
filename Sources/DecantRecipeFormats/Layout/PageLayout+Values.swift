extension PageLayout {
  /// A time that recipes tell.
  enum Time { case prep, cook, total }

  /// How much it makes, where a line of its own says it: “Serves 4”, “Portionen: 6”.
  var yield: String? {
    for (index, line) in lines.enumerated() where line.text.utf8.count <= 60 {
      let text = line.text.withoutBullets
      if line.digitCount > 0 {
        if Servings.number(in: text) != nil, Double(text) == nil { return text }
      } else if index + 1 < lines.count, lines[index + 1].text.utf8.count <= 20 {
        // The number stands in an element of its own.
        let both = "\(text) \(lines[index + 1].text)"
        if Servings.number(in: both) != nil, Servings.number(in: lines[index + 1].text) != nil { return both }
      }
    }
    return nil
  }

  /// A time, where a line or two say it behind its name: “Prep time: 20 min”.
  func time(_ time: Time) -> RecipeTime? {
    for (index, line) in lines.enumerated() where line.text.utf8.count <= 80 {
      guard let rest = Self.rest(of: line.text, behind: time) else { continue }
      if !rest.isEmpty {
        if let minutes = Durations.minutes(rest), minutes > 0 { return RecipeTime(text: rest, minutes: minutes) }
      } else if index + 1 < lines.count, let minutes = Durations.minutes(lines[index + 1].text), minutes > 0 {
        return RecipeTime(text: lines[index + 1].text, minutes: minutes)
      }
    }
    return nil
  }

  /// What stands behind the name of a time, without signs; `nil` where the line does not begin with it.
  private static func rest(of line: String, behind time: Time) -> String? {
    let folded = String(decoding: FoldedText.searched(line.withoutBullets), as: UTF8.self)
    guard let name = names[time]?.first(where: folded.hasPrefix) else { return nil }
    let rest = folded.dropFirst(name.count)
    guard rest.first?.isLetter != true else { return nil }
    return rest.drop { !$0.isLetter && !$0.isNumber }.trimmingBlanks
  }

  /// The names of times, as they are searched; longer ones before those that they begin with.
  private static let names: [Time: [String]] = {
    func list(_ text: String) -> [String] {
      text.split(separator: ",").map { String(decoding: FoldedText.searched(String($0)), as: UTF8.self) }
        .sorted { $0.count > $1.count }
    }
    return [
      .prep: list(
        "prep time,preparation time,prep,preparation,prepping time,active time,hands on time,vorbereitungszeit,vorbereitung,"
          + "arbeitszeit,zubereitungszeit,zubereitung,temps de préparation,préparation,tiempo de preparación,preparación,"
          + "tempo de preparo,tempo de preparação,preparo,tempo di preparazione,preparazione,bereidingstijd,bereiding,"
          + "voorbereidingstijd,voorbereiding,voorbereiden,czas przygotowania,przygotowanie,doba přípravy,příprava,príprava,"
          + "tillagningstid,förberedelse,forberedelse,arbejdstid,előkészítés,χρόνος προετοιμασίας,προετοιμασία,hazırlama süresi"
      ),
      .cook: list(
        "cook time,cooking time,cooking,cook,bake time,baking time,baking,kochzeit,kochen,garzeit,backzeit,koch-/backzeit,"
          + "temps de cuisson,cuisson,tiempo de cocción,cocción,tempo de cozimento,tempo di cottura,cottura,kooktijd,oventijd,"
          + "baktijd,wachttijd in oven,czas gotowania,czas pieczenia,doba vaření,doba pečení,pečení,koketid,stegetid,bagetid,"
          + "koktid,χρόνος μαγειρέματος,μαγείρεμα,ψήσιμο,pişirme süresi,sütési idő,főzési idő"
      ),
      .total: list(
        "total time,total,ready in,takes,time,overall time,gesamtzeit,gesamt,insgesamt,dauer,temps total,durée totale,"
          + "tiempo total,tempo total,tempo totale,totale tijd,totaal,totale bereidingstijd,czas całkowity,całkowity czas,"
          + "celkový čas,celkem,tid i alt,total tid,totaltid,συνολικός χρόνος,σύνολο,toplam süre"
      ),
    ]
  }()
}
