// decant is one import for an app; the package itself imports the targets that it needs.

@_exported public import DecantArchive
@_exported public import DecantBase
@_exported public import DecantCopy
@_exported public import DecantCoreData
@_exported public import DecantMaintain
@_exported public import DecantMapping
@_exported public import DecantMatch
@_exported public import DecantMerge
@_exported public import DecantMigrate
@_exported public import DecantObjects
@_exported public import DecantPages
@_exported public import DecantPlain
@_exported public import DecantPlan
@_exported public import DecantProof
@_exported public import DecantRecipeFormats
@_exported public import DecantRecipes
@_exported public import DecantStore
@_exported public import DecantTransfer
@_exported public import DecantVersions
