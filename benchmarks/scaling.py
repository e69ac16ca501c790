"""What many tables take: `python -m benchmarks.scaling --tables 250000 --machines 64 --clusters 8`.

A simulation from measured costs (`benchmarks.costs`; each may be told): actions come at random moments, each at a
random machine, waits for a core there, then for one of the PostgreSQL that has its table. Tells how busy all are and
how long actions take; what other processes do for an action is counted to it, and so is its share of a photo.
Networks, disks and failures are not in it. The same seed gives the same figures.
"""

import argparse
import heapq
import json
import random
from collections.abc import Sequence

PHONES = 4  # of a table
PHOTO_CHANGES = 2  # it waits, and it is read


def main() -> None:
    print(json.dumps(simulate(arguments()), indent=1))


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--machines", type=int, default=2, help="that serve")
    parser.add_argument("--cores", type=int, default=8, help="of a machine, each with a server's process")
    parser.add_argument("--clusters", type=int, default=1, help="PostgreSQL clusters, over which tables are spread")
    parser.add_argument("--database-cores", type=int, default=16, help="of each cluster")
    parser.add_argument("--every", type=float, default=10.0, help="seconds between two actions of a table")
    parser.add_argument("--photos", type=float, default=0.3, help="photos to an action")
    parser.add_argument("--action-ms", type=float, default=9.3, help="of a server's core")
    parser.add_argument("--store-ms", type=float, default=2.2, help="of PostgreSQL's core")
    parser.add_argument("--look-ms", type=float, default=6.5, help="of each other process with phones of the table")
    parser.add_argument("--photo-ms", type=float, default=310.0, help="of a reader's core")
    parser.add_argument("--photo-server-ms", type=float, default=60.0, help="of a server's core, for a photo")
    parser.add_argument("--photo-store-ms", type=float, default=28.0, help="of PostgreSQL's core, for a photo")
    parser.add_argument("--photo-wal-bytes", type=int, default=265_000)
    parser.add_argument("--stream-bytes", type=int, default=16_000)
    parser.add_argument("--state-bytes", type=int, default=1800)
    parser.add_argument("--wal-bytes", type=int, default=1300)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(given)


def simulate(args: argparse.Namespace) -> dict[str, float]:
    """Shares of what there is (1.0: all of it), and milliseconds."""
    chance = random.Random(args.seed)
    rate = args.tables / args.every
    processes = args.machines * args.cores
    # Phones of one table hang on different processes: each that has one looks at the table once.
    others = processes * (1 - (1 - 1 / processes) ** PHONES) - 1 / processes
    told = 1 + args.photos * PHOTO_CHANGES  # how often phones are told something for an action
    work_ms = args.action_ms + args.photos * args.photo_server_ms + max(0.0, others) * told * args.look_ms
    store_ms = args.store_ms + args.photos * args.photo_store_ms
    wal_bytes = args.wal_bytes + args.photos * args.photo_wal_bytes
    moments = []
    at = 0.0
    while at < args.seconds:
        at += chance.expovariate(rate)
        moments.append((at, at))
    served = waiting(moments, processes, 1, work_ms / 1000, chance)
    stored = waiting(sorted(served), args.clusters, args.database_cores, store_ms / 1000, chance)
    took = sorted(1000 * (done - began) for done, began in stored)
    return {
        "actions_a_second": round(rate),
        "servers_busy": round(rate * work_ms / 1000 / processes, 3),
        "postgres_busy": round(rate * store_ms / 1000 / (args.clusters * args.database_cores), 3),
        "reader_cores": round(rate * args.photos * args.photo_ms / 1000, 1),
        "streams_of_a_process": round(args.tables * PHONES / processes),
        "stream_memory_of_a_machine_mb": round(args.tables * PHONES * args.stream_bytes / args.machines / 1e6),
        "sent_of_a_machine_mbit_s": round(rate * told * PHONES * args.state_bytes * 8 / args.machines / 1e6, 1),
        "wal_of_a_cluster_mb_s": round(rate * wal_bytes / args.clusters / 1e6, 1),
        "median_ms": round(took[len(took) // 2], 1),
        "p99_ms": round(took[len(took) * 99 // 100], 1),
    }


def waiting(
    moments: list[tuple[float, float]], places: int, cores: int, mean_s: float, chance: random.Random
) -> list[tuple[float, float]]:
    """Each comes to one of `places` at random and waits for one of its cores: (when it is done, when it began)."""
    free = [[0.0] * cores for _ in range(places)]
    done = []
    for at, began in moments:
        place = free[chance.randrange(places)]
        ends = max(at, heapq.heappop(place)) + chance.expovariate(1 / mean_s)
        heapq.heappush(place, ends)
        done.append((ends, began))
    return done


if __name__ == "__main__":
    main()
