//! What must be absent from the whole tree, as ARCHITECTURE.md says it.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests fail as tests do")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cargo_metadata::{DependencyKind, MetadataCommand, Package};
use prost::Message as _;
use prost_types::FileDescriptorSet;
use tests::raw::framed;
use tests::{Server, reason};

/// Lines that a file may have.
const MOST_LINES: usize = 400;
/// Which crate of the workspace may depend on which, in whatever way.
const EDGES: [(&str, &[&str]); 9] = [
    ("sedma-rules", &[]),
    ("sedma-bots", &["sedma-rules"]),
    ("sedma-proto", &[]),
    ("sedma-table", &["sedma-rules"]),
    ("sedma-store", &["sedma-table", "sedma-rules"]),
    ("sedma-grpc", &["sedma-proto", "sedma-table", "sedma-rules", "sedma-bots"]),
    ("sedmad", &["sedma-grpc", "sedma-store", "sedma-table"]),
    ("sedma", &["sedmad", "sedma-proto", "sedma-table", "sedma-rules"]),
    ("tests", &["sedma-proto", "sedma", "sedmad"]),
];
/// Where libraries whose names begin so belong.
const LIBRARIES: [(&str, &[&str]); 3] = [
    ("tonic", &["sedma-grpc", "sedma-proto", "sedmad", "sedma", "tests"]),
    ("prost", &["sedma-grpc", "sedma-proto", "sedmad", "sedma", "tests", "sedma-store"]),
    ("redis", &["sedma-store"]),
];
/// Those that may have a library for their tests and benchmarks alone.
const LIBRARIES_OF_TESTS: [(&str, &str); 1] = [("redis", "tests")];
/// What the rules and the bots must not know of: clocks, files, the network, threads, the process around them.
const WORLD: [&str; 6] = ["time", "fs", "net", "thread", "env", "process"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's folder").to_owned()
}

fn packages() -> Vec<Package> {
    let mut command = MetadataCommand::new();
    command.manifest_path(root().join("Cargo.toml")).no_deps().other_options(["--offline".to_owned()]);
    command.exec().expect("the workspace's metadata").packages
}

/// Files below a folder that somebody wrote: nothing hidden, generated or built.
fn written(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![root().join(folder)]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with('.')
                || ["target", "gen", "node_modules", "__pycache__"].contains(&name.as_str())
            {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if endings.is_empty() || endings.contains(&ending.as_str()) {
                found.push(path);
            }
        }
    }
    assert!(!found.is_empty(), "nothing in {folder}");
    found.sort();
    found
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn sources() -> Vec<PathBuf> {
    let endings = ["rs", "lua", "proto", "py", "sh", "go", "java", "ts"];
    ["services", "tests", "proto"].iter().flat_map(|folder| written(folder, &endings)).collect()
}

/// Everything that is not as it must be, in one message.
fn none(what: &str, wrong: impl IntoIterator<Item = String>) {
    let wrong: Vec<String> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "{what}:\n{}", wrong.join("\n"));
}

#[test]
fn the_rules_depend_on_nothing() {
    let packages = packages();
    let rules = packages.iter().find(|package| package.name == "sedma-rules").expect("the rules");
    assert_eq!(rules.dependencies, []);
    knows_nothing_of_the_world("services/sedma-rules/src");
}

/// What a bot does follows from what its seat sees.
#[test]
fn the_bots_depend_on_the_rules_alone() {
    let packages = packages();
    let bots = packages.iter().find(|package| package.name == "sedma-bots").expect("the bots");
    let names: Vec<&str> = bots.dependencies.iter().map(|dependency| dependency.name.as_str()).collect();
    assert_eq!(names, ["sedma-rules"]);
    knows_nothing_of_the_world("services/sedma-bots/src");
}

fn knows_nothing_of_the_world(folder: &str) {
    let wrong = written(folder, &["rs"]).into_iter().filter(|path| {
        let text = text(path);
        WORLD.iter().any(|module| text.contains(&format!("std::{module}")))
    });
    none("knows of the world", wrong.map(|path| path.display().to_string()));
}

#[test]
fn crates_depend_along_the_allowed_edges() {
    let packages = packages();
    let ours: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    assert_eq!(ours, EDGES.iter().map(|(name, _)| *name).collect(), "crates and their edges");
    let mut wrong = Vec::new();
    for package in &packages {
        let name = package.name.as_str();
        let folder = package.manifest_path.parent().and_then(|path| path.file_name());
        assert_eq!(folder, Some(name), "a crate is named as its folder");
        let (_, allowed) = EDGES.iter().find(|(from, _)| *from == name).expect("its edges");
        let to = package.dependencies.iter().map(|dependency| dependency.name.as_str());
        let beyond = to.filter(|to| ours.contains(to) && !allowed.contains(to));
        wrong.extend(beyond.map(|to| format!("{name} -> {to}")));
    }
    none("edges that are not allowed", wrong);
}

