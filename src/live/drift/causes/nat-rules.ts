import type { ClusterCase, PeerCase } from '../cluster-case.ts';
import { type Finding, objectsIn } from '../drift.ts';
import { type Problem, problem, withEffects } from '../problem.ts';

/** Liqo makes the rules of these, so where one of them is not as promised, the rules follow from it. */
const DECIDING = new Set(['Namespace', 'Configuration', 'Network']);

/**
 * Rules of gateways and nodes that do not follow from what the cluster has, after everything else was looked at. Returns all
 * problems of the peer.
 */
export function translated(it: ClusterCase, peer: PeerCase, problems: readonly Problem[]): readonly Problem[] {
  const cause = problems.findIndex((one) => one.findings.some(({ object }) => DECIDING.has(object.kind)));
  // Before the Configuration has its views there are none.
  const isReady = peer.facts.configurations.some((one) => one.seen !== null);
  const found = peer.pool.take(
    (one) => one.object.kind === 'FirewallConfiguration' && (cause !== -1 || isReady || one.kind !== 'missing'),
  );
  if (found.length === 0) return problems;
  if (cause !== -1) return problems.map((one, index) => (index === cause ? withEffects(one, found) : one));
  return [...problems, otherRules(it, peer, found)];
}

function otherRules({ cluster }: ClusterCase, { peer, at }: PeerCase, findings: readonly Finding[]): Problem {
  const isMissing = findings.every((one) => one.kind === 'missing');
  return problem('drift/nat-rules', {
    peer,
    at,
    message: isMissing
      ? `"${cluster.name}" has no rules for the addresses of "${peer}": ${objectsIn(findings)} is missing`
      : `"${cluster.name}" translates addresses of "${peer}" by other rules than git has: ${objectsIn(findings)}`,
    hint: 'touch the Configuration of the peer, for instance with an annotation: Liqo then writes its rules again, within seconds, and does not repair them by itself',
    details: findings.flatMap(changedRules),
    findings,
  });
}

/** Rules that are there and should not be, and those that should. */
function changedRules(it: Finding): readonly string[] {
  if (it.kind !== 'different') return [];
  const [there, wanted] = [linesIn(it.live), linesIn(it.promised)];
  const chain = `the chain ${it.path.at(-1) ?? ''}`;
  return [
    ...there.filter((line) => !wanted.includes(line)).map((line) => `${chain} has   ${line}`),
    ...wanted.filter((line) => !there.includes(line)).map((line) => `${chain} lacks ${line}`),
  ];
}

const linesIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((it): it is string => typeof it === 'string') : [];
