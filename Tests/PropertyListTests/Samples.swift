/// Property lists made by `plistlib` of Python 3.11: `plistlib.dumps(value, fmt=…)`, in base64 where
/// they are binary.
enum Samples {
  /// A dictionary with a value of each kind.
  static let binary = """
    YnBsaXN0MDDfEBEBAgMEBQYHCAkKCwwNDg8QERITFBUWFxgdHiQlJicoKSorVWFzY2lpU2JpZ1Rib29sVGJ5dGVUZG
    F0YVRkYXRlVGRpY3RVbGVhc3RUbGlzdFRsb25nVW1pbnVzUm5vU29sZFRyZWFsVXNtYWxsVHRleHRUd29yZFhQYW5j
    YWtlcxN//////////wkQ/08QFAABAgMEBQYHCAkKCwwNDg8QERITM0HIWOO4AAAA0hkaGxxVZW1wdHlTdWlkUIEBLB
    OAAAAAAAAAAKUfICEiIxABEAJReKDQEv////8T//////////8IM8HNJ+RAAAAAIz+5mZmZmZmaEAdvEC4AQwByAOoA
    cABlAHMAIADgACAARADpAGQA6QAg2D7dXgAgIBQAIABhACAAdABlAHgAdAAgAG8AZgAgAG0AbwByAGUAIAB0AGgAYQ
    BuACAAZgBpAGYAdABlAGUAbhH//wAIAC0AMwA3ADwAQQBGAEsAUABWAFsAYABmAGkAbQByAHgAfQCCAIsAlACVAJcA
    rgC3ALwAwgDGAMcAygDTANkA2wDdAN8A4ADhAOYA7wDwAPkBAgEEAWMAAAAAAAACAQAAAAAAAAAsAAAAAAAAAAAAAA
    AAAAABZg==
    """

  /// The same as XML, without the reference.
  static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
      <key>ascii</key>
      <string>Pancakes</string>
      <key>big</key>
      <integer>9223372036854775807</integer>
      <key>bool</key>
      <true/>
      <key>byte</key>
      <integer>255</integer>
      <key>data</key>
      <data>
      AAECAwQFBgcICQoLDA0ODxAREhM=
      </data>
      <key>date</key>
      <date>2026-11-21T12:34:56Z</date>
      <key>dict</key>
      <dict>
        <key>empty</key>
        <string></string>
      </dict>
      <key>least</key>
      <integer>-9223372036854775808</integer>
      <key>list</key>
      <array>
        <integer>1</integer>
        <integer>2</integer>
        <string>x</string>
        <array/>
        <dict/>
      </array>
      <key>long</key>
      <integer>4294967295</integer>
      <key>minus</key>
      <integer>-1</integer>
      <key>no</key>
      <false/>
      <key>old</key>
      <date>1970-01-01T00:00:00Z</date>
      <key>real</key>
      <real>0.1</real>
      <key>small</key>
      <integer>7</integer>
      <key>text</key>
      <string>Crêpes à Dédé 🥞 — a text of more than fifteen</string>
      <key>word</key>
      <integer>65535</integer>
    </dict>
    </plist>
    """

  /// An archive as `NSKeyedArchiver` lays it out: an object with values of many classes.
  static let archive = """
    YnBsaXN0MDDUAQIDBAUGkJNZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2ZX
    KvEBoHCCUrLDM2Nzs+SU9YXmRnbG90dXZ6fYGFjlUkbnVsbN4JCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkViRj
    bGFzc1Vjb3VudFRkaWN0VGZsYWdVa25vd25UbG9zdFRuYW1lVG5vdGVVcHJpY2VUc2VsZlR0YWdzVHRleHRXdW5rbm
    93blR3aGVugAIQA4AYCYALgGOAA4AAgAmAAYAEgBaAFIAH0iYnKClYJGNsYXNzZXNaJGNsYXNzbmFtZaIpKlZSZWNp
    cGVYTlNPYmplY3RYUGFuY2FrZXPSCS0uL1pOUy5vYmplY3RzgAWjMDEygAOABoAA0iYnNDWiNSpVTlNTZXRVc3dlZX
    TSCTg5OldOUy50aW1lgAgjQPUYCAAAAADSJic8PaI9KlZOU0RhdGXXCT9AQUJDREUaRkdIRxpaTlMuY29tcGFjdFtO
    Uy5leHBvbmVudFlOUy5sZW5ndGhbTlMubWFudGlzc2FeTlMubWFudGlzc2EuYm9bTlMubmVnYXRpdmWAChP///////
    ///hABTxAQOTAAAAAAAAAAAAAAAAAAANImJ0pLpUtMTU4qXxAaTlNEZWNpbWFsTnVtYmVyUGxhY2Vob2xkZXJfEA9O
    U0RlY2ltYWxOdW1iZXJYTlNOdW1iZXJXTlNWYWx1ZdUJUFFSU1RVVldHWmVtcHR5VG9rZW5dc2VhcmNoTWFwcGluZ1
    Z2YWx1ZXNXdmVyc2lvboAMgBOADYAR0iYnWVqlWltcXSpfEBZOU0tub3duS2V5c0RpY3Rpb25hcnkxXxAVTlNLbm93
    bktleXNEaWN0aW9uYXJ5XxATTlNNdXRhYmxlRGljdGlvbmFyeVxOU0RpY3Rpb25hcnnUCV9gU2FiY0dUa2V5c1ZsZW
    5ndGiADoAPEALSJidlZqJmKl8QG05TS25vd25LZXlzTWFwcGluZ1N0cmF0ZWd5MdIJLWhpgBCiamuAA4AG0iYnbW6i
    bipXTlNBcnJhedIJLXBxgBCicnOAEoADECpVdG9rZW7SCXd4eVh3aGF0ZXZlcoAVgAHSJid7fKJ8KllBcHAuQ292ZX
    LSCX5/gFlOUy5zdHJpbmeAF1dtdXRhYmxl0iYngoOjg4QqXxAPTlNNdXRhYmxlU3RyaW5nWE5TU3RyaW5n0wmGLYeI
    i1dOUy5rZXlzgBmiiYqAA4AGooyNgAaAA9ImJ49dol0q0ZGSVHJvb3SAARIAAYagAAgAEQAbACQAKQAyAEQAYQBnAI
    QAiwCRAJYAmwChAKYAqwCwALYAuwDAAMUAzQDSANQA1gDYANkA2wDdAN8A4QDjAOUA5wDpAOsA7QDyAPsBBgEJARAB
    GQEiAScBMgE0ATgBOgE8AT4BQwFGAUwBUgFXAV8BYQFqAW8BcgF5AYgBkwGfAakBtQHEAdAB0gHbAd0B8AH1AfsCGA
    IqAjMCOwJGAlECXwJmAm4CcAJyAnQCdgJ7AoECmgKyAsgC1QLeAuMC6gLsAu4C8AL1AvgDFgMbAx0DIAMiAyQDKQMs
    AzQDOQM7Az4DQANCA0QDSgNPA1gDWgNcA2EDZANuA3MDfQN/A4cDjAOQA6IDqwOyA7oDvAO/A8EDwwPGA8gDygPPA9
    ID1QPaA9wAAAAAAAACAQAAAAAAAACUAAAAAAAAAAAAAAAAAAAD4Q==
    """
}
