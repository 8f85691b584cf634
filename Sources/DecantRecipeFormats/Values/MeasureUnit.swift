/// The names of units in recipes in English, German, French and seven other languages.
enum MeasureUnit {
  /// The kind of a unit.
  enum Kind: Sendable {
    /// Weight or volume.
    case measure
    /// A container of any size.
    case container
    /// A part or a number of the ingredient itself.
    case portion
  }

  /// Reads and removes the unit, of up to three words, at the beginning of `text`.
  ///
  /// - Parameter text: The text that begins with the unit; the text after the unit remains.
  /// - Returns: The unit as written, without a full stop after it, and its kind; `nil` if there is none.
  static func read(_ text: inout Scalars) -> (unit: String, kind: Kind)? {
    guard let first = split(text, 1)?.0 else { return nil }
    let key = normalised(first)
    // Few units have several words.
    if phraseBeginnings.contains(key) {
      for count in [3, 2] {
        guard let (words, rest) = split(text, count), let kind = kinds[normalised(words)] else { continue }
        text = rest
        return (unit(words), kind)
      }
    }
    guard let kind = kinds[key] else { return nil }
    text = text[first.endIndex...]
    return (unit(first), kind)
  }

  /// Returns a unit without full stops at its end.
  private static func unit(_ words: Scalars) -> String {
    var unit = words
    while unit.last == "." { unit.removeLast() }
    return String(unit)
  }

  /// Whether `word` is a unit.
  static func isUnit(_ word: some StringProtocol) -> Bool {
    String(word).withScalars { kinds[normalised($0.scalars)] != nil }
  }

  /// Returns the first `count` words of `text`, and the text after them.
  private static func split(_ text: Scalars, _ count: Int) -> (Scalars, Scalars)? {
    var end = text.startIndex
    for number in 0..<count {
      if number > 0 {
        while end < text.endIndex, text[end] == " " { end = text.index(after: end) }
      }
      let start = end
      while end < text.endIndex, isPartOfWord(text, end) { end = text.index(after: end) }
      guard start < end else { return nil }
    }
    return (text[..<end], text[end...])
  }

  /// Whether the character is a letter, a full stop, or part of an ending in parentheses: “Stück(e)”.
  private static func isPartOfWord(_ text: Scalars, _ index: Scalars.Index) -> Bool {
    let scalar = text[index]
    if scalar == "." || scalar.isWordLetter { return true }
    guard scalar == "(" || scalar == ")", let before = text.before(index), before != " " else { return false }
    if scalar == ")" { return true }
    let inside = text[text.index(after: index)...].prefix { $0.isWordLetter }
    return inside.count <= 2 && text[inside.endIndex...].first == ")"
  }

  private static func normalised(_ words: Scalars) -> String {
    if words.allSatisfy({ 0x61...0x7a ~= $0.value }) { return String(words) }
    var key = String.UnicodeScalarView()
    var isInside = false
    for scalar in words {
      switch scalar {
      case "(": isInside = true
      case ")": isInside = false
      case ".": break
      case " ": if key.last != " " { key.append(" ") }
      default: if !isInside { key.append(scalar) }
      }
    }
    return String(key).lowercased()
  }

  /// The first words of the units that consist of several words.
  private static let phraseBeginnings = Set(
    kinds.keys.compactMap { key in
      key.contains(" ") ? key.split(separator: " ").first.map(String.init) : nil
    }
  )

