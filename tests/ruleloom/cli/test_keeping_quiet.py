"""What `ruleloom check` does not tell, and when it tells it after all: comments, baselines,
revisions; and `--fix`.

The packs are of a game of an inn, whose settings nobody reads: each makes one warning.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ruleloom.cli.check.filters import baseline_text, not_in_baseline
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.source.file import Place
from tests.support.command import Done, call
from tests.support.pack_examples import manifest

GUESTS = "- {kind: setting, id: guests, value: 4, english: how many guests there are}\n"
BEDS = "- {kind: setting, id: beds, value: 6, english: how many beds there are}\n"
CHAIRS = "- {kind: setting, id: chairs, value: 8, english: how many chairs there are}\n"
ALLOW = "# ruleloom: allow unused-item because the next pack reads it\n"
INN = {
    "inn/pack.yaml": manifest("inn"),
    "inn/vocabulary.yaml": "kind: vocabulary\ngame: inn\n",
    "inn/settings.yaml": GUESTS,
}
Write = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def inn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """The inn, in the present folder; a function that changes files of it."""
    monkeypatch.chdir(tmp_path)

    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        return tmp_path

    write(INN)
    return write


def told(*words: str) -> list[str]:
    """What `check` tells, one finding a line, without the closing words."""
    return call("check", *words, "--format", "concise").out.splitlines()[:-1]


def codes(*words: str) -> list[str]:
    """The codes of what is told."""
    return [one["code"] for one in json.loads(call("check", *words, "--format", "json").out)]


# ---------------------------------------------------------------------------------- comments


def test_a_comment_with_a_reason_keeps_a_warning_quiet(inn: Write):
    assert codes("inn") == ["unused-item"]
    inn({"inn/settings.yaml": ALLOW + GUESTS})
    assert codes("inn") == []
    inn({"inn/settings.yaml": ALLOW + BEDS + GUESTS})
    assert told("inn") == [
        "inn/settings.yaml:3:23: warning[unused-item]: nothing reads the setting `guests`"
    ]


def test_test_heeds_the_comments_too(inn: Write):
    inn({"inn/settings.yaml": ALLOW + GUESTS + BEDS})
    done = call("test", "inn")
    assert "`beds`" in done.out
    assert "`guests`" not in done.out


def test_what_a_comment_allows_does_not_fail(inn: Write):
    assert call("check", "inn", "--fail-on", "warning").code == 1
    assert call("check", "inn").code == 0
    inn({"inn/settings.yaml": ALLOW + GUESTS})
    assert call("check", "inn", "--fail-on", "warning").code == 0


# ---------------------------------------------------------------------------------- baseline


def write_baseline() -> Done:
    return call("check", "inn", "--baseline", "old.json", "--write-baseline")


def test_a_baseline_keeps_old_warnings_quiet_and_tells_new_ones(inn: Write):
    done = write_baseline()
    assert (done.code, done.err) == (0, "wrote old.json: 1 warning\n")
    assert call("check", "inn", "--baseline", "old.json").code == 0
    assert told("inn", "--baseline", "old.json") == []
    # It has moved to another line, and another one is new.
    inn({"inn/settings.yaml": "# Of the house.\n\n" + BEDS + GUESTS})
    done = call("check", "inn", "--baseline", "old.json", "--format", "concise")
    assert done.code == 1
    assert done.out.splitlines()[:-1] == [
        "inn/settings.yaml:3:23: warning[unused-item]: nothing reads the setting `beds`"
    ]
    assert call("check", "inn", "--baseline", "old.json", "--fail-on", "error").code == 0


def test_a_baseline_counts_findings_at_equal_lines(tmp_path: Path):
    sources = {"a.yaml": "let x = 3\nlet x = 3\nlet x = 3\n"}
    found = [
        Diagnostic(
            Place("a.yaml", line, 5, line, 6), "warning", "unused-name", "`x` is set and never read"
        )
        for line in (1, 2, 3)
    ]
    (tmp_path / "old.json").write_text(
        baseline_text(found[:2], sources, tmp_path), encoding="utf-8"
    )
    (entry,) = json.loads((tmp_path / "old.json").read_text(encoding="utf-8"))["findings"]
    assert entry["times"] == 2
    old = tmp_path / "old.json"
    assert not_in_baseline(old, found[:2], dict(sources)) == []
    assert not_in_baseline(old, found, dict(sources)) == found[2:]
    (outdated,) = not_in_baseline(old, found[:1], dict(sources))
    assert outdated.message == "`unused-name` in a.yaml is found 1 time, not 2"


def test_an_entry_that_is_found_no_more_is_a_finding(inn: Write):
    inn({"inn/settings.yaml": GUESTS + BEDS})
    write_baseline()
    inn({"inn/settings.yaml": GUESTS})
    done = call("check", "inn", "--baseline", "old.json")
    assert done.code == 1
    assert (
        "old.json:4:5: warning[outdated-baseline]: `unused-item` in inn/settings.yaml is found no more"
        in done.out
    )
    assert ' 4 |     {"code": "unused-item"' in done.out
    assert "`beds`" in Path("old.json").read_text(encoding="utf-8").splitlines()[3]
    assert write_baseline().code == 0
    assert call("check", "inn", "--baseline", "old.json").code == 0
    assert len(json.loads(Path("old.json").read_text())["findings"]) == 1


def test_a_baseline_is_judged_by_what_was_looked_at(inn: Write):
    inn(
        {
            "hut/pack.yaml": manifest("hut", game="hut"),
            "hut/vocabulary.yaml": "kind: vocabulary\ngame: hut\n",
        }
    )
    write_baseline()
    assert codes("hut", "--baseline", "old.json") == []
    inn({"inn/settings.yaml": "- {kind: setting, id: other, value: 4, english: how many}\n"})
    (Path("inn") / "settings.yaml").unlink()
    assert codes("hut", "--baseline", "old.json") == ["outdated-baseline"]


def test_the_paths_of_a_baseline_begin_where_it_lies(inn: Write, monkeypatch: pytest.MonkeyPatch):
    write_baseline()
    monkeypatch.chdir("inn")
    assert codes("--baseline", "../old.json") == []
    assert codes(".", "--baseline", "../old.json") == []


def test_a_baseline_takes_no_errors(inn: Write):
    inn({"inn/broken.yaml": "- {kind: settng, id: a, value: 1, english: how many}\n"})
    done = write_baseline()
    assert done.code == 1
    assert "unknown-kind" in done.out
    assert "unknown-kind" not in Path("old.json").read_text()
    assert codes("inn", "--baseline", "old.json") == ["unknown-kind"]


def test_errors_hide_nothing_of_a_baseline(inn: Write):
    write_baseline()
    # With an error nobody looks for what is unused: the entry is not called outdated for that.
    inn({"inn/broken.yaml": "- {kind: settng, id: a, value: 1, english: how many}\n"})
    assert codes("inn", "--baseline", "old.json") == ["unknown-kind"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "bad-baseline"),
        ("{", "unclosed-bracket"),
        ("[]\n", "bad-baseline"),
        ('{"findings": 3}\n', "bad-baseline"),
        ('{"findings": [3]}\n', "bad-baseline"),
        (
            '{"findings": [{"code": "a", "path": "b", "fingerprint": "c", "times": 0}]}\n',
            "bad-baseline",
        ),
        (
            '{"findings": [{"code": "a", "path": "b", "fingerprint": "c", "times": true}]}\n',
            "bad-baseline",
        ),
        (
            '{"findings": [{"code": "a", "path": 1, "fingerprint": "c", "times": 1}]}\n',
            "bad-baseline",
        ),
    ],
)
def test_a_broken_baseline_is_told_with_its_place(inn: Write, text: str, told: str):
    inn({"old.json": text})
    found = json.loads(call("check", "inn", "--baseline", "old.json", "--format", "json").out)
    broken = [one for one in found if one["path"] == "old.json"]
    assert broken
    assert [one["code"] for one in broken] == [told]
    assert call("check", "inn", "--baseline", "old.json").code == 1


def test_a_missing_baseline_and_one_that_cannot_be_written_are_wrong_use(inn: Write):
    done = call("check", "inn", "--baseline", "none.json")
    assert done.code == 2
    assert "none.json" in done.err
    assert "--write-baseline" in done.err
    below_a_file = "inn/pack.yaml/folder.json"
    assert call("check", "inn", "--baseline", below_a_file, "--write-baseline").code == 2
    assert call("check", "inn", "--write-baseline").code == 2


# ---------------------------------------------------------------------------------- --changed-since


def git(*words: str) -> None:
    name = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *name, *words], check=True, capture_output=True)


@pytest.fixture
def repository(inn: Write) -> Write:
    """The inn with a second file, as the first commit of a repository."""
    inn({"inn/more.yaml": BEDS})
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "first")
    return inn


def since(*words: str) -> list[str]:
    """Where something is told that has changed since the last commit."""
    return [line.split(" ")[0] for line in told(*(words or ("inn",)), "--changed-since", "HEAD")]


def test_only_what_has_changed_is_told(repository: Write):
    assert since() == []
    repository({"inn/more.yaml": "# Of the house.\n" + BEDS})
    assert since() == ["inn/more.yaml:2:23:"]
    repository({"inn/new.yaml": CHAIRS})
    assert since() == ["inn/more.yaml:2:23:", "inn/new.yaml:1:23:"]
    git("add", "-A")
    git("commit", "-q", "-m", "second")
    assert since() == []
    assert told("inn", "--changed-since", "HEAD~1") != []
    assert Path(".git/index").exists()


def test_the_closing_words_count_what_is_older(repository: Write):
    done = call("check", "inn", "--changed-since", "HEAD")
    assert done.out == "checked 1 pack, 3 items: no problems (2 older ones not shown)\n"


HOUSE = {
    "house/pack.yaml": manifest("house"),
    "house/more.yaml": "kind: patch\nid: more\ntarget: inn:setting/guests\nset: {value: 5}\n",
}


def test_a_finding_elsewhere_that_the_change_brings_is_told(repository: Write):
    repository(HOUSE)
    git("add", "-A")
    git("commit", "-q", "-m", "second")
    assert since("inn", "house") == []
    # The file that is changed has no mistake; the patch of what it no longer holds has.
    repository({"inn/settings.yaml": CHAIRS})
    done = call("check", "inn", "house", "--changed-since", "HEAD", "--format", "json")
    assert done.code == 1
    found = {one["path"]: one["code"] for one in json.loads(done.out)}
    assert found["house/more.yaml"] == "patch-matches-nothing"


def test_an_error_that_was_there_before_is_older(repository: Write):
    repository({"inn/broken.yaml": "- {kind: settng, id: a, value: 1, english: how many}\n"})
    assert call("check", "inn", "--changed-since", "HEAD").code == 1
    git("add", "-A")
    git("commit", "-q", "-m", "second")
    done = call("check", "inn", "--changed-since", "HEAD")
    assert done.code == 0
    assert "1 older one not shown" in done.out
    assert call("check", "inn").code == 1


def test_a_note_in_a_changed_file_is_reason_enough(repository: Write):
    repository({"inn/again.yaml": GUESTS})
    git("add", "-A")
    git("commit", "-q", "-m", "second")
    assert since() == []
    repository({"inn/again.yaml": GUESTS + "# Changed.\n"})
    # The complaint stands in settings.yaml, its note in again.yaml, or the other way round.
    assert len(since()) == 1


def test_git_and_the_work_tree_stay_as_they_are(repository: Write, monkeypatch: pytest.MonkeyPatch):
    repository({"inn/new.yaml": CHAIRS})
    before = subprocess.run(
        ["git", "status", "--porcelain"], capture_output=True, check=True
    ).stdout
    index = Path(".git/index").read_bytes()
    monkeypatch.chdir("inn")
    assert [line.split(" ")[0] for line in told("--changed-since", "HEAD")] == ["new.yaml:1:23:"]
    monkeypatch.chdir("..")
    assert Path(".git/index").read_bytes() == index
    assert (
        subprocess.run(["git", "status", "--porcelain"], capture_output=True, check=True).stdout
        == before
    )


def test_a_pack_that_is_new_is_told_whole(repository: Write):
    repository({name.replace("inn/", "inns/"): text for name, text in INN.items()})
    git("rm", "-rq", "--cached", "inn")
    assert since("inns") == ["inns/settings.yaml:1:23:"]


@pytest.mark.parametrize("revision", ["no-such-branch", "--output=x", "HEAD:inn", ""])
def test_a_revision_that_git_does_not_know_is_wrong_use(repository: Write, revision: str):
    done = call("check", "inn", f"--changed-since={revision}")
    assert done.code == 2
    assert f"there is no revision `{revision}` of" in done.err
    assert "fetch-depth: 0" in done.err
    assert done.out == ""


def test_without_a_repository_or_git_it_is_wrong_use(
    inn: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    done = call("check", "inn", "--changed-since", "HEAD")
    assert (done.code, "lies in no git repository" in done.err) == (2, True)
    monkeypatch.setenv("PATH", str(tmp_path))
    done = call("check", "inn", "--changed-since", "HEAD")
    assert (done.code, "there is no program `git` here" in done.err) == (2, True)


# ---------------------------------------------------------------------------------- --fix


def test_fix_mends_what_one_word_mends_and_nothing_else(inn: Write):
    broken = (
        "\ufeff# Of the house.\r\n- {kind: 'settng', id: guests, value: 4, english: how many}  # "
        "four\r\n"
    )
    Path("inn/settings.yaml").write_bytes(broken.encode())
    assert codes("inn") == ["unknown-kind"]
    done = call("check", "inn", "--fix")
    assert done.code == 0
    assert done.err == "fixed inn/settings.yaml: 1 word\n"
    assert Path("inn/settings.yaml").read_bytes() == broken.replace("settng", "setting").encode()
    again = call("check", "inn", "--fix")
    assert (again.code, again.err, again.out) == (0, "", done.out)


def test_fix_leaves_what_it_cannot_mend(inn: Write):
    text = "- {kind: settng, id: guests, value: four, english: how many}\n"
    inn({"inn/settings.yaml": text, "inn/other.yaml": "- {kind: zzzzzz, id: a}\n"})
    assert call("check", "inn", "--fix").code == 1
    assert Path("inn/other.yaml").read_text() == "- {kind: zzzzzz, id: a}\n"
    assert Path("inn/settings.yaml").read_text() == text.replace("settng", "setting")
