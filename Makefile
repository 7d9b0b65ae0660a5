# Everything a person needs to do with Tendril. Each goal installs what it lacks first (scripts/setup.sh) and nothing else.
.PHONY: run test test-long bench native wasm page format clean help

help:
	@echo "make run        build the module and the page, and serve it"
	@echo "make test       every test: C++ natively and in WASM, scenes, module, page, browser"
	@echo "make test-long  long tests and scenes, laws on fresh random scenes, sanitizers, fuzzing"
	@echo "make bench      speed, natively and in WASM"
	@echo "make native     the tendril program, into build/native/tendril"
	@echo "make wasm       the module, into build/wasm/package"
	@echo "make page       the page and the module that it runs, into web/dist"
	@echo "make format     clang-format over the C++, biome over JavaScript and TypeScript"
	@echo "make clean      remove everything that was built"

run: ; @scripts/run.sh
test: ; @scripts/test.sh
test-long: ; @scripts/test-long.sh
bench: ; @scripts/bench.sh

native:
	@scripts/setup.sh native
	cmake --preset native
	cmake --build --preset native --target tendril

wasm:
	@scripts/setup.sh wasm
	cmake --preset wasm
	cmake --build --preset wasm --target tendril_package

page: wasm
	@scripts/setup.sh page
	@scripts/npm.sh run build --prefix web

format:
	@scripts/setup.sh format page
	@scripts/format.sh

clean:
	rm -rf build web/dist
