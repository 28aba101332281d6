import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readPrefix } from '../../src/base/net/text.ts';
// @ts-expect-error The build is plain JavaScript.
import { editorSchemaText, withChart } from '../../src/host/build/generate.mjs';
import { law } from '../laws/law.ts';
import { slipped, slips } from '../laws/slips.ts';
import { editorsAjv } from '../support/editors-ajv.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const SOURCE = JSON.parse(read('schemas/topology.schema.json')) as object;
/** Editors also check the values of Liqo's chart, which `SOURCE` leaves to weft. */
const WITH_CHART: object = withChart(SOURCE);
const FLAVOUR = read('schemas/topology.editor.schema.json');

const ofSource = editorsAjv().compile(WITH_CHART);
const ofFlavour = new Ajv2020({ strict: false }).compile(JSON.parse(FLAVOUR) as object);

const GOLDEN = new URL('../golden/', import.meta.url);
const TOPOLOGIES = readdirSync(GOLDEN).map((name) => readFileSync(new URL(`${name}/topology.yaml`, GOLDEN), 'utf8'));

/** The content of a text; `undefined` if it is not YAML. */
function documentIn(text: string): unknown {
  try {
    return parse(text, { logLevel: 'silent' });
  } catch {
    return undefined;
  }
}

/** Parts of networks: each number with one bit, with all bits from one on, and some beside them. */
const OCTETS = [
  '0',
  '1',
  '3',
  '10',
  '172',
  '255',
  '256',
  '300',
  '01',
  ...[...Array(8).keys()].flatMap((it) => [`${1 << it}`, `${256 - (1 << it)}`]),
];

describe('the schema for editors', () => {
  it('is what the schema of the topology is generated into: npm run generate -- --types', () => {
    expect(FLAVOUR).toBe(editorSchemaText(SOURCE));
  });

  it('accepts and refuses the same fleets as the schema that it is made from', () => {
    const answers = TOPOLOGIES.map(documentIn).map((it) => [ofSource(it), ofFlavour(it)]);
    expect(answers.filter(([one, other]) => one !== other)).toEqual([]);
    // Both answers occur.
    expect(new Set(answers.flat())).toEqual(new Set([true, false]));
  });

  law(
    'marks a network that weft refuses, and no other',
    5000,
    fc.property(fc.array(fc.constantFrom(...OCTETS), { minLength: 4, maxLength: 4 }), fc.nat(35), (octets, length) => {
      const written = `${octets.join('.')}/${length}`;
      const topology = { version: 1, name: 'europe', clusters: { rome: { podCIDR: written, reserved: [written] } } };
      expect([written, ofSource(topology)]).toEqual([written, readPrefix(written).ok]);
    }),
  );

  law(
    'accepts and refuses the same, whatever is written',
    3000,
    fc.property(fc.constantFrom(...TOPOLOGIES), slips, (topology, them) => {
      const value = documentIn(slipped(topology, them));
      expect(ofFlavour(value)).toBe(ofSource(value));
    }),
  );

  law(
    'accepts and refuses the same, with any part of a fleet in any place of another',
    3000,
    fc.property(
      fc.constantFrom(...TOPOLOGIES),
      fc.constantFrom(...TOPOLOGIES),
      fc.nat(),
      fc.nat(),
      (one, other, to, from) => {
        const value = documentIn(one);
        const places = [...placesIn(value)];
        const parts = [...placesIn(documentIn(other))];
        const [place, part] = [places[to % places.length], parts[from % parts.length]];
        if (place === undefined || part === undefined) return;
        place.set(part.value);
        expect(ofFlavour(value)).toBe(ofSource(value));
      },
    ),
  );
});

interface Place {
  readonly value: unknown;
  readonly set: (value: unknown) => void;
}

/** Every part of a document. */
function* placesIn(document: unknown): Generator<Place> {
  if (typeof document !== 'object' || document === null) return;
  const parent = document as Record<string, unknown>;
  for (const [key, value] of Object.entries(parent)) {
    yield { value, set: (it) => Object.assign(parent, { [key]: it }) };
    yield* placesIn(value);
  }
}
