"""The store on PostgreSQL: how it is made and made newer, what it says when it cannot be reached, what it survives."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

import rollcall
from tests.web.apps import create_app
from tests.web.postgres import Postgres, missing, postgres
from tests.web.stored import dice_named, last_event, line, log, table_started
from tests.web.waiting import wait_until
from web.journal.journal import Overtaken
from web.problems.problem import Problem
from web.services import services
from web.store import schema
from web.store.server_tokens import create_token
from web.store.store import fault
from web.table.events import Logged, SettingsChanged

pytest.importorskip("psycopg", reason="the extra `cluster` is not installed")


from web.hosts.cluster.shared_store import SharedStore, parse_address

ROOT = Path(__file__).resolve().parents[4]


def test_servers_that_start_at_once_on_an_empty_database_make_one_store(server: Postgres) -> None:
    address = server.new()
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(SharedStore, [address] * 4))
    with stores[0].read() as connection:
        assert connection.execute(text("SELECT count(*) FROM schema_version WHERE name <> ''")).scalar() == 1
    for store in stores:
        store.close()
    server.drop(address)


def test_a_store_of_a_newer_rollcall_is_left_alone(shared: str, tmp_path: Path) -> None:
    engine = create_engine(parse_address(shared))
    with engine.begin() as connection:
        connection.execute(
            text("UPDATE schema_version SET version = :version, readable_by = :version"),
            {"version": schema.VERSION + 1},
        )
    engine.dispose()
    with pytest.raises(schema.SchemaError, match="newer Rollcall"):
        SharedStore(shared)


@pytest.mark.parametrize("address", ["games.db", "postgresql://host/games", "mysql://host/games", "postgresql+psycopg"])
def test_another_kind_of_address_is_refused_and_not_told_back(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rollcall.main(["serve", "--data", str(tmp_path), "--port", "0", "--database", address]) == 2
    assert capsys.readouterr().err == (
        "a database is postgresql+psycopg://USER:PASSWORD@HOST:PORT/NAME, got another kind of address\n"
    )


def test_a_database_that_does_not_answer_is_told_without_its_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = "postgresql+psycopg://rollcall:very-secret@127.0.0.1:1/games"
    assert rollcall.main(["serve", "--data", str(tmp_path), "--port", "0", "--database", address]) == 2
    told = capsys.readouterr().err
    assert "the database cannot be used" in told
    assert "very-secret" not in told


@pytest.mark.parametrize("wrong", ["name", "user"])
def test_a_wrong_name_or_user_is_told_with_what_to_check(
    wrong: str, server: Postgres, tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    address = server.address("postgres").replace("rollcall@", "nobody:very-secret@")
    address = server.address("nothere") if wrong == "name" else address
    for command in (["reader", "--database", address], ["move", address, str(tmp_path / "games")]):
        assert rollcall.main(command) == 2
        told = capsys.readouterr().err
        assert "does not exist" in caplog.text  # a line of the log, above
        assert "check that PostgreSQL runs, and the host, user, password and name" in told
        assert "try again" not in told
        assert "very-secret" not in told


def test_who_was_away_catches_up_with_what_others_did(shared: str) -> None:
    one, two = SharedStore(shared), SharedStore(shared)
    row = one.create(table_started("farkle", {}, ["Ada"]))
    happened = [Logged([line(1)]), Logged([line(2), line(3)]), SettingsChanged({"advice": "best"}, "phone")]
    started = last_event(one, row)
    known = one.append(row, started, happened[:1])
    last = two.append(row, known, happened[1:])
    assert (known.number, last.number) == (2, 4)
    for each in (started, known):
        assert one.catch_up(row, each) == (happened[each.number - 1 :], last)
    assert one.catch_up(row, last) is None
    with two.write() as connection:
        connection.execute(text("UPDATE events SET body = replace(body, 'best', 'odds')"))
    assert one.catch_up(row, known) == (None, known._replace(number=3, chain=one.catch_up(row, started).head.chain))
    assert one.last_numbers([row.key, "another"]) == {row.key: 4}
    for store in (one, two):
        store.close()


def test_others_are_called_after_each_change_of_a_table(shared: str) -> None:
    called: list[str] = []
    store = SharedStore(shared, called.append)
    row = store.create(table_started("farkle", {}, ["Ada"]))
    assert called == []
    known = store.append(row, last_event(store, row), [dice_named("red")])
    following = table_started("farkle", {}, ["Ada"], follows=row.key)
    _, last = store.go_on(row, known, following)
    assert called == [row.key, row.key]
    with pytest.raises(Overtaken):
        store.go_on(row, known, following)
    with pytest.raises(Problem, match="quicker"):
        store.go_on(row, last, following)
    with pytest.raises(Overtaken):
        store.append(row, known, [dice_named("blue")])
    assert called == [row.key, row.key]
    store.close()


def test_a_closed_store_leaves_no_connection(shared: str) -> None:
    store, watching = SharedStore(shared), SharedStore(shared)
    others = text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")

    def connected() -> int:
        with watching.read() as connection:
            return int(connection.scalar(others))

    with store.read() as connection:  # as a thread that is still at it
        store.close()
        assert connection.scalar(others) == 2
    wait_until(lambda: connected() == 1)
    with pytest.raises(Problem, match="cannot be reached"):
        store.find("any")
    assert connected() == 1
    watching.close()


@pytest.mark.skipif(missing() is not None, reason=str(missing()))
def test_what_was_confirmed_outlives_a_killed_postgresql() -> None:
    with postgres(durable=True) as server:
        store = SharedStore(server.new())
        row = store.create(table_started("farkle", {}, ["Ada"]))
        for seq in range(1, 21):
            log(store, row, line(seq))
        server.kill()
        with pytest.raises(Problem, match="cannot be reached"):
            log(store, row, line(21))
        assert "cannot be reached" in str(fault(store))
        server.start()
        assert [line.seq for line in store.load(row).entries] == list(range(1, 21))
        assert fault(store) is None
        log(store, row, line(21))  # by a connection of its own: those from before are gone
        store.close()


def test_a_server_without_a_database_loads_nothing_of_this(tmp_path: Path) -> None:
    code = f"""
