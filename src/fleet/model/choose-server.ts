import { firstOf, quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Located } from '../../base/source/located.ts';
import type { ServiceType } from '../topology/declaration.ts';
import type { LinkRequest } from './link-request.ts';
import type { Cluster } from './network-model.ts';

/** The end that serves: `fixed` when the other one cannot or must not serve, `free` when either could. */
interface ServerChoice {
  readonly server: string;
  readonly kind: 'fixed' | 'free';
}

/**
 * What a client dials by default to reach a cluster through a Service of this type: `dial`, the first address, or a fixed
 * load balancer IP.
 */
export function dialAddressOf(cluster: Cluster, service: ServiceType): Located<string> | null {
  const { dial, addresses, loadBalancerIP, mtuBytes } = cluster.gateway;
  if (dial.address) return dial.address;
  if (addresses[0]) return addresses[0];
  return service === 'LoadBalancer' && loadBalancerIP !== null ? { value: loadBalancerIP, at: mtuBytes.at } : null;
}

const mayServe = (cluster: Cluster, service = cluster.gateway.service): boolean =>
  cluster.gateway.server !== 'never' && dialAddressOf(cluster, service) !== null;

/**
 * The end that runs the gateway server: the end that `server` names; else the end that prefers it; else the only end that
 * can be dialled; else the hub; else the name that sorts first.
 */
export function chooseServer(link: LinkRequest): ServerChoice | Diagnostic {
  const { options, ends, hub } = link;
  if (options?.server) return namedServer(link, options.server);
  const able = ends.filter((it) => mayServe(it, options?.service?.value));
  const prefer = able.filter((it) => it.gateway.server === 'prefer');
  if (prefer.length === 1 && prefer[0]) return { server: prefer[0].name, kind: 'fixed' };
  if (able.length === 0) return withoutDialableEnd(link);
  if (able.length === 1 && able[0]) return { server: able[0].name, kind: 'fixed' };
  const byName = ends[0].name < ends[1].name ? ends[0] : ends[1];
  return { server: (hub ?? byName).name, kind: hub ? 'fixed' : 'free' };
}

/** Whether the client can dial this end, with the options that the link has for its server. */
function isDialable(end: Cluster, { options }: LinkRequest): boolean {
  const service = options?.service?.value ?? end.gateway.service;
  const hasAddress = options?.address || (options?.loadBalancerIP && service === 'LoadBalancer');
  return Boolean(hasAddress) || dialAddressOf(end, service) !== null;
}

function namedServer(link: LinkRequest, named: Located<string>): ServerChoice | Diagnostic {
  const end = link.ends.find((it) => it.name === named.value);
  if (!end) return { server: link.ends[0].name, kind: 'fixed' }; // Not an end of the link: an earlier rule has reported it.
  if (end.gateway.server === 'never') {
    return diagnostic(
      'link/server-never',
      named.at,
      `"${end.name}" is named as server here, but its gateway has \`server: never\``,
      {
        hint: 'remove one of the two settings',
      },
    );
  }
  if (!isDialable(end, link)) {
    return diagnostic(
      'link/no-dialable-end',
      named.at,
      `"${end.name}" is named as server here, but has no address that the client can dial`,
      {
        hint: `give "${end.name}" a \`gateway\` address, or this entry an \`address\``,
      },
    );
  }
  return { server: end.name, kind: 'fixed' };
}

const why = ({ name, gateway }: Cluster): string =>
  gateway.server === 'never' ? `"${name}" has \`server: never\`` : `"${name}" has no gateway address`;

/** A mistake of a hub, reported once for all its spokes: `links` are all its links without an end that can be dialled. */
export function hubWithoutDialableEnd(hub: Cluster, links: readonly LinkRequest[]): Diagnostic {
  const spokes = links.map((it) => quoted(it.ends[0].name));
  return diagnostic(
    'link/no-dialable-end',
    hub.at,
    `"${hub.name}" and ${spokes.length} of its spokes cannot dial each other: ${why(hub)}, and none of these spokes can be dialled: ${firstOf(spokes, 5)}`,
    {
      hint: `give "${hub.name}" a \`gateway\` address that its spokes can reach (or \`gateway.dial\` behind NAT), or give one to each of these spokes`,
      related: links
        .slice(0, 3)
        .map((it) => ({ message: `"${it.ends[0].name}" is declared here`, span: it.ends[0].at })),
    },
  );
}

function withoutDialableEnd(link: LinkRequest): Diagnostic {
  const [a, b] = link.ends;
  const hint =
    link.options?.address || link.options?.loadBalancerIP
      ? `name the end that has this address: \`server: ${a.name}\` or \`server: ${b.name}\``
      : `give "${link.hub?.name ?? a.name}" or "${(link.hub ? link.ends[0] : b).name}" a \`gateway\` address that the other can reach (or \`gateway.dial\` behind NAT)`;
  return diagnostic(
    'link/no-dialable-end',
    link.at,
    `neither end of the link between "${a.name}" and "${b.name}" can be dialled: ${why(a)}, ${why(b)}`,
    {
      hint,
      related: [a, b]
        .filter((it) => it.at !== link.at)
        .map((it) => ({ message: `"${it.name}" is declared here`, span: it.at })),
    },
  );
}
