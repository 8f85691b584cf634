internal import DecantBase

/// Names of nutrients for the reader.
package enum NutrientName {
  /// Returns “Saturated fat” for schema.org's `saturatedFatContent`; `nil` for any unknown name.
  package static func label(_ name: String) -> String? { labels[name.trimmed] }

  private static let labels = [
    "calories": "Calories", "carbohydrateContent": "Carbohydrates", "cholesterolContent": "Cholesterol",
    "fatContent": "Fat", "fiberContent": "Fiber", "proteinContent": "Protein", "saturatedFatContent": "Saturated fat",
    "servingSize": "Serving size", "sodiumContent": "Sodium", "sugarContent": "Sugar", "transFatContent": "Trans fat",
    "unsaturatedFatContent": "Unsaturated fat",
  ]
}
