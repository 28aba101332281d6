import { parse } from 'yaml';

type Recorded = string | { readonly key: string };

/** The public keys of a keys file, by cluster and peer, without their generations and days. */
export function publicKeysIn(text: string): Record<string, Record<string, string>> {
  const file = parse(text) as { readonly keys: Readonly<Record<string, Readonly<Record<string, Recorded>>>> };
  return mapped(file.keys, (peers) => mapped(peers, (it) => (typeof it === 'string' ? it : it.key)));
}

const mapped = <A, B>(record: Readonly<Record<string, A>>, change: (it: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, it]) => [name, change(it)]));
