import { andMore } from '../../base/core/words.ts';
import type { ClusterDeclaration } from './declaration.ts';

/** The first cluster and how many others there are, as a message begins: `"rome" and 12 more`. */
export const describeClusters = ([first, ...others]: readonly ClusterDeclaration[]): string =>
  `"${first?.name ?? ''}"${andMore(others.length)}`;
