import { expect, it } from 'vitest';
import { filesByPath } from '../../../src/bundle/emit/bundle.ts';

it('a folder of a bundle has its files by path', () => {
  const files = [
    { path: { part: 'addresses' }, text: '{}' },
    { path: { part: 'node-rules', cluster: 'rome', peer: 'milan' }, text: '' },
  ] as const;
  expect([...filesByPath(files).keys()]).toEqual(['addresses.json', 'rome/nftables/nodes/milan.nft']);
});

it('a second file at one path is a bug, wherever it comes from', () => {
  const peer = { part: 'peer', cluster: 'rome', peer: 'kustomization' } as const;
  const files = [
    { path: { ...peer, file: 'manifests' }, text: 'kind: Namespace' },
    { path: { ...peer, file: 'kustomization' }, text: 'kind: Kustomization' },
  ] as const;
  expect(() => filesByPath(files)).toThrow('rome/peers/kustomization/kustomization.yaml');
});
