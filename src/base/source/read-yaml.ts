import { Composer, type CST, type Document, isScalar, type ParsedNode } from 'yaml';
import type { DocumentProblem } from './document-problem.ts';
import { nodeOfYaml } from './node-of-yaml.ts';
import type { ParsedText } from './parsed-text.ts';
import { readWrittenYaml } from './read-written-yaml.ts';
import type { Source } from './source.ts';
import { syntaxProblems } from './syntax-problems.ts';
import { furtherDocuments, readTokens, tokenProblems } from './yaml-tokens.ts';

/**
 * The front end for YAML 1.2: one document of the core schema (a plain `no` is a string). Anchors, aliases, tags and
 * merge keys are refused, and every part keeps its place.
 */
export function readYaml(source: Source): ParsedText {
  const root = readWrittenYaml(source);
  return root ? { root, problems: [] } : readYamlText(source);
}

/** The same with the `yaml` package, which reads every text. */
export function readYamlText(source: Source): ParsedText {
  if (!HAS_CONTENT.test(source.text)) return { root: undefined, problems: [] };
  const early = source.text.length < LONG_TEXT ? [] : earlyProblems(source);
  if (early.length > 0) return { root: undefined, problems: early };
  const { document, problems } = compose(source, source.text);
  return problems.length > 0 ? { root: undefined, problems } : parsedText(source, document);
}

/** A line that is neither empty nor a comment. */
const HAS_CONTENT = /^[ \t\r\ufeff]*[^ \t\r\n\ufeff#]/m;

/** In UTF-16 code units. Reading takes about a second per million of them, so a large broken file is reported early. */
const LONG_TEXT = 1 << 20;
const SAMPLE = 1 << 17;

/** The mistakes in the first part of a long text. The cut may cause errors near the end of the sample, which are ignored. */
function earlyProblems(source: Source): readonly DocumentProblem[] {
  const cut = source.text.lastIndexOf('\n', SAMPLE) + 1 || SAMPLE;
  const { document, problems } = compose(source, source.text.slice(0, cut), cut / 2);
  if (problems.length > 0) return problems;
  return parsedText(source, document).problems.filter((it) => KEY_PROBLEMS.has(it.kind) && it.span.start < cut / 2);
}

/** Problems that the rest of a text cannot change. */
const KEY_PROBLEMS: ReadonlySet<string> = new Set(['duplicate-key', 'key-not-a-string', 'anchor']);

interface Composed {
  readonly document: Document.Parsed<ParsedNode> | undefined;
  readonly problems: readonly DocumentProblem[];
}

/** `trusted`: errors before this offset do not come from the cut; brackets and quotes that are open may be closed after it. */
function compose(source: Source, text: string, trusted = Number.POSITIVE_INFINITY): Composed {
  const result = readTokens(source, text, { documents: 'one' });
  if (!result.ok) return { document: undefined, problems: [result.problem] };
  const whole = trusted >= text.length;
  const inTokens = [...tokenProblems(source, result.tokens), ...furtherDocuments(source, result.tokens)].filter(
    (it) => whole || it.kind !== 'syntax',
  );
  if (inTokens.some((it) => it.kind !== 'syntax')) return { document: undefined, problems: inTokens };
  const document = composed(result.tokens, text.length);
  const inTree = syntaxProblems(
    source,
    (document?.errors ?? []).filter((it) => it.pos[0] < trusted),
  );
  // The composer's errors after an open bracket are wrong; a tab can be the reason why it is open.
  const tab = inTree.find((it) => it.kind === 'tab-indentation');
  return { document, problems: inTokens.length === 0 ? inTree : tab ? [tab] : inTokens };
}

function composed(tokens: readonly CST.Token[], length: number): Document.Parsed<ParsedNode> | undefined {
  // The package's own search for equal keys compares each with each, which takes minutes for a large hub.
  const composer = new Composer<ParsedNode>({ version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false });
  return composer.compose(tokens, true, length).next().value ?? undefined;
}

function parsedText(source: Source, document: Document.Parsed<ParsedNode> | undefined): ParsedText {
  const contents = document?.contents;
  if (!contents || (isScalar(contents) && contents.source === '')) return { root: undefined, problems: [] };
  const problems: DocumentProblem[] = [];
  return { root: nodeOfYaml(source, contents, problems), problems };
}
