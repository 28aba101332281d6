import type { Difference, SettingName } from './difference.ts';
import type { ClusterState } from './network-state.ts';
import { sameTexts } from './same-texts.ts';

export function* compareClusters(was: ClusterState | undefined, is: ClusterState | undefined): Iterable<Difference> {
  if (was && !is) yield { kind: 'cluster-removed', cluster: was.name, wasRetired: was.retired, lookalike: null };
  if (is && !was) yield { kind: 'cluster-added', cluster: is.name };
  if (was && is && !was.retired && is.retired) yield { kind: 'cluster-retired', cluster: is.name };
  if (was && is && was.retired && !is.retired) yield { kind: 'cluster-returned', cluster: is.name };
  yield* compareBlocks(was, is);
  if (was && is && !was.retired && !is.retired) yield* compareInstallations(was, is);
}

function* compareBlocks(was: ClusterState | undefined, is: ClusterState | undefined): Iterable<Difference> {
  const cluster = (is ?? was)?.name ?? '';
  for (const block of ['external', 'internal'] as const) {
    const [from, to] = [was?.blocks[block] ?? null, is?.blocks[block] ?? null];
    if (from === to) continue;
    if (from !== null) yield { kind: 'block-returned', cluster, block, cidr: from };
    if (to !== null) yield { kind: 'block-carved', cluster, block, cidr: to };
  }
}

/** What the cluster was installed with. */
function* compareInstallations(was: ClusterState, is: ClusterState): Iterable<Difference> {
  const { name: cluster } = is;
  for (const role of ['pod', 'service', 'external', 'internal'] as const) {
    const [from, to] = [was.own[role], is.own[role]];
    if (!sameTexts(from, to)) yield { kind: 'own-cidr-changed', cluster, role, from, to };
  }
  if (!sameTexts(was.reserved, is.reserved)) {
    const [before, after] = [new Set(was.reserved), new Set(is.reserved)];
    const added = is.reserved.filter((it) => !before.has(it));
    const removed = was.reserved.filter((it) => !after.has(it));
    yield { kind: 'reservation-changed', cluster, added, removed };
  }
  const setting = (name: SettingName, from: string | null, to: string | null): readonly Difference[] =>
    from === to ? [] : [{ kind: 'setting-changed', cluster, setting: name, from, to }];
  yield* setting('ipam.pools', was.pools.join(', '), is.pools.join(', '));
  yield* setting('monitoring.prometheusRules', String(was.reportsMetrics), String(is.reportsMetrics));
  for (const it of ['address', 'ca', 'trustedCA'] as const) {
    yield* setting(`apiServer.${it}`, was.apiServer[it], is.apiServer[it]);
  }
  yield* setting('fullMasquerade', String(was.masquerades), String(is.masquerades));
  const onlyIn = (some: readonly string[], others: readonly string[]): string | null =>
    some.filter((it) => !others.includes(it)).join(', ') || null;
  yield* setting(
    'platform',
    onlyIn(was.platformValues, is.platformValues),
    onlyIn(is.platformValues, was.platformValues),
  );
  for (const name of ['lending', 'reflection', 'virtualKubelet'] as const) {
    const [from, to] = [was.sharingValues[name], is.sharingValues[name]];
    yield* setting(name, onlyIn(from, to), onlyIn(to, from));
  }
  for (const role of ['external', 'internal'] as const) {
    // A new network is reported above. Here the network stays, and only the request in the Helm values differs. Another
    // release may write a request for the default differently.
    if (!sameTexts(was.own[role], is.own[role]) || was.provenLine !== is.provenLine) continue;
    yield* setting(`${role}CIDR`, was.requested[role], is.requested[role]);
  }
  if (was.namespace !== null && is.namespace !== null) yield* setting('liqo.namespace', was.namespace, is.namespace);
}
