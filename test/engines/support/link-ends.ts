import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleOf } from './bundle-of.ts';
import type { Kube, LiveObject } from './kube.ts';
import type { LiqoFleet } from './liqo-fleet.ts';
import { objectsOf } from './objects-of.ts';

const NETWORKING = 'networking.liqo.io/v1beta1';

/** The label by which a gateway finds the Secret with its keys. */
export const KEYS_LABEL = 'networking.liqo.io/gateway-resource';

/** A fleet with one link, whose keys a test replaces. */
export const oneLink = (release: string, keys: string): string => `version: 1
name: engines
hub: europe
liqo: { version: "${release}" }
${keys}defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  rome: { podCIDR: 10.202.0.0/16 }
`;

/** The two gateways of the link: each in its cluster, towards the other one. */
export const ENDS = [
  { cluster: 'europe', peer: 'rome', kind: 'WgGatewayServer' },
  { cluster: 'rome', peer: 'europe', kind: 'WgGatewayClient' },
] as const;

export type End = (typeof ENDS)[number];

/** The Deployment of a gateway. */
export interface RunningGateway {
  readonly generation: number | undefined;
  /** The Secret that its Pods mount. */
  readonly secret: string | undefined;
}

/** Reads and changes the two gateways of a fleet with one link. */
export class LinkEnds {
  readonly #fleet: LiqoFleet;

  constructor(fleet: LiqoFleet) {
    this.#fleet = fleet;
  }

  kube(cluster: string): Kube {
    return this.#fleet.plane(cluster).kube;
  }

  /** Applies the bundles of clusters, as an engine would. */
  async apply(...clusters: readonly string[]): Promise<void> {
    for (const cluster of clusters) for (const it of bundleOf(this.#fleet, cluster)) await this.kube(cluster).apply(it);
  }

  gateway(end: End): Promise<LiveObject | null> {
    return this.kube(end.cluster).get(NETWORKING, end.kind, end.peer, namespaceOf(end));
  }

  /** The Secret that the status of the gateway names. */
  async usedSecret({ cluster, peer, kind }: End): Promise<unknown> {
    const found = await this.kube(cluster).get(NETWORKING, kind.slice('Wg'.length), peer, `liqo-tenant-${peer}`);
    return found?.['status']?.secretRef?.name;
  }

  async deployment(end: End): Promise<RunningGateway> {
    const found = await this.kube(end.cluster).get('apps/v1', 'Deployment', `gw-${end.peer}`, namespaceOf(end));
    const volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[] =
      found?.['spec'].template.spec.volumes ?? [];
    return {
      generation: (found?.metadata as { readonly generation?: number } | undefined)?.generation,
      secret: volumes.find((it) => it.name === 'wireguard-config')?.secret?.secretName,
    };
  }

  deployments(): Promise<readonly RunningGateway[]> {
    return Promise.all(ENDS.map((it) => this.deployment(it)));
  }

  secret(end: End, name: string): Promise<LiveObject | null> {
    return this.kube(end.cluster).get('v1', 'Secret', name, namespaceOf(end));
  }

  /** The Secrets for a gateway in a folder that `weft keys` wrote. */
  secretsIn(folder: string, end: End): readonly LiveObject[] {
    const file = join(folder, `${end.cluster}.yaml`);
    return existsSync(file) ? objectsOf(readFileSync(file, 'utf8')) : [];
  }
}

const namespaceOf = ({ peer }: End): string => `liqo-tenant-${peer}`;
