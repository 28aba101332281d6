import { expect, it } from 'vitest';
import { compiledText } from '../support/compile-text.ts';
import { planBetween } from './run-edit.ts';

const fleet = (entries: readonly string[], cluster = '') =>
  compiledText(`version: 1
name: europe
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, boundary: closed }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  rome: { podCIDR: 10.202.0.0/16 }
  ${cluster}
boundaries: [${entries.join(', ')}]
`);

const compiledWith = (entry: string, cluster?: string) =>
  fleet([`{ from: rome, to: europe, toNamespace: shop${entry} }`], cluster);

const TO_CLUSTER = 'rome to europe on';
const TO_NAMESPACE = 'rome to namespace shop on';

/** Another entry about the same ends. */
const AND = ' }, { from: rome, to: europe, toNamespace: shop';

/** The ports that the fence and the policy open or close, which are the same. */
const both = (ports: string): readonly string[] =>
  ports === '' ? [] : [`${TO_CLUSTER} ${ports}`, `${TO_NAMESPACE} ${ports}`];

it.each([
  ['a port more', ', ports: 443', ', ports: [443, 6379]', 'TCP 6379', ''],
  ['a port less', ', ports: [443, 6379]', ', ports: 443', '', 'TCP 6379'],
  ['two ports more', ', ports: 443', ', ports: [443, 80, 8000-8100]', 'TCP 80, TCP 8000-8100', ''],
  ['a longer range', ', ports: 8000-8100', ', ports: 8000-8200', 'TCP 8000-8200', ''],
  ['a shorter range', ', ports: 8000-8200', ', ports: 8000-8100', '', 'TCP 8000-8200 but TCP 8000-8100'],
  ['a port in a range', ', ports: 8000-8200', ', ports: [8000-8200, 8080]', '', ''],
  ['every port beside a port that stays', `, ports: 443${AND}`, ', ports: 443', '', 'every port but TCP 443'],
  ['another port', ', ports: 443', ', ports: 444', 'TCP 444', 'TCP 443'],
  ['every port', ', ports: 443', '', 'every port', ''],
  ['one port instead of every one', '', ', ports: 443', '', 'every port but TCP 443'],
  ['every port of the protocol', ', ports: 443', ', protocol: TCP', 'TCP', ''],
  ['ports of the protocol', ', protocol: TCP', ', ports: [80, 443]', '', 'TCP but TCP 443 and TCP 80'],
  ['another protocol', ', ports: 53', ', protocol: UDP, ports: 53', 'UDP 53', 'TCP 53'],
  ['another entry for the same', ', ports: 443', ', protocol: TCP, ports: 443', '', ''],
])('a plan names what %s opens and closes, and nothing that stays', (_, was, is, opened, closed) => {
  const { changes } = planBetween(compiledWith(was), compiledWith(is));
  const found = changes.flatMap((it) => (it.kind === 'boundary-changed' ? [it] : []));
  expect(found.flatMap((it) => it.opened)).toEqual(both(opened));
  expect(found.flatMap((it) => it.closed)).toEqual(both(closed));
});

it('a plan names the pods of a namespace that an entry opens', () => {
  const some = ', toPods: { app: db, tier: back }, ports: 5432';
  const changed = (was: string, is: string) =>
    planBetween(compiledWith(was), compiledWith(is)).changes.flatMap((it) =>
      it.kind === 'boundary-changed' ? [{ opened: it.opened, closed: it.closed }] : [],
    );
  const pods = 'rome to pods app=db,tier=back of namespace shop on TCP 5432';
  expect(changed(', ports: 5432', some)).toEqual([{ opened: [pods], closed: [`${TO_NAMESPACE} TCP 5432`] }]);
  expect(changed(some, ', ports: 443')).toEqual([
    { opened: [`${TO_CLUSTER} TCP 443`, `${TO_NAMESPACE} TCP 443`], closed: [`${TO_CLUSTER} TCP 5432`, pods] },
  ]);
});

it('a plan names every peer whose networks are joined in one rule', () => {
  const withMilan = (entry: string) => fleet([entry], 'milan: { podCIDR: 10.203.0.0/16 }');
  const all = '{ from: {}, to: europe, toNamespace: shop, ports: 443 }';
  expect(withMilan(all).bundle.get('europe/boundaries/shop.yaml')).toContain('cidr: 10.202.0.0/15');
  const one = '{ from: rome, to: europe, toNamespace: shop, ports: 443 }';
  const ends = (was: string, is: string) =>
    planBetween(withMilan(was), withMilan(is)).changes.flatMap((it) =>
      it.kind === 'boundary-changed'
        ? [it.opened, it.closed].map((list) => list.filter((one) => one.includes('shop')))
        : [],
    );
  expect(ends(one, all)).toEqual([['milan to namespace shop on TCP 443'], []]);
  expect(ends(all, one)).toEqual([[], ['milan to namespace shop on TCP 443']]);
});

it.each([
  ['a closed cluster that joins', 'turin: { podCIDR: 10.205.0.0/16 }', [], ['all from europe to turin']],
  ['an open cluster that joins', 'turin: { podCIDR: 10.205.0.0/16, boundary: open }', null, null],
])('a plan names what %s refuses', (_, cluster, opened, closed) => {
  const was = compiledWith(', ports: 443');
  const is = compiledWith(', ports: 443', cluster);
  const found = planBetween(was, is).changes.flatMap((it) =>
    it.kind === 'boundary-changed' && it.cluster === 'turin' ? [it] : [],
  );
  expect(found.map((it) => it.opened)).toEqual(opened === null ? [] : [opened]);
  expect(found.map((it) => it.closedFromTheStart)).toEqual(closed === null ? [] : [closed]);
  expect(found.map((it) => it.closed)).toEqual(closed === null ? [] : [[]]);
});
