import { describe, expect, it } from 'vitest';
import { startOf } from '../../../src/base/source/source.ts';
import { readIdentities } from '../../../src/fleet/sharing/recorded-inputs.ts';
import { parseIdentities } from '../../../src/fleet/topology/parse-recorded.ts';
import { readDump } from '../../../src/live/dumps/read-dump.ts';
import { collectAnswers, printIdentitiesFile } from '../../../src/live/identities/collect-answers.ts';
import { providerFinder, tenantAnswers } from '../../../src/live/identities/tenant-answer.ts';
import { sharingRecordings } from '../../fleet/sharing/recordings.ts';

const recordings = sharingRecordings().filter((it) => !it.name.startsWith('credentials'));

describe('the answers of real providers', () => {
  it.each(recordings.map((it) => [it.name, it] as const))(
    'are the Identities that Liqo makes of them: %s',
    (_, recording) => {
      const { compiled, after } = recording;
      const providers = [...after].flatMap(([provider, objects]) => {
        const read = readDump({ path: `${provider}.json`, text: JSON.stringify(objects) });
        if (!read.ok) throw new Error(`${provider} cannot be read`);
        const answers = tenantAnswers(read.value);
        if (answers.length === 0) return [];
        return [{ provider, at: read.value[0]?.at() ?? startOf({ path: provider, text: '' }), answers }];
      });
      const shares = compiled.model.shares.map((it) => ({ ...it, identity: null }));
      const nowSeconds = Date.parse('2026-06-01T00:00:00Z') / 1000;
      const collected = collectAnswers({ shares, loans: shares, recorded: new Map(), providers, nowSeconds });
      expect(collected.diagnostics).toEqual([]);
      expect(collected.pairs.map((it) => it.result)).toEqual(shares.map(() => 'new'));
      const recorded = readIdentities(compiled.inputs.identities);
      expect(collected.identities).toEqual(recorded);
      const printed = parseIdentities({
        path: 'topology.identities.yaml',
        text: printIdentitiesFile(collected.identities),
      });
      expect(printed.ok && readIdentities(printed.value)).toEqual(recorded);
      // An answer that is recorded shows of which provider a later dump is.
      const providerOf = providerFinder(compiled.model.shares);
      for (const it of providers) expect(providerOf(it.answers)).toBe(it.provider);
    },
  );

  it('are recorded for four releases', () => {
    expect(recordings).toHaveLength(8);
  });
});
