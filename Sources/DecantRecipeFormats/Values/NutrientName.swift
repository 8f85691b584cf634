/// The names of nutrition facts as a cook knows them.
package enum NutrientName {
  /// Returns “Saturated fat” for `saturatedFatContent`, which schema.org calls it; `nil` for any other name.
  package static func label(_ name: String) -> String? { labels[name.trimmingBlanks] }

  private static let labels = [
    "calories": "Calories", "carbohydrateContent": "Carbohydrates", "cholesterolContent": "Cholesterol",
    "fatContent": "Fat", "fiberContent": "Fiber", "proteinContent": "Protein", "saturatedFatContent": "Saturated fat",
    "servingSize": "Serving size", "sodiumContent": "Sodium", "sugarContent": "Sugar", "transFatContent": "Trans fat",
    "unsaturatedFatContent": "Unsaturated fat",
  ]
}
