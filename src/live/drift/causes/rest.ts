import { type ClusterCase, LOAN_KINDS, type PeerCase } from '../cluster-case.ts';
import type { Finding } from '../drift.ts';
import { byObject } from '../finding-pool.ts';
import { named, objectsIn, valueIn } from '../object-words.ts';
import { type Problem, problem } from '../problem.ts';

/** What no other cause explains: missing and extra objects, other fields, other states. */
export function* restOfPeer(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  const whose = (objects: string): string => `${objects} in "${it.cluster.name}" (peer "${peer.peer}")`;
  yield* restOf(it, { pool: peer.pool, peer: peer.peer, at: peer.at, whose });
}

/** The same for what is about no peer. */
export function* restOfCluster(it: ClusterCase): Iterable<Problem> {
  const whose = (objects: string): string => `${objects} in "${it.cluster.name}"`;
  yield* restOf(it, { pool: it.pool, peer: null, at: it.at, whose });
}

interface Rest extends Pick<PeerCase, 'pool' | 'at'> {
  readonly peer: string | null;
  readonly whose: (objects: string) => string;
}

function* restOf(it: ClusterCase, { pool, peer, at, whose }: Rest): Iterable<Problem> {
  const first = pool.take((one) => isNotThereYet(it, one));
  // Liqo makes the rest of a peering once what is missing is there.
  const waiting =
    first.length === 0 ? first : [...first, ...pool.take((one) => one.kind === 'missing' && !one.isApplied)];
  if (waiting.length > 0)
    yield problem('drift/not-there-yet', {
      peer,
      at,
      message: `${whose(objectsIn(waiting))} ${isOne(waiting) ? 'is' : 'are'} not complete yet`,
      hint: 'wait for the rollout; if nothing changes, look at what applies the bundle and at the logs of Liqo',
      isWaiting: true,
      findings: waiting,
    });
  const missing = pool.take((one) => one.kind === 'missing');
  if (missing.length > 0)
    yield problem('drift/missing', {
      peer,
      at,
      message: `${whose(objectsIn(missing))} ${isOne(missing) ? 'is' : 'are'} missing`,
      hint: missing.some((one) => one.kind === 'missing' && one.isApplied)
        ? 'apply the bundle again; find out what deleted it'
        : 'find out what deleted it; Liqo makes it of other objects, so read its logs if it does not come back',
      findings: missing,
    });
  const extra = pool.take((one) => one.kind === 'extra');
  if (extra.length > 0)
    yield problem('drift/extra', {
      peer,
      at,
      message: `${whose(objectsIn(extra))} ${isOne(extra) ? 'is' : 'are'} not in git`,
      hint: extra.some((one) => LOAN_KINDS.includes(one.object.kind))
        ? 'leave it where a loan uses it, since its pods end with it: add the loan to the topology, and the key of its consumer to the keys file'
        : 'find out what made it, and delete it if nothing uses it',
      findings: extra,
    });
  for (const found of byObject(pool.take(() => true))) yield otherFields(found, { peer, at, whose });
}

const isOne = (findings: readonly Finding[]): boolean => byObject(findings).length === 1;

/** An object of a wave that is not reached, or a state that Liqo has not written. */
function isNotThereYet({ reachedWave }: ClusterCase, it: Finding): boolean {
  if (it.kind === 'missing') return it.isApplied && it.wave > reachedWave;
  return it.kind === 'different' && (it.path[0] === 'status' || it.path[1] === 'local') && it.live === undefined;
}

function otherFields(found: readonly Finding[], { peer, at, whose }: Omit<Rest, 'pool'>): Problem {
  const fields = found.flatMap((it) => (it.kind === 'different' ? [it] : []));
  const isStatus = fields.every((it) => it.path[0] === 'status');
  const object = found[0] === undefined ? '' : named(found[0].object);
  const what = fields.map((it) => `${it.path.join('.')} is ${valueIn(it.live)}, and git has ${valueIn(it.promised)}`);
  return problem(isStatus ? 'drift/other-status' : 'drift/other-spec', {
    peer,
    at,
    message: isStatus
      ? `${whose(object)} is in another state: ${what[0] ?? ''}`
      : `${whose(object)} was edited: ${what[0] ?? ''}`,
    hint: isStatus
      ? 'look at the conditions and events of the object'
      : 'apply the bundle again, or change the topology',
    details: what.slice(1),
    findings: found,
  });
}
