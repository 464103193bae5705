import { describe, expect, it } from "vitest";
import { samplesOf } from "../../../viewer/src/api/records";
import type { Scan, VehicleSpec } from "../../../viewer/src/api/types";
import { type Known, fitsRobot, NOTHING_KNOWN } from "../../../viewer/src/state/known";
import { MOVES_KEPT, type Move, withMove, withoutLast } from "../../../viewer/src/state/moves";
import { defaults, restored } from "../../../viewer/src/state/preferences";
import { placeAt, scanPoints, type TimedPlace, withPlace } from "../../../viewer/src/state/scan";
import { Store } from "../../../viewer/src/state/store";
import { clock, degrees, metres, recordValue } from "../../../viewer/src/ui/format";
import { plotted } from "../../../viewer/src/ui/plot";

describe("numbers", () => {
  it("read like a clock", () => {
    expect(clock(0)).toBe("0:00.0");
    expect(clock(62.34)).toBe("1:02.3");
    expect(clock(3723)).toBe("1:02:03");
  });

  it("have no minus in front of a zero", () => {
    expect(metres(-0.001)).toBe("0.00");
    expect(Object.is(degrees(-0.0001), 0)).toBe(true);
  });

  it("of a record keep what counts", () => {
    expect(recordValue(12.34567)).toBe("12.346");
    expect(recordValue(null)).toBe("–");
    expect(recordValue({ laps: 2 })).toBe('{"laps":2}');
  });
});

describe("preferences", () => {
  const fallback = defaults(["ko-KR", "en"], true);

  it("begin in the browser's language", () => {
    expect(fallback.language).toBe("ko");
    expect(defaults(["de", "en-GB"], false)).toMatchObject({ language: "en", panel: false });
  });

  it("are restored as far as they make sense", () => {
    expect(restored('{"view":"top","theme":"pink","driveSpeed":99}', fallback)).toEqual({ ...fallback, view: "top" });
    expect(restored("not JSON", fallback)).toEqual(fallback);
  });
});

describe("moves", () => {
  const move = (x: number): Move => ({ name: "box1", from: { x, y: 0, yaw: 0 } });

  it("are taken back from the newest, and only so many are kept", () => {
    let moves: readonly Move[] = [];
    for (let x = 0; x < MOVES_KEPT + 5; x++) moves = withMove(moves, move(x));
    expect(moves).toHaveLength(MOVES_KEPT);
    expect(moves.at(-1)?.from.x).toBe(MOVES_KEPT + 4);
    expect(withoutLast(moves).at(-1)?.from.x).toBe(MOVES_KEPT + 3);
  });
});

describe("the flag", () => {
  const known = (robot?: string): Known => ({
    ...NOTHING_KNOWN,
    vehicle: { generation: "vehicle" } as VehicleSpec,
    evaluation: { version: 1, config: robot === undefined ? {} : { robot }, script: "x" },
  });

  it("needs an evaluation for this robot", () => {
    expect(fitsRobot(known("vehicle"))).toBe(true);
    expect(fitsRobot(known())).toBe(true);
    expect(fitsRobot(known("truck"))).toBe(false);
    expect(fitsRobot({ ...known(), evaluation: null })).toBe(false);
  });
});

describe("a scan", () => {
  const scan = { angle_min: -Math.PI / 2, angle_increment: Math.PI / 2, range_min: 0.1, range_max: 10, ranges: [1, 2, null, 10] } as unknown as Scan;

  it("becomes points in the world, without rays that met nothing", () => {
    const points = scanPoints(scan, { x: 1, y: 1, yaw: Math.PI / 2 }, 0.5);
    expect(points).toHaveLength(2);
    expect(points[0]!.x).toBeCloseTo(2);
    expect(points[0]!.y).toBeCloseTo(1.5);
    expect(points[1]!.x).toBeCloseTo(1);
    expect(points[1]!.y).toBeCloseTo(3.5);
  });
});

describe("the places of the car", () => {
  it("are found by time, the newest of equals", () => {
    const at = (time: number, x: number) => ({ time, x, y: 0, yaw: 0 });
    const places = [at(1, 1), at(2, 2), at(2, 3), at(3, 4)].reduce(withPlace, [] as readonly TimedPlace[]);
    expect(placeAt(places, 1.9)?.x).toBe(3);
    expect(placeAt(places, 99)?.x).toBe(4);
    expect(placeAt([], 1)).toBeNull();
  });
});

describe("the board", () => {
  it("reads a trajectory by the names of its columns", () => {
    const table = { columns: ["t", "x", "y", "yaw", "speed"], rows: [[0, 1, 2, 3, 4], [1, 1]] };
    expect(samplesOf(table)).toEqual([{ t: 0, x: 1, y: 2, speed: 4 }]);
    expect(samplesOf(undefined)).toEqual([]);
  });

  it("plots speed over the whole width", () => {
    const { line, fastest, seconds } = plotted([{ t: 1, x: 0, y: 0, speed: 0 }, { t: 3, x: 0, y: 0, speed: -2 }], 100, 50);
    expect(line).toBe("M0.0 48.0L100.0 4.0");
    expect([fastest, seconds]).toEqual([2, 2]);
  });
});

describe("a store", () => {
  it("tells its listeners only of changes", () => {
    const store = new Store({ n: 0 });
    let calls = 0;
    const leave = store.subscribe(() => calls++);
    store.update((state) => state);
    store.update((state) => ({ n: state.n + 1 }));
    leave();
    store.update((state) => ({ n: state.n + 1 }));
    expect([calls, store.get().n]).toEqual([1, 2]);
  });
});
