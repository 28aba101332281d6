import { quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';
import type { KeysDocument } from '../../fleet/topology/keys-document.ts';

interface Authentication {
  readonly head: KeysDocument | undefined;
  /** `undefined` for a base without readable keys. */
  readonly base: KeysDocument | undefined;
  /** The slices that a cluster asks for, by name; `undefined` for a cluster that borrows nothing. */
  readonly slicesOf: (cluster: string) => ReadonlySet<string> | undefined;
}

/**
 * What is new or another one below `authentication` has an effect on a Tenant or a slice, which the plan shows. A key in place
 * of another one is a warning at its place, too: whoever has its private half can act as the consumer. Whether all of it was
 * signed by that key is known by then: a topology with another one does not compile.
 */
export function judgeAuthentication({ head, base, slicesOf }: Authentication): readonly Diagnostic[] {
  const before = new Map(entriesIn(base).map((it) => [it.id, it]));
  return entriesIn(head).flatMap(({ id, cluster, slice, key, text, at }) => {
    const [slices, was] = [slicesOf(cluster), before.get(id)];
    if (was?.text === text) return [];
    if (slices !== undefined && slice === null) {
      return was === undefined || was.key === key ? [] : [anotherKey(cluster, at)];
    }
    if (slice !== null && slices?.has(slice)) return [];
    return [slices === undefined || slice === null ? ofNoConsumer(cluster, at) : ofNoSlice(cluster, slice, at)];
  });
}

interface Entry {
  readonly id: string;
  readonly cluster: string;
  /** `null` for what all slices of the cluster share. */
  readonly slice: string | null;
  /** The public key, or the request of the slice. */
  readonly key: string;
  readonly text: string;
  readonly at: Span;
}

const entriesIn = (document: KeysDocument | undefined): readonly Entry[] =>
  (document?.reading.at('authentication').entries() ?? []).flatMap(({ name, value }): readonly Entry[] => {
    const cluster = name.value;
    const unknown = value.scalar()?.value;
    if (unknown !== undefined) return [{ id: cluster, cluster, slice: null, key: unknown, text: unknown, at: name.at }];
    const texts = (['publicKey', 'nonce', 'signature', 'request'] as const).map((it) => value.at(it).scalar()?.value);
    const nonces = value
      .at('providers')
      .entries()
      .map(({ name: provider, value: it }) => `${provider.value} ${Object.values(it.textMap()).join(' ')}`);
    const all = [...texts, ...nonces].join(' ');
    const own = { id: cluster, cluster, slice: null, key: texts[0] ?? '', text: all, at: name.at };
    const slices = [...value.at('slices').scalars()].map((it) => ({
      ...{ id: `${cluster}/${it.name.value}`, cluster, slice: it.name.value, at: it.name.at },
      ...{ key: it.value.value, text: it.value.value },
    }));
    return [own, ...slices];
  });

const anotherKey = (cluster: string, at: Span): Diagnostic =>
  diagnostic(
    'provenance/other-key',
    at,
    `every provider of ${quoted(cluster)} would let in whoever has the private half of another key, with all the rights of ${quoted(cluster)}`,
    {
      hint: 'ask who made the key, with "weft keys generate --replace", before you merge; or restore the entry of the base',
    },
  );

const ofNoConsumer = (cluster: string, at: Span): Diagnostic =>
  diagnostic('provenance/key-without-effect', at, `this key changes nothing: ${quoted(cluster)} borrows no resources`, {
    hint: 'remove it, or add the cluster to `sharing`',
  });

const ofNoSlice = (cluster: string, slice: string, at: Span): Diagnostic =>
  diagnostic(
    'provenance/key-without-effect',
    at,
    `this certificate request changes nothing: ${quoted(cluster)} has no slice ${quoted(slice)}`,
    { hint: 'remove it, or add the slice to `sharing`' },
  );
