#!/usr/bin/env python3
"""Says which tests took longest: slowest.py EVENTS SLOTS COUNT

EVENTS is the event stream of a run of Swift Testing that had SLOTS cases run at a time. "passed after", as the run
prints it, is no measure: it counts from when a test was queued. Cases of tests with arguments tell when they begin
and end. Those without do not: tests begin in the order in which they are queued, so that what such tests took is the
time for which slots were not used in between, told for all of them together.
"""
import json
import sys


def main(path, slots, count):
    order, cases, running, kept = [], {}, {}, []
    for line in open(path):
        record = json.loads(line)
        event = record["payload"]
        if record["kind"] != "event" or not event.get("testID", "").count("/") > 1:
            continue
        test, kind, time = event["testID"].rsplit("/", 1)[0], event["kind"], event["instant"]["absolute"]
        if kind == "testStarted":
            order.append((time, test))
        elif kind == "testCaseStarted":
            running[test, event["_testCase"]["id"]] = time
        elif kind == "testCaseEnded":
            start = running.pop((test, event["_testCase"]["id"]))
            cases.setdefault(test, []).append((start, time))
        kept.append(time)
    if not kept:
        return
    times = [(sum(end - start for start, end in each), f"{test}: {len(each)} cases") for test, each in cases.items()]
    busy = sorted(each for list in cases.values() for each in list)

    def idle(start, end):
        used = sum(max(0, min(end, last) - max(start, first)) for first, last in busy)
        return max(0, slots * (end - start) - used)

    start, group = min(kept), []
    for _, test in sorted(order) + [(None, None)]:
        if test and test not in cases:
            group.append(test)
            continue
        end = min(first for first, _ in cases[test]) if test else max(kept)
        if group and end > start:
            others = f" and {len(group) - 1} tests behind it" if len(group) > 1 else ""
            times.append((idle(start, end), f"{group[0]}{others}"))
        if test:
            start, group = max(start, max(first for first, _ in cases[test])), []
    print("\nThe slowest tests, in seconds:")
    for seconds, name in sorted(times, reverse=True)[:count]:
        print(f"{seconds:8.1f}  {name}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
