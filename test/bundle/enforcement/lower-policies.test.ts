import { describe, expect, it } from 'vitest';
import { lowerPolicies } from '../../../src/bundle/enforcement/lower-policies.ts';
import { type BoundedModel, boundedNamespaces } from '../../../src/fleet/boundaries/bounded-model.ts';
import { clusterNamed } from '../../../src/fleet/ipam/addressed-model.ts';
import { compiledText } from '../../support/compile-text.ts';

/** The fields of the first policy of namespace `shop` in milan, which rome reaches by these entries. */
function policyOf(entries: string): Readonly<Record<string, unknown>> {
  const { model } = compiledText(`version: 1
name: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  milan: { podCIDR: 10.203.0.0/16, gateway: 203.0.113.30, boundary: closed }
  rome: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.20 }
peerings: [[rome, milan]]
boundaries: [${entries}]
`);
  const [policy] = policiesIn(model);
  return { ...(policy?.['spec'] as Record<string, unknown>) };
}

const policiesIn = (model: BoundedModel) =>
  boundedNamespaces(model, 'milan').flatMap((it) => lowerPolicies(clusterNamed(model, 'milan'), it, model));

describe('the ports of a policy', () => {
  it.each<readonly [string, string, readonly object[] | undefined]>([
    ['one', 'ports: 443', [{ protocol: 'TCP', port: 443 }]],
    ['a range of one', 'ports: "443-443"', [{ protocol: 'TCP', port: 443 }]],
    ['a range of two', 'ports: "8000-8001"', [{ protocol: 'TCP', port: 8000, endPort: 8001 }]],
    ['a long range', 'ports: "8000-8100", protocol: UDP', [{ protocol: 'UDP', port: 8000, endPort: 8100 }]],
    [
      'several, in order',
      'ports: [9000, "443-444", 80]',
      [
        { protocol: 'TCP', port: 80 },
        { protocol: 'TCP', port: 443, endPort: 444 },
        { protocol: 'TCP', port: 9000 },
      ],
    ],
    ['every one of a protocol', 'protocol: UDP', [{ protocol: 'UDP' }]],
  ])('%s', (_, opens, ports) => {
    const { ingress } = policyOf(`{ from: rome, to: milan, toNamespace: shop, ${opens} }`);
    expect(ingress).toEqual([expect.anything(), { from: [{ ipBlock: { cidr: '10.202.0.0/16' } }], ports }]);
  });
});

it('lets in nothing from the external CIDR of a peer behind a closed link, from which it sends for others', () => {
  const { ingress } = policyOf('{ from: rome, to: milan, toNamespace: shop, ports: 443 }');
  const [outside] = ingress as readonly { readonly from: readonly Readonly<Record<string, unknown>>[] }[];
  const blocks = outside?.from.map((it) => it['ipBlock']);
  expect(blocks).toContainEqual({ cidr: '0.0.0.0/0', except: ['10.202.0.0/16', expect.stringMatching(/\/20$/)] });
});
