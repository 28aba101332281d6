import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../src/live/dumps/kubernetes-object.ts';
import { observeCluster } from '../../../src/live/facts/cluster.ts';
import { limitProblems } from '../../../src/live/problems/limit-problems.ts';
import { compiledGolden } from '../../proof/verify/verify-golden.ts';
import { liveClusterOf } from '../simulated/live-cluster-of.ts';
import type { KubernetesList } from '../simulated/objects.ts';
import { simulateFleet } from '../simulated/simulate-fleet.ts';

const made = simulateFleet(compiledGolden('closed-links').bundle, {
  release: (it) => (it === 'milan' ? '1.1' : '1.2'),
});
const MILAN = liveClusterOf('milan', made.get('milan') as KubernetesList);

const FLEET = new Map(
  Object.entries({
    europe: { pod: ['10.200.0.0/16'], external: ['10.254.240.0/20'] },
    rome: { pod: ['10.202.0.0/16'], external: ['10.254.224.0/20'] },
    milan: { pod: ['10.202.0.0/16'], external: ['10.253.0.0/20'] },
    turin: { pod: ['10.204.0.0/16', '10.205.0.0/16'], external: ['10.252.112.0/20'] },
  }),
);

/** The problems of milan with more objects; it has a link with europe and rome, not with turin. */
function saidOf(...objects: readonly object[]): readonly string[] {
  const more = objects.map((it, index) => [`more ${index}`, it as KubernetesObject] as const);
  const facts = observeCluster({ ...MILAN, objects: new Map([...MILAN.objects, ...more]) });
  return limitProblems(facts, () => FLEET).map(({ code, peer, message }) => `${code} ${peer ?? '-'}: ${message}`);
}

const firewall = (labels: Readonly<Record<string, string>>, chain: object, table = 'debug'): object => ({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'FirewallConfiguration',
  metadata: {
    name: 'debug',
    namespace: 'net',
    labels: Object.fromEntries(Object.entries(labels).map(([key, it]) => [`networking.liqo.io/firewall-${key}`, it])),
  },
  spec: { table: { name: table, family: 'IPV4', chains: [chain] } },
});

const TO_ROME = { category: 'gateway', unique: 'rome' };
const EVERY = { category: 'gateway', subcategory: 'all-gateways' };
const NODES = { category: 'fabric', subcategory: 'all-nodes' };
const nat = (hook: string, priority: number, match: readonly object[] = []): object => ({
  ...{ name: 'x', type: 'nat', hook, policy: 'accept', priority },
  rules: { natRules: [{ name: 'y', natType: 'dnat', to: '10.202.9.9', match }] },
});
const filter = (action: string, policy = 'accept', match: readonly object[] = []): object => ({
  ...{ name: 'x', type: 'filter', hook: 'forward', policy, priority: 5 },
  rules: { filterRules: [{ name: 'y', action, match }] },
});
const inFrom = (value: string, op = 'eq'): object => ({ op, dev: { position: 'in', value } });

describe('a FirewallConfiguration of others', () => {
  it.each([
    [
      'before the fence',
      firewall(TO_ROME, nat('prerouting', -120)),
      /^live\/fence-bypassed rome: the gateway of "milan" towards "rome" loads FirewallConfiguration net\/debug, which neither Liqo nor weft made: its chain \(nat prerouting, priority -120\) comes before the fence towards "rome"/,
    ],
    [
      'of every gateway before the fence',
      firewall(EVERY, nat('prerouting', -200)),
      /^live\/fence-bypassed -: every gateway .* before the fence towards "europe", "rome"/,
    ],
    [
      'with the table of a fence',
      firewall(TO_ROME, filter('accept'), 'weft-fence-rome'),
      /^live\/fence-bypassed rome: .* table "weft-fence-rome" of a fence/,
    ],
    [
      'behind the fence',
      firewall(TO_ROME, nat('prerouting', -100)),
      /^live\/firewall-of-others rome: .*translates destinations behind the fence/,
    ],
    [
      'that changes sources',
      firewall(TO_ROME, nat('postrouting', 90)),
      /^live\/firewall-of-others rome: .*translates sources/,
    ],
    [
      'about another interface',
      firewall(TO_ROME, nat('prerouting', -120, [inFrom('eth0')])),
      /neither refuses nor translates anything of a tunnel$/,
    ],
    [
      'about all but the tunnel',
      firewall(TO_ROME, nat('prerouting', -120, [inFrom('liqo-tunnel', 'neq')])),
      /neither refuses nor translates/,
    ],
    ['about the tunnel', firewall(TO_ROME, nat('prerouting', -120, [inFrom('liqo-tunnel')])), /^live\/fence-bypassed/],
    [
      'that refuses some',
      firewall(TO_ROME, filter('drop')),
      /^live\/firewall-of-others rome: .*refuses packets, also those that the fence lets in$/,
    ],
    ['that refuses all', firewall(TO_ROME, filter('accept', 'drop')), /refuses packets/],
    ['that lets in', firewall(TO_ROME, filter('accept')), /neither refuses nor translates/],
    [
      'of the nodes',
      firewall(NODES, filter('reject')),
      /^live\/firewall-of-others -: every node of "milan" loads .* refuses packets, also those that git lets through$/,
    ],
  ])('%s', (_, object, said) => {
    expect(saidOf(object)).toEqual([expect.stringMatching(said)]);
  });

  it.each([
    ['nothing loads', firewall({ category: 'gateway' }, nat('prerouting', -200))],
    [
      'Liqo makes',
      { ...firewall(EVERY, nat('prerouting', -200)), metadata: { name: 'ip-remap-ipmapping-gw', namespace: 'net' } },
    ],
  ])('that %s is not reported', (_, object) => {
    expect(saidOf(object)).toEqual([]);
  });
});

