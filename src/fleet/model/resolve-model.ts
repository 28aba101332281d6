import { bug } from '../../base/diagnostics/bug.ts';
import { inSourceOrder } from '../../base/diagnostics/in-source-order.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { Decisions } from '../lock/decisions.ts';
import type { Declaration, TemplateName } from '../topology/declaration.ts';
import type { KeysDocument } from '../topology/keys-document.ts';
import { assignJoins } from './assign-joins.ts';
import { assignPorts } from './assign-ports.ts';
import { chooseServers } from './choose-servers.ts';
import { identifyLinks } from './identify-links.ts';
import { listLinks } from './list-links.ts';
import { nameObjects } from './name-objects.ts';
import type { Cluster, Link, LinkEnd, NetworkModel } from './network-model.ts';
import { readKeys } from './read-keys.ts';
import { resolveClusters } from './resolve-clusters.ts';
import { resolveFleet } from './resolve-fleet.ts';
import type { ModelRule } from './resolved-links.ts';
import { clientsDialAnotherCluster } from './rules/clients-dial-another-cluster.ts';
import { gatewaysAgreeOnMtu } from './rules/gateways-agree-on-mtu.ts';
import { hubsMapPodsOfOthers } from './rules/hubs-map-pods-of-others.ts';
import { keysAreUsedOnce } from './rules/keys-are-used-once.ts';
import { keysDifferAtBothEnds } from './rules/keys-differ-at-both-ends.ts';
import { keysNameKnownClusters } from './rules/keys-name-known-clusters.ts';
import { linkOptionsHaveAnEffect } from './rules/link-options-have-an-effect.ts';
import { namesAreUsedOnce } from './rules/names-are-used-once.ts';
import { nodePortsAnswerWherePeersDial } from './rules/node-ports-answer-where-peers-dial.ts';
import { peersReadEveryPodCidr } from './rules/peers-read-every-pod-cidr.ts';
import { peersRunOneRelease } from './rules/peers-run-one-release.ts';
import { servicesHaveAddressesOfTheirOwn } from './rules/services-have-addresses-of-their-own.ts';
import { shortcutOperatorFindsItsObjects } from './rules/shortcut-operator-finds-its-objects.ts';
import { shortcutOperatorSupportsTheReleases } from './rules/shortcut-operator-supports-the-releases.ts';
import { shortcutOperatorUsesEveryShortcut } from './rules/shortcut-operator-uses-every-shortcut.ts';
import { templatesOfOthersAreProvided } from './rules/templates-of-others-are-provided.ts';
import { tunnelsListenOnAFreePort } from './rules/tunnels-listen-on-a-free-port.ts';
import { mtuBytesOf } from './served-link.ts';

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

/** Resolves names to references, and decides the ends, the port and the place in the order of every link. */
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
  const secretName = declaration.keySecretName.value;
  const links = servers.served.map((it): Link => {
    const { link, server, client } = it;
    const endOf = (own: Cluster, other: Cluster, template: TemplateName | null): LinkEnd => ({
      cluster: own,
      publicKey: keys.keyOf(own.name, other.name),
      hasUnknownKey: keys.isUnknown(own.name, other.name),
      template: template && { name: template.name, namespace: template.namespace ?? own.liqoNamespace },
      names: nameObjects({ cluster: own.name, peer: other.name, options: link.options, secretName }),
    });
    return {
      id: link.id,
      kind: link.kind,
      join: joins.get(link) ?? bug(`a link of "${server.name}" has no place in the order`),
      at: link.at,
      server: endOf(server, client, link.options?.template.server ?? null),
      client: endOf(client, server, link.options?.template.client ?? null),
      mtuBytes: mtuBytesOf(it),
      endpoint: ports.endpoints.get(it) ?? bug(`a link of "${server.name}" has no endpoint`),
      commonHubs: link.commonHubs,
    };
  });
  const model = { fleet: resolveFleet(declaration), clusters, links };
  const resolved = { declaration, keysDocument, keys: keys.recorded, model, served: servers.served };
  const found = [listed, servers, ports, keys].flatMap((it) => it.found);
  const remarks = RULES.flatMap((rule) => [...rule(resolved)]);
  return outcome(model, inSourceOrder([...found, ...remarks], [declaration.source, keysDocument?.source]));
}
