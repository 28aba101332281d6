import type { AdoptedReport } from '../../answers/report/drift-answer.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import { compile } from '../../compile.ts';
import { nextDecisions } from '../../fleet/ipam/assign-addresses.ts';
import { adoptableOf, guessedView, type LiveNetwork } from '../../live/adopt/live-network.ts';
import { incompleteDump, looksLikeAnother } from '../../live/drift/check-dump.ts';
import { COMPARED_KINDS } from '../../live/drift/compare-objects.ts';
import { promisedObjects } from '../../live/drift/promised-objects.ts';
import { observeCluster } from '../../live/facts/cluster.ts';
import { liveNetworkOf } from '../../live/import/infer-fleet.ts';
import { planChanges } from '../../plan/plan-changes.ts';
import { adoptLock, withoutHistory } from './compile-live.ts';
import type { Answered, ReadyTopology, TopologyRequest, Unanswered } from './compile-topology.ts';
import { compileForLive, type LiveRequest } from './live-sources.ts';
import type { LivePorts } from './ports.ts';
import { headState } from './read-base.ts';
import { readLiveClusters } from './read-live-clusters.ts';
import type { StartPorts } from './start-fleet.ts';

interface AdoptRequest extends TopologyRequest, LiveRequest {
  /** True to write nothing. */
  readonly check: boolean;
}

interface AdoptPorts extends LivePorts {
  readonly start: Pick<StartPorts, 'writeFile'>;
}

type AdoptResult = Unanswered | AdoptedFleet;

type AdoptedFleet = Answered<'adopted'> & AdoptedReport;

/** Adopts the views and ports of live clusters into the lock of their topology. Only the lock is written. */
export async function adoptFleet(ports: AdoptPorts, request: AdoptRequest): Promise<AdoptResult> {
  const topology = await compileForLive(ports.files, request);
  if (topology.kind !== 'compiled') return topology;
  const { model, bundle } = topology.compiled;
  const asked = new Set(request.contexts.map((it) => it.cluster));
  const wanted = { known: new Set(model.clusters.keys()), kinds: COMPARED_KINDS };
  const read = await readLiveClusters(ports, request, wanted, (it) => {
    const other = asked.has(it.cluster) ? undefined : looksLikeAnother(model, it);
    const promised = () => promisedObjects(it.cluster, { bundle, root: '' });
    const unusable = other ?? incompleteDump(it, promised);
    return unusable ?? liveNetworkOf([observeCluster(it)]);
  });
  if (!read.ok) return { kind: 'unreadable', diagnostics: read.diagnostics };
  const found = [...read.value.values()];
  const unusable = found.filter((it) => 'code' in it);
  if (unusable.length > 0) return { kind: 'unreadable', diagnostics: unusable };
  const live = adoptableOf(
    model,
    found.filter((it) => 'views' in it),
  );
  const adopted = adoptInto(topology, live);
  if (adopted.kind !== 'adopted' || request.check || adopted.lock.after === topology.sources.lock?.text) return adopted;
  await ports.start.writeFile(adopted.lock.path, adopted.lock.after);
  return { ...adopted, lock: { ...adopted.lock, written: true } };
}

const UNKEPT = ['import/broken-view', 'import/unkept-port'];

/** Returns the adopted lock and its plan; refuses when the join order is known only in part. */
function adoptInto(
  { files, sources, compiled }: ReadyTopology,
  live: LiveNetwork,
): Extract<Unanswered, { kind: 'errors' | 'refused' }> | AdoptedFleet {
  const adopted = adoptLock({
    sources,
    decisions: nextDecisions(compiled.model),
    live,
    path: files.lock,
    keepsOrder: true,
  });
  if (!adopted.ok) return { kind: 'errors', diagnostics: adopted.diagnostics };
  const { lock, remapped, forced } = adopted.value;
  const after = compile({ ...sources, lock }, { relock: [], only: null, withoutAssertions: true });
  if (!after.ok) return { kind: 'errors', diagnostics: [...adopted.diagnostics, ...after.diagnostics] };
  const guessed = guessedView(compiled.model, after.value.model, live);
  if (guessed !== undefined) return { kind: 'refused', refusal: { kind: 'view-not-known', ...guessed } };
  const [before, head] = [compiled, after.value].map(
    (it) => headState(it) ?? bug('the plan cannot read what compile emits'),
  );
  if (before === undefined || head === undefined) return bug('a plan has two sides');
  return {
    kind: 'adopted',
    plan: planChanges(before, head),
    lock: { path: files.lock, before: compiled.lock, after: after.value.lock, written: false },
    unkept: adopted.diagnostics.filter(({ code }) => UNKEPT.includes(code)).map((it) => it.message),
    views: { remapped, forced },
    diagnostics: [...adopted.diagnostics, ...withoutHistory(after.diagnostics).filter((it) => it.severity !== 'note')],
  };
}
