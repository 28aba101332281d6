import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { planDocument } from '../../src/report/plan/plan-document.ts';
import { TOPOLOGY, workspace } from '../cli/memory-host.ts';
import { EDITS } from './edits.ts';
import { runEdit } from './run-edit.ts';

const schema = JSON.parse(readFileSync(new URL('../../schemas/plan.schema.json', import.meta.url), 'utf8'));
const isDocument = new Ajv2020({ strict: true, allErrors: true }).compile(schema);

const faultsOf = (document: object) => {
  isDocument(JSON.parse(JSON.stringify(document)));
  return isDocument.errors ?? [];
};

describe('the schema of a plan', () => {
  it.each(EDITS.map((edit) => [edit.name, edit] as const))('accepts the document of %s', (_, edit) => {
    expect(faultsOf(planDocument(runEdit(edit).plan))).toEqual([]);
  });

  it('accepts what weft plan prints', async () => {
    const it = workspace({ 'topologies/topology.yaml': TOPOLOGY });
    const { plan } = JSON.parse((await it.weft('plan', '-o', 'json')).stdout);
    expect(plan.changes.length).toBeGreaterThan(0);
    expect(faultsOf(plan)).toEqual([]);
  });

  it('refuses a key that is missing, one too many, and an effect that is none', () => {
    const [edit] = EDITS;
    if (edit === undefined) throw new Error('there are no edits');
    const { line: _, ...rest } = planDocument(runEdit(edit).plan);
    expect(faultsOf(rest)).toMatchObject([{ keyword: 'required' }]);
    const document = { ...rest, line: 'x' };
    expect(faultsOf({ ...document, more: 1 })).toMatchObject([{ keyword: 'additionalProperties' }]);
    expect(faultsOf({ ...document, pairs: {} })).not.toEqual([]);
  });
});