/// Deliberate faults are for tests: nothing may turn them on by default, or by name but in the features that hand them on
/// to the tests' own server.
#[test]
fn deliberate_faults_are_never_built_in() {
    let mut wrong = Vec::new();
    for package in packages() {
        let mut asks = package.dependencies.iter().flat_map(|dependency| &dependency.features);
        let asks = asks.any(|feature| feature == "mutants");
        let leads = package.features.iter().any(|(name, leads_to)| {
            name != "mutants" && leads_to.iter().any(|to| to.contains("mutants"))
                || leads_to.iter().any(|to| to == "sedma-rules/mutants")
        });
        let mut built = package.targets.iter().filter(|target| target.name.contains("fault"));
        let built = built.any(|target| {
            target.kind.contains(&cargo_metadata::TargetKind::Bin) && target.required_features != ["mutants"]
        });
        wrong.extend((asks || leads || built).then(|| package.name.to_string()));
    }
    none("crates that build the deliberate faults in", wrong);
}

#[test]
fn libraries_stay_where_they_belong() {
    let mut wrong = Vec::new();
    for package in packages() {
        let name = package.name.as_str();
        for dependency in &package.dependencies {
            let Some((library, homes)) =
                LIBRARIES.iter().find(|(begin, _)| dependency.name.starts_with(begin))
            else {
                continue;
            };
            let of_tests = dependency.kind == DependencyKind::Development
                && LIBRARIES_OF_TESTS.contains(&(*library, name));
            if !homes.contains(&name) && !of_tests {
                wrong.push(format!("{name} -> {}", dependency.name));
            }
        }
    }
    none("libraries away from home", wrong);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_method_of_the_protos_is_there() {
    let set = FileDescriptorSet::decode(sedma_proto::FILE_DESCRIPTOR_SET).expect("a descriptor set");
    let ours = set.file.iter().filter(|file| file.package() == "sedma.v1");
    let services = ours.flat_map(|file| &file.service);
    let paths = services.flat_map(|service| {
        service.method.iter().map(|method| format!("/sedma.v1.{}/{}", service.name(), method.name()))
    });
    let server = Server::memory().await;
    let client = server.platform().await.with_deadline(Duration::from_secs(1));
    let mut called = 0;
    for path in paths {
        called += 1;
        if let Err(status) = client.raw(&path, framed(&[])).await {
            // Only a watch over all tables needs no field: it goes on until its caller's deadline.
            let awaited = if path.ends_with("/WatchTables") { "DEADLINE" } else { "INVALID_FIELD" };
            assert_eq!(reason(&status), awaited, "{path}: {status:?}");
        }
    }
    assert!(called >= 22, "only {called} methods");
    server.stop().await;
}

#[test]
fn no_file_is_too_long() {
    let lines = |path: &PathBuf| text(path).lines().count();
    let wrong = sources().into_iter().filter(|path| lines(path) >= MOST_LINES);
    none("files that are too long", wrong.map(|path| path.display().to_string()));
}

#[test]
fn nothing_is_left_for_later() {
    // Put together here, so that this file does not have them.
    let words = [["to", "do!"], ["unimple", "mented!"], ["FIX", "ME"], ["TO", "DO"], ["XX", "X"]]
        .map(|word| word.concat());
    let mut wrong = Vec::new();
    for path in sources() {
        let text = text(&path);
        let found = words.iter().filter(|word| text.contains(word.as_str()));
        wrong.extend(found.map(|word| format!("{}: {word}", path.display())));
    }
    none("words for what is left to do", wrong);
}

#[test]
fn every_crate_has_the_workspaces_lints() {
    let manifests = packages().into_iter().map(|package| package.manifest_path.into_std_path_buf());
    let wrong = manifests.filter(|path| !text(path).contains("[lints]\nworkspace = true\n"));
    none("crates without lints", wrong.map(|path| path.display().to_string()));
}

#[test]
fn every_source_begins_with_what_it_is() {
    let files = ["services", "tests"].iter().flat_map(|folder| written(folder, &["rs"]));
    let wrong = files.filter(|path| !text(path).starts_with("//! "));
    none("files that do not say what they are", wrong.map(|path| path.display().to_string()));
}

#[test]
fn documents_lie_beside_what_they_are_about() {
    let everything = ["services", "tests", "proto"].iter().flat_map(|folder| written(folder, &[]));
    let wrong = everything.filter(|path| path.components().any(|part| part.as_os_str() == "docs"));
    none("a folder for documents", wrong.map(|path| path.display().to_string()));
    assert!(!root().join("docs").exists());
}

#[test]
fn the_laws_name_tests_that_exist() {
    let architecture = text(&root().join("ARCHITECTURE.md"));
    let laws = architecture.split("\n## Laws\n").nth(1).and_then(|rest| rest.split("\n## ").next());
    let rows =
        laws.expect("the laws").lines().filter(|line| line.starts_with("| ") && !line.contains("held by"));
    let all: Vec<PathBuf> =
        ["services", "tests"].iter().flat_map(|folder| written(folder, &["rs"])).collect();
    let exists = |word: &str| {
        all.iter().any(|path| path.to_string_lossy().contains(&format!("/{word}")))
            || all.iter().any(|path| text(path).contains(&format!("fn {word}(")))
            || all.iter().any(|path| text(path).contains(&format!("async fn {word}(")))
    };
    let mut wrong = Vec::new();
    for row in rows {
        let held_by = row.trim_end_matches('|').rsplit('|').next().expect("its last column");
        let named = held_by.split('`').skip(1).step_by(2);
        let tests = named.filter(|word| word.contains(['/', '_']) && !word.contains(' '));
        wrong.extend(tests.filter(|word| !exists(word)).map(|word| format!("{word} in {row}")));
    }
    none("tests that are not there", wrong);
}
