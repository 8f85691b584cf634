internal import CDecantXML2

/// The named characters of HTML, such as `eacute`; XML files of other programs use them as well.
package enum HTMLEntities {
  /// Returns the character called `name`, written without `&` and `;`, or `nil` if there is none.
  package static func character(named name: String) -> Unicode.Scalar? {
    if let entity = htmlLookup(name) { return Unicode.Scalar(entity) }
    return later[name]
  }

  private static func htmlLookup(_ name: String) -> UInt32? {
    name.withCString { text in
      text.withMemoryRebound(to: xmlChar.self, capacity: name.utf8.count + 1) {
        htmlEntityLookup($0)?.pointee.value
      }
    }
  }

  /// Names of HTML 5 that occur in recipes; libxml2 has those of HTML 4.
  private static let later: [String: Unicode.Scalar] = [
    "apos": "'", "half": "½", "frac13": "⅓", "frac23": "⅔", "frac15": "⅕", "frac25": "⅖",
    "frac35": "⅗", "frac45": "⅘", "frac16": "⅙", "frac56": "⅚", "frac18": "⅛", "frac38": "⅜",
    "frac58": "⅝", "frac78": "⅞", "comma": ",", "period": ".", "colon": ":", "semi": ";",
    "lpar": "(", "rpar": ")", "lsqb": "[", "rsqb": "]", "lbrack": "[", "rbrack": "]", "num": "#",
    "percnt": "%", "dollar": "$", "excl": "!", "quest": "?", "sol": "/", "bsol": "\\", "ast": "*",
    "plus": "+", "equals": "=", "lowbar": "_", "commat": "@", "grave": "`", "vert": "|",
    "verbar": "|", "hyphen": "‐", "dash": "‐", "NewLine": "\n", "Tab": "\t", "AMP": "&", "LT": "<",
    "GT": ">", "QUOT": "\"", "COPY": "©", "REG": "®", "TRADE": "™",
  ]
}
