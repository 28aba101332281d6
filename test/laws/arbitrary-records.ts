import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Source } from '../../src/base/source/source.ts';
import { handshakesOf } from '../support/handshakes.ts';
import { keysOf, someKeys } from '../support/keys-of.ts';
import { pairOf, type TopologySpec, topologySource } from './topology-spec.ts';

/** A topology with what is recorded beside it. */
export interface RecordedFleet {
  readonly topology: Source;
  readonly keys: Source | undefined;
  readonly identities: Source | undefined;
}

/** The random choices about records and empty settings; numbers are choices in a list. */
export interface RecordGenes {
  /** For each kind of record: none is missing for even numbers, else about every third. */
  readonly keys: number;
  readonly consumers: number;
  readonly requests: number;
  readonly answers: number;
  readonly empty: readonly { readonly where: number; readonly path: number }[];
}

const choice = fc.nat({ max: 1_000 });

export const recordGenes: fc.Arbitrary<RecordGenes> = fc.record({
  keys: choice,
  consumers: choice,
  requests: choice,
  answers: choice,
  empty: fc.array(fc.record({ where: choice, path: choice }), { maxLength: 5 }),
});

/**
 * The fleet with keys of some gateways and consumers, answers of some providers, also for consumers whose key is not
 * recorded, and empty maps and lists.
 */
export function recordedFleet(spec: TopologySpec, genes: RecordGenes): RecordedFleet {
  const topology = topologySource(genes.empty.reduce(withEmpty, spec));
  const consumers = [...new Set((spec.sharing ?? []).map((it) => it.consumer))];
  const pairs = (spec.sharing ?? []).map((it) => `${it.consumer}/${it.provider}`);
  const missing = (names: readonly string[], seed: number): readonly string[] =>
    names.filter((it) => seed % 2 === 1 && byteOf(`${seed} ${it}`) % 3 === 0);
  const withoutRequests = missing(consumers, genes.requests);
  const answered = handshakesOf(topology.text, { withoutRequests, unanswered: missing(pairs, genes.answers) });
  const known = handshakesOf(topology.text, { withoutRequests, keyless: missing(consumers, genes.consumers) });
  const keys = keysOf(topology, someKeys(genes.keys));
  return {
    topology,
    keys: keys && { ...keys, text: `${keys.text}${known.authentication}` },
    identities: answered.identities === undefined ? undefined : { path: IDENTITIES, text: answered.identities },
  };
}

const IDENTITIES = 'topologies/topology.identities.yaml';

const byteOf = (text: string): number => createHash('sha256').update(text).digest().readUInt8(0);

type Plain = { readonly [key: string]: unknown };

/** A path in a part of a topology, and the empty value that the schema accepts there. */
type EmptyValue = readonly [path: readonly string[], value: Plain | readonly unknown[]];

const SCHEMA = JSON.parse(readFileSync(new URL('../../schemas/topology.schema.json', import.meta.url), 'utf8'));

/** Every map and every list in a part of the schema that may be empty. */
function emptyValues(part: Plain, path: readonly string[] = []): readonly EmptyValue[] {
  const pieces = piecesOf(part);
  const below = pieces.flatMap((it) =>
    Object.entries((it['properties'] ?? {}) as Record<string, Plain>).flatMap(([key, child]) =>
      emptyValues(child, [...path, key]),
    ),
  );
  const has = (type: string): boolean => pieces.some((it) => it['type'] === type);
  if (path.length === 0 || pieces.some((it) => it['minItems'] || it['minProperties'] || it['required'])) return below;
  return [...(has('object') ? [[path, {}] as const] : []), ...(has('array') ? [[path, []] as const] : []), ...below];
}

function piecesOf(part: Plain): readonly Plain[] {
  const referred = part['$ref'] ? [SCHEMA.$defs[String(part['$ref']).replace('#/$defs/', '')]] : [];
  const several = ['allOf', 'anyOf', 'oneOf'].flatMap((it) => (part[it] ?? []) as readonly Plain[]);
  return [...[...referred, ...several].flatMap(piecesOf), part];
}

const OF_CLUSTER = emptyValues(SCHEMA.$defs.cluster);
const OF_LOAN = emptyValues(SCHEMA.$defs.sharing);

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** One more empty value: for all clusters, in one, or in a loan; nothing where a value is set. */
function withEmpty(
  spec: TopologySpec,
  { where, path }: { readonly where: number; readonly path: number },
): TopologySpec {
  const loans = spec.sharing ?? [];
  const names = Object.keys(spec.clusters);
  const place = where % 3;
  if (place === 0) return setIn(spec, ['defaults'], pick(OF_CLUSTER, path));
  if (place === 1 || loans.length === 0) return setIn(spec, ['clusters', pick(names, where)], pick(OF_CLUSTER, path));
  const loan = pick(loans, where);
  const changed = setIn(loan, [], pick(OF_LOAN, path));
  const isSame = (it: typeof loan): boolean =>
    pairOf(it.consumer, it.provider) === pairOf(loan.consumer, loan.provider);
  return { ...spec, sharing: loans.map((it) => (isSame(it) ? changed : it)) };
}

function setIn<T extends object>(whole: T, before: readonly string[], [path, value]: EmptyValue): T {
  const [key, ...rest] = [...before, ...path];
  if (key === undefined) return whole;
  const here = (whole as Plain)[key];
  if (rest.length === 0) return here === undefined ? { ...whole, [key]: value } : whole;
  if (here !== undefined && (typeof here !== 'object' || Array.isArray(here))) return whole;
  return { ...whole, [key]: setIn((here ?? {}) as Plain, [], [rest, value]) };
}
