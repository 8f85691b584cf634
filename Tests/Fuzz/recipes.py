"""Small samples of the formats that recipes travel in, hand-made, for the fuzzers of recipes."""
import base64, gzip, io, json, plistlib, zipfile

PICTURE = b"\xff\xd8\xff\xe0\0\x10JFIF\0" + bytes(range(40)) + b"\xff\xd9"
CODED = base64.b64encode(PICTURE).decode()

PAPRIKA = {
    "uid": "5D2F7E9C-0001", "name": "Leek soup ", "ingredients": "Soup:\n1 1/2 cups leek, sliced\n2-3 tbsp oil\n",
    "directions": "1. Fry.\n2. Boil **well** for 20 minutes.", "notes": None, "servings": "Serves 1.5", "rating": 4,
    "prep_time": "8 20 minutes", "cook_time": "1 hour to 4 hours", "categories": ["Soup", ""], "source": "Aunt",
    "source_url": "https://www.example.com/a?utm_source=b#c", "photo_data": CODED, "photo": "a.jpg",
    "photos": [{"name": "1", "filename": "b.jpg", "hash": "0", "data": CODED[:60]}], "nutritional_info": "Fat: 3 g\nx",
    "on_favorites": True, "scale": "1/2",
}
MELA = {
    "id": "example.com/soup", "title": "Soup", "images": [CODED], "categories": ["a"], "yield": "4", "prepTime": "5 min",
    "ingredients": "# Base\n1 leek\n[2](https://e.org) onions", "instructions": "# First\n*Fry* them.", "link": "x",
    "date": 710000000.5, "favorite": True, "text": "Good", "nutrition": "Fat 3 g", "notes": "", "wantToCook": False,
}
CROUTON = {
    "uuid": "A-1", "name": "Stew", "images": [CODED], "serves": 4, "duration": 10, "cookingDuration": 30,
    "ingredients": [{"uuid": "1", "order": 1, "ingredient": {"uuid": "2", "name": "flour"},
                     "quantity": {"amount": 1.5, "secondaryAmount": 2, "quantityType": "GRAMS"}},
                    {"order": 0, "ingredient": {"name": "Dough"}, "quantity": {"quantityType": "SECTION"}}],
    "steps": [{"uuid": "3", "order": 0, "step": "Mix", "isSection": False}], "tags": [{"name": "t", "color": "red"}, "u"],
    "webLink": "https://e.org", "neutritionalInfo": "Calories: 528 kcal,\nFat: 2 g", "folderIDs": [], "isPublicRecipe": False,
}
TANDOOR = {
    "name": "Curry", "description": "d", "keywords": [{"name": "k", "icon": None}], "working_time": 5, "waiting_time": 10,
    "servings": 2, "servings_text": "plates", "source_url": "", "nutrition": {"fats": 1},
    "steps": [{"name": "One", "instruction": "**Cook**", "time": 5, "order": 0, "ingredients": [
        {"food": {"name": "rice"}, "unit": {"name": "g"}, "amount": 200.0, "note": "x", "order": 0, "is_header": False},
        {"food": None, "unit": None, "amount": 0, "note": "For it", "is_header": True, "no_amount": True}]}],
}
MEALIE = {
    "slug": "pie", "name": "Pie", "id": "9f1d2c3e-0000-4000-8000-000000000001", "recipe_yield": "2", "total_time": "PT1H",
    "recipe_ingredient": [{"title": "A", "note": "1 egg", "unit": None, "food": {"name": "egg"}, "quantity": 1.0}, "x"],
    "recipe_instructions": [{"title": "", "text": "Bake"}], "tags": ["t", {"name": "u"}], "org_url": "https://e.org/pie",
    "notes": [{"title": "n", "text": "t"}], "nutrition": {"calories": "5"}, "assets": [], "settings": {}, "rating": 5,
}
BACKUP = {
    "alembic_version": [{"version_num": "x"}], "users": [{"id": 1, "password": "secret"}],
    "recipes": [{"id": "r1", "slug": "pie", "name": "Pie", "recipe_yield": "2", "rating": 3, "org_url": "e.org"}],
    "recipes_ingredients": [{"id": 1, "recipe_id": "r1", "position": 0, "note": "egg", "unit_id": None, "food_id": "f"}],
    "recipe_instructions": [{"id": "i", "recipe_id": "r1", "position": 0, "title": "", "text": "Bake"}],
    "ingredient_foods": [{"id": "f", "name": "egg"}], "ingredient_units": [], "tags": [{"id": "t", "name": "T"}],
    "recipes_to_tags": [{"recipe_id": "r1", "tag_id": "t"}], "categories": [], "recipes_to_categories": [],
}
SCHEMA = {
    "@context": "https://schema.org", "@graph": [
        {"@type": ["Recipe", "NewsArticle"], "@id": "#r", "name": "Tea &amp;amp; cake", "url": "https://e.org/tea",
         "recipeIngredient": ["1 bag tea", None, {"text": "milk"}], "recipeYield": ["4", "4 servings"], "keywords": "a, b",
         "recipeInstructions": [{"@type": "HowToSection", "name": "S", "itemListElement": [
             {"@type": "HowToStep", "text": "Pour", "image": {"@id": "#i"}}]}, "Then <b>drink</b>"],
         "prepTime": "P0DT0H30M", "cookTime": "PT1H30M", "image": ["//e.org/a.jpg", "data:image/png;base64," + CODED],
         "nutrition": {"@type": "NutritionInformation", "calories": "240 kcal"}, "author": [{"@id": "#p"}],
         "aggregateRating": {"ratingValue": "4.5"}, "datePublished": "2020-01-02", "x-own": {"deep": [[1, {}]]}},
        {"@type": "Person", "@id": "#p", "name": "P"}, {"@type": "ImageObject", "@id": "#i", "url": "full.jpg"}]}
