import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { compile } from '../../../src/compile.ts';
import { handshakesOf } from '../../support/handshakes.ts';
import type { RecordedObject } from './recordings.ts';

const RING = `version: 1
name: ring
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  rome: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  milan: { podCIDR: 10.202.0.0/16 }
peerings:
  - [rome, milan]
sharing:
  - { consumer: rome, provider: milan }
  - { consumer: milan, provider: rome }
offloading:
  - { cluster: rome, namespace: demo }
  - { cluster: milan, namespace: web }
`;

/** The expected objects of a cluster: `Kind namespace/name`, with the object. */
function expectedIn(cluster: string, topology: string) {
  const { authentication, identities } = handshakesOf(topology);
  const compiled = compile(
    {
      topology: { path: 'topology.yaml', text: topology },
      keys: { path: 'topology.keys.yaml', text: `version: 1\nkeys: {}\n${authentication}` },
      identities: identities === undefined ? undefined : { path: 'topology.identities.yaml', text: identities },
      lock: undefined,
    },
    { relock: [], only: null },
  );
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((one) => one.message).join('\n'));
  const texts = [...compiled.value.bundle].filter(([path]) => path.startsWith(`${cluster}/expected/`));
  const objects = texts.flatMap(([, text]) => parseAllDocuments(text).map((one) => one.toJS() as RecordedObject));
  return new Map(objects.map((one) => [keyOf(one), one]));
}

const keyOf = ({ kind, metadata: { namespace = '', name } }: RecordedObject): string => `${kind} ${namespace}/${name}`;

describe('two clusters that lend to each other, one of which drains the other', () => {
  const drained = RING.replace('provider: milan }', 'provider: milan, condition: Drained }');
  const [before, after] = [expectedIn('milan', RING), expectedIn('milan', drained)];

  it('nothing of the drained loan is expected', () => {
    const gone = [...before.keys()].filter((it) => !after.has(it));
    expect(gone).toContain('Namespace /demo-rome');
    expect(gone).toContain('ResourceSlice liqo-tenant-rome/milan-slice');
    expect(gone).toContain('Tenant liqo-tenant-rome/rome');
  });

  it('the other direction goes on: Liqo deletes only what the drained tenant has copied', () => {
    const borrowed = ['ResourceSlice liqo-tenant-rome/rome-slice', 'VirtualNode liqo-tenant-rome/rome-slice'];
    for (const it of [...borrowed, 'NamespaceMap liqo-tenant-rome/rome', 'NamespaceOffloading web/offloading']) {
      expect(after.get(it)).toEqual(before.get(it));
    }
    expect(expectedIn('rome', drained).has('Namespace /web-milan')).toBe(true);
  });

  it('of what Liqo says about the pair, nothing is', () => {
    expect(before.has('ForeignCluster /rome')).toBe(true);
    expect(after.has('ForeignCluster /rome')).toBe(false);
  });
});
