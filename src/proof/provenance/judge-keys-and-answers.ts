import { quoted, shortened } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';
import { gatewayKeysIn, type IdentitiesDocument, type KeysDocument } from '../../fleet/topology/parse-recorded.ts';

interface KeysTexts {
  readonly head: KeysDocument | undefined;
  /** `undefined` for a base without readable keys. */
  readonly base: KeysDocument | undefined;
  /** True when the topology links two clusters; the plan then shows the keys of their gateways. */
  readonly isLinked: (cluster: string, peer: string) => boolean;
}

/** Diagnostics about keys without an effect. A new or changed key of a link has one, and the plan shows it. */
export function judgeKeys({ head, base, isLinked }: KeysTexts): readonly Diagnostic[] {
  const before = new Map(keysIn(base).map((it) => [it.id, it.key]));
  return keysIn(head).flatMap(({ cluster, peer, id, key, at }) => {
    if (before.get(id) === key || isLinked(cluster, peer)) return [];
    const message = `this key changes nothing: ${quoted(cluster)} and ${quoted(peer)} have no link`;
    return [
      diagnostic('provenance/key-without-effect', at, message, { hint: 'remove it, or add the link to the topology' }),
    ];
  });
}

const keysIn = (document: KeysDocument | undefined) =>
  [...gatewayKeysIn(document)].map(({ cluster, peer, pair }) => ({
    cluster: cluster.value,
    peer: peer.value,
    id: `${cluster.value}/${peer.value}`,
    key: JSON.stringify(pair),
    at: peer.at,
  }));

interface Authentication {
  readonly head: KeysDocument | undefined;
  /** `undefined` for a base without readable keys. */
  readonly base: KeysDocument | undefined;
  /** The names of the slices that a cluster requests; `undefined` for a cluster that borrows nothing. */
  readonly slicesOf: (cluster: string) => ReadonlySet<string> | undefined;
}

/**
 * Diagnostics about new or changed entries of `authentication`. An entry has an effect on a Tenant or a slice, which
 * the plan shows, or it is reported here. A changed key is also a warning at its place, because the owner of its
 * private half can act as the consumer. The signatures are already checked: a topology whose entries are signed by
 * another key does not compile.
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
    return [
      slices === undefined || slice === null ? keyOfNoConsumer(cluster, at) : requestOfNoSlice(cluster, slice, at),
    ];
  });
}

interface Entry {
  readonly id: string;
  readonly cluster: string;
  /** `null` for the part that all slices of the cluster share. */
  readonly slice: string | null;
  /** The public key, or the certificate request of the slice. */
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

const keyOfNoConsumer = (cluster: string, at: Span): Diagnostic =>
  diagnostic('provenance/key-without-effect', at, `this key changes nothing: ${quoted(cluster)} borrows no resources`, {
    hint: 'remove it, or add the cluster to `sharing`',
  });

const requestOfNoSlice = (cluster: string, slice: string, at: Span): Diagnostic =>
  diagnostic(
    'provenance/key-without-effect',
    at,
    `this certificate request changes nothing: ${quoted(cluster)} has no slice ${quoted(slice)}`,
    { hint: 'remove it, or add the slice to `sharing`' },
  );

interface IdentitiesTexts {
  readonly head: IdentitiesDocument | undefined;
  /** `undefined` for a base without readable answers. */
  readonly base: IdentitiesDocument | undefined;
  /** True when the consumer borrows from the provider by a handshake; the plan then shows the answer. */
  readonly isLoan: (consumer: string, provider: string) => boolean;
}

/**
 * Diagnostics about new or changed answers. An answer has an effect on an Identity, which the plan shows, or it is
 * reported here. Another server or CA is also a warning at its place, because the operator of that server gets the
 * Secrets of offloaded namespaces. An earlier check compares certificates with the key of the consumer.
 */
export function judgeIdentities({ head, base, isLoan }: IdentitiesTexts): readonly Diagnostic[] {
  const before = new Map(answersIn(base).map((it) => [it.id, it]));
  return answersIn(head).flatMap((answer): readonly Diagnostic[] => {
    const was = before.get(answer.id);
    if (was?.text === answer.text) return [];
    if (!isLoan(answer.consumer, answer.provider)) return [withoutEffect(answer)];
    return was === undefined || was.endpoint === answer.endpoint ? [] : [anotherServer(answer, was)];
  });
}

interface Answer {
  readonly id: string;
  readonly consumer: string;
  readonly provider: string;
  /** All fields as one text; `endpoint` contains those that locate the server. */
  readonly text: string;
  readonly endpoint: string;
  readonly apiServer: string;
  readonly at: Span;
}

const answersIn = (document: IdentitiesDocument | undefined): readonly Answer[] =>
  (document?.reading.at('identities').entries() ?? []).flatMap(({ name: consumer, value }) =>
    value.entries().map(({ name: provider, value: answer }): Answer => {
      const field = (it: 'apiServer' | 'ca' | 'certificate' | 'proxyURL'): string =>
        answer.at(it).scalar()?.value ?? '';
      const endpoint = [field('apiServer'), field('ca'), field('proxyURL')].join(' ');
      return {
        id: `${consumer.value}/${provider.value}`,
        consumer: consumer.value,
        provider: provider.value,
        text: `${endpoint} ${field('certificate')}`,
        endpoint,
        apiServer: field('apiServer'),
        at: provider.at,
      };
    }),
  );

const withoutEffect = ({ consumer, provider, at }: Answer): Diagnostic =>
  diagnostic(
    'provenance/answer-without-effect',
    at,
    `this answer changes nothing: ${quoted(consumer)} borrows nothing from ${quoted(provider)} by a handshake`,
    { hint: 'remove it, or add the loan to `sharing`' },
  );

const SHOWN_URL = 120;

function anotherServer({ consumer, provider, apiServer, at }: Answer, was: Answer): Diagnostic {
  const [to, from] = [apiServer, was.apiServer].map((it) => shortened(it, SHOWN_URL));
  const what = to === from ? `another proxy or CA for ${to}` : `the API server ${to} instead of ${from}`;
  return diagnostic(
    'provenance/other-server',
    at,
    `${quoted(consumer)} would reach ${quoted(provider)} by ${what}, and send it what offloaded pods are given, also their Secrets`,
    { hint: 'compare it with the provider itself before you merge, or restore the answer of the base' },
  );
}
