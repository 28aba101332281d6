import { clusterFolderOf, isBundleFile } from '../../base/core/bundle-path.ts';
import { by, groupBy, sortedUnique } from '../../base/core/collections.ts';
import { asFolderFiles, type FolderFiles, folderFiles, folderOf } from '../../base/core/folder-files.ts';
import { andMore, countOf, firstOf, quoted, shortened } from '../../base/core/words.ts';
import type { Code } from '../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { DocumentNode } from '../../base/source/document-node.ts';
import { readYamlDocuments } from '../../base/source/read-yaml-documents.ts';
import { Reading, type Unchecked } from '../../base/source/reading.ts';
import { type Source, type Span, startOf } from '../../base/source/source.ts';
import type { VerifySources } from '../verify/expectation.ts';
import { kubeObject } from '../verify/kube-object.ts';
import { verifyBundle } from '../verify/verify-bundle.ts';
import { type BoundaryEdit, boundaryEdits } from './boundary-edits.ts';
import type { Finding } from './judge-files.ts';

interface FileWords extends Expected {
  /** The file to edit instead. */
  readonly topology: string;
}

/**
 * Number of files that get an error of their own, as many as GitHub shows for a step; all other files share one error.
 */
const SHOWN_FILES = 10;
const SHOWN_NAMES = 5;
const SHOWN_OBJECTS = 3;

/** An error for each file that neither the topology nor the base explains, those with an effect on the network first. */
export function fileDiagnostics(findings: readonly Finding[], words: FileWords): readonly Diagnostic[] {
  if (findings.length === 0) return [];
  const { compiled, edited } = bothBundles(findings, words);
  const effects = effectsOf(edited, words);
  const paths = findings.filter(isProven).map((it) => it.path);
  const opened = boundaryEdits({ paths, compiled, edited, inputs: words.inputs });
  const list = listedBy(findings);
  const rows = findings.map((finding) => {
    const { path } = finding;
    return describe(finding, { words, effects: effects.get(path) ?? [], opened: opened.get(path), list });
  });
  const sorted = [...rows].sort((a, b) => a.rank - b.rank || byPath(a, b));
  const shown = sorted.slice(0, SHOWN_FILES).map((it) => it.diagnostic);
  const [next, ...others] = sorted.slice(SHOWN_FILES).map((it) => it.diagnostic);
  if (next === undefined) return shown;
  const names = firstOf(
    [next, ...others].map((it) => it.span.source.path),
    SHOWN_NAMES,
  );
  const message = `${countOf(others.length + 1, 'more file')} below ${words.root}/ were changed by hand: ${names}`;
  const hint = 'run "weft compile" and commit the result; another release of weft may have compiled these files';
  return [...shown, diagnostic(next.code, startOf(next.span.source), message, { hint })];
}

interface Row {
  readonly diagnostic: Diagnostic;
  /** Position in the report; lower for more severe changes. */
  readonly rank: number;
}

const byPath = by<Row>((it) => it.diagnostic.span.source.path);

interface Around {
  readonly words: FileWords;
  /** The broken promises in this file. */
  readonly effects: readonly Diagnostic[];
  /** The connections that it opens and refuses; `undefined` for a file about none. */
  readonly opened: BoundaryEdit | undefined;
  readonly list: (path: string) => string | undefined;
}

const CODES: Readonly<Record<Finding['how'], Code>> = {
  edited: 'provenance/edited',
  added: 'provenance/added',
  removed: 'provenance/removed',
  replaced: 'provenance/not-a-plain-file',
};

function describe(finding: Finding, around: Around): Row {
  const { words, effects, opened } = around;
  const { path, how, head, before } = finding;
  const source = {
    path: path === '' ? words.root : `${words.root}/${path}`,
    text: head?.kind === 'link' ? '' : (head?.text ?? ''),
  };
  const [first] = effects;
  const at = first?.span ?? (how === 'edited' && source.text !== '' ? changedLine(source, before) : startOf(source));
  const [message, hint] = MESSAGES[how](finding, around);
  const related = [
    ...(opened?.decidedBy ?? []).slice(0, SHOWN_OBJECTS),
    ...effects.slice(1, 1 + SHOWN_OBJECTS).map((it) => ({ message: it.message, span: it.span })),
  ];
  return {
    diagnostic: diagnostic(CODES[how], at, message, { hint, related }),
    rank: rankOf(finding, first !== undefined),
  };
}

