import type { Change } from '../../src/plan/change.ts';
import { renamed } from '../../src/plan/find-renames.ts';
import type { LinkState, NetworkState, SideState, ViewState } from '../../src/plan/network-state.ts';
import type { FileChange } from '../../src/plan/plan-file.ts';

/** The files after a plan, from those before it and the new texts. */
export function applyFiles(
  files: ReadonlyMap<string, string>,
  changes: readonly FileChange[],
  head: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const next = new Map(files);
  for (const { path, change } of changes) {
    if (change === 'remove') next.delete(path);
    else next.set(path, head.get(path) ?? '');
  }
  return next;
}

/** The links after a plan, from those before it and its changes alone. Join numbers are the lock's. */
export function applyChanges(network: NetworkState, changes: readonly Change[]): ReadonlyMap<string, LinkState> {
  const names = changes.flatMap((it) => (it.kind === 'cluster-renamed' ? [{ from: it.from, to: it.cluster }] : []));
  const links = new Map(renamed(network, names).links);
  for (const it of changes) {
    if (it.kind === 'link-added') links.set(it.link.pair, it.link);
    else if (it.kind === 'link-removed') links.delete(it.link.pair);
    else for (const [pair, link] of links) links.set(pair, changedLink(link, it));
  }
  return withoutJoins(links);
}

export const withoutJoins = (links: ReadonlyMap<string, LinkState>): ReadonlyMap<string, LinkState> =>
  new Map(
    [...links].sort(([a], [b]) => (a < b ? -1 : 1)).map(([pair, it]) => [pair, withoutMarks({ ...it, join: null })]),
  );

/** The dependence of a view on order follows from the views and join numbers of the whole cluster. */
const withoutMarks = (link: LinkState): LinkState => onSides(link, (side) => ({ ...side, orderDependent: false }));

function changedLink(link: LinkState, it: Change): LinkState {
  const namespaces = it.kind === 'setting-changed' && it.setting === 'liqo.namespace' ? it : undefined;
  if (namespaces !== undefined) {
    return onSides(link, (side) =>
      side.cluster === namespaces.cluster && side.template?.startsWith(`${namespaces.from}/`)
        ? { ...side, template: side.template.replace(namespaces.from ?? '', () => namespaces.to ?? '') }
        : side,
    );
  }
  if ('ends' in it) return it.ends.join('/') === link.pair ? changedEnds(link, it) : link;
  return onSides(link, (side) => changedSide(side, it));
}

function changedEnds(link: LinkState, it: Extract<Change, { ends: unknown }>): LinkState {
  switch (it.kind) {
    case 'link-kind-changed':
      return { ...link, kind: it.to };
    case 'role-changed': {
      const { server, client, address, port, service, sides } = it.link;
      const swapped = onSides(link, (side) => ({ ...side, template: sides.get(side.cluster)?.template ?? null }));
      return { ...swapped, server, client, address, port, service };
    }
    case 'port-changed':
      return {
        ...link,
        port: it.to.dialled,
        service: link.service && { ...link.service, port: it.to.service, nodePort: it.to.node },
      };
    case 'address-changed':
      return { ...link, address: it.to };
    case 'service-changed':
      return { ...link, service: it.to };
    case 'mtu-changed':
      return { ...link, mtuBytes: it.to };
  }
}

const onSides = (link: LinkState, change: (side: SideState) => SideState): LinkState => ({
  ...link,
  sides: new Map([...link.sides].map(([name, side]) => [name, change(side)])),
});

function changedSide(side: SideState, it: Change): SideState {
  const [here, there] = [side.cluster, side.peer];
  switch (it.kind) {
    case 'names-changed':
      return it.cluster === here && it.peer === there ? { ...side, names: it.to } : side;
    case 'template-changed':
      return it.cluster === here && it.peer === there ? { ...side, template: it.to } : side;
    case 'key-added':
    case 'key-changed':
      return it.cluster === there && it.peer === here ? { ...side, keyOfPeer: it.to } : side;
    case 'key-rotated':
      if (it.cluster === there && it.peer === here) return { ...side, keyOfPeer: it.to };
      return it.cluster === here && it.peer === there
        ? { ...side, names: { ...side.names, secret: it.secret.to } }
        : side;
    case 'next-key-changed':
      return it.cluster === here && it.peer === there ? { ...side, nextSecret: it.to } : side;
    case 'key-removed':
      return it.cluster === there && it.peer === here ? { ...side, keyOfPeer: null } : side;
    case 'announced-changed':
      return it.cluster === here && it.peer === there
        ? { ...side, views: replaceViews(side.views, it.cidr, it.to) }
        : side;
    case 'view-moved':
      return it.cluster === here && it.peer === there
        ? { ...side, views: changeView(side.views, it.cidr, it.index, { seenAs: it.to }) }
        : side;
    case 'history-changed':
      return it.cluster === here && it.peer === there
        ? { ...side, views: changeView(side.views, it.cidr, it.index, { history: it.to }) }
        : side;
    default:
      return side;
  }
}

/** Pod views are before the external one. */
const replaceViews = (
  views: readonly ViewState[],
  kind: ViewState['kind'],
  to: readonly ViewState[],
): readonly ViewState[] => {
  const others = views.filter((it) => it.kind !== kind);
  return kind === 'pod' ? [...to, ...others] : [...others, ...to];
};

function changeView(
  views: readonly ViewState[],
  kind: ViewState['kind'],
  index: number,
  to: Partial<ViewState>,
): readonly ViewState[] {
  let at = -1;
  return views.map((it) => {
    if (it.kind === kind) at++;
    return it.kind === kind && at === index ? { ...it, ...to } : it;
  });
}
