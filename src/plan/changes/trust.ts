import { listOf } from '../../base/core/words.ts';
import {
  ABOUT_FLEET,
  aboutCluster,
  before,
  breaks,
  changeKind,
  changesTrust,
  follows,
  harmless,
  OF_CLUSTER,
} from '../change-kind.ts';
import { type Demand, demandId, isStronger } from '../demand.ts';
import type { Difference } from '../difference.ts';
import { anywhere, inFolder, isPart } from '../plan-file.ts';
import { insteadOf } from './plain-words.ts';

export const deliveryChanged = changeKind('delivery-changed')
  .decided({
    identity: ({ tool, cluster, setting }) => [tool, cluster ?? '*', setting],
    subject: ({ cluster }) => (cluster === null ? ABOUT_FLEET : aboutCluster(cluster)),
    code: 'plan/changes-trust',
    judge: ({ setting }) => {
      switch (setting) {
        case 'destination':
          return changesTrust('change', 'another-destination', before('check-the-destination'));
        case 'namespace':
        case 'project':
          return changesTrust('change', 'other-permissions', before('check-the-permissions'));
        default:
          return changesTrust('change', 'another-source', before('check-the-source'));
      }
    },
    flows: () => [],
    explains: ({ tool }) => [
      anywhere((file) =>
        tool === 'Argo CD'
          ? isPart(file, 'argocd')
          : isPart(file, 'flux', 'flux-source', 'flux-clusters', 'flux-cluster'),
      ),
    ],
  })
  .worded({
    section: 'Settings',
    title: (it) => `${deliverySubject(it)} ${insteadOf(it, missingText(it))}`,
    why: {
      'another-source':
        'whoever can write there decides what runs in the clusters from now on, and what is not there is pruned',
      'another-destination':
        'the manifests of this cluster go there from now on, and the server that had them gets none any more',
      'other-permissions': 'who applies the bundles, and what it may do in the clusters, is decided there from now on',
    },
    steps: {
      'check-the-source': {
        what: 'make sure that this source is meant, and who can write there',
        on: (it) => it.to ?? missingText(it),
      },
      'check-the-destination': {
        what: 'make sure that this is the API server of the cluster',
        on: (it) => `${it.cluster ?? ''}: ${it.to ?? missingText(it)}`,
      },
      'check-the-permissions': {
        what: 'make sure that this is meant, and remove the entry points where they were applied before',
        on: (it) => `${it.tool}: ${it.to ?? missingText(it)}`,
      },
    },
  });

/**
 * New images of gateways. A gateway has the private key of its tunnels and NET_ADMIN. The difference of its template
 * reports the flows that its restart breaks.
 */
export const imagesChanged = changeKind('images-changed')
  .decided({
    ...OF_CLUSTER,
    code: 'plan/changes-trust',
    judge: () => changesTrust('change', 'gateways-run-them', before('check-the-images')),
    flows: () => [],
    explains: ({ cluster }) => [inFolder(cluster, (file) => isPart(file, 'gateway-templates', 'kustomization'))],
  })
  .worded({
    section: 'Gateways',
    title: (it) =>
      `the gateways of ${it.cluster} run ${insteadOf({ from: imagesText(it.from), to: imagesText(it.to) }, OWN)}`,
    why: {
      'gateways-run-them':
        'gateways have NET_ADMIN and the private keys of their tunnels: whoever can publish these images has both',
    },
    steps: {
      'check-the-images': {
        what: 'make sure that these images are meant, and who can publish there',
        on: ({ cluster, to }: Difference<'images-changed'>) => `${cluster}: ${imagesText(to) ?? OWN}`,
      },
    },
  });

/** Addresses in a lock are applied as they are, so those that no compile has made are reviewed. */
export const decisionPicked = changeKind('decision-picked')
  .decided({
    identity: ({ cluster, towards, what }) => [cluster, ...(towards === null ? [] : [towards]), what],
    subject: ({ cluster, towards }) => aboutCluster(cluster, towards === null ? [] : [towards]),
    code: 'plan/changes-trust',
    judge: () => changesTrust('change', 'no-compile-chooses-it', before('ask-for-the-reason')),
    flows: () => [],
    explains: () => [],
  })
  .worded({
    section: 'Trust',
    title: (it) =>
      `the lock decides for ${pickedPlace(it)}: ${it.what} ${it.to}, where a compile would choose ${it.from}`,
    why: {
      'no-compile-chooses-it':
        'the line was written by hand or recorded from live clusters, and packets to these addresses and ports go where it says',
    },
    steps: {
      'ask-for-the-reason': {
        what: 'find out who wrote these lines of the lock: what `weft import` and `weft drift --adopt` recorded is live, and stays; take other lines out, and run `weft compile`',
        on: (it) => `${pickedPlace(it)}: ${it.what} ${it.to}`,
      },
    },
  });

const pickedPlace = ({ cluster, towards }: Difference<'decision-picked'>): string =>
  towards === null ? cluster : `${cluster} towards ${towards}`;