import sys
from pathlib import Path
from tests.web.apps import create_app
from web.services import services
import web.hosts.laptop.serving, rollcall
rollcall.build_parser()
services(create_app(Path({str(tmp_path)!r}))).close()
print(sorted({{name.split(".")[0] for name in sys.modules}} & {{"psycopg", "prometheus_client"}}))
print([name for name in sys.modules if name.startswith("web.hosts.cluster") or "dialects.postgresql" in name])
"""
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n[]\n"


def test_the_servers_of_a_database_share_the_tokens_of_their_owner(
    shared: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there = (create_app(tmp_path / name, database=shared) for name in ("here", "there"))

    def statuses(token: str) -> list[int]:
        asked = {"Authorization": f"Bearer {token}"}
        return [app.test_client().get("/api/v1/statistics", headers=asked).status_code for app in (here, there)]

    assert rollcall.main(["token", "create", "league", "--database", shared, "--data", str(tmp_path)]) == 0
    made = capsys.readouterr().out.strip()
    assert statuses(made) == [200, 200]
    assert statuses(create_token(tmp_path / "here", "of-a-folder")) == [401, 401]
    assert rollcall.main(["token", "list", "--database", shared]) == 0
    listed = capsys.readouterr().out.split()
    assert listed[1] == "league"
    assert made not in listed
    assert rollcall.main(["token", "revoke", listed[0], "--database", shared]) == 0
    assert statuses(made) == [401, 401]
    assert rollcall.main(["token", "revoke", listed[0], "--database", shared]) == 2
    for app in (here, there):
        services(app).close()
