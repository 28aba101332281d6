import type { KubernetesObject } from '../dumps/kubernetes-object.ts';
import type { ObservedSharing, Place } from './observed-sharing.ts';

/** What the objects of a live cluster say about its network, as they have it: nothing here is checked or completed. */
export interface ObservedCluster {
  /** The cluster ID. */
  readonly cluster: string;
  /** Kinds that were dumped, as `kindKey` prints them: of any other it is not known whether there are objects. */
  readonly listed: ReadonlySet<string>;
  /** The release that installed Liqo, `1.2.0`; `null` where no object names one. */
  readonly release: string | null;
  /** The namespace that Liqo runs in; `null` where no object of the chart is there. */
  readonly liqoNamespace: string | null;
  /** Its own Networks by role; those with another label are left out. */
  readonly own: Readonly<Record<OwnRole, readonly OwnNetwork[]>>;
  /** Pools of its IPAM in their order; `null` where its Deployment was not dumped. */
  readonly pools: readonly string[] | null;
  /** By ID, in order of ID. */
  readonly peers: ReadonlyMap<string, ObservedPeer>;
  /** Gateway templates by `objectKey`. */
  readonly templates: ReadonlyMap<string, KubernetesObject>;
  readonly sharing: ObservedSharing;
  /** Where the images of its gateways come from; `null` where no object shows it. */
  readonly images: Images | null;
  /** ForeignClusterConnections: what the operator of the fork connects. */
  readonly shortcuts: readonly ObservedShortcut[];
  /** Objects that another tool than Liqo or kubectl keeps. */
  readonly kept: readonly KeptObject[];
}

export interface ObservedShortcut extends Place {
  readonly client: string;
  readonly server: string;
}

export interface Images {
  /** Without a slash at the end. */
  readonly registry: string;
  readonly tag: string;
}

/** An object of a peer with the mark of the tool that keeps it as it is. */
export interface KeptObject extends Place {
  readonly kind: string;
  /** `Argo CD`, `Flux`, or what the object says. */
  readonly tool: string;
  /** What the tool calls the group that the object belongs to, `null` where the mark does not say. */
  readonly group: string | null;
}

export type OwnRole = 'pod' | 'service' | 'external' | 'internal' | 'reserved';

/** A Network that the chart made. */
export interface OwnNetwork {
  readonly name: string;
  /** As the chart asked for it. */
  readonly asked: string;
  /** As the IPAM gave it; `null` before it has. */
  readonly given: string | null;
  /** Whether Liqo may not move it: it was set when Liqo was installed. */
  readonly isFixed: boolean;
}

/** Everything that a cluster has for one remote cluster. Where Liqo wants exactly one object there may be none or several. */
export interface ObservedPeer {
  readonly remote: string;
  readonly namespaces: readonly string[];
  readonly configurations: readonly ObservedConfiguration[];
  readonly gateways: readonly ObservedGateway[];
  readonly publicKeys: readonly ObservedKey[];
  /** Secrets with keys of gateways, which have no values here. */
  readonly keySecrets: readonly Place[];
  readonly connections: readonly ObservedConnection[];
  readonly networks: readonly PeerNetwork[];
}

export type { Place };

export interface CidrLists {
  readonly pod: readonly string[];
  readonly external: readonly string[];
}

export interface ObservedConfiguration extends Place {
  readonly remote: CidrLists;
  /** What the cluster believes about itself; `null` before its controller has written it. */
  readonly local: CidrLists | null;
  /** How the cluster sees `remote`, in the same order; `null` without a status. */
  readonly seen: CidrLists | null;
  /** Whether Liqo says that the networks are there. */
  readonly isReady: boolean;
  readonly made: Moment;
}

export interface ObservedGateway extends Place {
  readonly role: 'server' | 'client';
  /** Of Liqo's own kinds; `null` for a template of another kind. */
  readonly template: Place | null;
  readonly mtu: number | null;
  /** Of a server. */
  readonly service: ObservedService | null;
  /** Of a client: what it dials. */
  readonly dials: { readonly addresses: readonly string[]; readonly port: number | null } | null;
  /** `spec.secretRef`; `null` where Liqo chose the Secret. */
  readonly secret: string | null;
  /** The Secret that it uses, from its status. */
  readonly usedSecret: string | null;
  /** Of a server: where it can be dialled, as its status says. */
  readonly reachable: { readonly addresses: readonly string[]; readonly port: number | null } | null;
}

interface ObservedService {
  readonly type: string;
  readonly port: number | null;
  readonly nodePort: number | null;
  readonly loadBalancerIP: string | null;
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

interface ObservedKey extends Place {
  /** Of the gateway at the other end, base64 as written. */
  readonly key: string | null;
}

interface ObservedConnection extends Place {
  /** `Connecting`, `Connected`, `Error`. */
  readonly value: string | null;
}

/** A Network that a Configuration asks for. */
export interface PeerNetwork extends Place {
  readonly kind: 'pod' | 'external' | null;
  /** Name of the Configuration that owns it. */
  readonly owner: string | null;
  readonly asked: string;
  readonly given: string | null;
  readonly made: Moment;
}

/** When an object was made and last written, as far as its API server says. */
export interface Moment {
  /** RFC 3339 in seconds. */
  readonly created: string | null;
  /** Counts up with every write in a cluster. */
  readonly version: number | null;
}
