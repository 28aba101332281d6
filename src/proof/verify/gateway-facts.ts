import { type FoundText, type KubeObject, textAt, textsAt } from './kube-object.ts';

/** What other files are compared with. Kept for every gateway, so that its file is not read again for them. */
export interface GatewayFacts {
  readonly kind: FoundText;
  readonly mtu: FoundText;
  /** That of its Service, or the one that a client dials. */
  readonly port: FoundText;
  readonly nodePort: FoundText;
  /** The first one that a client dials. */
  readonly address: FoundText | undefined;
}

export const gatewayFacts = ({ node, kind, at }: KubeObject): GatewayFacts => ({
  kind: { text: kind, at },
  mtu: textAt(node, ['spec', 'mtu']),
  port: textAt(node, ['spec', 'endpoint', 'port']),
  nodePort: textAt(node, ['spec', 'endpoint', 'nodePort']),
  address: textsAt(node, ['spec', 'endpoint', 'addresses'])[0],
});
