// Words for steps that several kinds of change ask for.

/** A server that restarts is found again when its client restarts, too, or else after some 15 seconds. */
export const APPLY_SERVER_FIRST = {
  what: "apply the server's cluster first and the client's right after: the restart of the client's gateway connects them",
  on: ({ ends, server }: { readonly ends: readonly [string, string]; readonly server: string }): string =>
    `${server}, then ${ends[0] === server ? ends[1] : ends[0]}`,
} as const;

/** What firewalls and NAT between the ends of a link must do first. */
export const OPEN_PORT =
  'let the port through the firewalls between the two clusters; `weft ports CLUSTER PEER` lists it for both';

interface DialledLink {
  readonly client: string;
  readonly server: string;
  readonly address: string;
  readonly port: string | number;
}

export const openedFor = ({ client, server, address, port }: DialledLink): string =>
  `UDP ${address}:${port} from ${client} to ${server}`;

/** The Configuration of a peer. */
export const side = ({ cluster, peer }: { readonly cluster: string; readonly peer: string }): string =>
  `${peer} in ${cluster}`;

/** Together and not one after the other: whatever is there holds its addresses against the others. */
export const DELETE_BEFORE_APPLYING = {
  what: 'pause the GitOps tool of the cluster, delete all these Configurations there, and then apply: one that exists keeps its views, and holds their addresses against the others',
  on: side,
} as const;

/** Whatever asks for its views again may get others than those that the lock keeps. */
export const COMPARE_VIEWS =
  'compare the status of these Configurations with expected/configurations.yaml; where they differ, `weft drift --adopt` records in the lock what the cluster has';

export const UPGRADE_CHART = "upgrade Liqo's chart with the new helm-values.yaml";

export const RELOCK =
  'unless it was retired in between, compile with --relock: a new installation asks for every view again';
