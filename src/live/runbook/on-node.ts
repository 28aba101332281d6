import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';

/**
 * A command in the network of a node. Its image is the one of the gateways: it has the tools, and the cluster has it.
 * Source: liqotech/liqo@v1.0.3 to @v1.2.0 build/liqo/Dockerfile; kubernetes, "Debugging via a shell on the node".
 */
export const onNode = ({ name, image }: AddressedCluster, command: string): string =>
  `kubectl --context ${name} debug node/NODE -q -it --profile=sysadmin --image=${image.registry}/gateway:${image.tag} -- ${command}`;