FOX = [{"title": "Salad", "ingredients": "1 leaf\n2 nuts", "directions": "Toss", "_imageurl": "http://e.org/a.jpg",
        "image": {"url": "u", "base64": CODED}, "servings": "2"}]
LENIENT = b'\xef\xbb\xbf// c\n<![CDATA[{"@type":"Recipe",/* x */"name":"A\tb\\q \\ud83c\\udf72 \xe9",\n"recipeIngredient":["a",,],' \
    b'"prepTime":PT5M,"recipeYield":+1,"rating":.5,"x":NaN,}]]>'

GOURMET = f"""<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE gourmetDoc><gourmetDoc><recipe id="1">
<title>Rice &amp;amp; peas</title><category>Side, Main</category><rating>3/5 stars</rating><preptime>40 minutes</preptime>
<yields>6 servings</yields><image format="jpeg"><![CDATA[{CODED}]]></image><ingredient-list><inggroup><groupname>G</groupname>
<ingredient optional="yes"><amount>1 1/2</amount><unit>c.</unit><item>rice</item></ingredient></inggroup>
<ingref refid="2" amount="1">Peas</ingref></ingredient-list><instructions>&amp;lt;i&amp;gt;Cook&amp;lt;/i&amp;gt;</instructions>
<modifications>More</modifications></recipe></gourmetDoc>"""
KRECIPES = f"""<?xml version="1.0"?><krecipes version="2.1" lang="us"><krecipes-category-structure><category name="A"/>
</krecipes-category-structure><krecipes-recipe id="1"><krecipes-description><title>Cake</title><author>U</author><pictures>
<pic format="JPEG" id="1"><![CDATA[{CODED[:40]}
{CODED[40:]}]]></pic></pictures><category><cat>A</cat></category><yield><amount><min>2</min><max>3</max></amount><type>p</type></yield>
<preparation-time>01:30</preparation-time></krecipes-description><krecipes-ingredients><ingredient-group name="G"><ingredient>
<name>egg</name><amount>2</amount><unit>x</unit><prep>beaten, cold</prep></ingredient></ingredient-group></krecipes-ingredients>
<krecipes-instructions>Mix.

Bake.</krecipes-instructions></krecipes-recipe></krecipes>"""
FDX = f"""\ufeff<?xml version="1.0" encoding="UTF-8"?><fdx Source="LC" FileVersion="2.0"><Cookbooks><Cookbook ID="1" Name="C"/>
</Cookbooks><CookbookChapters><CookbookChapter ID="2" Name="H" CookbookID="1" ParentChapterID="0"/></CookbookChapters><Recipes>
<Recipe Name="Roll" ID="7" CookbookID="1" CookbookChapterID="2" Servings="4" PreparationTime="65" RecipeTypes="Main, Beef"
Comments="a&#xD;&#xA;b"><RecipeIngredients><RecipeIngredient Quantity="1 1/2" Unit="c" Ingredient="flour" Heading="N"/>
<RecipeIngredient Ingredient="Sauce" Heading="Y"/></RecipeIngredients><RecipeProcedures><RecipeProcedure Heading="N">
<ProcedureText>Roll</ProcedureText></RecipeProcedure></RecipeProcedures><RecipeNutrition 5x="1"/><RecipeImage FileType="GIF"
dt:dt="bin.base64" xmlns:dt="u">{CODED}</RecipeImage></Recipe></Recipes><Ingredients><Ingredient Name="x"/></Ingredients></fdx>"""
MACGOURMET = f"""<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><array><dict><key>NAME</key><string>Bread</string>
<key>CATEGORIES</key><array><dict><key>NAME</key><string>B</string></dict></array><key>SERVINGS</key><integer>4</integer>
<key>DIRECTIONS_LIST</key><array><dict><key>DIRECTION_TEXT</key><string>Bake</string></dict></array><key>INGREDIENTS_TREE</key>
<array><dict><key>QUANTITY</key><string>2 1/2</string><key>MEASUREMENT</key><string>cups</string><key>DESCRIPTION</key>
<string>flour</string><key>IS_DIVIDER</key><false/></dict></array><key>PREP_TIMES</key><array><dict><key>AMOUNT</key>
<integer>30</integer><key>TIME_TYPE_ID</key><integer>5</integer><key>TIME_UNIT_ID</key><integer>2</integer></dict></array>
<key>EXPORT_TYPE</key><string>%s</string><key>IMAGE</key><%s>%s</%s></dict></array></plist>"""
COOKMATE = """<?xml version="1.0" encoding="UTF-8"?><cookbook version="71"><recipe><title>Pancakes</title><preptime>20 mn</preptime>
<ingredient><li>1 egg</li><li></li></ingredient><recipetext>Fry
turn</recipetext><imagepath>/sdcard/images/a.jpg</imagepath><image><path>images/b.jpg</path></image><quantity>4</quantity>
<rating>3</rating><category>Sweet</category><url>http://e.org</url></recipe></cookbook>"""
COOKML = f"""<?xml version="1.0"?><!DOCTYPE cookml SYSTEM "cookml.dtd"><cookml version="1.0"><recipe lang="DE"><head title="K&auml;se"
rid="1,2" servingqty="1" servingtype="Kuchen" createdate="2-02-09T00:00:00" timeallqty="2 Stunden"><cat>3</cat><hint>H</hint>
<sourceline>S</sourceline><picbin format="JPG">{CODED}</picbin></head><part title="Teig"><ingredient qty="200" unit="g" item="Mehl">
<inote>fein</inote></ingredient></part><preparation><text>R&uuml;hren</text></preparation><remark><line>L</line></remark></recipe></cookml>"""
RECIPEML = """<?xml version="1.0"?><!DOCTYPE recipeml PUBLIC "-//F//DTD RecipeML 0.5//EN" "http://www.formatdata.com/r.dtd"><recipeml>
<menu><recipe><head><title>Cake</title><categories><cat>C</cat></categories><yield><range><q1>6</q1><q2>8</q2></range><unit>p</unit>
</yield><preptime type="cook"><time><qty>60</qty><timeunit>minutes</timeunit></time></preptime></head><ingredients><ing-div><title>D</title>
<ing optional="yes"><amt><qty>2</qty><unit>c</unit></amt><item>flour</item><prep>sifted</prep></ing></ing-div></ingredients>
<directions><step>Mix</step>text</directions></recipe></menu></recipeml>"""
MX2 = """<?xml version="1.0" standalone="yes" encoding="ISO-8859-1"?><!DOCTYPE mx2 SYSTEM "mx2.dtd"><mx2 source="MasterCook"><RcpE
name="Soup \u2013 hot" author="A" img="a.jpg"><Serv qty="4"/><PrpT elapsed="0:45"/><CatS><CatT>Soups</CatT></CatS><IngR name="tomatoes in
3/4" dice" unit="c" qty="1 1/2" code="I"><IPrp>cut</IPrp></IngR><IngR name="Sub" code="S"/><DirS><DirT>Boil</DirT></DirS>
<AltS label="L" source="S"/><Yield unit="cups" qty="3"/><Note>n</Note></RcpE><Summ><Nam>Soup</Nam></Summ></mx2>"""
XMLS = [GOURMET, KRECIPES, FDX, MACGOURMET % ("BINARY", "data", CODED, "data"),
        MACGOURMET % ("TEXT", "string", PICTURE.hex(), "string"), COOKMATE, COOKML, RECIPEML]

