import { describe, expect, it } from 'vitest';
import { CODES, type Code } from '../../../src/base/diagnostics/codes.ts';
import { drawn } from '../../support/drawn.ts';
import { DISTURBANCES, type Disturbance } from './disturbances.ts';
import { explained } from './explained.ts';

/** A disturbance that is reported with each code. */
const EXAMPLES: Readonly<Partial<Record<Code, string>>> = {
  'drift/peer-missing': 'peer-removed',
  'drift/extra-peer': 'extra-peer',
  'drift/namespace': 'namespace-renamed',
  'drift/second-namespace': 'second-namespace',
  'drift/being-deleted': 'configuration-being-deleted',
  'drift/label': 'label-missing',
  'drift/gateway-role': 'gateway-of-the-other-role',
  'drift/second-gateway': 'second-gateway',
  'drift/second-configuration': 'second-configuration',
  'drift/half-upgrade': 'half-an-upgrade',
  'drift/remote-cidr': 'remote-cidr-edited',
  'drift/stale-local': 'local-cidr-is-stale',
  'drift/stale-generation': 'generation-not-observed',
  'drift/other-view': 'views-of-two-peers-are-exchanged',
  'drift/key': 'key-rotated-on-one-side',
  'drift/key-secret': 'secret-missing',
  'drift/second-key': 'second-secret',
  'drift/mtu': 'mtu-at-one-end',
  'drift/port': 'node-port-changed',
  'drift/gateway': 'gateway-template-replaced',
  'drift/template': 'gateway-template-edited',
  'drift/not-connected': 'connection-in-error',
  'drift/not-there-yet': 'rollout-waits-for-the-second-configuration',
  'drift/missing': 'gateway-deleted',
  'drift/extra': 'extra-network-of-a-peer',
  'drift/other-spec': 'network-edited',
  'drift/other-status': 'shortcut-is-not-connected',
  'drift/tenant-condition': 'tenant-drained',
  'drift/offloading': 'recorded-lends-and-offloads-1-2-offloading-edited',
  'drift/nat-rules': 'recorded-lends-and-offloads-1-2-firewall-edited',
  'drift/routes': 'routes-edited',
  'drift/release': 'release-differs',
  'drift/patch': 'patch-differs',
  'drift/own-network': 'pods-of-another-helm-value',
  'drift/pools': 'pools-of-another-helm-value',
  'drift/tool-annotation': 'annotations-of-argo-cd-differ',
  'drift/chosen-already': 'gateway-made-by-liqoctl',
  'drift/not-of-fleet': 'network-of-a-user',
};

const byName = new Map(DISTURBANCES.map((it) => [it.name, it]));

const named = (name: string): Disturbance => {
  const found = byName.get(name);
  if (found === undefined) throw new Error(`there is no disturbance ${name}`);
  return found;
};

const isReadable = ({ dump, code }: Disturbance): boolean => dump === undefined && code !== 2;

describe('a code of drift', () => {
  it('has an example', () => {
    const codes = (Object.keys(CODES) as readonly Code[]).filter((it) => it.startsWith('drift/'));
    expect(Object.keys(EXAMPLES).sort()).toEqual([...codes].sort());
  });

  it.each(Object.entries(EXAMPLES))('%s is that of %s', (code, name) => {
    const problems = explained(named(name)).flatMap((it) => it.problems);
    expect(problems.map((it) => it.diagnostic.code)).toContain(code);
  });
});

describe('every finding', () => {
  it.each(drawn(DISTURBANCES.filter(isReadable)).map((it) => [it.name, it] as const))(
    'is in exactly one problem: %s',
    (_, disturbance) => {
      for (const { drift, problems } of explained(disturbance)) {
        const explainedThere = problems.flatMap((it) => [...it.findings, ...it.effects]);
        expect(new Set(explainedThere).size).toBe(explainedThere.length);
        expect(new Set(explainedThere)).toEqual(new Set(drift.findings));
      }
    },
  );
});
