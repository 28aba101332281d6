import { groupBy } from '../../base/core/group-by.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import type { Link } from '../../fleet/model/network-model.ts';

const known = new WeakMap<AddressedModel, ReadonlyMap<string, readonly Link[]>>();

/** The shortcuts between spokes of a hub, in join order. The links are grouped by hub once per model. */
export function shortcutsOfHub(hub: string, model: AddressedModel): readonly Link[] {
  const byHub = known.get(model) ?? groupByHub(model.links);
  known.set(model, byHub);
  return byHub.get(hub) ?? [];
}

const groupByHub = (links: readonly Link[]): ReadonlyMap<string, readonly Link[]> =>
  groupBy(links, (it) => (it.kind === 'shortcut' ? it.commonHubs : []));
