// No cluster's name contains a dot, so all of these names differ.

export const UNDERLAY = 'underlay';

/**
 * Nodes of a cluster, by number. The first runs the gateways, the second the pods: so every packet passes both, and
 * answers to the unknown source must be routed to the node that opened the connection.
 */
export const NODES = [1, 2] as const;
export type NodeNumber = (typeof NODES)[number];
export const GATEWAY_NODE: NodeNumber = 1;
export const POD_NODE: NodeNumber = 2;

export const nodeNamespace = (cluster: string, node: NodeNumber): string => `${cluster}.node${node}`;

export const gatewayNamespace = (cluster: string, peer: string): string => `${cluster}.to.${peer}`;

/** In a gateway the device to a node, on a node the one to a gateway: they replace Liqo's Geneve devices. */
export const deviceToNode = (node: NodeNumber): string => `liqo.node${node}`;
export const deviceToGateway = (index: number): string => `liqo.gw${index}`;

/** The underlay's device to the gateway with that number. */
export const deviceFromUnderlay = (index: number): string => `gw${index}`;

export const LOOPBACK = 'lo';
