import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { compiledText } from '../../support/compile-text.ts';
import { RUNS_ALL } from '../../support/drawn.ts';

/** A thousand peers take a second to compile; those of a push show by as many bytes a peer how the policy grows. */
const PEERS = RUNS_ALL ? 1000 : 200;

/** A hub with closed links to many peers, of which a namespace uses five ports in both directions. */
function policyOf(podCIDR: (index: number) => string): string {
  const peers = Array.from(
    { length: PEERS },
    (_, i) => `  s${1000 + i}: { podCIDR: ${podCIDR(i)}, boundary: closed }\n`,
  );
  const { bundle } = compiledText(`version: 1
name: fleet
hub: hub
ipam: { carve: { from: 10.192.0.0/10, prefix: 22 } }
defaults: { serviceCIDR: 172.31.0.0/16, internalCIDR: 172.30.0.0/16, externalCIDR: auto }
clusters:
  hub: { podCIDR: 10.128.0.0/16, gateway: 203.0.113.10, boundary: closed }
${peers.join('')}boundaries:
  - { from: {}, to: hub, toNamespace: shop, ports: [8000, 8002, 8004, 8006, 8008] }
  - { from: hub, fromNamespace: shop, to: {}, ports: [8000, 8002, 8004, 8006, 8008] }
`);
  return JSON.stringify(parse(bundle.get('hub/boundaries/shop.yaml') ?? ''));
}

/**
 * `kubectl apply` writes the object into an annotation of it, and an API server refuses more bytes than these.
 * Source: kubernetes/kubernetes@v1.32.0 staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go.
 */
const LONGEST_ANNOTATIONS = 262_144;

it.each([
  ['side by side', (i: number) => `10.${i >> 4}.${(i & 15) * 16}.0/20`, 4_000],
  ['all the same, and remapped', () => '10.150.16.0/20', 4_000],
  ['with gaps', (i: number) => `10.${i >> 3}.${(i & 7) * 32}.0/20`, (LONGEST_ANNOTATIONS / 2) * (PEERS / 1000)],
])('the policy of a hub with many closed peers stays small when their networks are %s', (_, podCIDR, most) => {
  const size = policyOf(podCIDR).length;
  expect(size).toBeGreaterThan(1_000);
  expect(size).toBeLessThan(most);
});