KEEPER = """\ufeff<!DOCTYPE html><html><body><div class="recipe-details"><meta content="K1" itemprop="recipeId"><h2 itemprop="name">Ham</h2>
<meta content="True" itemprop="recipeIsFavourite"><span itemprop="recipeCourse">Main</span><meta itemprop="recipeCategory" content="Pork">
<span>30 mins</span><meta content="PT30M" itemprop="prepTime"><div itemprop="recipeIngredients"><p>1 ham</p><h3>Sauce</h3><p></p></div>
<div itemprop="recipeDirections"><p>Bake<p>Rest</div><img class="recipe-photo" src="images/K1_0.jpg"></div></body></html>"""
COPYMETHAT = """<html><div class = "recipe"><div id="name">Pie</div><a id="original_link" href="http://e.org/p">o</a><ul>
<li class="recipeIngredient_subheader">D</li><li class="recipeIngredient">1 egg</li></ul><li class="instruction">Bake
<img class="recipeImage" src="images/a.jpg"></div></html>"""
PAGE = f"""<!doctype html><head><meta charset="windows-1252"><script type=application/ld+json>//<![CDATA[
{json.dumps(SCHEMA)}//]]></script><script type="application/ld+json">{{broken</script></head><body><div itemscope
itemtype="http://schema.org/Recipe"><h1 itemprop=name>Jam &#233; &copy</h1><ul><li itemprop="recipeIngredient">1 plum<li
itemprop=recipeIngredient>2 &frac12;</ul><div itemprop="recipeInstructions"><ol><li>Boil<li>Fill</ol></div><img itemprop=image
src="Images/a.jpg"><time itemprop=cookTime datetime="PT5M">5</time><table><tr><td>x</table></div></body>"""

