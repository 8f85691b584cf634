"""Prints a family tree as GEDCOM, for Gramps to read."""
print("0 HEAD\n1 SOUR decant\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n1 SUBM @U1@\n0 @U1@ SUBM\n1 NAME A Cook")
for number in range(1, 61):
    print(f"0 @I{number}@ INDI\n1 NAME Näme{number} /Family{number % 7}/\n1 SEX {'MF'[number % 2]}")
    print(f"1 BIRT\n2 DATE {number % 28 + 1} MAY {1800 + number}\n2 PLAC Town {number % 5}, Land\n1 NOTE A note on {number}")
    print(f"1 SOUR @S{number % 3 + 1}@")
    if number > 2:
        print(f"1 FAMC @F{(number - 1) // 2}@")
    if number <= 30:
        print(f"1 FAMS @F{number}@")
for number in range(1, 31):
    print(f"0 @F{number}@ FAM\n1 {'WIFE' if number % 2 == 0 else 'HUSB'} @I{number}@")
    for child in (2 * number + 1, 2 * number + 2):
        if child <= 60:
            print(f"1 CHIL @I{child}@")
for number in range(1, 4):
    print(f"0 @S{number}@ SOUR\n1 TITL Sourcé {number}")
print("0 TRLR")
