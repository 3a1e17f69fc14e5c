"""What is stored: whole or not at all, found again, and never gone on with by two at once."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from inspect import getsource

import pytest

from ruleloom.web.live_table import load_table
from ruleloom.web.lobby import exported, imported, listed
from ruleloom.web.table_store import MovedOn, NotStored, TableStore
from tests.conftest import ROOT
from tests.support.web_tables import live_table

FEW_KILLS, MANY_KILLS = 2, 200


def answer(table):
    """The first answer of whoever is asked first."""
    seat = table.game.node.stop.who[0]
    prompt = table.authorised(seat).prompt
    keys = [option.key for option in prompt.options][: max(1, prompt.least)]
    table.answer(seat, table.question_id(seat), [keys])


def test_a_table_is_found_again_with_its_answers_its_undo_and_its_dice(tmp_path):
    path = tmp_path / "tables.db"
    table = live_table("Ann=human,Ben=human", store=TableStore(path))
    for _ in range(8):
        answer(table)
    table.store.close()
    again = load_table(TableStore(path), table.id)
    assert again.game.entries == table.game.entries
    assert again.game.state == table.game.state
    assert again.game.random == table.game.random
    assert [one.serial for one in again.game.past] == [one.serial for one in table.game.past]
    assert again.notes[0].pages[-1].text() == table.notes[0].pages[-1].text()


def test_a_table_goes_out_and_in_as_the_text_of_a_save():
    table = live_table("Ann=human,greedy")
    answer(table)
    text = exported(table.store, table.id)
    assert "seats human,greedy" in text
    other = load_table(table.store, imported(table.store, text).id)
    assert other.game.entries == table.game.entries
    assert len(listed(table.store)) == 2
    with pytest.raises(Exception, match="no save of Ruleloom"):
        imported(table.store, "nonsense")


def test_two_that_go_on_with_one_game_are_told():
    table = live_table("Ann=human,Ben=human")
    other = load_table(table.store, table.id)
    answer(table)
    with pytest.raises(MovedOn):
        answer(other)
    assert load_table(table.store, table.id).game.entries == table.game.entries


def test_a_file_that_another_process_holds_is_told_and_nothing_is_lost(tmp_path, monkeypatch):
    monkeypatch.setattr("ruleloom.web.table_store.PATIENCE", 0.05)
    path = tmp_path / "tables.db"
    table = live_table("Ann=human,Ben=human", store=TableStore(path))
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("begin immediate")
    before = table.game
    with pytest.raises(NotStored, match="another process holds the file"):
        answer(table)
    assert table.game is before
    holder.execute("rollback")
    answer(table)
    assert load_table(table.store, table.id).game.entries == table.game.entries


def test_a_file_that_cannot_be_written_is_told_and_nothing_is_lost(tmp_path):
    path = tmp_path / "tables.db"
    table = live_table("Ann=human,Ben=human", store=TableStore(path))
    table.store._db.execute("pragma query_only = on")
    before = table.game
    with pytest.raises(NotStored, match="read-only"):
        answer(table)
    assert table.game is before
    table.store._db.execute("pragma query_only = off")
    answer(table)
    assert table.game is not before


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path):
    path = tmp_path / "tables.db"
    table = live_table("Ann=human,Ben=human", store=TableStore(path))
    full = table.store._db.execute("pragma page_count").fetchone()[0]
    table.store._db.execute(f"pragma max_page_count = {full}")
    told = ""
    for _ in range(300):
        before = table.game
        try:
            answer(table)
        except NotStored as fault:
            told = str(fault)
            break
    assert told == "the disk is full"
    assert table.game is before
    assert load_table(table.store, table.id).game.entries == before.entries


LIMITED = f"""
import resource, signal, sys
sys.path.insert(0, {str(ROOT)!r})
from ruleloom.web.live_table import load_table
from ruleloom.web.table_store import NotStored, TableStore
{getsource(answer)}
table = load_table(TableStore(sys.argv[1]), sys.argv[2])
answer(table)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
while True:
    before = table.game
    try:
        answer(table)
    except NotStored as fault:
        print(fault, table.game is before)
        break
"""


def test_a_file_that_outgrows_the_limit_of_the_process_is_told(tmp_path):
    """A true refusal of the system, not one that SQLite plays."""
    path = tmp_path / "tables.db"
    table = live_table("Ann=human,Ben=human", store=TableStore(path))
    table.store.close()
    words = [sys.executable, "-c", LIMITED, str(path), table.id, "60000"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=100)
    assert done.stdout == "the disk does not answer as it should True\n", done.stderr


def test_no_database_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("these are notes, and no database at all\n" * 50)
    with pytest.raises(NotStored, match="no database"):
        TableStore(path)
    with pytest.raises(NotStored, match="cannot be opened"):
        TableStore(tmp_path / "no" / "such" / "folder.db")


# ---------------------------------------------------------------------------------- kill -9

WRITER = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from ruleloom.web.live_table import load_table
from ruleloom.web.table_store import TableStore
{getsource(answer)}
store = TableStore(sys.argv[1])
tables = [load_table(store, one.id) for one in store.tables_alone()]
print("ready", flush=True)
for table in tables * 400:
    if not table.game.over:
        answer(table)
        print(table.id, table.game.serial, flush=True)  # this is what a page would be shown
"""
TABLES = 6


def killed(path, number):
    """Let a writer answer, kill it at some moment, and compare what it had shown with what is
    stored; the count of answers that it had shown."""
    first = TableStore(path)
    for seed in range(TABLES):
        live_table("Ann=human,Ben=human", seed=number * TABLES + seed, store=first)
    first.close()
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "ready\n"
    begun = writer.stdout.readline()  # at least one answer was shown
    time.sleep(0.02 + (number * 37 % 100) / 400)
    os.kill(writer.pid, signal.SIGKILL)
    told = (begun + writer.stdout.read()).splitlines(keepends=True)
    lines = [line.split() for line in told if line.endswith("\n")]  # the last may be torn
    writer.wait()
    shown = {id: int(serial) for id, serial in lines}
    store = TableStore(path)
    for id, serial in shown.items():
        kept = store.table(id)
        assert kept is not None
        assert kept.next >= serial, f"kill {number}: an answer that was shown is lost"
        assert len(store.lines(id)) == kept.next  # none twice, none left out
        assert load_table(store, id).game.serial == kept.next
    store.close()
    return len(lines)


def test_kill_9_loses_no_answer_that_was_shown(tmp_path):
    counts = [killed(tmp_path / f"{number}.db", number) for number in range(FEW_KILLS)]
    assert sum(counts) > FEW_KILLS


@pytest.mark.slow
@pytest.mark.timeout(7_200)
def test_kill_9_at_many_points_loses_no_answer_that_was_shown(tmp_path):
    counts = [killed(tmp_path / f"{number}.db", number) for number in range(MANY_KILLS)]
    print(f"{MANY_KILLS} kills, {sum(counts):,} answers shown before them, none lost")
    assert sum(counts) > 1_000
