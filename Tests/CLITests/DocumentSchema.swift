/// Every document that a verb prints with `--json`.
enum DocumentSchema {
  /// The documents by their verbs.
  static let verbs: [String: DocumentShape] = [
    "inspect": inspection, "doctor": examination, "copy": copy("copy"),
    "merge": .either([copy("merge"), series]),
    "export": .either([copy("export"), archives]),
    "import": .either([copy("import"), imports]),
    "verify": verification,
    "diff": .either([difference, copy("merge")]), "check": check, "migrate": migration,
    "query": query, "recipes": recipes, "repoint": repointing, "clean": cleaning, "rollback": rollback,
  ]

  /// The members of every document of a verb, and `members`.
  private static func document(_ verb: String, _ members: [String: DocumentShape]) -> DocumentShape {
    let own: [String: DocumentShape] = [
      "decant": .word(["1.0"]), "verb": .word([verb]), "noteKinds": .list(.text), "notes": .list(.text),
    ]
    return .object(own.merging(members) { $1 })
  }

  // MARK: Recipes

  private static let recipeLine: DocumentShape = .object([
    "id": .integer, "title": .text, "rating": .optional(.number), "categories": .list(.text),
    "source": .optional(.text), "url": .optional(.text),
  ])
  private static let lines: DocumentShape = .list(
    .object(["title": .optional(.text), "text": .text, "heading": .bool]))
  private static let recipe: DocumentShape = .object(
    Dictionary(
      uniqueKeysWithValues: [
        "summary", "notes", "author", "url", "yield", "prepTime", "cookTime", "totalTime", "difficulty", "language",
        "created", "modified", "source",
      ].map { ($0, .optional(.text)) }
        + ["servings", "prepMinutes", "cookMinutes", "totalMinutes", "rating"].map { ($0, .optional(.number)) }
        + [
          ("title", .text), ("isFavorite", .optional(.bool)), ("categories", .list(.text)), ("tags", .list(.text)),
          ("ingredients", lines), ("steps", lines), ("nutrition", lines), ("pictures", .integer),
        ]
    )
  )
  private static let recipes = document(
    "recipes",
    [
      "store": .text, "task": .word(["list", "search", "show", "open", "edit", "delete"]),
      "recipes": .list(recipeLine), "recipe": .optional(recipe), "page": .optional(.text), "parts": .map(.integer),
      "dryRun": .bool, "declined": .bool,
      "changed": .list(.object(["field": .text, "before": .optional(.text), "after": .optional(.text)])),
    ]
  )

  private static let storeMembers: [String: DocumentShape] = [
    "kind": .text, "place": .text,
    "uuid": .optional(.text),
  ]
  private static let store: DocumentShape = .object(storeMembers)
  private static let source: DocumentShape = .object(storeMembers.merging(["fingerprint": .text]) { $1 })

  // MARK: Copies

  private static func copy(_ verb: String) -> DocumentShape {
    document(
      verb,
      [
        "source": source, "destination": store, "entities": .map(entity),
        "links": .optional(links), "linksByRelationship": .map(links),
        "files": .object(["copied": .integer, "missing": .integer]), "phases": .map(.number),
        "peakMemoryBytes": .integer, "rejected": .map(.integer), "rejects": .optional(.text),
        "idTable": .optional(.text), "verified": .bool, "partial": .bool, "dryRun": .bool,
        "plan": .list(planStep), "schema": .list(.text), "mapping": .list(.text), "planHash": .optional(.text),
        "closure": .optional(closure), "linksRemoved": .integer, "partsRemoved": .integer,
        "objectsRemoved": .integer, "preview": .list(preview),
        "conflictCount": .integer,
        "conflicts": .list(conflict), "corrections": .list(correction), "correctionCount": .integer,
        "recipes": .optional(recipeCounts), "unread": .list(unread), "remarks": .list(unread),
        "passedOver": .list(unread), "why": .list(.text),
      ]
    )
  }

  private static let archives = document(
    "export",
    ["folder": .text, "archiveCount": .integer, "objects": .integer, "archives": .list(copy("export"))]
  )
  private static let imports = document("import", ["archives": .list(copy("import"))])

