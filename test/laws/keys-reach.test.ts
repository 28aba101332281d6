import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Document } from 'yaml';
import { oncePerText } from '../../src/base/core/once.ts';
import type { Outcome } from '../../src/base/diagnostics/outcome.ts';
import { type Compiled, compile, type Sources } from '../../src/compile.ts';
import { ofAnotherFleet } from '../../src/host/app/compile-topology.ts';
import { isEmptyPlan } from '../../src/plan/plan-changes.ts';
import { planBetween } from '../plan/run-edit.ts';
import { RUNS_ALL } from '../support/drawn.ts';
import { handshakesOf } from '../support/handshakes.ts';
import { keysOf } from '../support/keys-of.ts';
import { FLEET, INCLUDED, KEY_CASES, type KeyCase } from './key-cases.ts';

/*
 * A key of the topology cannot be declared, read and typed, and reach nothing. Every key that the schema has is set on a
 * fleet where it matters: the kinds of objects that change are those that `x-weft-reaches` names, or, where it says
 * `x-weft-decides` instead, a decision changes; and a plan says something of each edit that changes a byte.
 */

type Schema = Readonly<Record<string, unknown>>;

const isMap = (it: unknown): it is Record<string, unknown> =>
  typeof it === 'object' && it !== null && !Array.isArray(it);
const mapsIn = (them: unknown): readonly Schema[] => [them].flat().filter(isMap);

const SCHEMA: Schema = JSON.parse(readFileSync(new URL('../../schemas/topology.schema.json', import.meta.url), 'utf8'));
const DEFINITIONS = new Map(Object.entries(mapsIn(SCHEMA['$defs'])[0] ?? {}));

/** A schema with what it is made of. */
function partsOf(schema: Schema): readonly Schema[] {
  const referred = mapsIn(DEFINITIONS.get(String(schema['$ref']).replace('#/$defs/', '')));
  return [schema, ...[...referred, ...mapsIn(schema['allOf']), ...mapsIn(schema['anyOf'])].flatMap(partsOf)];
}

/** Every place of a key. A name that people choose is `rome` there, and a list has one entry. */
function* placesBelow(schema: Schema, path = ''): Generator<readonly [string, Schema]> {
  for (const part of partsOf(schema)) {
    for (const [name, value] of Object.entries(mapsIn(part['properties'])[0] ?? {})) {
      // Keys of a cluster in `defaults` are merged below those of the clusters, whatever they are called.
      if (path === '' && name === 'defaults') continue;
      for (const it of mapsIn(value)) {
        yield [`${path}${name}`, it];
        yield* placesBelow(it, `${path}${name}/`);
      }
    }
    for (const it of mapsIn(part['items'])) yield* placesBelow(it, `${path}0/`);
    for (const it of mapsIn(part['additionalProperties'])) yield* placesBelow(it, `${path}rome/`);
  }
}

/** A map of known keys has no value but theirs. */
function isOnlyItsKeys(schema: Schema): boolean {
  const parts = partsOf(schema);
  return (
    parts.some((it) => 'properties' in it) &&
    parts.every((it) => [undefined, 'object'].some((type) => type === it['type']))
  );
}

interface Key {
  readonly name: string;
  readonly schema: Schema;
  readonly places: readonly string[];
}

/** Every key with a value of its own. A reference without words of its own is the key that it refers to. */
function everyKey(): readonly Key[] {
  const found = new Map<Schema, string[]>();
  for (const [place, it] of placesBelow(SCHEMA)) {
    const schema = '$ref' in it ? (partsOf(it)[1] ?? it) : it;
    if (!isOnlyItsKeys(schema)) found.set(schema, [...(found.get(schema) ?? []), place]);
  }
  return [...found].map(([schema, places]) => ({ name: places[0] ?? '', schema, places }));
}

const pathOf = (place: string): readonly (string | number)[] =>
  place.split('/').map((it) => (/^\d+$/.test(it) ? Number(it) : it));

