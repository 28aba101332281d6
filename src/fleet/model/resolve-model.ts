import { by, byCodeUnit, largest, smallest } from '../../base/core/collections.ts';
import { printLinkId } from '../../base/core/lock-key.ts';
import { quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic, inSourceOrder } from '../../base/diagnostics/diagnostic.ts';
import { bug, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { Located } from '../../base/source/source.ts';
import { type Decisions, decisionAbout, namesInDecisions, renameDecisions } from '../lock/lock.ts';
import type { Declaration, TemplateName } from '../topology/declaration.ts';
import { type IdentitiesDocument, type KeysDocument, namesInKeys } from '../topology/parse-recorded.ts';
import { hubsOf } from '../topology/selector.ts';
import { assignPorts } from './assign-ports.ts';
import { chooseServers } from './choose-servers.ts';
import { identifyLinks, type LinkRequest, listLinks, type ModelRule, mtuBytesOf } from './link-stages.ts';
import type { Cluster, Fleet, Link, LinkEnd, NetworkModel } from './network-model.ts';
import { nameObjects } from './object-names.ts';
import { readKeys } from './read-keys.ts';
import { keysAreUsedOnce, keysDifferAtBothEnds, keysNameKnownClusters } from './rules/keys.ts';
import { clientsDialAnotherCluster, gatewaysAgreeOnMtu, linkOptionsHaveAnEffect } from './rules/links.ts';
import { namesAreUsedOnce, templatesOfOthersAreProvided } from './rules/names.ts';
import {
  nodePortsAnswerWherePeersDial,
  servicesHaveAddressesOfTheirOwn,
  tunnelsListenOnAFreePort,
} from './rules/ports.ts';
import {
  hubsMapPodsOfOthers,
  peersReadEveryPodCidr,
  peersRunOneRelease,
  shortcutOperatorFindsItsObjects,
  shortcutOperatorSupportsTheReleases,
  shortcutOperatorUsesEveryShortcut,
} from './rules/releases.ts';

const RULES: readonly ModelRule[] = [
  servicesHaveAddressesOfTheirOwn,
  clientsDialAnotherCluster,
  tunnelsListenOnAFreePort,
  gatewaysAgreeOnMtu,
  linkOptionsHaveAnEffect,
  nodePortsAnswerWherePeersDial,
  templatesOfOthersAreProvided,
  namesAreUsedOnce,
  hubsMapPodsOfOthers,
  peersReadEveryPodCidr,
  peersRunOneRelease,
  shortcutOperatorSupportsTheReleases,
  shortcutOperatorUsesEveryShortcut,
  shortcutOperatorFindsItsObjects,
  keysNameKnownClusters,
  keysDifferAtBothEnds,
  keysAreUsedOnce,
];

/** Resolves names to references, and decides the ends, the port and the join number of every link. */
export function resolveModel(
  declaration: Declaration,
  keysDocument: KeysDocument | undefined,
  decisions: Decisions,
): Outcome<NetworkModel> {
  const clusters = resolveClusters(declaration);
  const listed = listLinks(declaration, clusters);
  const requests = identifyLinks(listed.links, decisions);
  const joins = assignJoins(requests, declaration, decisions);
  const inOrder = [...requests].sort((a, b) => (joins.get(a) ?? 0) - (joins.get(b) ?? 0));
  const shortcutOperator = declaration.shortcutOperator.value;
  const servers = chooseServers({ links: inOrder, shortcutOperator, decisions });
  const ports = assignPorts(servers.served, decisions);
  const keys = readKeys(keysDocument);
  const { keySource } = declaration;
  const secretName = keySource === 'liqo' ? null : declaration.keySecretName.value;
  const links = servers.served.map((it): Link => {
    const { link, server, client } = it;
    const endOf = (own: Cluster, other: Cluster, template: TemplateName | null): LinkEnd => {
      const key = keys.keyOf(own.name, other.name);
      const { generation } = key.keyPair;
      return {
        cluster: own,
        ...key,
        template: template && { name: template.name, namespace: template.namespace ?? own.liqoNamespace },
        names: nameObjects({ cluster: own.name, peer: other.name, options: link.options, secretName, generation }),
      };
    };
    return {
      id: link.id,
      kind: link.kind,
      join: joins.get(link) ?? bug(`a link of "${server.name}" has no place in the order`),
      at: link.at,
      server: endOf(server, client, link.options?.template.server ?? null),
      client: endOf(client, server, link.options?.template.client ?? null),
      mtuBytes: mtuBytesOf(it),
      boundary: link.options?.boundary ?? null,
      endpoint: ports.endpoints.get(it) ?? bug(`a link of "${server.name}" has no endpoint`),
      keySource,
      nudge: decisionAbout<number>(decisions, { kind: 'nudge', link: link.id })?.value ?? 0,
      commonHubs: link.commonHubs,
    };
  });
  const model = { fleet: resolveFleet(declaration), clusters, links };
  const resolved = { declaration, keysDocument, keys: keys.recorded, model, served: servers.served };
  const found = [listed, servers, ports, keys].flatMap((it) => it.found);
  const remarks = RULES.flatMap((rule) => [...rule(resolved)]);
  return outcome(model, inSourceOrder([...found, ...remarks], [declaration.source, keysDocument?.source]));
}

/** The clusters by name, in order of name, each with the hubs that it is a spoke of. */
function resolveClusters(declaration: Declaration): ReadonlyMap<string, Cluster> {
  const declared = [...declaration.clusters].sort(by((it) => it.name));
  const hubs = hubsOf(declared, declaration.hubs);
  return new Map(declared.map((it) => [it.name, { ...it, hubs: hubs(it) }]));
}

/** The settings of the fleet as a whole. */
function resolveFleet(declaration: Declaration): Fleet {
  return {
    name: declaration.name.value,
    topologyFile: declaration.source.path.split(/[\\/]/).at(-1) ?? declaration.source.path,
    at: declaration.name.at,
    shortcutOperator: declaration.shortcutOperator.value,
    emitConnections: declaration.emitConnections,
    keyStore: declaration.keyStore,
    conformance: declaration.conformance,
    carve: {
      from: declaration.carve.from.map((it) => it.value),
      length: declaration.carve.length.value,
      at: declaration.carve.length.at,
    },
    gitops: declaration.gitops,
  };
}

/**
 * The join number of each link. Known links keep theirs; new links follow in this order: hub links before others, then
 * `order`, then by name. Two branches may have assigned the same number; then the later of the two links gets the next
 * number, so that every number is unique.
 */
function assignJoins(
  links: readonly LinkRequest[],
  declaration: Declaration,
  decisions: Decisions,
): ReadonlyMap<LinkRequest, number> {
  const kept = new Map(links.map((it) => [it, decisionAbout<number>(decisions, { kind: 'join', link: it.id })?.value]));
  const rank = rankOf(declaration);
  const sorted = [...links].sort((a, b) => {
    const [x, y] = [kept.get(a) ?? Number.POSITIVE_INFINITY, kept.get(b) ?? Number.POSITIVE_INFINITY];
    return x === y ? compare(rank(a), rank(b)) : x - y;
  });
  const joins = new Map<LinkRequest, number>();
  let last = 0;
  for (const link of sorted) {
    last = Math.max(last + 1, kept.get(link) ?? 0);
    joins.set(link, last);
  }
  return joins;
}

/** The order of new links; the first difference decides. */
interface Rank {
  /** 0 for a hub link, 1 for any other. */
  readonly kind: number;
  /** Indexes in `order` of the end that joins last and of the one that joins first. */
  readonly last: number;
  readonly first: number;
  readonly id: string;
}

/** The rank of a link. It joins when the later of its ends does; a hub exists from the start. */
function rankOf({ order }: Declaration): (link: LinkRequest) => Rank {
  const places = new Map(order.map((it, i) => [it.value, i]));
  const placeOf = (name: string): number => places.get(name) ?? order.length;
  return ({ hub, ends, id }) => {
    const joining = ends.filter((it) => it !== hub).map((it) => placeOf(it.name));
    return {
      kind: hub ? 0 : 1,
      last: largest(joining),
      first: smallest(joining),
      id: printLinkId(id),
    };
  };
}

function compare(a: Rank, b: Rank): number {
  return a.kind - b.kind || a.last - b.last || a.first - b.first || byCodeUnit(a.id, b.id);
}

/** A topology, with the recorded facts about its clusters. */
interface Inputs {
  readonly declaration: Declaration;
  readonly decisions: Decisions;
  readonly keys: KeysDocument | undefined;
  readonly identities: IdentitiesDocument | undefined;
}

/** The decisions and public keys of renamed clusters under their new names, so that a rename moves none of them. */
export function applyRenames(inputs: Inputs): Outcome<Inputs> {
  const { declaration, decisions, keys } = inputs;
  const renamed = declaration.clusters.flatMap(({ name, renamedFrom: from }) =>
    from === null ? [] : [{ name, from }],
  );
  if (renamed.length === 0) return outcome(inputs);
  const names = new Map(renamed.map(({ name, from }) => [from.value, name]));
  const [inLock, inKeys] = [namesInDecisions(decisions), namesInKeys(keys)];
  const found = renamed
    .filter(({ from }) => !inLock.has(from.value) && inKeys.has(from.value))
    .map(({ name, from }) => onlyInKeys(name, from));
  return outcome(
    {
      ...inputs,
      decisions: renameDecisions(decisions, names),
      keys: keys && { ...keys, reading: keys.reading.renamed('keys', names) },
    },
    found,
  );
}

const onlyInKeys = (name: string, from: Located<string>): Diagnostic =>
  diagnostic(
    'topology/rename-finished',
    from.at,
    `only the keys file still contains ${quoted(from.value)}, the former name of ${quoted(name)}`,
    {
      about: [[name]],
      hint: 'run "weft keys generate", which writes the keys under the new name, and then remove `renamedFrom`',
    },
  );