MEALMASTER = """MMMMM----- Recipe via Meal-Master (tm) v8.02

      Title: Chiles
 Categories: Main dish, Cheese
      Yield: 2 servings

      2    Chiles; peel                        1    Eggs; separated
  1 1/3 oz Cheese                           3/16 c  Flour
           -grated and so on

MMMMM------------------------SAUCE-----------------------------
    1/2 sm Tomato

  Preparation time 5 min.
:Cook it \x82 well.

MMMMM
---------- Recipe via UNREGISTERED Meal-Master (tm) v8.00

      Title: Tea
   Servings:  4

MMMMM
"""
REZKONV = """========== REZKONV-Rezept - RezkonvSuite v1.2

     Titel: Pasta
Kategorien: Pasta, Suppe
     Menge: 2 Portionen

=============================== TEIG ================================
     80     Gramm  Speck
  1 1/2      Essl. \u00d6l
                   Salz

============================ QUELLE ============================
         Heft 10

1. Kochen.

=====
"""
MASTERCOOK = """

                   *  Exported from  MasterCook  *

                         Spiced Pecans

Recipe By     : D. S.
Serving Size  : 4    Preparation Time :0:45
Categories    : Appetizers                       Nuts

  Amount  Measure       Ingredient -- Preparation Method
--------  ------------  --------------------------------
  4       cups          pecan halves -- cut
                        -- small
  1/4     cup           butter

Bake them.

Source:
  "A book"
Yield:
  "3 cups"

                   - - - - - - - - - - - - - - - - - - -

NOTES : good
"""
PLANTOEAT = """Title,Course,Cuisine,Main Ingredient,Description,Source,Url,Prep Time,Servings,Ingredients,Directions,Tags,Rating
"Soup, hot",Main,,Leek,"a ""b""
c",S,http://e.org,30,4,"1 leek
2 onions","Fry
Boil","x, y",4
"open,"""
COOKLANG = """---
title: "Soup \\u00e9"
tags: [a, "b, c"]
servings: 2|4
time:
  prep: 5 min
notes: |
  one
  two
---
>> source: Aunt
= Base =
Put @leek{1 1/2%kg}(sliced) and @&oil|good oil{} in a #big pot{}. -- comment
Wait ~rest{10-12%minutes}, add @salt and @./Stock{2%l}. [- never -]

> A note
"""
RECIPEBOX = """title,description,preparationTime,cookingTime,totalTime,quantity,ingredients,instructions,nutrition,categories,tags,source,
Soup,"A, b",10,20,30,4,"1 l water
Sauce:","1. Boil.

2. Eat.","fat : 2 g",A;B,,https://e.org,
Stew,,x,,,,,,,A,B,,https://e.org/a.jpg
"""
MARKDOWN = """---
title:  "Pea soup"
image: pea.png
prep_time: 10 min
ingredients:
- 1 l [[water|w]]
- **2** g *salt*
directions: |
  Boil.
  Eat.
---
# Soup
![[a.png]] ![b](c/d.jpg "e")
**Servings:** 4

Ingredients
===========
* [ ] a
### Sauce
1. b
   c
## Method
Boil.
"""
TEXTS = [MEALMASTER, REZKONV, MASTERCOOK, PLANTOEAT, RECIPEBOX, COOKLANG, MARKDOWN]
SHOWN = f"""<html><head><meta property="og:image" content="https://e.org/s/soup.jpg"><base href="/x/"><script type="application/ld+json">
{{"@type":"Recipe","name":"Soup","image":["https://e.org/s/soup.jpg","https://e.org/s/soup-9x9.jpg"],"recipeIngredient":["a","b"],
"recipeInstructions":[{{"@type":"HowToStep","text":"Boil","image":"https://e.org/s/b.jpg"}}]}}</script></head><body>
<img alt="Soup" src="data:image/jpeg;base64,{CODED}" data-src="https://e.org/s/soup-300x200.jpg"><a href="../s/soup.jpg">
<picture><source srcset="s/b.jpg 1x, https://e.org/s/b@2x.jpg 2x"><img src="cid:1@x"></picture></a></body></html>"""
RDFA = """<div vocab="https://schema.org/" typeof="Recipe"><h1 property="name">Soup</h1><span rel="v:photo"><img src="a.jpg"></span>
<p property="schema:recipeIngredient">1 l water</p><div property="recipeInstructions" typeof="HowToStep"><b property="text">Boil</b></div>
<div property="about" typeof="Recipe"><i property="name">Stew</i></div></div>"""
MHTML = ("From: <Saved by Blink>\r\nSnapshot-Content-Location: https://e.org/s/\r\nContent-Type: multipart/related;\r\n boundary=\"b\"\r\n\r\n"
         "--b\r\nContent-Type: text/html; charset=latin1\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Location: https://e.org/s/\r\n\r\n"
         + SHOWN.replace("=", "=3D").replace("\n", "=\r\n") + "\r\n--b\r\nContent-Type: image/jpeg\r\nContent-ID: <1@x>\r\n"
         "Content-Location: soup.jpg\r\nContent-Transfer-Encoding: base64\r\n\r\n" + CODED + "\r\n--b--\r\n")
