import { shortened } from '../../../base/core/words.ts';
import type { Place } from '../../observed/observed-cluster.ts';

/** Texts of dumps can be long. */
const LONGEST = 80;

export const shown = (text: string): string => shortened(text, LONGEST);

/** `Configuration liqo-tenant-rome/rome`. */
export const objectText = (kind: string, { namespace, name }: Place): string =>
  `${kind} ${shown(namespace)}/${shown(name)}`;

/** `10.0.0.0/16, 10.1.0.0/16`, or that there is none. */
export const cidrText = (cidrs: readonly string[]): string =>
  shown(cidrs.filter((it) => it !== '').join(', ')) || 'none';

export const gatewayKind = (role: 'server' | 'client'): string =>
  role === 'server' ? 'GatewayServer' : 'GatewayClient';
