import { expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';
import { keysOf } from '../../support/keys-of.ts';

function bundleOf(milan: string, more = '', entries = '{ from: rome, to: milan, toNamespace: shop, ports: 5432 }') {
  const text = `version: 1
name: europe
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  milan: { podCIDR: 10.203.0.0/16, gateway: 203.0.113.30, boundary: closed${milan} }
  rome: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.20 }
${more}shortcuts: [[rome, milan]]
boundaries: [${entries}]
`;
  const topology = { path: 'topology.yaml', text };
  const result = compile({ topology, keys: keysOf(topology), lock: undefined }, { relock: [], only: null });
  if (!result.ok) throw new Error(result.diagnostics.map((it) => it.message).join());
  return result.value.bundle;
}

const comments = (text = ''): string =>
  text
    .split('\n')
    .filter((it) => it.startsWith('#'))
    .join('\n');

const FENCE = 'milan/peers/rome/rome.yaml';
const POLICY = 'milan/boundaries/shop.yaml';

it.each<readonly [string, string, string, readonly RegExp[]]>([
  ['the external CIDR', FENCE, '', [/connections to 10\.\d+\.\d+\.0\/20, the external CIDR/, /docs\/boundaries\.md/]],
  [
    'nothing that is masqueraded',
    FENCE,
    '',
    [/From 10\.[\d.]+ "rome" sends for its nodes and .*: nothing of that enters/],
  ],
  [
    'no cni',
    POLICY,
    '',
    [/The network plugin must enforce NetworkPolicies\./, /new connections over closed links reach them only/],
  ],
  ['calico', POLICY, ', cni: calico', [/calico enforces NetworkPolicies\./]],
  ['flannel', POLICY, ', cni: flannel', [/without another controller these limit nothing/]],
  ['azure', POLICY, ', cni: azure', [/only if that is turned on/]],
  [
    'Liqo 1.0',
    POLICY,
    ', liqo: { version: "1.0" }',
    [/gateways have no fence before Liqo 1\.1, and this one runs 1\.0/],
  ],
])('a file says what it limits: %s', (_, path, milan, words) => {
  const text = comments(bundleOf(milan).get(path));
  for (const it of words) expect(text).toMatch(it);
});

it('a file says what a hub forwards, and when every pod has one address', () => {
  const text = (entries: string) => comments(bundleOf('', '', entries).get('milan/peers/europe/europe.yaml'));
  const hub = (ports: string) => `{ from: europe, masqueraded: true, to: milan${ports} }`;
  expect(text(hub(', ports: [443, 8000-8100]'))).toContain('of that enters TCP 443 8000-8100.');
  expect(text(hub(''))).toContain('of that enters everything.');
  const eks = '  oslo: { podCIDR: 10.204.0.0/16, cni: aws-vpc }\npeerings: [[oslo, milan]]\n';
  const oslo = '{ from: oslo, masqueraded: true, to: milan, protocol: UDP }';
  expect(comments(bundleOf('', eks, oslo).get('milan/peers/oslo/oslo.yaml'))).toMatch(
    /"oslo" sends for its pods, its nodes and the clusters behind it: of that enters UDP\./,
  );
});

it('an open link has an empty fence, and a cluster without a boundary none', () => {
  const open = bundleOf('', 'peerings: [{ between: [rome, europe], boundary: open }]\n');
  expect(comments(open.get('europe/peers/rome/rome.yaml'))).toContain('The fence is empty, because the link is open');
  expect(comments(open.get('rome/peers/milan/milan.yaml'))).not.toContain('fence');
  expect(comments(bundleOf(', liqo: { version: "1.0" }').get(FENCE))).not.toContain('fence');
});

it('a file changes with its own cluster only, not when another one joins', () => {
  const [before, after] = [bundleOf(''), bundleOf('', '  turin: { podCIDR: 10.205.0.0/16 }\n')];
  for (const path of [FENCE, POLICY, 'milan/peers/europe/europe.yaml'])
    expect(comments(after.get(path))).toBe(comments(before.get(path)));
});
