import { describe, expect, it } from 'vitest';
import { diagnosticsDocument, printJson } from '../../../src/answers/report/diagnostics-document.ts';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printPairView, printView, printViewMarkdown } from '../../../src/answers/report/view.ts';
import { moveHost } from '../../../src/base/net/prefix.ts';
import { printAddress, printPrefix } from '../../../src/base/net/text.ts';
import { unknownSource } from '../../../src/fleet/ipam/addressed-model.ts';
import { type ClusterView, clusterView } from '../../../src/reach/view/cluster-view.ts';
import { compiledFleets } from '../../support/fleets.ts';
import { faultsOf, fileOf } from '../../support/json-documents.ts';
import { expectRecorded } from '../../support/recorded.ts';

const fleets = compiledFleets();

/** Each fleet with the clusters and the pairs whose views are recorded. */
const RECORDED: readonly (readonly [fleet: string, ...shown: readonly string[]])[] = [
  ['topologies/topology.yaml', 'europe', 'rome', 'rome milan'],
  ['deck-two-one-pod-cidr-everywhere', 'hub', 'cluster2', 'cluster2 cluster3'],
  ['two-hubs-with-tiers', 'north', 'alps', 'como', 'bern como', 'bern lab'],
  ['several-pod-cidrs', 'hub', 'rome', 'rome hub'],
  ['equal-networks-everywhere-are-remapped', 'hub', 'north', 'east west', 'north west'],
  ['shortcuts-in-a-star-with-operator', 'east', 'east west'],
  ['views-of-before-are-kept', 'rome'],
  ['a-retired-cluster-leaves', 'turin', 'milan'],
  ['sharing-of-a-hub-with-its-spokes', 'rome', 'milan'],
  ['sharing-with-every-option', 'rome', 'turin'],
  ['closed-links', 'milan', 'turin', 'rome milan'],
];

function viewOf(fleet: string, cluster: string): ClusterView {
  const model = fleets.find((it) => it.name === fleet)?.compiled.model;
  const found = model?.clusters.get(cluster);
  if (!model || !found) throw new Error(`${fleet} has no "${cluster}"`);
  return clusterView(model, found);
}

it('views are as recorded, as text and in Markdown', () => {
  const files = new Map<string, string>();
  for (const [fleet, ...shown] of RECORDED) {
    const texts: string[] = [];
    const pages: string[] = [];
    for (const names of shown) {
      const [here, there] = names.split(' ').map((it) => viewOf(fleet, it));
      if (!here) continue;
      texts.push(
        `$ weft view ${names}\n${there ? printPairView(here, there, plainPaint) : printView(here, plainPaint)}`,
      );
      if (!there) pages.push(printViewMarkdown(here));
    }
    const name = fleet.replace(/^topologies\/|\.yaml$/g, '');
    files.set(`${name}.txt`, texts.join('\n'));
    files.set(`${name}.md`, pages.join('\n'));
  }
  expectRecorded(new URL('./golden-views/', import.meta.url), files);
});

describe.each(fleets.map((it) => [it.name, it.compiled.model] as const))('the views of %s', (_, model) => {
  const views = new Map([...model.clusters.values()].map((it) => [it.name, clusterView(model, it)]));

  it('are what the schema says', () => {
    const document = { ...diagnosticsDocument([]), views: [...views.values()] };
    expect(faultsOf(fileOf('view'), JSON.parse(printJson(document)))).toEqual([]);
  });

  it('show both directions of every link, the other one as the peer shows it', () => {
    for (const [name, { peers }] of views) {
      for (const { peer, seenBy } of peers) {
        const back = views.get(peer)?.peers.find((it) => it.peer === name);
        expect(seenBy).toEqual({ views: back?.views, orderDependent: back?.orderDependent });
      }
    }
  });

  it('say what the hub makes of a leaf without a link, and what that leaf sees', () => {
    for (const [name, { indirect }] of views) {
      for (const { cluster, through } of indirect) {
        for (const it of through) {
          const hub = model.clusters.get(it.hub);
          const far = model.clusters.get(cluster)?.peers.get(it.hub);
          expect(it.hubExternalCIDR).toBe(hub && printPrefix(hub.externalCIDR));
          expect(it.sourceThere).toBe(
            hub && far && printAddress(moveHost(unknownSource(hub), far.externalView.seenAs)),
          );
          const back = views.get(cluster)?.indirect.find((other) => other.cluster === name);
          expect(back?.through.find((other) => other.hub === it.hub)?.sourceThere).toBe(it.sourceHere);
        }
      }
    }
  });
});
