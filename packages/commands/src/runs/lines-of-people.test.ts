import { expect, test } from "vitest";
import { parseCommandLine } from "../shell/parse-command-line.ts";
import { runOf } from "./run-of.ts";

const isTest = (line: string) => parseCommandLine(line).some((command) => runOf(command)?.kind === "test");

/** Ways to start tests: through wrappers, containers, task runners and build tools, in many languages. */
const RUNS = String.raw`
docker compose -f docker-compose.test.yml run --rm web bundle exec rspec
docker compose exec -T app php artisan test --parallel
docker-compose -f dc.yml exec -T app pytest
docker run --rm -v "$PWD:/app" -w /app node:22 npm test
podman run --rm -v .:/src:Z golang:1.23 go test ./...
kubectl exec deploy/api -- pytest
kubectl exec -it deploy/api -c app -- pytest
vagrant ssh -c "cd /vagrant && bundle exec rspec"
nix develop --command cargo test
nix develop .#ci -c just test
nix-shell --run "cabal test"
devcontainer exec --workspace-folder . npm test
uv run --with pytest pytest -q
uv run -m pytest
uv run --all-extras --dev pytest tests
uvx --with . pytest
pipenv run python -m pytest
poetry run python -m pytest -x
poetry run -C backend pytest
direnv exec . make test
op run --env-file=.env -- npm test
dotenv -- npm test
env-cmd -f .env.test npm test
dotenvx run -- vitest run
dotenvx run -f .env.test -- npx vitest run
cross-env NODE_ENV=test mocha
xvfb-run -a npm test
script -q -c "npm test" /dev/null
time (npm test)
{ npm test; }
(cd web && npm test)
bash -lc 'npm test'
zsh -ic "npm test"
sh -c "cd web; yarn jest"
pwsh -Command "dotnet test"
powershell.exe -NoProfile -Command "npm test"
cmd /c npm test
cmd.exe /c "npm test"
cmd //c "gradlew.bat test"
wsl -e bash -lc "cd /mnt/d/x && go test ./..."
rtk cargo test
rtk pnpm test
rtk vitest run
make -j4 check
make generate migrate-up lint test
make -C server test
just ci
just test-unit
task test
mise r test
mise run //backend:test
mise exec node@22 -- npm test
moon run api:test
nx run api:test
npx nx test api
pnpm nx affected --target=test
turbo test --filter=web
npx turbo run test --filter=...web
pnpm -r test
pnpm -r --parallel run test
pnpm --filter "./packages/*" run test:unit
pnpm -F api test
yarn workspaces foreach -A run test
yarn workspace api test
lerna run test --scope api
rush test
bazel test //...
bazelisk test //pkg:all
pants test ::
./pants test ::
buck2 test //...
gradle :core:jvmTest
./gradlew :lib:audio:test :build:dev:check
./gradlew connectedAndroidTest
./gradlew clean build
mvn -q -pl core -am test
mvn -B -ntp verify
./mvnw -q test -Dtest=FooTest
sbt "testOnly *FooSpec"
sbt core/test
sbt ";clean;test"
mill core.test
mill __.test
lein test
clj -M:test
bb test
mix test test/foo_test.exs:12
mix do compile, test
mix do deps.get + test
MIX_ENV=test mix coveralls
rebar3 ct
rebar3 do eunit, ct
gleam test
dart run test
flutter test --coverage
fvm flutter test
melos exec -- flutter test
melos run test
swift test --filter X
xcodebuild -scheme App -destination 'platform=iOS Simulator,name=iPhone 15' test
xcodebuild test -quiet -workspace A.xcworkspace -scheme A
tuist test
bundle exec fastlane test
stack test --fast
cabal test all
cabal new-test
zig build test --summary all
dotnet test --no-build -v q
dotnet run --project tests/Unit
dotnet watch test
vendor/bin/pest
composer test
composer run-script test
composer run test:unit
php bin/phpunit
php vendor/bin/phpunit --filter X
./vendor/bin/sail test
sail artisan test
ddev composer test
lando phpunit
./bin/rails test
bin/rspec
bundle exec rake
ruby -Itest test/a_test.rb
bundle exec ruby -Itest test/a_test.rb
bin/ci
script/test
./dev.sh test
./x test
./x.py test
python x.py test library/std
./test
./run test
./run.sh tests
./scripts/ci/run_unit_tests.sh
scripts/check.sh
terraform test
tofu test
terragrunt run-all test
opa test policies -v
helm unittest charts/x
promtool test rules a.yml
molecule test
ansible-test units
bats -r tests
prove -r t
ctest --test-dir build
meson test -C build
ninja -C build check
cmake --build build --target check
make -C build check
make generate migrate-up lint test
./build/tests
./build/bin/unittests
build/Debug/app_tests.exe
cargo xtask ci
cargo xtask test
cargo hack test
cargo make test
cargo insta test
cargo nextest run -p core
cargo llvm-cov nextest
cargo miri test
cargo leptos test
cargo test --workspace --no-fail-fast
RUSTFLAGS=-Dwarnings cargo +nightly test
wasm-pack test --node
forge test -vvv
npx hardhat test
anchor test
julia --project -e 'using Pkg; Pkg.test()'
julia --project test/runtests.jl
Rscript -e 'devtools::test()'
Rscript -e 'testthat::test_dir("tests")'
R CMD check .
nim c -r tests/t.nim
crystal spec
v test .
odin test .
deno task test
bun run --filter '*' test
node --run test
npm run-script test
npx jest --ci
npx --no-install vitest run
pnpm dlx vitest run
yarn node --test
node --import tsx --test 'src/**/*.test.ts'
npx tsx --test src/a.test.ts
npx c8 mocha
npx wdio run wdio.conf.ts
npx cucumber-js
npx codeceptjs run
npx ng test --watch=false
npm run test --workspaces
npm test --workspace api
npm -w api test
npm --prefix web run test:ci
node ./node_modules/.bin/jest
node_modules/.bin/vitest run
node scripts/run-tests.mjs
tsx scripts/test.ts
python -m pytest tests -q
python3.12 -m unittest discover
python manage.py test app
python setup.py test
python -m django test
python tests/test_a.py
hatch run test
hatch run test:cov
hatch run +py=3.12 test:run
pdm run pytest
tox -e py312
nox -s tests
inv test
invoke tests.unit
poe test
pixi run test
conda run -n x pytest
micromamba run -n x pytest
ginkgo -r
go tool gotestsum ./...
gotestsum -- ./...
go test -race ./... -count=1
richgo test ./...
go run gotest.tools/gotestsum@latest
mage test
earthly +test
dagger call test
act -j test
pre-commit run pytest --all-files
npx lerna run test
npx playwright test
npx cypress run
pnpm exec playwright test e2e/a.spec.ts
firebase emulators:exec "npm test"
npx firebase emulators:exec --only firestore "npm test"
start-server-and-test start http://localhost:3000 cy:run
npx concurrently "npm:test" "npm:lint"
npm-run-all lint test
run-s lint test
wireit test
supabase test db
dbt test
dbt build
busted spec
vusted
eask test ert
guile -s tests.scm
raco test .
racket tests.rkt
sbcl --script tests.lisp
ros run -- --eval '(asdf:test-system :x)'
swipl -g run_tests -t halt t.pl
dune runtest
opam exec -- dune test
esy test
spago test
elm-test
npx elm-test
lake test
pytest --lf
robot tests/
newman run c.json
hurl --test a.hurl
behave
cucumber
kitchen test
inspec exec
pdk test unit
container-structure-test test
chef exec rspec
Invoke-Pester -Path tests
pwsh -c "Invoke-Pester"
nuke Test
dotnet cake --target=Test
vstest.console.exe a.dll
nunit3-console a.dll
ctest -C Debug --output-on-failure
scons test
waf test
xmake test
conan test
please test
plz test //src/...
`;