WEBARCHIVE = {"WebMainResource": {"WebResourceData": SHOWN.encode(), "WebResourceURL": "https://e.org/s/", "WebResourceTextEncodingName": "UTF-8"},
              "WebSubresources": [{"WebResourceData": PICTURE, "WebResourceURL": "https://e.org/s/soup.jpg"}, {"WebResourceURL": "x"}]}
VALUES = """1 1/2 cups (200 g) flour, sifted\n2-3 large eggs\n1½ hours 5 mins\nPT1H30M\nP0DT0H30M\n1:30:15\nServes 4 to 6
https://www.example.com:443/a/../b/?utm_source=x&b=1#c\n8 20 minutes\n<b>x</b> &amp;lt;&#x1F372;&nbsp;\nab\u0301 \U0001F372\n../a//b/./c
½⁄4 kg Ö\n1,5 Stunden bis 2 Std\nSteps 1.) x\n1e999 99999999999999999999 hours\n[recipe:X] [a](b) **c** _d_\n- \u2028\u00a0\t\u0007"""


def zipped(*members, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as z:
        for name, data in members:
            z.writestr(zipfile.ZipInfo(name), data if isinstance(data, bytes) else data.encode(), method)
    return file.getvalue()


def jsons():
    values = [PAPRIKA, MELA, CROUTON, TANDOOR, MEALIE, BACKUP, SCHEMA, FOX, {"recipes": [SCHEMA["@graph"][0], {}, 1, PAPRIKA]}]
    yield from (json.dumps(value).encode() for value in values)
    yield from (LENIENT, json.dumps(MELA).encode("utf-16"), json.dumps(PAPRIKA, indent=1, ensure_ascii=False).encode())
    # A picture that goes to disk.
    yield json.dumps({**MELA, "images": [base64.b64encode(PICTURE + bytes(28000)).decode()]}).encode()


def xmls():
    yield from (xml.encode() for xml in XMLS)
    yield from (MX2.encode("cp1252"), GOURMET.replace("UTF-8", "UTF-16").encode("utf-16"), GOURMET[:700].encode())


def pages():
    yield from (KEEPER.encode(), COPYMETHAT.encode(), PAGE.encode("cp1252", "replace"), SHOWN.encode(), RDFA.encode())


def parsers():
    """What FuzzRecipes takes: a byte that says what follows it is to be read as."""
    for kind, documents in enumerate([jsons(), xmls(), pages(), [PLANTOEAT.encode()], [VALUES.encode(), COOKLANG.encode()],
                                      [VALUES.encode("cp1252", "replace"), VALUES.encode("utf-16")]]):
        yield from (bytes([kind]) + document for document in documents)
    for kind, text in enumerate(TEXTS, 6):
        yield from (bytes([kind]) + text.encode("cp1252", "replace"), bytes([kind]) + text.replace("\n", "\r\n").encode() * 2)


def files():
    """What FuzzRecipeFiles takes: files, whose length says which of its six names they go by."""
    stored = zipfile.ZIP_STORED
    packed = gzip.compress(json.dumps(PAPRIKA).encode(), mtime=0)
    recipe, schema = json.dumps(TANDOOR), json.dumps(SCHEMA)
    plain = [*jsons(), *xmls(), *pages(), *(text.encode("cp1252", "replace") for text in TEXTS)]
    for method in (stored, zipfile.ZIP_DEFLATED):
        plain += [
            zipped(("Soup.paprikarecipe", packed), ("b.paprikarecipe", packed[:-20]), method=method),
            zipped(("__MACOSX/._a", bytes(30)), ("Top/a.melarecipe", json.dumps(MELA)), ("Top/e.json", ""), method=method),
            zipped(("1.zip", zipped(("recipe.json", recipe), ("image.jpg", PICTURE), method=method)), method=method),
            zipped(("Tea/recipe.json", schema), ("Tea/full.jpg", PICTURE), ("Tea/thumb.jpg", PICTURE), method=method),
            zipped(("recipes/pie/pie.json", json.dumps(MEALIE)), ("recipes/pie/images/original.webp", PICTURE), method=method),
            zipped(("x/database.json", json.dumps(BACKUP)), ("x/data/recipes/r1/images/original.webp", PICTURE), method=method),
            zipped(("recipes.html", KEEPER), ("images/K1_0.jpg", PICTURE), ("../up.jpg", PICTURE), method=method),
            zipped(("my.xml", COOKMATE), ("images/a.jpg", PICTURE), ("images/b.jpg", b"none"), method=method),
            zipped(("Data.xml", FDX.replace("<fdx ", "<hixz ").replace("</fdx>", "</hixz>")), method=method),
            zipped(*((f"{index}.txt", text) for index, text in enumerate(TEXTS)), method=method),
        ]
    plain += [MHTML.encode(), MHTML.encode()[:-200], plistlib.dumps(WEBARCHIVE), plistlib.dumps(WEBARCHIVE, fmt=plistlib.FMT_BINARY)]
    plain += [packed, gzip.compress(packed), PICTURE, b"SQLite format 3\0", b"bplist00", b"PK\3\4", b"\x1f\x8b"]
    # Blanks behind it change the name of a text; what is packed bears them as well.
    for number, file in enumerate(plain):
        wanted = 3 if b'"alembic_version"' in file else 4 if b"- 1 l [[" in file else 2 if file.startswith(b"---") else number % 2
        yield file + b" " * ((wanted - len(file)) % 6)
