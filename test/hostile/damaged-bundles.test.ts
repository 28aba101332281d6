import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { plainPaint } from '../../src/answers/report/paint.ts';
import { printDiagnostics } from '../../src/answers/report/print-diagnostics.ts';
import type { Compiled } from '../../src/compile.ts';
import {
  listedFiles,
  parseJournal,
  parseOldRecord,
  parseRecord,
  printJournal,
  recordFiles,
} from '../../src/host/disk/tree/bundle-record.ts';
import { planChanges } from '../../src/plan/plan-changes.ts';
import { readPlanState, topologyFacts } from '../../src/plan/plan-state.ts';
import { verifyBundle } from '../../src/proof/verify/verify-bundle.ts';
import { expectAnswer } from '../laws/expect-answer.ts';
import { law } from '../laws/law.ts';
import { type Slip, slip, slipped, withOtherScalar } from '../laws/slips.ts';
import { compileGolden, goldenNames, goldenSources } from '../support/golden.ts';
import { HOSTILE } from '../support/hostile-text.ts';

const names = goldenNames();
/** Large fleets take longer and have no other kinds of files. */
const VALID = names.filter((it) => !/^(?:invalid|huge|many)-|fleet-of/.test(it));

const compiledOnce = new Map<string, Compiled | undefined>();
function compiled(name: string): Compiled | undefined {
  if (!compiledOnce.has(name)) {
    const result = compileGolden(name);
    compiledOnce.set(name, result.ok && result.value.bundle.size < 120 ? result.value : undefined);
  }
  return compiledOnce.get(name);
}

type Damage = (text: string, slip: Slip) => string;

/** A value of JSON, with a name or an element before it, replaced by another one. */
const withOtherValue: Damage = (text, { at, text: put }) => {
  const values = [...text.matchAll(/(?<=: |\[|, )(?:"[^"\n]*"|[\d.]+|true|false|null|\{\}|\[\])/g)];
  const chosen = values[at % Math.max(1, values.length)];
  const value = JSON_VALUES[put.length % JSON_VALUES.length] ?? 'null';
  return chosen ? text.slice(0, chosen.index) + value + text.slice(chosen.index + chosen[0].length) : text;
};
const JSON_VALUES = [
  'null',
  '7',
  '-1',
  '1e999',
  '"x"',
  '""',
  '[]',
  '[[]]',
  '{}',
  '{"a":{}}',
  'true',
  '"10.0.0.0/33"',
  '"a/b"',
];

const withoutLines: Damage = (text, { at, length }) => {
  const lines = text.split('\n');
  lines.splice(at % lines.length, length + 1);
  return lines.join('\n');
};
const withLinesTwice: Damage = (text, { at, length }) => {
  const lines = text.split('\n');
  const first = at % lines.length;
  return [...lines.slice(0, first + length + 1), ...lines.slice(first)].join('\n');
};
const hostile = Object.values(HOSTILE);

const DAMAGES: readonly Damage[] = [
  (text, it) => slipped(text, [it]),
  withOtherScalar,
  withOtherValue,
  withoutLines,
  withLinesTwice,
  (text, { at }) => text.slice(0, at % (text.length + 1)),
  (text, { at }) => text.slice(at % (text.length + 1)),
  (text, it) => withOtherScalar(text, { ...it, text: JSON.stringify(hostile[it.length % hostile.length]) }),
  (text, it) => withOtherScalar(text, { ...it, text: '['.repeat(3000) }),
  (text, { at }) => {
    const bytes = Buffer.from(text);
    if (bytes.length > 0) bytes.writeUInt8(bytes.readUInt8(at % bytes.length) ^ (1 << (at % 8)), at % bytes.length);
    return bytes.toString();
  },
];

const damage = fc.record({ file: fc.nat(), slip, kind: fc.constantFrom(...DAMAGES) });
const damages = fc.array(damage, { minLength: 1, maxLength: 3 });

describe('whatever was done to the files of a fleet', () => {
  law(
    'plan and verify read the bundles that are left, and every mistake has a place in them',
    150,
    fc.property(fc.constantFrom(...VALID), damages, (name, all) => {
      const given = compiled(name);
      if (given === undefined) return;
      const files = new Map(given.bundle);
      const paths = [...files.keys()].sort();
      for (const { file, slip: it, kind } of all) {
        const path = paths[file % paths.length] ?? '';
        // One in three hits the file that plan reads first.
        const hit = it.at % 3 === 0 ? 'addresses.json' : path;
        files.set(hit, kind(files.get(hit) ?? '', it));
      }
      const state = readPlanState({ files, lock: given.lock, known: null });
      const is = readPlanState({ files: given.bundle, lock: given.lock, known: topologyFacts(given.model) });
      if (state !== undefined && is !== undefined) {
        for (const plan of [planChanges(state, is), planChanges(is, state)])
          expect(plan.files.filter((it) => it.explainedBy.length === 0)).toEqual([]);
      }
      const found = verifyBundle({ files, root: 'out', sources: given.inputs, compiled: given.bundle });
      for (const { span } of found) expect(span.end).toBeLessThanOrEqual(span.source.text.length);
      expect(printDiagnostics(found, { paint: plainPaint, verbose: true })).not.toMatch(/\[object|NaN/);
    }),
  );

  law(
    'records and journals are read, or refused in one line',
    300,
    fc.property(damages, (all) => {
      const files = new Map([
        ['rome/kustomization.yaml', 'a\n'],
        ['rome/peers/milan/milan.yaml', 'b\n'],
        ['addresses.json', '{}\n'],
      ]);
      const rows = [...files.keys()].map((it) => [it, ['0'.repeat(64), 'f'.repeat(64)]] as const);
      const journal = [...printJournal(rows)].join('');
      const readers = [parseRecord, parseOldRecord, parseJournal];
      for (const text of [...recordFiles(files).values(), journal]) {
        const damaged = all.reduce((it, { kind, slip: one }) => kind(it, one), text);
        for (const read of readers) {
          const result = read(damaged);
          if (!result.ok) expect(result.message).toMatch(/^[^\n]{1,400}$/);
        }
        expect(() => listedFiles('.weft/rome.sha256', damaged)).not.toThrow();
      }
    }),
  );

  law(
    'compiling the topology, keys and lock of a golden is answered',
    400,
    fc.property(fc.constantFrom(...names), damages, (name, all) => {
      const { topology, keys, lock } = goldenSources(name);
      const texts = { topology: topology.text, keys: keys?.text ?? '', lock: lock?.text ?? compiled(name)?.lock ?? '' };
      if (texts.topology.length > 20_000) return;
      for (const { file, kind, slip: it } of all) {
        const which = (['topology', 'keys', 'lock'] as const)[file % 3] ?? 'topology';
        texts[which] = kind(texts[which], it);
      }
      expectAnswer({
        topology: texts.topology,
        ...(texts.keys === '' ? {} : { keys: texts.keys }),
        ...(texts.lock === '' ? {} : { lock: texts.lock }),
      });
    }),
  );
});
