import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { editorsAjv } from './support/editors-ajv.ts';
import { compiledFleets } from './support/fleets.ts';

const validatorOf = (schema: string) =>
  editorsAjv().compile(JSON.parse(readFileSync(new URL(`../schemas/${schema}`, import.meta.url), 'utf8')) as object);

const isAddresses = validatorOf('addresses.schema.json');
const isLock = validatorOf('lock.schema.json');

describe.each(compiledFleets())('$name', ({ compiled }) => {
  const addresses: unknown = JSON.parse(compiled.bundle.get('addresses.json') ?? 'null');

  it('has addresses as their schema says', () => {
    isAddresses(addresses);
    expect(isAddresses.errors ?? []).toEqual([]);
  });

  it('has a lock as its schema says, and the same in YAML 1.1', () => {
    const lock: unknown = parse(compiled.lock);
    isLock(lock);
    expect(isLock.errors ?? []).toEqual([]);
    expect(parse(compiled.lock, { version: '1.1' })).toEqual(lock);
  });

  it('has a row for every view and gateway of the model', () => {
    const { views, gateways } = addresses as {
      readonly views: readonly object[];
      readonly gateways: readonly object[];
    };
    const peers = [...compiled.model.clusters.values()].flatMap((it) => [...it.peers.values()]);
    expect(views.length).toBe(peers.reduce((sum, it) => sum + it.podViews.length + 1, 0));
    expect(gateways.length).toBe(2 * compiled.model.links.length);
  });
});

describe('the schemas', () => {
  it('refuse what they do not know', () => {
    expect(isAddresses({ version: 1, topology: 'x', views: [], gateways: [], more: 1 })).toBe(false);
    expect(isLock({ version: 1, decisions: { 'rome/europe/join': 0 } })).toBe(false);
    expect(isLock({ version: 1, decisions: { 'rome/europe/joins': 1 } })).toBe(false);
  });
});
