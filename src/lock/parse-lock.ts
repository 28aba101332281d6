import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { documentDiagnostics } from '../diagnostics/document-diagnostics.ts';
import { failure, type Outcome, outcome } from '../diagnostics/outcome.ts';
import { type SchemaFile, schemaDiagnostics } from '../diagnostics/schema-diagnostics.ts';
import { validateLock } from '../generated/validators.js';
import { type DocumentNode, nodeAt, plainOf } from '../source/document-node.ts';
import type { DocumentProblem } from '../source/document-problem.ts';
import { readDocument } from '../source/read-document.ts';
import type { Source } from '../source/source.ts';
import { isCanonicalNetwork } from './is-canonical-network.ts';
import type { LockDocument } from './lock-document.ts';
import { readLockLines } from './read-lock-lines.ts';
import type { LockFile } from './schema-types.ts';

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
  const reading = readLockLines(source) ?? readDocument(source, { language: 'yaml' });
  if (!reading.ok) return failure(documentDiagnosticsOfLock(reading.problems));
  const { root } = reading;
  const value = plainOf(root);
  const errors = validateLock(value) ? [] : (validateLock.errors ?? []);
  const told = schemaDiagnostics(root, errors, FILE).map(withHint);
  if (told.length > 0) return failure(told);
  return outcome({ source, root, value: value as LockFile }, notNetworks(root));
}

/** What two branches did to each other is the lock's own business; other broken YAML is told as everywhere. */
function documentDiagnosticsOfLock(problems: readonly DocumentProblem[]): readonly Diagnostic[] {
  return documentDiagnostics(problems).map((it) => {
    if (it.code === 'source/merge-conflict') return { ...it, hint: CONFLICT_HINT };
    if (it.code !== 'source/duplicate-key') return { ...it, hint: HINT };
    return diagnostic(CODE, it.span, it.message, { related: it.related, hint: TWICE_HINT });
  });
}

const withHint = (it: Diagnostic): Diagnostic => ({ ...it, hint: HINT });

/** The network at the end of a view's identity. A cluster may be called `view`, so the place counts. */
const ANNOUNCED = /^[^/]+\/[^/]+\/view\/[^/]+\/[^/]+\/(.*)$/;

/** The schema knows how a network looks; only arithmetic knows that 10.0.0.7/16 and 10.0.0.300/32 are none. */
function notNetworks(root: DocumentNode): readonly Diagnostic[] {
  const decisions = nodeAt(root, ['decisions']);
  if (decisions?.kind !== 'map') return [];
  const found: Diagnostic[] = [];
  for (const [key, { key: at, value }] of decisions.entries) {
    const announced = ANNOUNCED.exec(key)?.[1];
    if (announced !== undefined && !isCanonicalNetwork(announced)) found.push(notANetwork(announced, at));
    if (value.kind === 'scalar' && typeof value.value === 'string' && !isCanonicalNetwork(value.value)) {
      found.push(notANetwork(value.value, value.span));
    }
  }
  return found;
}

const notANetwork = (text: string, at: Diagnostic['span']): Diagnostic =>
  diagnostic(CODE, at, `"${text}" is not a network`, { hint: HINT });
