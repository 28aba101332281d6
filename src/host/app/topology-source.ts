import type { Checkout } from '../disk/checkout.ts';
import { nameOf, type Repository } from '../forge/forge.ts';
import type { PlanOwner } from '../forge/plan-marker.ts';

/**
 * Which topology some manifests are from: its path in the repository, after `owner/name:` if that is another repository than
 * the one of the manifests.
 */
export function topologySource(path: string, checkout: Checkout, from: Repository | null): string {
  const inRepository = checkout.pathInRepository(path) ?? path;
  return from === null ? inRepository : `${nameOf(from)}:${inRepository}`;
}

/** The owner of a comment with a plan, which is on a pull request of the topology's repository. */
export const planOwner = (fleet: string, path: string, checkout: Checkout): PlanOwner => ({
  id: fleet,
  source: topologySource(path, checkout, null),
  isOtherTopology: (source) => isOtherTopology(source, checkout, null),
});

/** Whether a source that differs from that of this run still exists. If not, the file was renamed. */
export function isOtherTopology(source: string, checkout: Checkout, from: Repository | null): boolean {
  const prefix = from === null ? '' : `${nameOf(from)}:`;
  return !source.startsWith(prefix) || checkout.hasFile(source.slice(prefix.length));
}
