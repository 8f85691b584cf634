// What apps import has names that clash with no other framework's; the package itself uses short ones.

package typealias Model = DataModel
package typealias Attribute = ModelAttribute
package typealias Relationship = ModelRelationship
package typealias Layout = StoreLayout
package typealias Query = StoreQuery
package typealias Value = StoreValue