/** What has the words of a test run and runs none: installing, building, listing, looking, preparing, watching. */
const OTHERS = String.raw`
pip install pytest
pip install -e ".[test]"
uv add --dev pytest
uv pip install pytest
uv sync --group test
poetry add pytest
npm i -D vitest
npm install --save-dev jest
npm ci
pnpm add -D vitest
yarn add -D mocha
bun add -d @types/jest
gem install rspec
cargo install cargo-nextest
cargo add --dev rstest
go get github.com/stretchr/testify
go install gotest.tools/gotestsum@latest
go mod tidy
go list ./... -test
go doc testing
brew install bats-core
apt-get install -y bats
composer require --dev phpunit/phpunit
dotnet add tests package xunit
dotnet new xunit -o tests
dotnet restore
mix deps.get
mix help test
mix phx.gen.live Test tests name
rails generate rspec:install
rails g model Test
bin/rails generate test_unit:scaffold
bundle install --with test
flutter pub get
dart pub add --dev test
npx create-jest
npx playwright install --with-deps
npx playwright show-report
npx playwright codegen
npx cypress open
npx cypress verify
npx vitest --version
npx jest --listTests
npx jest --clearCache
npx vitest list
pytest --collect-only -q
pytest --co
pytest --fixtures
python -m pytest --version
PYTEST_ADDOPTS=--co pytest
cargo test --no-run
cargo test -- --list
cargo nextest list
go test -list .
go test -c ./...
go test -run XXX -bench .
go vet ./...
ctest -N
ctest --show-only
make -n test
make --dry-run test
just --list
just -n test
task --list
task -l
mise tasks
mise run --help
nx show project api
nx graph
nx reset
turbo run test --dry-run
turbo run test --dry=json
turbo run test --graph
bazel query //tests/...
bazel build //tests/...
gradle tasks
gradle test --dry-run
gradle build -x test
./gradlew assembleDebug -x test
./gradlew compileTestJava
./gradlew :app:compileDebugUnitTestKotlin
mvn test-compile
mvn package -DskipTests
mvn install -Dmaven.test.skip=true
mvn -DskipTests package
sbt compile
sbt Test/compile
swift build --build-tests
swift test list
xcodebuild -list
xcodebuild build-for-testing
xcodebuild -scheme AppTests build
stack build --test --no-run-tests
dotnet test --list-tests
dotnet build tests/Unit
vendor/bin/phpunit --list-tests
rspec --dry-run
rake -T
rake test:prepare
rails db:test:prepare
bin/rails db:create RAILS_ENV=test
createdb app_test
psql -d app_test -c "select 1"
dropdb test
sqlite3 test.db .schema
docker build -t app-test .
docker compose -f docker-compose.test.yml up -d
docker compose -f docker-compose.test.yml down
docker compose build test
docker compose ps test
docker run -d --name test-db postgres
docker rm -f test-redis
docker logs test
docker images | grep test
kubectl get pods -n test
kubectl apply -f test.yaml
kubectl logs deploy/test
terraform plan -var-file=test.tfvars
terraform init
aws s3 ls s3://test
aws cloudformation deploy --stack-name test
gh workflow run test.yml
gh run watch
gh pr checks
gh run view --log-failed
git checkout -b test/foo
git diff --stat tests/
git log --oneline -- tests
git stash push tests
git add tests && git commit -m "npm test"
git commit -m "run pytest"
git push
grep -rn "npm test" .
rg "pytest" -l
find . -name "*test*"
ls tests
cat tests/test_a.py
head -20 test/a.test.ts
wc -l tests/*.py
tree tests
mkdir -p tests/unit
touch tests/__init__.py
rm -rf tests/tmp
cp -r tests tests2
mv test.txt a.txt
chmod +x scripts/test.sh
code tests
vim tests/a.py
diff a.test.ts b.test.ts
which pytest
command -v pytest
type vitest
man pytest
echo "npm test"
printf 'pytest passed\n'
curl http://localhost:3000/test
curl -X POST http://localhost/api/test -d '{}'
wget http://x/test.tgz
ping test.local
nc -z localhost 5432
ssh host uptime
rsync -a tests host:/x
tmux new-session -d -s test
tmux send-keys -t 0 "npm test" Enter
screen -dmS test npm test
open coverage/index.html
npx serve test-results
npx http-server tests
python -m http.server
python -m venv .venv-test
python -m pip install pytest
python -m build
python -c "import pytest; print(pytest.__version__)"
python scripts/generate_test_data.py
python tools/make_tests.py
node scripts/create-test-user.js
node -e "console.log(require('jest/package.json').version)"
npx tsc -p tsconfig.test.json
npx tsc --noEmit -p tests
npx eslint tests
npx prettier --write tests
ruff check tests
black tests
mypy tests
cargo clippy --tests
cargo clippy --all-targets
cargo build --tests
cargo check --tests
cargo fmt --check
golangci-lint run ./tests/...
rubocop spec
swiftlint lint Tests
ktlint tests
npm run lint
npm run build:test
npm run typecheck
npm run test:watch
npm run test:types
npm run test:install
npm run start:test
npm run dev:test
npm run db:test:setup
npm run seed:test
npm run clean:test
npm run generate-tests
npm run lint:tests
npm run build-storybook
npm run deploy:test
npm run typecheck:tests
pnpm test --help
pnpm why vitest
pnpm list jest
npm view vitest version
npm ls jest
npm outdated
npm explain jest
yarn why mocha
ng serve --configuration=test
ng generate component test
vite build --mode test
vite --mode test
vite preview
next dev
npx expo start
npx react-native run-ios
npx storybook build
adb install app-debug-androidTest.apk
emulator -avd test
xcrun simctl boot test
claude -p "run npm test"
codex exec "run the tests"
gemini -p "pytest"
checkpoint proof --help
sleep 5
watch -n1 npm test
entr npm test
nodemon --exec "npm test"
alias t="npm test"
function test_it() { npm test; }
export TEST_CMD="npm test"
TEST=1 node server.js
set -x
test -f package.json
[ -f tests/a ] && echo yes
jq .scripts.test package.json
sed -n '1,20p' tests/a.py
awk '/test/' a.txt
xargs -n1 echo test
tee test.log
history | grep test
crontab -l
at now + 1 min
systemctl status test
journalctl -u test
shellcheck scripts/test.sh
bash -n scripts/test.sh
hadolint Dockerfile.test
actionlint .github/workflows/test.yml
yamllint tests
protoc tests/a.proto
gcc -o test test.c
g++ tests.cpp -o tests
rustc tests.rs
javac -d out src/test/java/A.java
kotlinc tests.kt
ghc -o tests Tests.hs
cmake -B build -DBUILD_TESTING=ON
cmake --build build
meson setup build
ninja -C build
make
make build-tests
make test-deps
make install-test-deps
make clean-test
make docker-build-test
make lint-tests
make generate-test-fixtures
zig build
cabal build --enable-tests
cabal configure --enable-tests
stack setup
opam install alcotest
lein deps
sbt update
`;

test.for(RUNS.trim().split("\n"))("runs tests: %s", (line) => {
  expect(isTest(line)).toBe(true);
});

test.for(OTHERS.trim().split("\n"))("runs no tests: %s", (line) => {
  expect(isTest(line)).toBe(false);
});
