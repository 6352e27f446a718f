# Every target works in a fresh clone with Go and, for what is missing, apt.
.DEFAULT_GOAL := help
SHELL := /bin/sh
GO ?= go
FUZZTIME ?= 30s
RACE := $(if $(filter amd64 arm64,$(shell $(GO) env GOARCH)),-race,)

.PHONY: help build demo test test-long test-v3 test-arm64 lint bench cross fuzz pictures clean

help: ## this list
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | while IFS="$$(printf '\t')" read -r t d; do printf '  %-12s %s\n' "$$t" "$$d"; done

build: ## build bin/wend
	$(GO) build -trimpath -o bin/wend ./cmd/wend

demo: ## bake the sample town, plan routes through it, draw them into demo-out
	$(GO) run ./cmd/wend demo --out demo-out --force

test: ## formatting, vet, and all tests under the race detector (installs gcc when it is missing)
	@out="$$(gofmt -l .)"; if [ -n "$$out" ]; then echo "not gofmt-ed:"; echo "$$out"; exit 1; fi
	$(GO) vet ./...
	@tools/need.sh gcc gcc
	CGO_ENABLED=1 $(GO) test $(RACE) -timeout 14m ./...

test-long: ## the slow tests too, amd64 v3, arm64 emulated, each fuzzer for FUZZTIME
	WEND_LONG=1 $(GO) test -timeout 60m ./...
	$(MAKE) test-v3 test-arm64 fuzz

test-v3: ## all tests built for amd64 v3: fused multiply-add must not show
	@if [ "$$($(GO) env GOHOSTARCH)" = amd64 ] && grep -q ' fma ' /proc/cpuinfo && grep -q ' avx2 ' /proc/cpuinfo; then \
		echo "GOAMD64=v3 go test ./..."; GOAMD64=v3 $(GO) test -timeout 30m ./...; \
	else echo "this processor is not amd64 v3: not run"; fi

test-arm64: ## all tests on emulated arm64 (installs qemu when it is missing)
	@tools/need.sh qemu-aarch64-static qemu-user-static
	GOARCH=arm64 CGO_ENABLED=0 $(GO) test -timeout 60m -exec qemu-aarch64-static ./...

lint: ## staticcheck, gofumpt and golangci-lint, versions pinned in tools/go.mod
	$(GO) build -C tools -o ../bin/ tool
	bin/staticcheck ./...
	@out="$$(bin/gofumpt -l .)"; if [ -n "$$out" ]; then echo "not gofumpt-ed:"; echo "$$out"; exit 1; fi
	bin/golangci-lint run ./...

bench: ## benchmarks of all packages, then the sample town from end to end
	$(GO) test -run '^$$' -bench . -benchmem ./...
	$(GO) run ./cmd/wend bench

cross: ## build for Windows, macOS and the browser
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 $(GO) build ./...
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 $(GO) build ./...
	GOOS=js GOARCH=wasm CGO_ENABLED=0 $(GO) build ./...

fuzz: ## run each fuzzer for FUZZTIME (default 30s)
	tools/fuzz.sh $(FUZZTIME)

pictures: ## the pictures of docs/spans.md and docs/planner.md, of the sample town, and of docs/grids.md
	$(GO) build -trimpath -o bin/wend ./cmd/wend
	bin/wend demo --out demo-out --force --quiet > /dev/null
	bin/wend bake demo-out/town.obj -o demo-out/town.nav.gz --quiet
	bin/wend draw demo-out/town.nav.gz --layer section --from -50,-4 --to 0,20 -o docs/img/span-section.png --width 1000
	bin/wend draw demo-out/town.nav.gz --layer regions -o docs/img/span-regions.png --width 700
	bin/wend draw demo-out/town.nav.gz --layer flags --area -12,0,30,40 -o docs/img/span-flags.png --width 700
	bin/wend draw demo-out/town.nav.gz --layer clearance --area -60,-12,-16,24 -o docs/img/span-clearance.png --width 520
	bin/wend draw demo-out/town.nav.gz --layer medial --area -60,-12,-16,24 -o docs/img/span-medial.png --width 520
	bin/wend draw demo-out/town.nav.gz --layer components --area -12,10,16,40 -o docs/img/span-components.png --width 600
	for s in baseline topology geometry turns pulled assembled; do \
		bin/wend route demo-out/town.nav.gz --from 14,0,0 --to -4,3.2,24 --stages $$s --width 900 --png docs/img/planner-$$s.png --quiet > /dev/null || exit 1; done
	bin/wend route demo-out/town.nav.gz --from 14,0,0 --to -4,3.2,24 --stages none --width 900 --png docs/img/planner-final.png --quiet > /dev/null
	bin/wend route demo-out/town.nav.gz --from 57,0,22 --to 48,3,24 --disc 48,35,6 --stages none --width 900 --png docs/img/planner-gap.png --quiet > /dev/null
	for c in never one-free always; do \
		bin/wend grid docs/img/grid-corners.map --from 3,2 --to 8,1 --corners $$c --plain --width 400 --png docs/img/grid-$$c.png || exit 1; done
	for a in astar jps anya; do \
		bin/wend grid docs/img/grid-quarter.map --from 20,60 --to 90,50 --algo $$a --plain --width 600 --png docs/img/grid-$$a.png || exit 1; done
	bin/wend grid docs/img/grid-quarter.map --from 100,10 --to 20,60 --flow --area 84,3,122,20 --plain --width 800 --png docs/img/grid-flow.png
	bin/wend grid docs/img/grid-quarter.map --from 100,10 --to 90,50 --unit 3 --area 60,0,127,60 --plain --width 600 --png docs/img/grid-unit.png

clean: ## remove what was built
	rm -rf bin demo-out
