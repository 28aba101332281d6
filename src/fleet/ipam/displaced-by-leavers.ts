import { countOf } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Subject } from '../../base/diagnostics/subject.ts';
import { OverlapIndex } from '../../base/net/overlap-index.ts';
import { type Prefix, samePrefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import type { LeavingView } from './leaving-views.ts';
import { describeRequest, type ViewRequest } from './view-request.ts';

interface Displaced {
  readonly request: ViewRequest;
  readonly seenAs: Prefix;
  readonly by: LeavingView;
}

/** A warning about the new views of a cluster that are remapped because the network of a peer that leaves still counts. */
export function displacedByLeavers(
  requests: readonly ViewRequest[],
  seen: ReadonlyMap<ViewRequest, Prefix>,
  leaving: readonly LeavingView[],
): readonly Diagnostic[] {
  if (leaving.length === 0) return [];
  const index = new OverlapIndex<LeavingView>();
  for (const it of leaving) index.add(it.seenAs.value, it);
  const [first, ...others] = requests.flatMap((request): readonly Displaced[] => {
    const seenAs = seen.get(request);
    const by = index.first(request.cidr);
    return by && seenAs && !samePrefix(seenAs, request.cidr) ? [{ request, seenAs, by }] : [];
  });
  if (first === undefined) return [];
  const { request, seenAs, by } = first;
  const { viewer, peer } = request.announcement;
  const same = others.length === 0 ? '' : `; the same is true of ${countOf(others.length, 'more view')}`;
  return [
    diagnostic(
      'ipam/taken-by-leaver',
      peer.at,
      `"${viewer.name}" sees the ${describeRequest(request)} as ${printPrefix(seenAs)}, because "${by.peer}" has ${printPrefix(by.seenAs.value)} until it is removed${same}`,
      {
        about: [first, ...others].map((it) => subjectOf(it.request)),
        hint: `to keep the network of "${peer.name}", remove "${by.peer}" in a change of its own, apply it, and then add "${peer.name}"`,
        related: [{ message: 'recorded in the lock file here', span: by.seenAs.at }],
      },
    ),
  ];
}

const subjectOf = ({ announcement: { viewer, peer } }: ViewRequest): Subject => [viewer.name, peer.name];