  private static let series = document(
    "merge",
    [
      "merges": .list(copy("merge")), "notMerged": .list(.text),
      "skipped": .list(.object(["source": .text, "merged": .text])), "failure": .optional(failure),
    ]
  )
  private static let remedy: DocumentShape = .either(
    [
      [:], ["option": .text, "value": .optional(.text)], ["byteCount": .optional(.integer)],
      ["place": .optional(.text)],
      ["nearest": .optional(.text)],
      ["programs": .list(.object(["process": .integer, "name": .optional(.text)]))],
    ].map { .object($0.merging(["remedy": .text]) { $1 }) }
  )
  private static let failure: DocumentShape = .object([
    "code": .text, "what": .text, "where": .optional(.text), "remedy": .optional(.text), "remedies": .list(remedy),
    "contexts": .list(.text),
  ])

  private static let entity: DocumentShape = .object([
    "source": .integer, "copied": .integer, "updated": .integer, "skipped": .integer,
    "filtered": .integer, "rejected": .integer, "stubs": .integer, "bytes": .optional(.integer),
    "hash": .optional(.text),
    "merge": .optional(
      .object([
        "new": .integer, "same": .integer, "changed": .integer, "keptBoth": .integer,
        "duplicate": .integer, "notAdded": .integer,
        "pairedBy": .list(
          .object([
            "by": .text, "names": .list(.text), "rank": .optional(.integer), "found": .bool,
            "count": .integer,
          ])
        ),
      ])
    ),
  ])
  private static let links: DocumentShape = .object([
    "copied": .integer, "cut": .integer, "dangling": .integer,
  ])
  private static let planStep: DocumentShape = .object([
    "step": .text, "ids": .optional(.text), "rows": .integer, "statement": .text,
  ])
  private static let closure: DocumentShape = .object([
    "depth": .integer,
    "levels": .list(
      .object([
        "distance": .integer,
        "entities": .map(.object(["objects": .integer, "bytes": .integer])),
      ])
    ),
    "rules": .map(.word(["follow", "reference", "stop"])),
  ])
  private static let conflict: DocumentShape = .object([
    "entity": .text, "source": .optional(.integer), "destination": .optional(.integer),
    "copy": .optional(.integer), "properties": .list(.text),
    "kind": .word(["changed", "added", "pair"]), "title": .optional(.text),
    "key": .optional(.list(.either([.integer, .number, .text]))),
  ])
  private static let preview: DocumentShape = .object([
    "outcome": .word(["added", "updated", "keptBoth", "kept", "removed"]), "entity": .text,
    "count": .integer,
    "objects": .list(
      .object([
        "key": .either([.integer, .list(.either([.text, .number]))]), "title": .optional(.text),
      ])
    ),
  ])
  private static let correction: DocumentShape = .object([
    "entity": .text, "title": .text, "field": .text, "before": .optional(.text), "after": .optional(.text),
  ])

  private static let unread: DocumentShape = .object([
    "file": .text, "entry": .optional(.text), "reason": .text,
    "confidence": .optional(.word(["high", "medium", "low"])),
  ])
  private static let recipeCounts: DocumentShape = .object([
    "found": .integer, "taken": .integer, "alreadyThere": .integer, "changed": .integer, "damaged": .integer,
    "leftOut": .integer,
  ])

  // MARK: Comparisons

  private static let matchedBy: DocumentShape = .word(["ids", "key", "identity", "content"])

  private static let verification = document(
    "verify",
    [
      "source": store, "destination": store, "matchedBy": matchedBy,
      "entities": .map(.object(["source": .integer, "expected": .integer, "matchedBy": matchedBy])),
      "rejected": .integer, "equal": .bool,
      "differences": .list(
        .object([
          "entity": .text, "ids": .list(.integer),
          "kind": .word(["missing", "added", "changed", "misbooked"]), "properties": .list(.text),
          "text": .optional(.text),
        ])
      ),
      "truncated": .bool, "schema": schema, "schemaCount": .integer,
    ]
  )

