import type { Prefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import { EXTERNAL_SECRETS_API, REMOTE_CLUSTER_LABEL } from '../../base/releases/labels.ts';
import type { ReleaseTraits } from '../../base/releases/traits.ts';
import { ownEnd, type Peer } from '../../fleet/ipam/addressed-model.ts';
import type { ObjectNames } from '../../fleet/model/network-model.ts';

/** A value in a manifest. Members that are `undefined` are left out when it is printed. */
export type Field = string | number | boolean | readonly Field[] | { readonly [key: string]: Field | undefined };

/** A type alias instead of an interface, so that it is assignable to `Field`. */
type Metadata = {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};

/** A Kubernetes object. Its members are printed in their order. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [field: string]: Field | undefined;
}

/** The list of a Configuration that contains a CIDR. */
export type CidrType = 'pod' | 'external';

/** Metadata of an object of a link, about the cluster at its other end. */
export function aboutPeer(
  peer: Peer,
  kind: Exclude<keyof ObjectNames, 'namespace'>,
  labels: Readonly<Record<string, string>> = {},
) {
  const { names } = ownEnd(peer);
  return {
    name: names[kind],
    namespace: names.namespace,
    labels: { [REMOTE_CLUSTER_LABEL]: peer.name, ...labels },
  };
}

/**
 * The name that Liqo gives the Deployment, Service and Connection of a gateway.
 * Source: liqotech/liqo@v1.2.0 pkg/gateway/forge/utils.go.
 */
export const gatewayResourceName = (gateway: string): string => `gw-${gateway}`;

/**
 * A CIDR as a part of a name: `10.244.0.0/16` becomes `10-244-0-0-16`. Source: liqotech/liqo@v1.2.0 pkg/utils/cidr
 * (EscapeForName).
 */
export const cidrInName = (cidr: Prefix): string => printPrefix(cidr).replace(/[./]/g, '-');

/**
 * The name of the Network that Liqo creates for a CIDR of a Configuration. Since 1.2 there may be several of a type, so
 * the CIDR is in the name.
 * Source: liqotech/liqo@v1.2.0 and @v1.1.2
 * pkg/liqo-controller-manager/networking/external-network/configuration/network.go.
 */
export function peerNetworkName(traits: ReleaseTraits, { configuration, type, cidr }: PeerNetwork): string {
  const name = `${configuration}-${type}`;
  return traits.namesPeerNetworksByCIDR ? `${name}-${cidrInName(cidr)}` : name;
}

interface PeerNetwork {
  readonly configuration: string;
  readonly type: CidrType;
  /** The CIDR that the remote cluster announces. */
  readonly cidr: Prefix;
}

/** A Secret that the External Secrets Operator makes from a store of a secret manager. */
interface ExternalSecret {
  /** The name of the Secret, too. */
  readonly name: string;
  readonly namespace: string;
  readonly store: string;
  readonly storeKind: string;
  /** Labels and annotations of the Secret. */
  readonly metadata: { readonly [key: string]: Field };
  readonly data: readonly StoredValue[];
}

interface StoredValue {
  readonly secretKey: string;
  /** The key in the store. */
  readonly key: string;
  /** A part of what is stored there; `undefined` for all of it. */
  readonly property: string | undefined;
  readonly decodingStrategy: 'None' | 'Base64';
}

/**
 * The reference from which a secret manager makes a Secret. Every field that a webhook would fill in is written. Source:
 * external-secrets/external-secrets@v0.17.0 apis/externalsecrets/v1.
 */
export const externalSecret = ({ name, namespace, store, storeKind, metadata, data }: ExternalSecret): Manifest => ({
  apiVersion: EXTERNAL_SECRETS_API,
  kind: 'ExternalSecret',
  metadata: { name, namespace },
  spec: {
    refreshPolicy: 'Periodic',
    refreshInterval: '1h0m0s',
    secretStoreRef: { kind: storeKind, name: store },
    target: {
      name,
      creationPolicy: 'Owner',
      deletionPolicy: 'Retain',
      template: { engineVersion: 'v2', mergePolicy: 'Replace', type: 'Opaque', metadata },
    },
    data: data.map(({ secretKey, key, property, decodingStrategy }) => ({
      secretKey,
      remoteRef: { key, property, decodingStrategy, conversionStrategy: 'Default', metadataPolicy: 'None' },
    })),
  },
});
