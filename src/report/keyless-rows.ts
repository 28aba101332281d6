import { keylessEnds } from '../model/keyless-ends.ts';
import type { Link } from '../model/network-model.ts';

/** The gateways of a link that have no public key, for documents. */
export function keylessRows(link: Link): readonly { readonly cluster: string; readonly peer: string }[] {
  const names = [link.server, link.client].map((it) => it.cluster.name);
  return keylessEnds(link).map(({ cluster: { name } }) => ({
    cluster: name,
    peer: names.find((it) => it !== name) ?? name,
  }));
}
