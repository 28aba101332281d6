import { expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';

/** A hub that sees the pods and external networks of all its leaves remapped: they have the same ones as the hub itself. */
function hubWith(leaves: number, more: string): string {
  const names = Array.from({ length: leaves }, (_, i) => `  leaf-${String(i).padStart(3, '0')}:\n`).join('');
  return `version: 1
name: large
hub: centre
${more}defaults: { podCIDR: 10.200.0.0/24, serviceCIDR: 10.96.0.0/12, externalCIDR: 10.70.0.0/24 }
clusters:
  centre: { gateway: 203.0.113.10 }
${names}`;
}

const raisedBy = (leaves: number, more = '') =>
  compile(
    { topology: { path: 'topology.yaml', text: hubWith(leaves, more) }, keys: undefined, lock: undefined },
    { relock: [], only: [] },
  ).diagnostics.filter((it) => it.code === 'ipam/many-order-dependent');

it('a warning at the hub reports more than fifty Configurations that are applied one after the other', () => {
  expect(raisedBy(50)).toEqual([]);
  const found = raisedBy(51);
  expect(found.map((it) => it.message)).toEqual(['in "centre" 51 Configurations are applied one after the other']);
  expect(found.map(({ span }) => span.source.text.slice(span.start, span.end))).toEqual(['centre']);
});

it('it says how long that takes with the tools that apply the bundles', () => {
  const tools = (names: string) => `gitops: { repository: "https://example.com/network.git", ${names} }\n`;
  const timesWith = (names: string) => raisedBy(60, tools(names)).map((it) => it.message.split(', ')[1]);
  expect(timesWith('argo: {}, flux: {}')).toEqual(['about 30 minutes with Flux and 8 minutes with Argo CD']);
  expect(timesWith('flux: {}')).toEqual(['about 30 minutes with Flux']);
  expect(timesWith('argo: {}')).toEqual(['about 8 minutes with Argo CD']);
});
