internal import DecantCoreData
package import DecantBase
internal import DecantPlan
internal import DecantStore

/// The recipe model as an Xcode model, from which Core Data stores of recipes are made.
///
/// `samples/Recipes.xcdatamodeld` is the same model, for building an app. Ordered relationships correspond to
/// `recipe_position` in a plain database.
package enum RecipeModel {
  private struct Entity {
    let table: RecipeTable
    let relationships: [Relationship]
    var unique: [String] = []
  }

  private struct Relationship {
    let name, destination, inverse: String
    var isToMany = false
    var isOwning = false
    var isOrdered = false
    var isNeeded = false
  }

  private static func part(_ inverse: String) -> Relationship {
    Relationship(name: "recipe", destination: "Recipe", inverse: inverse, isNeeded: true)
  }

  private static func recipes(_ inverse: String) -> Relationship {
    Relationship(name: "recipes", destination: "Recipe", inverse: inverse, isToMany: true)
  }

  private static func list(_ name: String, _ destination: String, isOrdered: Bool = true) -> Relationship {
    Relationship(
      name: name,
      destination: destination,
      inverse: "recipe",
      isToMany: true,
      isOwning: true,
      isOrdered: isOrdered
    )
  }

  private static let entities = [
    Entity(table: .category, relationships: [recipes("categories")], unique: ["name"]),
    Entity(
      table: .image,
      relationships: [
        part("images"), Relationship(name: "step", destination: "Step", inverse: "images"),
      ]
    ),
    Entity(table: .ingredient, relationships: [part("ingredients")]),
    Entity(table: .nativeID, relationships: [part("nativeIDs")], unique: ["format", "value"]),
    Entity(table: .nutrition, relationships: [part("nutrition")]),
    Entity(
      table: .recipe,
      relationships: [
        Relationship(name: "categories", destination: "Category", inverse: "recipes", isToMany: true),
        list("images", "Image"), list("ingredients", "Ingredient"),
        list("nativeIDs", "NativeID", isOrdered: false), list("nutrition", "Nutrition"),
        Relationship(name: "source", destination: "Source", inverse: "recipes"),
        list("steps", "Step"),
        Relationship(name: "tags", destination: "Tag", inverse: "recipes", isToMany: true),
      ],
      unique: ["uuid"]
    ),
    Entity(table: .source, relationships: [recipes("source")], unique: ["name"]),
    Entity(
      table: .step,
      relationships: [
        Relationship(name: "images", destination: "Image", inverse: "step", isToMany: true),
        part("steps"),
      ]
    ),
    Entity(table: .tag, relationships: [recipes("tags")], unique: ["name"]),
  ]

  /// The model's `contents`, as Xcode writes it.
  static var contents: String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
      #"<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" "#
        + #"lastSavedToolsVersion="22522" systemVersion="23B81" minimumToolsVersion="Automatic" "#
        + #"sourceLanguage="Swift" userDefinedModelVersionIdentifier="Recipes 1">"#,
    ]
    for entity in entities {
      lines.append(
        "    <entity name=\"\(entity.table.name)\" representedClassName=\"\(entity.table.name)\" "
          + #"syncable="YES" codeGenerationType="class">"#
      )
      lines += entity.table.columns.sorted { $0.name < $1.name }.map(attribute)
      lines += entity.relationships.map(relationship)
      if !entity.unique.isEmpty {
        lines.append("        <uniquenessConstraints>")
        lines.append("            <uniquenessConstraint>")
        lines += entity.unique.map { "                <constraint value=\"\($0)\"/>" }
        lines.append("            </uniquenessConstraint>")
        lines.append("        </uniquenessConstraints>")
      }
      lines.append("    </entity>")
    }
    return (lines + ["</model>", ""]).joined(separator: "\n")
  }

  private static func attribute(_ column: RecipeColumn) -> String {
    var line = "        <attribute name=\"\(column.name)\""
    if !column.isNeeded { line += #" optional="YES""# }
    switch column.kind {
    case .text: line += #" attributeType="String""#
    case .number: line += #" attributeType="Double" usesScalarValueType="NO""#
    case .bytes: line += #" attributeType="Binary" allowsExternalBinaryDataStorage="YES""#
    case .truth:
      line += #" attributeType="Boolean" usesScalarValueType="NO""#
      if column.isNeeded { line += #" defaultValueString="NO""# }
    }
    return line + "/>"
  }

  private static func relationship(_ relationship: Relationship) -> String {
    var line = "        <relationship name=\"\(relationship.name)\""
    if !relationship.isNeeded { line += #" optional="YES""# }
    line += relationship.isToMany ? #" toMany="YES""# : #" maxCount="1""#
    line += " deletionRule=\"\(relationship.isOwning ? "Cascade" : "Nullify")\""
    if relationship.isOrdered { line += #" ordered="YES""# }
    let (destination, inverse) = (relationship.destination, relationship.inverse)
    return line
      + " destinationEntity=\"\(destination)\" inverseName=\"\(inverse)\" inverseEntity=\"\(destination)\"/>"
  }

  /// Returns the error for a store with another model; `command` drafts a mapping.
  package static func mismatch(_ message: DecantError.Text, _ command: DecantError.Text) -> DecantError {
    DecantError(
      .modelsDiffer,
      message,
      remedy: "map one model to the other with \(say: .mapping) FILE; "
        + "\(command) drafts such a file"
    )
  }

  /// Writes the model into `folder` and returns its place.
  package static func write(in folder: String) throws(DecantError) -> String {
    let place = "\(folder)/Recipes.xcdatamodel"
    do throws(SystemError) {
      if FileStatus(place) == nil { try Files.makeFolder(place) }
    } catch {
      throw DecantError(error)
    }
    let file = try OutputFile("\(place)/contents")
    file.write(contents)
    try file.close()
    return place
  }
}