export const assertionChanged = changeKind('assertion-changed')
  .decided({
    identity: ({ from, to }) => [demandId(from), demandId(to)],
    subject: ({ from, to, spared }) => {
      const [first, ...others] = new Set([from, to].flatMap((it) => it?.named ?? []).concat(spared));
      return first === undefined ? ABOUT_FLEET : aboutCluster(first, others);
    },
    code: 'plan/demands-less',
    judge: ({ from, to, spared, isImplied }, { after }) => {
      if (from === null) return harmless('add', 'holds-already');
      if (to !== null && spared.length === 0 && isStronger(from, to)) return harmless('change', 'demands-more');
      const action = to === null ? 'remove' : 'change';
      if (isImplied) return harmless(action, 'another-demands-it');
      // A side with only a Service selects no clusters.
      const hasLeft = (side: readonly string[]): boolean =>
        side.length > 0 && side.every((it) => after.clusters.get(it)?.retired !== false);
      if (to === null && from.applies.some(hasLeft)) return follows('remove', 'its-clusters-leave');
      return breaks(action, 'nobody-notices', before('ask-who-relies-on-it'));
    },
    flows: () => [],
    explains: () => [],
  })
  .worded({
    section: 'Trust',
    title: (it) => assertionTitle(it),
    why: {
      'holds-already': 'every compile checks it from now on, and this one does already',
      'demands-more': 'every compile checks more than before, and this one does already',
      'another-demands-it': 'another assertion demands the same or more',
      'its-clusters-leave': 'the clusters that it is about leave the fleet',
      'nobody-notices':
        'it was demanded, and from now on no check fails when it no longer holds, which may be in this very change',
    },
    steps: {
      'ask-who-relies-on-it': {
        what: 'ask who has demanded it whether it may go',
        on: ({ from, to }) => demandText(from ?? to),
      },
    },
    fields: ({ from, to }) => ({ from: plain(from), to: plain(to) }),
  });

function assertionTitle({ from, to, spared }: Difference<'assertion-changed'>): string {
  if (to === null) return `no longer demanded: ${demandText(from)}`;
  if (from === null) return `demanded from now on: ${demandText(to)}`;
  const changed =
    demandText(from) === demandText(to) ? '' : `demanded now: ${demandText(to)}; before: ${demandText(from)}`;
  if (spared.length === 0) return changed;
  const without = `no longer demanded of ${listOf(spared)}`;
  return changed === '' ? `${without}: ${demandText(to)}` : `${changed}; ${without}`;
}

/** A demand as a sentence: `rome must reach milan over a link of the two`. */
function demandText(it: Demand | null): string {
  if (it === null) return '';
  const { from, to, expect, via, by: refusing, flow, without } = it;
  const path = via === null ? '' : via === 'hub' ? ' through a hub' : ' over a link of the two';
  const verb = expect === 'reachable' ? 'must reach' : 'must not reach';
  const part = without === null ? '' : withoutWords(without);
  const why = refusing === null ? '' : `, because ${REASONS[refusing]}`;
  return `${endWords(from)} ${verb} ${endWords(to)}${flow === null ? '' : ` ${flow}`}${path}${part}${why}`;
}

const REASONS: Readonly<Record<NonNullable<Demand['by']>, string>> = {
  fence: 'a fence refuses it',
  policy: 'a policy refuses it',
  'no-path': 'there is no path',
};

function withoutWords(part: string): string {
  const [, kind] = /^any-(link|gateway|cluster)$/.exec(part) ?? [];
  return kind === undefined ? ` without ${part}` : `, whichever ${kind} fails`;
}

function endWords(end: string): string {
  if (end === '*') return 'every cluster';
  if (end.includes('=')) return `clusters with ${end}`;
  return end.includes('/') ? `Service ${end}` : end;
}

const plain = (it: Demand | null) =>
  it === null
    ? null
    : {
        from: it.from,
        to: it.to,
        expect: it.expect,
        via: it.via,
        by: it.by,
        flow: it.flow,
        without: it.without,
        text: demandText(it),
      };

function deliverySubject({ tool, cluster, setting }: Difference<'delivery-changed'>): string {
  switch (setting) {
    case 'repository':
      return `${tool} takes the bundles from`;
    case 'revision':
      return `${tool} takes the bundles of revision`;
    case 'path':
      return `${tool} takes the bundles from the folder`;
    case 'source':
      return `${tool} takes the bundles from its object`;
    case 'sourceRepos':
      return `the project of ${tool} allows the repositories`;
    case 'project':
      return `${tool} applies the bundles with the permissions of project`;
    case 'namespace':
      return `the entry points belong to the ${tool} in namespace`;
    case 'destination':
      return tool === 'Flux'
        ? `Flux applies ${cluster ?? ''} with the kubeconfig`
        : `${tool} applies ${cluster ?? ''} to`;
  }
}

/** Words for a missing value of a setting. */
function missingText({ tool, cluster, setting }: Difference<'delivery-changed'>): string {
  if (setting === 'destination')
    return tool === 'Flux' ? 'of the cluster where it runs' : `the cluster that it calls ${cluster ?? ''}`;
  if (setting === 'sourceRepos') return 'of the bundles alone';
  return 'an unknown one';
}

const OWN = "the images of Liqo's release";

/** Words for images. All images of a gateway have the same registry and tag, unless a user has edited a template. */
const imagesText = (images: readonly string[]): string | null =>
  listOf([
    ...new Set(
      images.map((it) => it.replace(/^(.+?)\/gateway(?:\/[a-z]+)?:([^/@]+)$/, 'the images of $1 with tag $2')),
    ),
  ]) || null;
