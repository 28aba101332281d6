import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { TOPOLOGY, workspace } from './memory-host.ts';

const schema = JSON.parse(readFileSync(new URL('../../schemas/diagnostics.schema.json', import.meta.url), 'utf8'));
const isDocument = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile(schema);

const golden = (name: string): string =>
  readFileSync(new URL(`../golden/${name}/topology.yaml`, import.meta.url), 'utf8');

/** Each with what the document must have, so that the part of the schema for it is at work. */
const CASES: readonly (readonly [string, string, object])[] = [
  ['a sound topology', TOPOLOGY, { ok: true }],
  ['a mistake with two places', `${TOPOLOGY}name: twice\n`, { ok: false, diagnostics: [{ severity: 'error' }] }],
  ['a mistake with a hint', TOPOLOGY.replace('hub: europe', 'hub: europa'), { ok: false }],
  [
    'accepted warnings',
    golden('accepted-warnings'),
    { ok: true, summary: { accepted: { warnings: expect.any(Number) } } },
  ],
];

it.each(CASES)('weft validate -o json prints a document of its schema for %s', async (_, topology, holds) => {
  const { stdout } = await workspace({ 'topologies/topology.yaml': topology }).weft('validate', '-o', 'json');
  const document = JSON.parse(stdout);
  expect(document).toMatchObject(holds);
  isDocument(document);
  expect(isDocument.errors ?? []).toEqual([]);
  const accepted = document.diagnostics.filter(
    (it: { readonly accepted: readonly unknown[] }) => it.accepted.length > 0,
  );
  expect(accepted.length > 0, 'what is accepted').toBe(topology.includes('accept:'));
});

it('and when there is no topology', async () => {
  const { stdout } = await workspace({}).weft('validate', 'absent.yaml', '-o', 'json');
  const document = JSON.parse(stdout);
  expect(document).toMatchObject({ ok: false, failure: { message: expect.any(String) } });
  isDocument(document);
  expect(isDocument.errors ?? []).toEqual([]);
});
