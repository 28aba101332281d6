import { describe, expect, it } from 'vitest';
import { startOf } from '../../../src/base/source/source.ts';
import { type DriftResult, waitForFleet } from '../../../src/host/app/drift-fleet.ts';
import { OperationRefused } from '../../../src/host/app/refusal.ts';
import { problem } from '../../../src/live/drift/drift.ts';
import { workspace } from '../cli/memory-host.ts';

const at = startOf({ path: 'out/rome/kustomization.yaml', text: '' });

/** The result for rome with this number of its three objects. */
function found(there: number): DriftResult {
  const problems = there === 3 ? [] : [problem('drift/not-there-yet', { peer: null, at, message: 'a', findings: [] })];
  const state = there === 3 ? 'same' : 'waiting';
  return {
    kind: 'compared',
    clusters: [
      {
        drift: { cluster: 'rome', compared: 3, findings: [], uncompared: [] },
        problems,
        rollout: { there, compared: 3, state, waitsFor: there === 3 ? null : 'its Configuration 2 of 2 ("milan")' },
        ends: new Map(),
      },
    ],
    others: [],
    incomplete: [],
    diagnostics: [],
  };
}

const unreachable = new OperationRefused({
  kind: 'cluster-not-read',
  cluster: 'rome',
  context: 'rome',
  resource: 'namespaces',
  failure: { kind: 'unreachable', message: 'no route' },
});

/** Waits with a clock that only moves while weft sleeps. */
async function wait(limitMilliseconds: number, looks: readonly (() => DriftResult)[]) {
  let [now, looked] = [0, 0];
  const lines: string[] = [];
  const sleeps: number[] = [];
  const result = await waitForFleet({
    limitMilliseconds,
    now: () => now,
    sleep: async (milliseconds) => {
      sleeps.push(milliseconds);
      now += milliseconds;
    },
    notify: async (line) => void lines.push(line),
    look: async () => (looks[Math.min(looked++, looks.length - 1)] ?? (() => found(0)))(),
  });
  return { result, looked, lines, sleeps };
}

describe('waiting for a fleet', () => {
  it('ends at once where nothing differs', async () => {
    expect(await wait(60_000, [() => found(3)])).toEqual({ result: found(3), looked: 1, lines: [], sleeps: [] });
  });

  it('looks again after each pause until nothing differs, and reports what it waits for', async () => {
    const { result, looked, lines, sleeps } = await wait(60_000, [() => found(1), () => found(2), () => found(3)]);
    expect(result).toEqual(found(3));
    expect([looked, sleeps]).toEqual([3, [10_000, 10_000]]);
    expect(lines).toEqual([
      'rome 1 of 3, waits for its Configuration 2 of 2 ("milan"); 60 seconds left',
      'rome 2 of 3, waits for its Configuration 2 of 2 ("milan"); 50 seconds left',
    ]);
  });

  it('ends with what is left when the time is over, after a last look', async () => {
    const { result, looked, sleeps } = await wait(25_000, [() => found(1)]);
    expect(result).toEqual(found(1));
    expect([looked, sleeps]).toEqual([4, [10_000, 10_000, 5_000]]);
  });

  it('goes on while a cluster cannot be read for a moment, but not from the first look on, and not to the end', async () => {
    const fails = () => {
      throw unreachable;
    };
    const { looked, lines } = await wait(60_000, [() => found(1), fails, () => found(3)]);
    expect(looked).toBe(3);
    expect(lines).toContain('kubectl cannot read "rome" at the moment: no route');
    await expect(wait(60_000, [fails])).rejects.toBe(unreachable);
    await expect(wait(20_000, [() => found(1), fails])).rejects.toBe(unreachable);
  });

  it('returns errors of dumps at once', async () => {
    const unreadable: DriftResult = { kind: 'unreadable', diagnostics: [] };
    expect(await wait(60_000, [() => unreadable])).toMatchObject({ result: unreadable, looked: 1 });
  });

  it.each([
    [['--live', 'rome=rome.json', '--wait', '10m'], /a dump does not change, so --wait waits for nothing/],
    [['--context', 'rome', '--wait', 'soon'], /--wait requires a duration, not "soon"\n {2}hint: write --wait 90s/],
  ])('is refused for %j', async (args, message) => {
    const { code, stderr } = await workspace({}).weft('drift', ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
