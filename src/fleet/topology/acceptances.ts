import { quoted } from '../../base/core/words.ts';
import { CODES, type Code, isCode } from '../../base/diagnostics/codes.ts';
import {
  type Acceptance,
  type AcceptedPlace,
  acceptDiagnostics,
  type Diagnostic,
  diagnostic,
  isAcceptable,
} from '../../base/diagnostics/diagnostic.ts';
import { meantHint } from '../../base/diagnostics/did-you-mean.ts';
import type { Outcome } from '../../base/diagnostics/outcome.ts';
import type { Topology, Acceptance as WrittenAcceptance } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { TextFormat } from './formats/text-format.ts';
import type { Report } from './report.ts';

interface Acceptances {
  readonly acceptances: readonly Acceptance[];
  /** Every rule that can report what they accept was asked. */
  readonly isComplete: boolean;
}

/** Marks what the topology accepts, and reports the acceptances that match nothing. */
export function applyAcceptances<T>(outcome: Outcome<T>, { acceptances, isComplete }: Acceptances): Outcome<T> {
  const { diagnostics, unused } = acceptDiagnostics(outcome.diagnostics, acceptances);
  // Behind an error are rules that were not asked.
  if (!outcome.ok) return { ...outcome, diagnostics };
  return { ...outcome, diagnostics: isComplete ? [...diagnostics, ...unused.map(describeUnused)] : diagnostics };
}

const describeUnused = ({ at, code, where }: Acceptance): Diagnostic =>
  diagnostic('topology/acceptance-unused', at, `no "${code.value}" is reported ${placeInWords(where)}`, {
    hint: 'remove the entry: it would accept what comes later',
  });

function placeInWords(where: AcceptedPlace): string {
  switch (where.kind) {
    case 'fleet':
      return 'in this fleet';
    case 'cluster':
      return `about ${quoted(where.cluster.value)}`;
    case 'link':
      return `about the link of ${quoted(where.between[0].value)} and ${quoted(where.between[1].value)}`;
  }
}

/** The entries of `accept`. One with a code that cannot be accepted is left out, which is an error of its own. */
export const readAcceptances = (topology: Reading<Topology>): readonly Acceptance[] =>
  topology
    .at('accept')
    .items()
    .flatMap((it) => readAcceptance(it) ?? []);

function readAcceptance(entry: Reading<WrittenAcceptance>): Acceptance | undefined {
  const { value: code, at } = entry.at('code').orDefault('');
  if (!isCode(code) || !isAcceptable(code)) return undefined;
  const reason = entry.at('reason').orDefault('').value;
  return { at: entry.span, code: { value: code, at }, where: readPlace(entry), reason };
}

function readPlace(entry: Reading<WrittenAcceptance>): AcceptedPlace {
  const [one, other] = entry.at('link').texts() ?? [];
  if (one && other) return { kind: 'link', between: [one, other] };
  const cluster = entry.at('cluster').scalar();
  return cluster ? { kind: 'cluster', cluster } : { kind: 'fleet' };
}

/** Reports an entry of `accept` that names two places. */
export function checkAcceptedPlace(entry: Reading<WrittenAcceptance>, report: Report): void {
  if (!entry.at('cluster').isPresent || !entry.at('link').isPresent) return;
  const message = '`cluster` and `link` exclude each other: an acceptance is about one place';
  report(diagnostic('topology/wrong-value', entry.at('link').keySpan, message, { hint: 'write two entries' }));
}

/** The code of a diagnostic that a topology can accept. */
export const ACCEPTABLE_CODE: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a warning or a note that can be accepted',
  hintFor: (text) => {
    if (!isCode(text)) return meantHint(text, acceptableCodes()) ?? 'run "weft explain" for the list of codes';
    return isAcceptable(text) ? undefined : whyNotAcceptable(text);
  },
};

const acceptableCodes = (): readonly Code[] => (Object.keys(CODES) as readonly Code[]).filter(isAcceptable);

function whyNotAcceptable(code: Code): string {
  if (CODES[code] === 'error') return 'remove the entry and correct the cause: errors cannot be accepted';
  if (code.startsWith('lock/')) return 'remove the entry: the compile that moves it reports it once';
  if (code === 'topology/acceptance-unused') return 'remove the entry, and those that match nothing';
  return 'remove the entry: the topology alone does not cause it, so it needs attention each time';
}

/** Why something was decided, in the words of the user. */
export const REASON: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a reason',
  hintFor: (text) => (text.trim() === '' ? 'write why nothing has to be done about it' : undefined),
};