  /// What two schemas declare otherwise.
  private static let schema: DocumentShape = .list(
    .object([
      "kind": .word([
        "table", "column", "index", "trigger", "view", "text-index", "entity", "attribute",
        "relationship",
      ]),
      "name": .text, "change": .word(["changed", "onlyA", "onlyB"]), "count": .optional(.integer),
      "text": .text,
    ])
  )

  private static let difference = document(
    "diff",
    [
      "a": store, "b": store,
      "entities": .map(.object(counts.merging(["matchedBy": matchedBy]) { $1 })),
      "rows": .map(.object(counts)), "equal": .bool,
      "differences": .list(
        .object([
          "entity": .text, "kind": .word(["changed", "onlyA", "onlyB"]), "a": .list(.integer),
          "b": .list(.integer), "properties": .list(.text),
          "values": .map(.object(["a": .text, "b": .text])),
        ])
      ),
      "truncated": .bool, "schema": schema, "schemaCount": .integer,
    ]
  )
  private static let counts: [String: DocumentShape] = [
    "same": .integer, "changed": .integer, "onlyA": .integer, "onlyB": .integer,
  ]

  // MARK: Versions

  private static let check = document(
    "check",
    [
      "store": store,
      "version": .optional(.object(["name": .text, "by": .text])), "modelOrigin": .optional(.text),
      "against": .object(["place": .text, "version": .text]), "sameHashes": .optional(.bool),
      "migration": .text, "beyondCoreData": .bool, "straight": .optional(.text),
      "obstacle": .optional(
        .object([
          "code": .text, "message": .text, "place": .optional(.text), "remedy": .optional(.text),
        ])
      ),
      "steps": .list(
        .object([
          "from": .text, "to": .text, "asksFor": .text,
          "changes": .list(
            .object([
              "change": .text, "subject": .text, "asksFor": .text, "text": .text,
              "count": .optional(.integer), "examples": .list(.text),
            ])
          ),
          "mappingModels": .list(.text),
        ])
      ),
    ]
  )

  private static let migration = document(
    "migrate",
    [
      "outcome": .word(["none", "migrated", "written", "moved", "seeded"]), "store": store,
      "from": .object(["place": .text, "version": .optional(.text)]),
      "to": .object(["place": .text, "version": .text]), "migration": .text,
      "plan": .list(
        .object([
          "versions": .list(.text), "by": .word(["models", "mapping", "mappingModel"]),
          "file": .optional(.text), "besides": .list(.text),
        ])
      ),
      "copies": .list(.either([copy("copy"), copy("migrate")])), "backup": .optional(.text),
      "removed": .list(.text), "fellBack": .bool, "settled": .optional(.text), "seconds": .number,
      "peakMemoryBytes": .integer, "verified": .bool, "dryRun": .bool,
    ]
  )

  // MARK: Changes in place

  private static let repointing = document(
    "repoint",
    [
      "store": store, "target": .optional(store), "idTable": .optional(.text),
      "toIdentity": .bool,
      "places": .list(
        .object([
          "at": .text, "references": .integer, "changed": .integer, "settled": .integer,
          "kept": .map(.integer),
          "examples": .list(
            .object([
              "entity": .text, "key": .integer, "reason": .text, "value": .optional(.text),
            ])
          ),
        ])
      ),
      "objects": .integer, "backup": .optional(.text), "verified": .bool, "dryRun": .bool,
    ]
  )

  private static let layerMembers: [String: DocumentShape] = [
    "kind": .word(["icloud", "cloudkit", "history"]), "metadataKeys": .list(.text),
    "tables": .list(.object(["name": .text, "holds": .optional(.text), "rows": .integer])),
  ]

  private static let cleaning = document(
    "clean",
    [
      "store": store, "what": .list(.word(["icloud", "cloudkit", "history"])),
      "removed": .list(.object(layerMembers.merging(["counters": .list(.text)]) { $1 })),
      "freePages": .integer, "bytes": .object(["before": .integer, "after": .integer]),
      "backup": .optional(.text), "verified": .bool, "dryRun": .bool,
    ]
  )

