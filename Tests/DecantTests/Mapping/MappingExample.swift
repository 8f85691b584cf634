/// One mapping, as YAML with everything a mapping can have, and as JSON.
enum MappingExample {
  static let yaml = #"""
    decant: 1
    contract: { entities: freeze, attributes: discard }   # freeze: losing data is an error
    defaults:
      merge: { policy: newest, by: modifiedAt }
      missing: stub
      duplicates: keep-both
      rejects: { max: 20, rate: 0.25 }
    namespace: 6ba7b810-9dad-11d1-80b4-00c04fd430c8

    entities:
      Recipe:
        from: OldRecipe
        where: "deleted = 0"
        identity: [uuid, position]
        generate: { uuid: { uuid5: [title, createdAt] }, other: uuid5, third: uuid4 }
        merge: { policy: newest, by: modifiedAt, keep: [rating, notes] }
        set:
          title: name
          servings: "coalesce(serves, 4)"
          slug: "lower(replace(name, ' ', '-'))"
          isGood: true
          isBad: false
          weight: 2.5
          nothing: null
          parent: $self
        drop: [lastViewed]
        anonymize: { author: hash, email: redact }
      Ingredient:
        - from: Ingredient
          merge: skip
        - from: [OldRecipe, OlderRecipe]
          where: mainIngredient IS NOT NULL
          set: { name: mainIngredient, position: 0, recipe: $self }
      Step: {}
      Tag:

    relationships:
      Recipe.ingredients: follow
      Recipe.category: { rule: reference, missing: stub }
      inverse of Recipe.menus: stop
      Recipe.similar: { rule: follow, depth: 1, where: "rating >= 4" }

    share:
      email: { roots: { Recipe: "uuid = :id" }, strip: [Recipe.rating], max: { objects: 10000, bytes: 25MB } }
    """#

  /// The same, with tabs, and with quotes wherever JSON wants them.
  static let json = #"""
    {
    	"decant":1,
    	"contract":	{"entities": "freeze", "attributes": "discard"},
    	"defaults": {
    		"merge": {"policy": "newest", "by": "modifiedAt"},
    		"missing": "stub", "duplicates": "keep-both",
    		"rejects": {"max": 20, "rate": 0.25}
    	},
    	"namespace": "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    	"entities": {
    		"Recipe": {
    			"from": "OldRecipe",
    			"where": "deleted = 0",
    			"identity": ["uuid", "position"],
    			"generate": {"uuid": {"uuid5": ["title", "createdAt"]}, "other": "uuid5", "third": "uuid4"},
    			"merge": {"policy": "newest", "by": "modifiedAt", "keep": ["rating", "notes"]},
    			"set": {
    				"title": "name",
    				"servings": "coalesce(serves, 4)",
    				"slug": "lower(replace(name, ' ', '-'))",
    				"isGood": true,
    				"isBad": false,
    				"weight": 2.5,
    				"nothing": null,
    				"parent": "$self"
    			},
    			"drop": ["lastViewed"],
    			"anonymize": {"author": "hash", "email": "redact"}
    		},
    		"Ingredient": [
    			{"from": "Ingredient", "merge": "skip"},
    			{
    				"from": ["OldRecipe", "OlderRecipe"],
    				"where": "mainIngredient IS NOT NULL",
    				"set": {"name": "mainIngredient", "position": 0, "recipe": "$self"}
    			}
    		],
    		"Step": {},
    		"Tag": null
    	},
    	"relationships": {
    		"Recipe.ingredients": "follow",
    		"Recipe.category": {"rule": "reference", "missing": "stub"},
    		"inverse of Recipe.menus": "stop",
    		"Recipe.similar": {"rule": "follow", "depth": 1, "where": "rating >= 4"}
    	},
    	"share": {
    		"email": {
    			"roots": {"Recipe": "uuid = :id"},
    			"strip": ["Recipe.rating"],
    			"max": {"objects": 10000, "bytes": "25MB"}
    		}
    	}
    }
    """#
}
