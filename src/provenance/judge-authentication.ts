import { quoted } from '../core/words.ts';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import type { Span } from '../source/source.ts';
import type { KeysDocument } from '../topology/keys-document.ts';

interface Authentication {
  readonly head: KeysDocument | undefined;
  /** `undefined` for a base without readable keys. */
  readonly base: KeysDocument | undefined;
  /** The slices that a cluster asks for, by name; `undefined` for a cluster that borrows nothing. */
  readonly slicesOf: (cluster: string) => ReadonlySet<string> | undefined;
}

/**
 * What is new or another one below `authentication` has an effect on a Tenant or a slice, which the plan shows. Whether it was
 * signed by the key that it belongs to is known by then: a topology with another one does not compile.
 */
export function judgeAuthentication({ head, base, slicesOf }: Authentication): readonly Diagnostic[] {
  const before = new Map(entriesIn(base).map((it) => [it.id, it.text]));
  return entriesIn(head).flatMap(({ id, cluster, slice, text, at }) => {
    const slices = slicesOf(cluster);
    if (before.get(id) === text || (slices !== undefined && (slice === null || slices.has(slice)))) return [];
    return [slices === undefined || slice === null ? ofNoConsumer(cluster, at) : ofNoSlice(cluster, slice, at)];
  });
}

interface Entry {
  readonly id: string;
  readonly cluster: string;
  /** `null` for what all slices of the cluster share. */
  readonly slice: string | null;
  readonly text: string;
  readonly at: Span;
}

const entriesIn = (document: KeysDocument | undefined): readonly Entry[] =>
  (document?.reading.at('authentication').entries() ?? []).flatMap(({ name, value }): readonly Entry[] => {
    const cluster = name.value;
    const texts = (['publicKey', 'nonce', 'signature', 'request'] as const).map((it) => value.at(it).scalar()?.value);
    const own = { id: cluster, cluster, slice: null, text: texts.join(' '), at: name.at };
    const slices = [...value.at('slices').scalars()].map((it) => ({
      ...{ id: `${cluster}/${it.name.value}`, cluster, slice: it.name.value, text: it.value.value, at: it.name.at },
    }));
    return [own, ...slices];
  });

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