  private static let kinds: [String: Kind] = {
    let measures = """
      cup cups c tsp tsps ts teaspoon teaspoons t tbsp tbsps tbs tbl tblsp tb tablespoon tablespoons oz ounce ounces \
      lb lbs pound pounds g gr gm gms gram grams gramm gramme grammes kg kgs kilo kilos kilogram kilograms \
      kilogramm mg ml cl dl l liter liters litre litres milliliter milliliters millilitre millilitres centiliter \
      deziliter pint pints pt pts quart quarts qt qts gallon gallons gal el tl essl teel esslöffel eßlöffel \
      teelöffel msp messerspitze messerspitzen prise prisen pr pinch pinches dash dashes smidgen drop drops \
      tropfen spritzer schuss schuß tasse tassen tasses càs càc cs cc cuillère cuillères cuillerée cuillerées \
      verre verres pincée pincées pfund pfd itm \
      cucharada cucharadas cda cdas cucharadita cucharaditas cdta cdtas taza tazas pizca pizcas vaso vasos litro litros \
      gramo gramos cucchiaio cucchiai cucchiaino cucchiaini bicchiere bicchieri tazza tazze pizzico grammi litri etto etti \
      colher colheres xícara xícaras pitada pitadas copo copos gramas eetlepel eetlepels theelepel theelepels kopje kopjes \
      snufje snufjes scheutje łyżka łyżki łyżek łyżeczka łyżeczki łyżeczek szklanka szklanki szklanek \
      szczypta szczypty msk tsk krm nypa spsk knsk ложка ложки ложек стакан стакана стаканов щепотка гр мл кг г
      """
    let containers = """
      can cans tin tins jar jars package packages pkg pkgs pkt packet packets pack packs bottle bottles box boxes \
      bag bags carton cartons container containers tub tubs envelope envelopes sachet sachets dose dosen \
      packung packungen pck pckg pckch päckchen pack becher glas gläser flasche flaschen tüte tüten beutel \
      boîte boîtes pot pots paquet paquets bouteille bouteilles lata latas bote botes sobre sobres botella botellas \
      barattolo scatola bustina bustine bottiglia caixa caixas garrafa pacote pacotes blik blikje blikjes pak pakje pakjes \
      zakje zakjes puszka puszki opakowanie opakowania burk burkar förpackning påse банка банки упаковка
      """
    let portions = """
      stick sticks bunch bunches clove cloves slice slices piece pieces sprig sprigs stalk stalks head heads ear ears \
      handful handfuls strip strips rasher rashers cube cubes knob knobs bulb bulbs wedge wedges sheet sheets \
      scoop scoops dozen bund bd scheibe scheiben stück stücke stk st zehe zehen zweig zweige stange stangen \
      blatt blätter würfel kugel kugeln handvoll tafel tafeln kopf köpfe knolle knollen gousse gousses tranche \
      tranches botte bottes bouquet bouquets brin brins feuille feuilles poignée poignées morceau morceaux \
      branche branches diente dientes rebanada rebanadas ramita ramitas manojo puñado spicchio spicchi fetta fette \
      rametto rametti mazzetto manciata dente dentes fatia fatias ramo ramos punhado teen teentje teentjes plak \
      plakken plakje plakjes takje takjes handje bosje ząbek ząbki ząbków plaster plastry plastrów pęczek garść klyfta \
      klyftor skiva skivor kvist kvistar knippe fed skive skiver båt зубчик зубчика зубчиков пучок ломтик
      """
    let phrases = [
      "fl oz", "fluid ounce", "fluid ounces", "c à soupe", "c à café", "c à thé", "c à s", "c à c",
      "cuillère à soupe", "cuillères à soupe", "cuillère à café", "cuillères à café",
      "cuil à soupe",
      "cuil à café", "cuillerée à soupe", "cuillerées à soupe", "cuillerée à café",
      "colher de sopa", "colheres de sopa", "colher de chá", "colheres de chá", "ст л",
      "ч л", "столовая ложка", "столовые ложки", "столовых ложек", "чайная ложка", "чайные ложки", "чайных ложек",
      "cuillerées à café", "cuillère à thé", "cuillères à thé", "gestr el", "gestr tl",
      "geh el", "geh tl",
    ]
    var kinds: [String: Kind] = [:]
    for word in measures.split(separator: " ") { kinds[String(word)] = .measure }
    for word in containers.split(separator: " ") { kinds[String(word)] = .container }
    for word in portions.split(separator: " ") { kinds[String(word)] = .portion }
    for phrase in phrases { kinds[phrase] = .measure }
    return kinds
  }()
}
