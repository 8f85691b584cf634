# Every recipe consists of commands that could also be typed; `make` alone lists the targets.

PREFIX ?= /usr/local
packages = libsqlite3-dev zlib1g-dev libxml2-dev libyaml-dev libxxhash-dev libzstd-dev liblzma-dev liblz4-dev libisal-dev libarchive-dev nettle-dev libutf8proc-dev libpq-dev postgresql pgbouncer \
  pkg-config sqlite3 python3 python3-html5lib zstd xz-utils lz4 bzip2 zip libarchive-tools
# Without symbols the program is half as large.
release = swift build -c release --product decant --static-swift-stdlib -Xlinker -s
# The commit shown by decant --version, marked as dirty if anything has changed since.
commit = $(shell git describe --always --dirty --exclude '*' 2> /dev/null || echo unknown)
packed = .build/packages
decant = .build/release/decant
# A separate build for the tests: optimized only where they spend their time (see Package.swift), without symbols, and
# without the checks of a debug build, which take longer at every start than the work of the program itself.
tests = DECANT_TESTS=1 swift build --build-tests -c release -Xswiftc -enable-testing -Xswiftc -gnone --scratch-path .build/tests
demo = .build/demo
databases = .build/databases
# apt-get needs root, directly or through sudo.
root = $(shell [ "$$(id -u)" = 0 ] || echo sudo)

.PHONY: help deps build demo test test-all sanitize fuzz lint format samples bench install uninstall deb tarball clean
.DEFAULT_GOAL = help

help: ## list the targets
	@echo "make demo     shows decant at work; make test runs the tests. All targets:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' Makefile | awk -F'|' '{ printf "%-12s%s\n", $$1, $$2 }'

deps: ## install missing Debian packages; check that Swift is installed
	@command -v swift > /dev/null || { echo "deps: decant needs Swift 6.2 or later, which is not installed: https://www.swift.org/install/linux"; exit 1; }
	@missing=$$(for p in $(packages); do dpkg -s $$p 2> /dev/null | grep -q '^Status: install ok' || echo $$p; done | xargs); \
	if [ -z "$$missing" ]; then echo "deps: nothing is missing"; \
	elif ! command -v apt-get > /dev/null; then echo "deps: install the Debian packages $$missing, then try again"; exit 1; \
	else echo "deps: installing $$missing"; \
	  $(root) apt-get update -qq && $(root) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing; fi

build: ## build the program, .build/release/decant: 5 minutes on two cores the first time
	@DECANT_COMMIT=$(commit) Packaging/build.sh $(release)

demo: deps build ## merge one store of recipes into another whose keys collide, and show the result
	@rm -rf $(demo) && mkdir -p $(demo) && cp samples/Kitchen.sqlite samples/Guests.sqlite $(demo)
	@echo; echo "Two stores of one app, a household's and its guests'. Both count their objects from 1 on:"
	@cd $(demo) && for store in Kitchen Guests; do echo; ../../$(decant) inspect $$store.sqlite | head -20; done
	@echo "$$ decant merge Guests.sqlite Kitchen.sqlite"; echo
	@cd $(demo) && ../../$(decant) merge Guests.sqlite Kitchen.sqlite
	@echo; echo "Kitchen.sqlite as the sqlite3 program reads it:"; echo
	@sqlite3 -readonly -box $(demo)/Kitchen.sqlite "$$recipes"
	@echo; echo "The guests' recipes got new keys, $$(sqlite3 -readonly $(demo)/Kitchen.sqlite 'SELECT group_concat(Z_PK) FROM (SELECT Z_PK FROM ZRECIPE WHERE Z_PK > 15 ORDER BY 1)'), and kept their own ingredients, steps, category and tags."
	@echo "The two stores are in $(demo): open them, or inspect them with $(decant)."

# The result in one line per recipe. Before the merge, the kitchen's store had allocated keys up to 15.
define recipes
SELECT r.Z_PK AS 'key', CASE WHEN r.Z_PK > 15 THEN 'guests' ELSE 'kitchen' END AS 'from',
  r.ZTITLE AS recipe, coalesce(c.ZNAME, '') AS category,
  (SELECT count(*) || ': ' || ZNAME || ', …' FROM ZINGREDIENT WHERE ZRECIPE = r.Z_PK
    HAVING min(ZSORTINDEX) NOT NULL) AS ingredients,
  (SELECT count(*) FROM ZSTEP WHERE ZRECIPE = r.Z_PK) AS steps,
  coalesce((SELECT group_concat(t.ZNAME, ', ') FROM Z_6TAGS AS j JOIN ZTAG AS t ON t.Z_PK = j.Z_8TAGS
    WHERE j.Z_6RECIPES = r.Z_PK), '') AS tags
FROM ZRECIPE AS r LEFT JOIN ZCATEGORY AS c ON c.Z_PK = r.ZCATEGORY ORDER BY r.Z_PK
endef
export recipes

test: ## build and run the tests: 20 to 30 minutes on two cores; FILTER=REGEX runs some of them
	$(tests)
	Tests/run.sh $(if $(FILTER),--filter '$(FILTER)')

# About 45 000 cases of damage are tried with the optimized program, which takes a third of the time.
test-all: build ## the tests, and those that take long, on databases of other programs as well
	$(tests)
	@test -d $(databases) || Tests/Databases/make.sh $(databases) || echo "test-all: goes on without databases of other programs"
	DECANT_SLOW=1 DECANT_DATABASES=$(databases) Tests/run.sh --skip DamageTests
	DECANT_SLOW=1 DECANT_PROGRAM=$(decant) Tests/run.sh --filter DamageTests
	python3 Tests/Benchmarks/cancel.py $(decant) samples/Kitchen.sqlite
	Tests/api.sh

sanitize: ## build and run the tests with the address and the thread sanitizer
	Tests/Sanitizers/run.sh address
	Tests/Sanitizers/run.sh thread

fuzz: ## feed damaged files to each reader of imported files: two minutes each, or SECONDS=600
	SECONDS_EACH=$(SECONDS) Tests/Fuzz/run.sh

lint: ## check the layout of the code
	swift format lint --strict --recursive --parallel Package.swift Sources Tests

format: ## format the code
	swift format --in-place --recursive --parallel Package.swift Sources Tests

samples: ## write the stores in samples/ again
	swift run SampleKitchen samples

bench: build ## measure against the floor and against what else people use
	$(if $(FULL),FULL=1) python3 Tests/Benchmarks/bench.py $(decant)
	swift run --package-path Tests/Benchmarks/Objects -c release --scratch-path .build/objects-benchmark

install: ## install what make build built, with manual pages and completions, below PREFIX, by default /usr/local
	@test -x $(decant) || { echo "install: nothing is built yet: make build"; exit 1; }
	@Packaging/install.sh $(decant) $(DESTDIR)$(PREFIX)

uninstall: ## remove what make install installed below PREFIX
	@Packaging/install.sh --remove $(DESTDIR)$(PREFIX)

deb: build ## make a package for Debian, in .build/packages
	@Packaging/deb.sh $(decant) $(packed)

tarball: build ## make an archive with the libraries that it needs, for other systems, in .build/packages
	@Packaging/tarball.sh $(decant) $(packed)

clean: ## remove what was built
	rm -rf .build
