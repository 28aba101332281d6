import { POD_SECURITY_LABELS } from '../../base/releases/labels.ts';
import { type DocumentNode, nodeAt, plainOf } from '../../base/source/document-node.ts';
import { printYaml, type YamlValue } from '../../bundle/emit/print-yaml.ts';
import { chosenFor, isChosenAlready } from '../drift/chosen-for.ts';
import { compareObjects, type Difference } from '../drift/compare-objects.ts';
import { type PromisedObjects, promisedObjects } from '../drift/promised-objects.ts';
import { isJsonMap, type Json, type JsonMap } from '../dumps/json.ts';
import { kindKeyOf, type LiveCluster } from '../dumps/kubernetes-object.ts';

type Files = ReadonlyMap<string, string>;

/** How live objects of a release may differ from what is promised. */
type Traits = Parameters<typeof compareObjects>[2];

/**
 * The files of a cluster as its live objects have them: a field that differs has the live value, and an object that is not
 * there is left out. Whatever the objects do not show stays: other files, comments, order, kinds that were not dumped.
 *
 * @param files of the whole bundle
 */
export function liveBundle(files: Files, live: LiveCluster, traits: Traits): Files {
  const own = new Map([...files].filter(([path]) => path.startsWith(`${live.cluster}/`)));
  const promised = promisedObjects(live.cluster, { bundle: own, root: '' });
  const edits = editsByFile(promised, live, traits);
  return new Map(
    [...own].flatMap(([path, text]): readonly (readonly [string, string])[] => {
      const edited = edits.get(path);
      const next = edited === undefined ? text : edit(text, edited);
      return next === undefined ? [] : [[path, next]];
    }),
  );
}

/** What happens to one document of a file. */
interface Edit {
  /** Its first character that is no comment. */
  readonly start: number;
  /** Its text without a comment above; `null` for an object that is not there. */
  readonly text: string | null;
}

function editsByFile(
  promised: PromisedObjects,
  { objects, listed }: LiveCluster,
  traits: Traits,
): ReadonlyMap<string, readonly Edit[]> {
  const edits = new Map<string, Edit[]>();
  for (const [key, { object, nodes }] of promised) {
    if (!listed.has(kindKeyOf(object)) || object.kind === 'Connection') continue;
    const found = objects.get(key);
    const isThere = found !== undefined && found.metadata['deletionTimestamp'] === undefined;
    const differences = isThere
      ? [...compareObjects(object, found, traits)]
          .filter((it) => isApplied(it) && !isChosenAlready(found, it))
          .map((it) => ({ ...it, live: chosenFor(found, it) ?? it.live }))
      : [];
    for (const [index, node] of nodes.entries()) {
      const text = isThere ? documentAsLive(node, differences, index === 0) : null;
      if (text === undefined) continue;
      const path = node.span.source.path.slice(1);
      const ofFile = edits.get(path) ?? [];
      ofFile.push({ start: node.span.start, text });
      edits.set(path, ofFile);
    }
  }
  return edits;
}

/** Annotations are for GitOps tools, and labels of Pod Security for pods that start: no packet depends on one. */
const isApplied = ({ path }: Difference): boolean =>
  path[1] !== 'annotations' && !(path[2] ?? '').startsWith(POD_SECURITY_LABELS);

/** `undefined` for a file whose objects are all absent. */
function edit(text: string, edits: readonly Edit[]): string | undefined {
  const header = /^(#.*\n)*/.exec(text)?.[0] ?? '';
  const byStart = new Map(edits.map((it) => [it.start, it.text]));
  const left: string[] = [];
  let start = header.length;
  for (const document of text.slice(header.length).split(/^---\n/m)) {
    const next = byStart.get(start);
    if (next !== null) left.push(next ?? document);
    start += document.length + '---\n'.length;
  }
  return left.length === 0 ? undefined : header + left.join('---\n');
}

/**
 * The text of a document with the live values of what differs in it; `undefined` if nothing does. Of several documents about
 * one object each has its own parts, and the first one also what none of them promises.
 */
function documentAsLive(node: DocumentNode, differences: readonly Difference[], isFirst: boolean): string | undefined {
  const own = differences.filter(({ path, promised }) =>
    promised === undefined ? isFirst : nodeAt(node, path) !== undefined,
  );
  if (own.length === 0) return undefined;
  const edited = own.reduce<Json>((value, it) => withValue(value, it.path, it.live), plainOf(node) as Json);
  return printYaml(edited as YamlValue);
}

function withValue(value: Json | undefined, [key, ...rest]: readonly string[], live: Json | undefined): Json {
  if (key === undefined) return live ?? null;
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    return list.map((it, index) => (String(index) === key ? withValue(it, rest, live) : it));
  }
  const map: JsonMap = isJsonMap(value) ? value : {};
  if (rest.length > 0 || live !== undefined) return { ...map, [key]: withValue(map[key], rest, live) };
  return Object.fromEntries(Object.entries(map).filter(([name]) => name !== key)) as JsonMap;
}
