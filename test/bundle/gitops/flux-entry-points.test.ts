import { describe, expect, it } from 'vitest';
import { fluxEntryPoints } from '../../../src/bundle/gitops/flux-entry-points.ts';
import { compiledText } from '../../support/compile-text.ts';
import { manifestsOf, specOf } from './read-entry-points.ts';

/** A hub that borrows from its spokes; those with the pods of the hub need an order, and milan joins last. */
const fleet = (ordered: readonly string[], providers: readonly string[]): string => `
version: 1
name: fleet
hub: hub
order: [turin, rome, milan]
gitops: { repository: https://github.com/example/network, flux: {} }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  hub: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.1 }
${['milan', 'rome', 'turin'].map((it, i) => `  ${it}: { podCIDR: ${ordered.includes(it) ? '10.200' : `10.21${i}`}.0.0/16 }`).join('\n')}
sharing:
${providers.map((it) => `  - { consumer: hub, provider: ${it}, resources: { cpu: 1, memory: 2Gi, pods: 10 } }`).join('\n')}
`;

describe('loans wait for the link', () => {
  it.each([
    ['of the last of two partners', ['rome', 'turin'], ['rome', 'turin'], 'weft-fleet.hub.rome'],
    ['of the last partner, whatever joins later', ['milan', 'rome', 'turin'], ['turin', 'rome'], 'weft-fleet.hub.rome'],
    ['of the only partner that needs an order', ['turin'], ['milan', 'turin'], 'weft-fleet.hub.turin'],
    ['of no partner, where only others need an order', ['turin'], ['milan', 'rome'], 'weft-fleet.hub'],
  ])('%s', (_, ordered, providers, name) => {
    const found = manifestsOf([...fluxEntryPoints(compiledText(fleet(ordered, providers)).model)]);
    const loans = found.find((it) => it.metadata.name === 'weft-fleet.hub.folder.sharing');
    expect(loans && specOf(loans)['dependsOn']).toEqual(
      [...new Set(['weft-fleet.hub', name])].map((one) => expect.objectContaining({ name: one })),
    );
  });
});