const policy = (namespace: string, side: 'ingress' | 'egress', ...blocks: readonly object[]): object => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'own', namespace },
  spec: { podSelector: {}, [side]: [{ [side === 'ingress' ? 'from' : 'to']: blocks.map((ipBlock) => ({ ipBlock })) }] },
});

describe('a NetworkPolicy of others', () => {
  it.each([
    [
      'a view',
      policy('app', 'ingress', { cidr: '10.81.3.0/24' }),
      /^live\/policy-of-others rome: NetworkPolicy app\/own of "milan" lets in 10\.81\.3\.0\/24, pods of "rome"$/,
    ],
    [
      'a view in what pods send',
      policy('app', 'egress', { cidr: '10.81.0.0/16' }),
      /lets pods send to 10\.81\.0\.0\/16, pods of "rome"$/,
    ],
    [
      'the external CIDR of a peer',
      policy('app', 'ingress', { cidr: '10.254.240.0/20' }),
      /lets in 10\.254\.240\.0\/20, the external CIDR of "europe"$/,
    ],
    [
      'a view beside a policy of weft',
      policy('shop-rome', 'ingress', { cidr: '10.81.0.0/16' }),
      /pods of "rome", although `weft-boundaries` in this namespace limits it: policies add up$/,
    ],
    [
      'everything beside a policy of weft',
      policy('shop-rome', 'ingress', { cidr: '0.0.0.0/0' }),
      /^live\/policy-of-others -: .* lets in 0\.0\.0\.0\/0, and with it "europe", "rome", although `weft-boundaries`/,
    ],
    [
      'no network, beside a policy of weft',
      policy('shop-rome', 'ingress'),
      /^live\/policy-of-others -: .* lets in 0\.0\.0\.0\/0, and with it "europe", "rome", although `weft-boundaries`/,
    ],
    [
      'the pod CIDR of a peer at home',
      policy('app', 'ingress', { cidr: '10.202.7.0/24' }),
      /^live\/policy-names-unseen rome: .* names 10\.202\.7\.0\/24, pods of "rome" in its own cluster: only pods of "milan" itself have these addresses there, where they are 10\.81\.7\.0\/24$/,
    ],
    [
      'a cluster without a link',
      policy('app', 'egress', { cidr: '10.205.0.0/16' }),
      /^live\/policy-names-unseen turin: .*nothing has these addresses there, and the two have no link$/,
    ],
    [
      'two of them',
      policy('app', 'egress', { cidr: '10.205.0.0/16' }, { cidr: '10.202.0.0/16' }),
      /^live\/policy-names-unseen -: .* have no link; it names 10\.202\.0\.0\/16/,
    ],
  ])('about %s', (_, object, said) => {
    expect(saidOf(object)).toEqual([expect.stringMatching(said)]);
  });

  it.each([
    ['networks of nobody', policy('app', 'ingress', { cidr: '192.0.2.0/24' })],
    ['everything', policy('app', 'ingress', { cidr: '0.0.0.0/0' })],
    [
      'everything but peers, beside a policy of weft',
      policy('shop-rome', 'ingress', { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] }),
    ],
    ['IPv6', policy('app', 'ingress', { cidr: 'fd00::/8' })],
  ])('about %s is not reported', (_, object) => {
    expect(saidOf(object)).toEqual([]);
  });
});

it('every kind of it has a code', () => {
  const said = [
    firewall(TO_ROME, nat('prerouting', -120)),
    firewall(TO_ROME, filter('drop')),
    policy('app', 'ingress', { cidr: '10.202.7.0/24' }),
    policy('app', 'ingress', { cidr: '10.81.3.0/24' }),
  ].flatMap((it) => saidOf(it).map((line) => line.split(' ')[0]));
  expect(said).toEqual([
    'live/fence-bypassed',
    'live/firewall-of-others',
    'live/policy-names-unseen',
    'live/policy-of-others',
  ]);
});

it('kinds that may not be listed are reported as unknown', () => {
  const facts = observeCluster({ ...MILAN, forbidden: new Set(['NetworkPolicy.networking.k8s.io']) });
  expect(limitProblems(facts, () => FLEET)).toMatchObject([{ code: 'live/limits-unread' }]);
});
