import { describe, expect, it } from 'vitest';
import { isMap, isSeq, parseDocument } from 'yaml';
import { isOpen } from '../src/base/diagnostics/diagnostic.ts';
import type { Outcome } from '../src/base/diagnostics/outcome.ts';
import { type Compiled, compile } from '../src/compile.ts';
import { compileAccepting } from './support/accepting-everything.ts';
import { RUNS_ALL } from './support/drawn.ts';
import { compileGolden, expectGolden, goldenFiles, goldenNames, goldenSources } from './support/golden.ts';
import { inSeveralFiles } from './support/in-several-files.ts';

const ALL = { relock: [], only: null } as const;

/** Orders in which a topology is written, and ways to split it. */
const SEEDS = RUNS_ALL ? [1, 2, 3] : [1];

function compiled(outcome: Outcome<Compiled>): Compiled {
  if (!outcome.ok) throw new Error(`did not compile: ${outcome.diagnostics.map((it) => it.message).join('; ')}`);
  return outcome.value;
}

/** Bundle and lock as one value that can be compared. */
const bytesOf = ({ bundle, lock }: Compiled) => ({ lock, out: [...bundle].sort(([a], [b]) => (a < b ? -1 : 1)) });

const isInvalid = (folder: string): boolean => folder.startsWith('invalid-');

describe('golden', () => {
  it.each(goldenNames())('%s', (folder) => {
    const outcome = compileGolden(folder);
    expect(outcome.ok, `only "invalid-" goldens have errors`).toBe(!isInvalid(folder));
    expectGolden(folder, goldenFiles(outcome));
    // Valid ones are compiled again by the laws below.
    if (!RUNS_ALL && outcome.ok) return;
    expect(goldenFiles(compile(goldenSources(folder), ALL)), 'compiling twice').toEqual(goldenFiles(outcome));
  });
});

const VALID = goldenNames().filter((it) => !isInvalid(it));

describe.each(VALID.map((it, i) => [it, i] as const))('golden %s obeys the laws', (folder, index) => {
  const sources = goldenSources(folder);
  const whole = compiled(compileGolden(folder));

  // The law writes a list of its own.
  const accepts = whole.inputs.declaration.acceptances.length > 0;
  if (!accepts)
    it('accepting everything where it is reported changes no byte, and leaves nothing to look at', () => {
      const { diagnostics } = compileGolden(folder);
      const accepting = compileAccepting(sources, { diagnostics, model: whole.model }, ALL);
      expect(bytesOf(compiled(accepting))).toEqual(bytesOf(whole));
      const open = accepting.diagnostics.filter(isOpen).map((it) => `${it.code}: ${it.message}`);
      expect(open.filter((it) => !it.startsWith('lock/'))).toEqual([]);
    });

  // On a push, the fleets that differ from these by a warning only have that law alone.
  if (!RUNS_ALL && !accepts && /^(warns|notes)-/.test(folder)) return;

  it('compiling again with the lock that came out changes no byte', () => {
    const lock = { path: 'topology.lock.yaml', text: whole.lock };
    expect(bytesOf(compiled(compile({ ...sources, lock }, ALL)))).toEqual(bytesOf(whole));
  });

  // On a push each golden asks about another place in its list.
  const drawnClusters = (names: readonly string[]): readonly string[] =>
    RUNS_ALL ? names : names.filter((_, i) => i === index % names.length);

  it('a cluster compiled alone is its part of the whole', () => {
    for (const name of drawnClusters([...whole.model.clusters.keys()])) {
      const alone = compiled(compile(sources, { relock: [], only: [name] }));
      const part = [...whole.bundle].filter(([path]) => path.startsWith(`${name}/`));
      expect([...alone.bundle].filter(([path]) => path.includes('/') && !path.startsWith('_'))).toEqual(part);
      expect(alone.lock).toBe(whole.lock);
    }
  });

  const inAnotherOrder = (seed: number) => ({
    ...sources.topology,
    text: shuffled(sources.topology.text, chanceFrom(seed)),
  });

  const isWhole = sources.included.length === 0;

  // On a push, both at once.
  if (RUNS_ALL || !isWhole)
    it('the order of keys and of links means nothing', () => {
      for (const seed of SEEDS) {
        const outcome = compile({ ...sources, topology: inAnotherOrder(seed) }, ALL);
        expect(bytesOf(compiled(outcome))).toEqual(bytesOf(whole));
      }
    });

  if (isWhole)
    it('the same topology in several files, and in another order on a push, is the same fleet', () => {
      for (const seed of SEEDS) {
        const topology = RUNS_ALL ? sources.topology : inAnotherOrder(seed);
        const outcome = compile({ ...sources, ...inSeveralFiles(topology, seed, chanceFrom(seed)) }, ALL);
        expect(bytesOf(compiled(outcome))).toEqual(bytesOf(whole));
      }
    });
});

type Chance = () => number;

/** Numbers from 0 to 1, the same for the same seed: a linear congruence modulo 2^32 with the constants of Numerical Recipes. */
function chanceFrom(seed: number): Chance {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Lists of the topology whose order means nothing, by their key at the top. */
const UNORDERED = ['peerings', 'shortcuts'];

/** A topology with the keys of every map, and the lists of links, in another order. */
function shuffled(text: string, chance: Chance): string {
  // The failsafe schema leaves every scalar as it is written: `1e3` is a valid name of a cluster.
  const document = parseDocument(text, { schema: 'failsafe' });
  shuffle(document.contents, chance, []);
  return document.toString();
}

function shuffle(node: unknown, chance: Chance, path: readonly string[]): void {
  if (isMap<{ value: string }>(node)) {
    for (const { key, value } of node.items) shuffle(value, chance, [...path, key.value]);
    node.items = inAnyOrder(node.items, chance);
  } else if (isSeq(node)) {
    for (const item of node.items) shuffle(item, chance, [...path, '-']);
    if (path.length === 1 && UNORDERED.includes(path[0] ?? '')) node.items = inAnyOrder(node.items, chance);
  }
}

function inAnyOrder<T>(items: readonly T[], chance: Chance): T[] {
  return items
    .map((item) => ({ item, place: chance() }))
    .sort((a, b) => a.place - b.place)
    .map((it) => it.item);
}
