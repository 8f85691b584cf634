#!/usr/bin/env python3
"""Writes a library of Paprika, the same one each time:   make_paprika.py OUT [--recipes N] [--image-kb N] [--seed N]

As the app writes it: a zip of one member for each recipe, each of them gzip around a JSON object, with a
picture in base64. The pictures begin as JPEG does, and go on as noise, which packs as badly as a real one.
"""
import argparse, base64, gzip, hashlib, json, random, uuid, zipfile

WORDS = """flour butter sugar onion garlic tomato basil olive oil chicken stock pepper salt lemon cream cheese
rice bean carrot potato leek thyme parsley egg milk vanilla almond apple pear plum ginger honey mustard vinegar
spinach mushroom salmon shrimp beef pork lamb pasta noodle bread yeast oat walnut raisin cinnamon clove nutmeg
Käse Möhre crème jalapeño""".split()
VERBS = "Chop Fry Stir Bake Boil Simmer Fold Whisk Season Drain Knead Roast".split()
UNITS = ["g", "cups", "tbsp", "tsp", "ml", "oz", "cloves", "pinch"]
CATEGORIES = "Dinner Lunch Breakfast Dessert Soup Salad Bread Vegan Quick Festive".split()


def recipe(number, chance, image_byte_count):
    """One recipe, as the members of its JSON object."""
    some = lambda count: " ".join(chance.choice(WORDS) for _ in range(count))
    picture = b"\xff\xd8\xff\xe0\0\x10JFIF\0" + chance.randbytes(max(0, image_byte_count - 13)) + b"\xff\xd9"
    ingredients = [f"{chance.randint(1, 900)} {chance.choice(UNITS)} {some(2)}, {chance.choice(VERBS).lower()}ped"
                   for _ in range(chance.randint(6, 14))]
    ingredients.insert(len(ingredients) // 2, "For the sauce:")
    directions = [f"{chance.choice(VERBS)} the {some(3)}, then {chance.choice(VERBS).lower()} it with {some(4)} "
                  f"for {chance.randint(2, 50)} minutes until the {some(2)} is done."
                  for _ in range(chance.randint(4, 9))]
    name = str(uuid.UUID(int=chance.getrandbits(128))).upper()
    return {
        "uid": name, "name": f"{some(3).title()} {number}", "hash": hashlib.sha256(name.encode()).hexdigest(),
        "ingredients": "\n".join(ingredients), "directions": "\n".join(directions), "description": some(12),
        "notes": f"**{some(2)}** and _{some(1)}_ are as good.", "difficulty": chance.choice(["", "Easy", "Hard"]),
        "nutritional_info": f"Calories: {chance.randint(90, 900)} kcal\nFat: {chance.randint(1, 60)} g",
        "servings": f"Serves {chance.randint(1, 8)}", "prep_time": f"{chance.randint(5, 45)} mins",
        "cook_time": f"{chance.randint(5, 180)} minutes", "total_time": "", "rating": chance.randint(0, 5),
        "categories": chance.sample(CATEGORIES, chance.randint(0, 3)), "source": chance.choice(["Grandmother", "example.com"]),
        "source_url": f"https://www.example.com/recipes/{number}/", "image_url": None,
        "created": f"20{chance.randint(10, 24)}-0{chance.randint(1, 9)}-1{chance.randint(0, 9)} 12:34:56",
        "photo": f"{name}.jpg", "photo_hash": hashlib.sha256(picture).hexdigest().upper(),
        "photo_data": base64.b64encode(picture).decode(), "photo_large": None, "photos": [],
    }


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("out")
parser.add_argument("--recipes", type=int, default=10000)
parser.add_argument("--image-kb", type=int, default=40)
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()
chance = random.Random(options.seed)
with zipfile.ZipFile(options.out, "w", zipfile.ZIP_DEFLATED) as library:
    for number in range(options.recipes):
        one = recipe(number, chance, options.image_kb << 10)
        info = zipfile.ZipInfo(f"{one['name']}.paprikarecipe")
        info.compress_type = zipfile.ZIP_DEFLATED
        library.writestr(info, gzip.compress(json.dumps(one).encode(), mtime=0))