/**
 * Ranks the folder of all bundles first, then files that are applied or dialled, then removed files, then all others.
 */
function rankOf({ path, how, head }: Finding, hasEffect: boolean): number {
  if (path === '') return 0;
  if (hasEffect || how === 'replaced' || (how === 'added' && objectTexts(head?.text ?? '').length > 0)) return 1;
  return how === 'removed' ? 2 : 3;
}

type Sentence = (finding: Finding, around: Around) => readonly [message: string, hint: string];

const MESSAGES: Readonly<Record<Finding['how'], Sentence>> = {
  edited: ({ head }, { effects: [first], opened, words }) => [
    `this file was edited by hand: ${opened?.message ?? first?.message ?? (head?.text == null ? 'it is not text' : 'neither the topology compiles to this line nor does the base have it')}`,
    `run "weft compile" and commit the result; to change the network, edit ${words.topology}`,
  ],
  added: (finding, around) => [
    `this file was added by hand: ${whatIsAdded(finding, around)}`,
    `remove it, or move it out of ${around.words.root}/`,
  ],
  removed: ({ before: [text = ''] }, { opened }) => {
    const objects = objectTexts(text);
    const without = opened === undefined ? '' : `, and without it ${opened.message}`;
    const gone = objects.length === 0 ? '' : `: it contained ${objectList(objects)}${without}`;
    return [
      `this file was removed by hand, but the topology compiles to it${gone}`,
      'run "weft compile" to write it again',
    ];
  },
  replaced: ({ head }) => [
    `weft writes only plain files, and this is ${kindOf(head)}`,
    'remove it, run "weft compile" and commit the result',
  ],
};

function whatIsAdded({ path, head }: Finding, { list, words }: Around): string {
  const objects = objectTexts(head?.text ?? '');
  const by = list(path);
  const cluster = clusterFolderOf(path);
  const applied =
    by === undefined
      ? ''
      : `, and ${words.root}/${by} lists it${cluster === undefined ? '' : ` for ${quoted(cluster)}`}`;
  return objects.length > 0 ? `it contains ${objectList(objects)}${applied}` : `weft writes no such file${applied}`;
}

const objectList = (objects: readonly string[]): string =>
  objects
    .slice(0, SHOWN_OBJECTS)
    .map((it) => shortened(it, 120))
    .join(', ') + andMore(objects.length - SHOWN_OBJECTS);

function kindOf(head: Finding['head']): string {
  switch (head?.kind) {
    case 'link':
      return `a symbolic link to ${quoted(shortened(head.text ?? '', 120))}`;
    case 'submodule':
      return 'a submodule';
    case 'executable':
      return 'an executable file';
    case 'other':
      return 'a pipe, a socket or a device';
    default:
      return 'another kind of file than in the base';
  }
}

/**
 * The line that was edited by hand: the first line that no known text contains, because a stale file also differs from
 * the compiled one in lines that were not edited; otherwise the first line that is at another position than in the
 * first known text.
 */
function changedLine(source: Source, known: readonly string[]): Span {
  const lines = source.text.split('\n');
  const elsewhere = new Set(known.flatMap((it) => it.split('\n')));
  const unknown = lines.findIndex((it) => !elsewhere.has(it));
  const expected = known[0]?.split('\n') ?? [];
  const moved = lines.findIndex((it, i) => it !== expected[i]);
  const at = [unknown, moved].find((it) => it !== -1) ?? lines.length - 1;
  const start = lines.slice(0, at).reduce((sum, it) => sum + it.length + 1, 0);
  return { source, start, end: start + (lines[at] ?? '').length };
}

/** Names that kustomize reads. Source: kubernetes-sigs/kustomize `api/konfig/general.go`. */
const KUSTOMIZATION = /(^|\/)(kustomization\.ya?ml|Kustomization)$/;

export const isKustomizationFile = (path: string): boolean => KUSTOMIZATION.test(path);

/** For a path, the edited kustomization that names it or a folder above it, below `out/`; `undefined` if there is none. */
function listedBy(findings: readonly Finding[]): (path: string) => string | undefined {
  const named = new Map<string, string>();
  for (const { path, head } of findings) {
    for (const target of pathsOfKustomization(path, head?.text ?? '')) {
      if (!named.has(target)) named.set(target, path);
    }
  }
  return (path) => {
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const list = named.get(at);
      if (list !== undefined && list !== path) return list;
    }
    return undefined;
  };
}

