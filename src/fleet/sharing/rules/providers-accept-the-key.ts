import { groupBy } from '../../../base/core/group-by.ts';
import { listOf, quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { refusedKeyForm } from '../../../base/releases/authentication-key-form.ts';
import { rawOf } from '../../certificates/public-key.ts';
import { recordedEntries } from '../recorded-entries.ts';
import type { SharingRule } from './sharing-rule.ts';

/** The release of every provider takes the key of its consumer in the form in which it is recorded. */
export const providersAcceptTheKey: SharingRule = function* ({ model, inputs }) {
  const entries = new Map(recordedEntries(inputs).map((it) => [it.cluster.value, it]));
  const byConsumer = groupBy(
    model.shares.filter((it) => it.auth === 'handshake'),
    (it) => [it.consumer.name],
  );
  for (const [consumer, shares] of byConsumer) {
    const { key, publicKey } = entries.get(consumer) ?? {};
    if (key === undefined || publicKey === undefined) continue;
    const lastByte = rawOf(key)?.at(-1) ?? 1;
    const refusing = shares.flatMap(({ provider }) => {
      const why = refusedKeyForm(provider.release, { form: key.form, lastByte });
      return why === undefined ? [] : [{ provider, why }];
    });
    const [first] = refusing;
    if (first === undefined) continue;
    const names = listOf(refusing.map((it) => quoted(it.provider.name)));
    const because = first.why === 'pem' ? 'is in PEM' : 'ends in a zero byte';
    yield diagnostic(
      'keys/refused-by-release',
      publicKey.at,
      `the authentication key of ${quoted(consumer)} ${because}, and Liqo ${first.provider.release.version} in ${names} refuses such a key`,
      {
        hint: `update Liqo there to 1.0.2 or later, or remove the entry of ${quoted(consumer)} and run "weft keys generate --replace"`,
      },
    );
  }
};