/** The text of the fleet with these values, by place. A short form makes room for a key below it. */
function textWith(values: Values): string {
  const document = new Document(structuredClone(FLEET));
  for (const [place, value] of Object.entries(values)) {
    const path = pathOf(place);
    for (let count = 1; count < path.length; count++) {
      const around = path.slice(0, count);
      if (typeof document.getIn(around) !== 'object')
        document.setIn(around, document.createNode(typeof path[count] === 'number' ? [] : {}));
    }
    if (value === undefined) document.deleteIn(path);
    else document.setIn(path, document.createNode(value));
  }
  return document.toString({ lineWidth: 0 });
}

type Values = Readonly<Record<string, unknown>>;

/** By topology: to sign and compare certificates takes longer than all else. */
const handshakes = new Map<string, ReturnType<typeof handshakesOf>>();

/** The answers of the providers; only loans change them here. */
function handshakesWith(values: Values): ReturnType<typeof handshakesOf> {
  const text = textWith(
    Object.fromEntries(Object.entries(values).filter(([place]) => /^(sharing|offloading)/.test(place))),
  );
  const known = handshakes.get(text) ?? handshakesOf(text);
  handshakes.set(text, known);
  return known;
}

/** Compiles with keys of all gateways and answers of all providers. */
function compiledWith(values: Values, lock?: string): Outcome<Compiled> {
  const topology = { path: 'topology.yaml', text: textWith(values) };
  const included = 'include' in values ? [INCLUDED] : [];
  const keys = keysOf(topology, () => true, included);
  const { authentication, identities } = keys ? handshakesWith(values) : { authentication: '', identities: undefined };
  const sources: Sources = {
    topology,
    included,
    keys: keys && { ...keys, text: keys.text + authentication },
    identities: identities === undefined ? undefined : { path: 'topology.identities.yaml', text: identities },
    lock: lock === undefined ? undefined : { path: 'topology.lock.yaml', text: lock },
  };
  return compile(sources, { relock: [], only: null, allowReplacements: true });
}

/** Files that are not applied: what Liqo will answer, records for people, and lists of the other files. */
const NOT_APPLIED = /^\.weft\/|\/expected\/|\.nft$|^addresses\.json$|(^|\/)kustomization\.yaml$/;

/** The texts of the objects in a file, each with its kind if it has one. Most files are the same after an edit. */
const objectsIn = oncePerText((text) =>
  text.split(/^---$/m).map((object) => [/^kind: (\S+)$/m.exec(object)?.[1], object] as const),
);

