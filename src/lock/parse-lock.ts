import { networkTextOf } from '../core/lock-key.ts';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { documentDiagnostics } from '../diagnostics/document-diagnostics.ts';
import { failure, type Outcome, outcome } from '../diagnostics/outcome.ts';
import { readBySchema } from '../diagnostics/read-by-schema.ts';
import type { SchemaFile } from '../diagnostics/schema/schema-file.ts';
import { validateLock } from '../generated/validators.js';
import type { LockFile } from '../schema-types/lock.ts';
import type { DocumentProblem } from '../source/document-problem.ts';
import { readDocument } from '../source/read-document.ts';
import type { Reading } from '../source/reading.ts';
import type { Source } from '../source/source.ts';
import { isCanonicalNetwork } from './is-canonical-network.ts';
import type { LockDocument } from './lock-document.ts';
import { readLockLines } from './read-lock-lines.ts';

const CODE = 'lock/unreadable';

const FILE: SchemaFile = {
  what: 'the lock',
  named: { key: 'decisions', noun: 'decision' },
  codes: { unknownKey: CODE, missingKey: CODE, wrongType: CODE, wrongValue: CODE },
};

const HINT = 'weft writes this file: take it back from git, or take out what is wrong, and weft decides only that anew';

const TWICE_HINT = 'two branches decided this apart from each other: keep one of the two lines, and compile again';

const CONFLICT_HINT =
  'keep the lines of both sides without the markers and compile again; what then collides, `weft compile --relock CLUSTER[/PEER]` decides anew';

/** The lock as its schema knows it. Whether its decisions can hold together is asked by those who follow them. */
export function parseLock(source: Source): Outcome<LockDocument> {
  const result = readLockLines(source) ?? readDocument(source, { language: 'yaml' });
  if (!result.ok) return failure(diagnosticsOfLock(result.problems));
  const { reading, found } = readBySchema(result.root, validateLock, FILE);
  return found.length > 0 ? failure(found.map(withHint)) : outcome({ source, reading }, notNetworks(reading));
}

/** What merging two branches left behind needs hints of its own; other broken YAML is reported as everywhere. */
function diagnosticsOfLock(problems: readonly DocumentProblem[]): readonly Diagnostic[] {
  return documentDiagnostics(problems).map((it) => {
    if (it.code === 'source/merge-conflict') return { ...it, hint: CONFLICT_HINT };
    if (it.code !== 'source/duplicate-key') return { ...it, hint: HINT };
    return diagnostic(CODE, it.span, it.message, { related: it.related, hint: TWICE_HINT });
  });
}

const withHint = (it: Diagnostic): Diagnostic => ({ ...it, hint: HINT });

/** The schema knows how a network looks; only arithmetic knows that 10.0.0.7/16 and 10.0.0.300/32 are none. */
function notNetworks(reading: Reading<LockFile>): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const { name, value } of reading.at('decisions').scalars()) {
    const announced = networkTextOf(name.value);
    if (announced !== undefined && !isCanonicalNetwork(announced)) found.push(notANetwork(announced, name.at));
    if (typeof value.value === 'string' && !isCanonicalNetwork(value.value)) {
      found.push(notANetwork(value.value, value.at));
    }
  }
  return found;
}

const notANetwork = (text: string, at: Diagnostic['span']): Diagnostic =>
  diagnostic(CODE, at, `"${text}" is not a network`, { hint: HINT });