  private static let rollback = document(
    "rollback",
    [
      "store": store, "outcome": .word(["exchanged", "placed", "undone", "removed"]),
      "putBack": .optional(.text), "written": .optional(.text), "backup": .optional(.text),
      "removed": .map(.integer), "dryRun": .bool,
    ]
  )

  // MARK: What a store holds

  private static let bytes: DocumentShape = .either([
    .object(["bytes": .optional(.integer), "type": .optional(.text), "base64": .optional(.text)]),
    .object(["bytes": .optional(.integer), "type": .optional(.text), "file": .optional(.text)]),
  ])
  /// Rows, whose names the user gives: the one document that is no object.
  private static let query: DocumentShape = .list(.map(.optional(.either([.text, .number, .bool, bytes]))))

  private static let inspection = document(
    "inspect",
    storeMembers.merging([
      "complete": .bool,
      "size": .object([
        "bytes": .integer, "database": .integer, "log": .integer, "externalFiles": .integer,
        "page": .optional(.integer),
      ]),
      "framework": .optional(.object(["version": .integer, "era": .optional(.text)])),
      "model": .object([
        "origin": .text, "versionIdentifiers": .list(.text), "entities": .list(inspectedEntity),
      ]),
      "objects": .integer, "links": .optional(.integer), "linkEnds": .optional(.integer),
      "dangling": .optional(.integer),
      "externalFiles": .optional(.object(["referenced": .integer, "missing": .integer, "bytes": .integer])),
      "syncMetadata": .list(.object(layerMembers)), "sediment": .list(.object(layerMembers)),
      "appMetadataKeys": .list(.text),
      "otherTables": .list(.object(["name": .text, "rows": .integer])), "triggers": .integer,
      "integrity": .optional(.word(["ok", "damaged"])),
      "problems": .optional(.list(.object(problemMembers))),
    ]) { $1 }
  )

  private static let problemMembers: [String: DocumentShape] = [
    "problem": .text, "subject": .optional(.text), "count": .optional(.integer), "text": .text,
  ]

  private static let examination = document(
    "doctor",
    [
      "store": store, "healthy": .bool, "objects": .integer, "links": .optional(.integer),
      "externalFiles": .integer, "searchedLinks": .bool,
      "findings": .list(
        .object(problemMembers.merging(["advice": .text, "command": .optional(.text)]) { $1 })
      ),
    ]
  )

  private static let inspectedEntity: DocumentShape = .object([
    "name": .text, "superentity": .optional(.text), "abstract": .bool, "objects": .integer,
    "subentityObjects": .integer, "bytes": .optional(.integer), "binaryBytes": .optional(.integer),
    "attributes": .list(
      .object(
        attributeMembers.merging([
          "values": .optional(.integer), "bytes": .optional(.integer),
          // A leaf is no composite itself.
          "leaves": .list(.object(attributeMembers.merging(["leaves": .list(.text)]) { $1 })),
        ]) { $1 }
      )
    ),
    "relationships": .list(
      .object([
        "name": .text, "destination": .text, "toMany": .bool, "ordered": .bool, "optional": .bool,
        "inverse": .optional(.text),
        "deleteRule": .word(["noAction", "nullify", "cascade", "deny"]),
        "onDelete": .optional(.word(["nullify", "cascade", "deny"])),
        "links": .optional(.integer), "dangling": .optional(.integer),
      ])
    ),
    "identityCandidates": .list(.object(["attributes": .list(.text), "reason": .word(["constraint", "values"])])),
  ])

  private static let attributeMembers: [String: DocumentShape] = [
    "name": .text,
    "type": .word([
      "int16", "int32", "int64", "decimal", "double", "float", "string", "bool", "date", "binary",
      "uuid", "uri", "transformable", "objectID", "composite", "undefined",
    ]),
    "optional": .bool,
    "default": .optional(.either([.number, .text, .object(["bytes": .integer])])),
    "transient": .bool, "derived": .optional(.text), "external": .bool,
  ]
}