/** The content of a bundle that is applied: objects by kind, and other files by name. */
function appliedIn({ bundle }: Compiled): ReadonlyMap<string, string> {
  const applied = new Map<string, string>();
  for (const [path, text] of bundle) {
    if (NOT_APPLIED.test(path)) continue;
    for (const [kind = path.replace(/^.*\//, ''), object] of objectsIn(text))
      applied.set(kind, `${applied.get(kind) ?? ''}${object}`);
  }
  return applied;
}

const FILES = { topology: 'topology.yaml', byDefault: true, keys: '', identities: '', lock: '' };

/** The results beside the bundle: what is refused, reported and accepted, the lock, and whose folder may be written. */
function decisionsIn(result: Outcome<Compiled>): string {
  const reported = result.diagnostics.map((it) => [it.code, it.message, it.accepted?.map((one) => one.reason)]);
  if (!result.ok) return JSON.stringify(reported);
  const writesIntoEmea = ofAnotherFleet({ files: FILES, compiled: result.value }, 'out', ['emea']) === undefined;
  return JSON.stringify([reported, result.value.lock, writesIntoEmea]);
}

/** The changes by setting a key. */
interface Reach {
  /** Kinds of objects and names of files. */
  readonly applied: Set<string>;
  decides: boolean;
  /** Values that change a byte, and of which the plan says nothing. */
  readonly silent: unknown[];
  readonly refused: string[];
}

const messagesOf = ({ diagnostics }: Outcome<unknown>): string =>
  diagnostics.flatMap((it) => (it.severity === 'error' ? [it.message] : [])).join('; ');

const LOCK = (() => {
  const fleet = compiledWith({});
  if (!fleet.ok) throw new Error(messagesOf(fleet));
  return fleet.value.lock;
})();

const wordsIn = (schemas: readonly Schema[], word: string): readonly unknown[] =>
  schemas.flatMap((it) => (Array.isArray(it[word]) ? it[word] : []));

const isAlive = ({ applied, decides }: Reach): boolean => applied.size > 0 || decides;

/** On a push, a value is the last one of a place once everything in the schema was reached, in this place or an earlier one. */
const isEnough = (reach: Reach, wanted: readonly string[], before: ReadonlySet<string>): boolean =>
  !RUNS_ALL && isAlive(reach) && wanted.every((it) => reach.applied.has(it) || before.has(it));

function reachOf(place: string, schema: Schema, wanted: readonly string[], earlier: ReadonlySet<string>): Reach {
  const reach: Reach = { applied: new Set(), decides: false, silent: [], refused: [] };
  const own = KEY_CASES.filter((it) => it.at.test(place));
  const examples = [...wordsIn(partsOf(schema), 'examples'), ...wordsIn(partsOf(schema), 'enum')];
  const cases: readonly Partial<KeyCase>[] = own.length === 0 ? [{}] : own;
  for (const it of cases) {
    for (const value of it.values ?? examples) {
      if (isEnough(reach, wanted, earlier)) return reach;
      compare(place, it, value, reach);
    }
  }
  return reach;
}

/** A fleet before an edit. */
interface Before {
  readonly compiled: Compiled;
  readonly applied: ReadonlyMap<string, string>;
  readonly decisions: string;
}

const fleets = new Map<string, Before>();

function fleetWith(beside: Values, lock: string, place: string): Before {
  const id = JSON.stringify([Object.entries(beside), lock]);
  const known = fleets.get(id);
  if (known) return known;
  const result = compiledWith(beside, lock);
  if (!result.ok) throw new Error(`${place} has no fleet: ${messagesOf(result)}`);
  const fleet = { compiled: result.value, applied: appliedIn(result.value), decisions: decisionsIn(result) };
  fleets.set(id, fleet);
  return fleet;
}

function compare(
  place: string,
  { beside = {}, alongside = {}, romeWas = 'rome', refuses = false }: Partial<KeyCase>,
  value: unknown,
  reach: Reach,
): void {
  const lock = LOCK.replaceAll('rome', romeWas);
  const before = fleetWith(beside, lock, place);
  const after = compiledWith({ ...beside, ...alongside, [place]: value }, lock);
  const isNews = decisionsIn(after) !== before.decisions;
  if (!after.ok) {
    reach.decides ||= refuses && isNews;
    reach.refused.push(`${JSON.stringify(value)}: ${messagesOf(after)}`);
    return;
  }
  const applied = appliedIn(after.value);
  const kinds = new Set([...before.applied.keys(), ...applied.keys()]);
  const changed = [...kinds].filter((kind) => before.applied.get(kind) !== applied.get(kind));
  for (const kind of changed) reach.applied.add(kind);
  reach.decides ||= isNews;
  // Only these need an answer.
  if (changed.length === 0 && reach.decides) return;
  const isSilent = isEmptyPlan(planBetween(before.compiled, after.value));
  reach.decides ||= !isSilent;
  if (changed.length > 0 && isSilent) reach.silent.push(value);
}

const KEYS = everyKey();

describe('a key of the topology', () => {
  it('is found wherever the schema has one', () => {
    expect(KEYS.length).toBeGreaterThan(150);
    const places = KEYS.flatMap((key) => key.places);
    expect(KEY_CASES.filter(({ at }) => !places.some((place) => at.test(place))).map((it) => it.at)).toEqual([]);
  });

  it.each(KEYS.map((key) => [key.name, key] as const))('%s reaches what the schema says', (_, { schema, places }) => {
    const { 'x-weft-reaches': reaches = [], 'x-weft-decides': decides = '' } = schema;
    const applied = new Set<string>();
    for (const place of places) {
      const reach = reachOf(place, schema, [reaches].flat().map(String), applied);
      for (const kind of reach.applied) applied.add(kind);
      expect(isAlive(reach), `${place} changes nothing; ${reach.refused.join('\n')}`).toBe(true);
      expect(reach.silent, `a plan has nothing to say about ${place}`).toEqual([]);
    }
    expect(reaches, `x-weft-reaches of ${places.join(', ')}`).toEqual([...applied].sort());
    const said = applied.size > 0 ? /^$/ : /^[a-z].*[^.]$/;
    expect(decides, `x-weft-decides of ${places.join(', ')}, which reaches ${applied.size} kinds`).toMatch(said);
  });
});
