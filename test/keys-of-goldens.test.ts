import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { TOPOLOGY_KEYS, type TopologyKey } from '../src/base/generated/topology-keys.js';
import { goldenNames } from './support/golden.ts';

/** Keys that no golden sets: `laws/keys-reach.test.ts` tests them with the examples of the schema. This list only shrinks. */
const WITHOUT_GOLDEN = [
  'liqo.namespace',
  'liqo.image.tag',
  'peerings.template.client.name',
  'peerings.template.client.namespace',
  'clusters.NAME.gateway.ping.enabled',
  'clusters.NAME.gateway.ping.updateStatusInterval',
  'clusters.NAME.liqo.image.registry',
  'keys.storeKind',
  'sharing.credentials.storeKind',
];

/** Every path of a key in a document, without positions in lists: `peerings between`. */
function* pathsIn(value: unknown, path: readonly string[] = []): Generator<string> {
  if (Array.isArray(value)) for (const it of value) yield* pathsIn(it, path);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, it] of Object.entries(value)) {
      yield [...path, name].join(' ');
      yield* pathsIn(it, [...path, name]);
    }
  }
}

function topologiesOf(golden: string): readonly string[] {
  const folder = new URL(`golden/${golden}/`, import.meta.url);
  const regions = new URL('regions/', folder);
  const included = existsSync(regions) ? readdirSync(regions).map((it) => new URL(it, regions)) : [];
  return [new URL('topology.yaml', folder), ...included].map((it) => readFileSync(it, 'utf8'));
}

/** The keys that are set in goldens without errors. */
const set = new Set(
  goldenNames()
    .filter((it) => !it.startsWith('invalid-'))
    .flatMap(topologiesOf)
    .flatMap((text) => [...pathsIn(parse(text))]),
);

function isSet({ path, places }: TopologyKey): boolean {
  const patterns = [path, ...places].map(
    (it) => new RegExp(`^${it.replaceAll('.', ' ').replaceAll('NAME', '[^ ]+')}$`),
  );
  return [...set].some((it) => patterns.some((pattern) => pattern.test(it)));
}

it('every key of the topology is in a golden without errors', () => {
  expect(TOPOLOGY_KEYS.filter((key) => !isSet(key)).map(({ path }) => path)).toEqual(WITHOUT_GOLDEN);
});
