// The public names clash with no other framework's; the package itself uses short ones.

package typealias Model = DataModel
package typealias Attribute = ModelAttribute
package typealias Relationship = ModelRelationship
package typealias Value = StoreValue

package typealias Entity = DataModel.Entity