/** The path that a kustomization names, relative to the same folder as that of the kustomization. */
function resolved(kustomization: string, path: string): string {
  const parts = kustomization.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..' || [undefined, '..'].includes(parts.at(-1))) parts.push(part);
    else parts.pop();
  }
  return parts.join('/');
}

/** The paths that a kustomization contains anywhere; none in another file. */
export const pathsOfKustomization = (path: string, text: string): readonly string[] =>
  isKustomizationFile(path) ? pathsNamedIn(text).map((it) => resolved(path, it)) : [];

/**
 * Largest size of a parsed file, in characters. A generated file of objects is far smaller, and parsing megabytes takes
 * long.
 */
const LARGEST_PARSED = 1 << 20;

/**
 * The objects of a file as text, such as `ClusterRoleBinding "admin"` or `a Kustomization without a name`; none in a
 * file of another kind.
 */
function objectTexts(text: string): readonly string[] {
  return documentsIn(text).flatMap((it) => {
    const object = kubeObject(it);
    if (object === undefined) return [];
    return [object.name === '' ? `a ${object.kind} without a name` : `${object.kind} ${quoted(object.name)}`];
  });
}

/** The paths that a kustomization contains anywhere, unchanged. */
function pathsNamedIn(text: string): readonly string[] {
  return documentsIn(text).flatMap(scalarsIn);
}

function documentsIn(text: string): readonly DocumentNode[] {
  if (text.length > LARGEST_PARSED) return [];
  const reading = readYamlDocuments({ path: '', text });
  return reading.ok ? reading.documents : [];
}

function scalarsIn(node: DocumentNode): readonly string[] {
  if (node.kind === 'list') return node.items.flatMap(scalarsIn);
  if (node.kind === 'map') return [...node.entries.values()].flatMap((it) => scalarsIn(it.value));
  const text = Reading.of<Unchecked>(node).scalar()?.value;
  return typeof text === 'string' ? [text] : [];
}

/** The compiled bundle, and the inputs that it was made from. */
interface Expected {
  readonly bundle: ReadonlyMap<string, string>;
  readonly inputs: VerifySources;
  /** `out`, as in messages. */
  readonly root: string;
}

/** Largest size of a file that is verified, in characters. A larger file is not one of weft. */
const LARGEST_VERIFIED = 1 << 22;

/** Codes that only report that a file is not the compiled one, which is already known. */
const WITHOUT_EFFECT: readonly Code[] = [
  'verify/differs',
  'verify/foreign-file',
  'verify/missing-file',
  'verify/unasked-path',
];

/**
 * The effects of the findings on the network, by path below `out/`: the checks that fail for the compiled files with
 * these edits applied. Files that are only stale are excluded, so that each effect is that of an edit.
 */
function effectsOf(files: FolderFiles, { bundle, inputs, root }: Expected): ReadonlyMap<string, readonly Diagnostic[]> {
  const found = verifyBundle({ files, root, sources: inputs, compiled: bundle });
  return groupBy(
    found.filter((it) => !WITHOUT_EFFECT.includes(it.code)),
    (it) => [it.span.source.path.slice(root.length + 1)],
  );
}

function bothBundles(findings: readonly Finding[], { bundle }: Expected) {
  const compiled = asFolderFiles(bundle);
  return { compiled, edited: withEdits(compiled, findings) };
}

function withEdits(compiled: FolderFiles, findings: readonly Finding[]): FolderFiles {
  const edits = groupBy(findings.filter(isProven), (it) => [folderOf(it.path)]);
  const edited = (folder: string) => (): ReadonlyMap<string, string> => {
    const files = new Map(compiled.inFolder(folder));
    for (const { path, how, head } of edits.get(folder) ?? []) {
      if (how === 'removed') files.delete(path);
      else files.set(path, head?.text ?? '');
    }
    return files;
  };
  return folderFiles(new Map(sortedUnique([...compiled.folders, ...edits.keys()]).map((it) => [it, edited(it)])));
}

function isProven({ path, how, head }: Finding): boolean {
  if (path === '') return false;
  if (how === 'removed') return true;
  return head?.text != null && head.kind !== 'link' && head.text.length <= LARGEST_VERIFIED && isBundleFile(path);
}
