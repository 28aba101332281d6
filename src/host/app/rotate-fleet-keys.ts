import type { FormerSecret, RotatedKeys } from '../../answers/report/print-made-keys.ts';
import type { RelockTarget } from '../../base/core/lock-key.ts';
import { printKeysFile } from '../../fleet/keys/keys-file.ts';
import type { GatewayName } from '../../fleet/keys/missing-keys.ts';
import { isMadeByLiqo } from '../../fleet/keys/missing-keys.ts';
import { gatewayEnds, hasKey, hasNext, linksToRotate, makeNextKeys, switchKeys } from '../../fleet/keys/rotate-keys.ts';
import { compileFiles, type ReadyTopology, type TopologyRequest, type Unanswered } from './compile-topology.ts';
import {
  type DeliveryRequest,
  deliver,
  holdingKeys,
  recordedKeys,
  refusedTarget,
  type SecretsPorts,
} from './deliver-secrets.ts';
import { findTopology, type TopologyFiles } from './find-topology.ts';

interface RotationRequest extends TopologyRequest, DeliveryRequest {
  /** The links, or all links of a cluster; empty for every link. */
  readonly targets: readonly RelockTarget[];
  /** Only links with a key of at least this age; `null` for keys of any age. */
  readonly olderThanDays: number | null;
  /** True to use the next keys, false to make them. */
  readonly toNext: boolean;
  /** True to write nothing. */
  readonly check: boolean;
}

type RotationResult =
  | Unanswered
  | ({ readonly kind: 'rotated'; readonly files: TopologyFiles } & Omit<RotatedKeys, 'files'>);

type Link = ReturnType<typeof linksToRotate>[number];

type OwnEnd = ReturnType<typeof gatewayEnds>[number];

/**
 * Rotates the keys of links in two changes: the first makes the next keys, whose Secrets no gateway uses, and the second
 * uses them. A run that was stopped is repeated: next keys that are recorded are not made again.
 */
export async function rotateFleetKeys(ports: SecretsPorts, request: RotationRequest): Promise<RotationResult> {
  const files = await findTopology(ports.files, request.topology, request.lock);
  const held = { file: files.keys, check: request.check };
  return holdingKeys(ports.keys, held, () => rotateFor(ports, request, files));
}

async function rotateFor(ports: SecretsPorts, request: RotationRequest, files: TopologyFiles): Promise<RotationResult> {
  const { targets: links, olderThanDays } = request;
  const settings = { only: [], links, withoutAssertions: true, allowReplacements: false };
  const topology = await compileFiles(ports.files, files, settings);
  if (topology.kind !== 'compiled') return topology;
  const { model } = topology.compiled;
  const madeUntil = olderThanDays === null ? null : ports.day(olderThanDays);
  const selected = linksToRotate(model, { targets: links, madeUntil });
  if (isMadeByLiqo(model)) {
    const ends = gatewayEnds(selected);
    if (request.toNext) return { kind: 'refused', refusal: { kind: 'keys-made-by-liqo', keys: files.keys } };
    return { ...answerOf(files, selected, ends), byLiqo: true, former: selected.flatMap(formerSecrets) };
  }
  return request.toNext
    ? useNext(ports, request, { topology, selected })
    : makeNext(ports, request, { topology, selected });
}

interface Selected {
  readonly topology: ReadyTopology;
  readonly selected: readonly Link[];
}

async function makeNext(
  ports: SecretsPorts,
  request: RotationRequest,
  { topology, selected }: Selected,
): Promise<RotationResult> {
  const { files, compiled } = topology;
  const keyless = gatewayEnds(selected).filter((it) => !hasKey(it));
  if (keyless.length > 0)
    return {
      kind: 'refused',
      refusal: { kind: 'keys-not-recorded', gateways: keyless.map(gatewayOf), keys: files.keys },
    };
  const [prepared, links] = split(selected, (it) => gatewayEnds([it]).every(hasNext));
  const ends = gatewayEnds(links).filter((it) => !hasNext(it));
  const answer = { ...answerOf(files, links, ends), prepared: prepared.map(serverAndClient) };
  if (ends.length === 0 || request.check) return answer;
  const refusal = refusedTarget(ports, request, files);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  const recorded = recordedKeys(compiled);
  const { newKeyPair: newPair } = ports.keys;
  const { keys, secrets } = makeNextKeys({ ends, recorded: recorded.gateways, newPair, today: ports.day(0) });
  const prepare = await ports.keys.prepareKeysFile(files.keys, printKeysFile({ ...recorded, gateways: keys }));
  const delivered = await deliver(ports, request.secrets, { secrets, prepared: prepare });
  return 'refusal' in delivered ? { kind: 'refused', refusal: delivered.refusal } : { ...answer, delivered };
}

async function useNext(
  { keys: store }: Pick<SecretsPorts, 'keys'>,
  { targets, check }: RotationRequest,
  { topology, selected }: Selected,
): Promise<RotationResult> {
  const { files, compiled } = topology;
  // Without a name, all links with next keys are meant; one end alone is a mistake in either case.
  const links = targets.length === 0 ? selected.filter((it) => gatewayEnds([it]).some(hasNext)) : selected;
  const ends = gatewayEnds(links);
  const unprepared = ends.filter((it) => !hasNext(it));
  if (unprepared.length > 0)
    return { kind: 'refused', refusal: { kind: 'keys-not-prepared', gateways: unprepared.map(gatewayOf) } };
  const answer = { ...answerOf(files, links, ends), former: links.flatMap(formerSecrets) };
  if (ends.length === 0 || check) return answer;
  const recorded = recordedKeys(compiled);
  const text = printKeysFile({ ...recorded, gateways: switchKeys(recorded.gateways, ends) });
  await (await store.prepareKeysFile(files.keys, text)).commit();
  return answer;
}

const formerSecrets = (link: Link): readonly FormerSecret[] =>
  gatewayEnds([link]).map((it) => ({
    ...gatewayOf(it),
    namespace: it.own.names.namespace,
    secret: it.own.names.secret,
    gateway: `${it.own === link.server ? 'wggatewayserver' : 'wggatewayclient'}/${it.own.names.gateway}`,
  }));

const gatewayOf = ({ own, peer }: OwnEnd): GatewayName => ({ cluster: own.cluster.name, peer });

const serverAndClient = ({ server, client }: Link): string => `${server.cluster.name}/${client.cluster.name}`;

function answerOf(files: TopologyFiles, links: readonly Link[], ends: readonly OwnEnd[]) {
  const days = ends.map(({ own }) => own.keyPair.since);
  return {
    kind: 'rotated',
    files,
    links: links.map(serverAndClient),
    prepared: [],
    oldest: days.includes(null) ? null : (days.sort()[0] ?? null),
    counts: { gateways: ends.length, clusters: new Set(ends.map(({ own }) => own.cluster.name)).size },
    byLiqo: false,
    former: [],
    delivered: null,
  } as const;
}

function split<T>(items: readonly T[], isFirst: (it: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(isFirst), items.filter((it) => !isFirst(it))];
}
