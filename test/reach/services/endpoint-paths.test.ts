import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';
import type { SharedModel } from '../../../src/fleet/sharing/shared-model.ts';
import { endpointPaths } from '../../../src/reach/services/endpoint-paths.ts';
import { findNamespace } from '../../../src/reach/services/find-namespace.ts';
import { printTraced } from '../../../src/reach/trace/address.ts';
import { arrives } from '../../../src/reach/trace/fates.ts';
import { pairFatesOf } from '../../../src/reach/trace/pair-fates.ts';
import { keysOf } from '../../support/keys-of.ts';

interface Fleet {
  readonly liqo?: string;
  /** More keys of the topology, a line each. */
  readonly more?: string;
  readonly clusters?: string;
  readonly sharing?: string;
  readonly offloading?: string;
  /** Gateways of these clusters have no keys. */
  readonly keyless?: string;
}

const CLUSTERS = `  rome: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  milan: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30 }
  turin: { podCIDR: 10.203.0.0/16 }
`;

const SHARING = `  - { consumer: rome, provider: milan }
  - { consumer: rome, provider: turin }
`;

function modelOf({
  liqo = '{ version: "1.2" }',
  more = '',
  clusters = CLUSTERS,
  keyless,
  ...rest
}: Fleet): SharedModel {
  const { sharing = SHARING, offloading = '{ cluster: rome, namespace: demo }' } = rest;
  const text = `version: 1
name: europe
liqo: ${liqo}
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
${clusters}${more}
sharing:
${sharing}offloading:
  - ${offloading}
`;
  const topology = { path: 'topology.yaml', text };
  const keys = keysOf(topology, (it) => it !== keyless);
  const compiled = compile({ topology, keys, lock: undefined }, { relock: [], only: [], withoutAssertions: true });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('\n'));
  return compiled.value.model;
}

/** `turin: hub delivered 10.254.0.?`, one for each cluster that pods may run in. */
function pathsFrom(name: string, fleet: Fleet): readonly string[] | undefined {
  const model = modelOf(fleet);
  const found = findNamespace(model, { namespace: 'demo', of: null });
  const from = model.clusters.get(name);
  if (!found.ok || !from) throw new Error('no namespace');
  return endpointPaths(model, found.namespace, from, pairFatesOf(model))?.map(({ cluster, way, fate, trace }) => {
    const walked = trace?.();
    // The fates of pairs, which are kept, and the walk agree.
    if (walked) expect(arrives(walked.fate)).toBe(fate === 'delivered');
    const dialled = walked?.sent && fate === 'delivered' ? [printTraced(walked.sent.destination)] : [];
    return [`${cluster}:`, way, fate, ...dialled].join(' ');
  });
}

const HUB = 'hub: rome';
const SHORTCUT = 'hub: rome\nshortcuts: [[milan, turin]]';
const DIRECT = '{ cluster: rome, namespace: demo, directConnections: true }';

describe('the endpoints of a Service', () => {
  it.each<readonly [string, string, Fleet, readonly string[] | undefined]>([
    [
      'are reached from the consumer over its links',
      'rome',
      { more: HUB },
      ['rome: local delivered', 'milan: link delivered 10.202.0.10', 'turin: link delivered 10.203.0.10'],
    ],
    [
      'are reached from a provider through the consumer',
      'milan',
      { more: HUB },
      ['rome: link delivered 10.200.0.10', 'milan: local delivered', 'turin: hub delivered 10.254.224.?'],
    ],
    [
      'do not use a shortcut by themselves',
      'milan',
      { more: SHORTCUT },
      ['rome: link delivered 10.200.0.10', 'milan: local delivered', 'turin: hub delivered 10.254.224.?'],
    ],
    [
      'use it with the annotation',
      'milan',
      { more: SHORTCUT, offloading: DIRECT },
      ['rome: link delivered 10.200.0.10', 'milan: local delivered', 'turin: direct delivered 10.203.0.10'],
    ],
    [
      'go through the consumer before 1.2, whatever the annotation',
      'milan',
      { more: SHORTCUT, offloading: DIRECT, liqo: '{ version: "1.1" }' },
      ['rome: link delivered 10.200.0.10', 'milan: local delivered', 'turin: hub delivered 10.254.224.?'],
    ],
    [
      'use the shortcut of the fork',
      'milan',
      { more: SHORTCUT, liqo: '{ version: "1.1", shortcutOperator: true }' },
      ['rome: link delivered 10.200.0.10', 'milan: local delivered', 'turin: shortcut delivered 10.203.0.10'],
    ],
    [
      'are all withheld where one cannot be mapped, but for those of the provider itself',
      'milan',
      { more: HUB, offloading: DIRECT },
      ['rome: none withheld', 'milan: local delivered', 'turin: none withheld'],
    ],
    [
      'are withheld where the consumer remaps a provider',
      'milan',
      { more: SHORTCUT, offloading: DIRECT, clusters: CLUSTERS.replace('10.203', '10.200') },
      ['rome: none withheld', 'milan: local delivered', 'turin: none withheld'],
    ],
    [
      'are a black hole without a link to the consumer',
      'milan',
      { more: 'peerings: [[rome, turin]]' },
      ['rome: none black-hole', 'milan: local delivered', 'turin: none black-hole'],
    ],
    [
      'are a black hole where the consumer has no link to forward by',
      'milan',
      { more: 'peerings: [[rome, milan]]' },
      ['rome: link delivered 10.200.0.10', 'milan: local delivered', 'turin: none black-hole'],
    ],
    [
      'are reached directly without any link to the consumer',
      'milan',
      { more: 'peerings: [[milan, turin]]', offloading: DIRECT },
      ['rome: none black-hole', 'milan: local delivered', 'turin: direct delivered 10.203.0.10'],
    ],
    [
      'are not ready behind a link without keys',
      'milan',
      { more: HUB, keyless: 'turin' },
      ['rome: link delivered 10.200.0.10', 'milan: local delivered', 'turin: none not-ready'],
    ],
    [
      'are ready behind a direct link without keys, and lost',
      'milan',
      { more: SHORTCUT, offloading: DIRECT, keyless: 'turin' },
      ['rome: link delivered 10.200.0.10', 'milan: local delivered', 'turin: none black-hole'],
    ],
    [
      'are where pods may run only: at home',
      'milan',
      { more: HUB, offloading: '{ cluster: rome, namespace: demo, pods: Local }' },
      ['rome: link delivered 10.200.0.10'],
    ],
    [
      'are where pods may run only: abroad',
      'rome',
      { more: HUB, offloading: '{ cluster: rome, namespace: demo, pods: Remote }' },
      ['milan: link delivered 10.202.0.10', 'turin: link delivered 10.203.0.10'],
    ],
    [
      'do not exist in a cluster that is no provider',
      'oslo',
      { more: '  oslo: { podCIDR: 10.204.0.0/16 }\nhub: rome' },
      undefined,
    ],
  ])('%s', (_, from, fleet, expected) => expect(pathsFrom(from, fleet)).toEqual(expected));
});
