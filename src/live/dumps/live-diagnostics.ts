import { quotedNames, shortened } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Source, Span } from '../../base/source/source.ts';

const DUMP_AGAIN = 'write the dump again, with -o json: "weft import --print-commands" prints the commands';

/** A kind or a name from a dump is shortened to this length in messages. */
const LONGEST = 60;

export const emptyDump = (at: Span): Diagnostic =>
  diagnostic('live/empty', at, 'the dump is empty', {
    hint: 'kubectl writes an empty list when there are no objects, so it failed: run it again and read its messages',
  });

export const emptyFolder = (at: Span): Diagnostic =>
  diagnostic('live/empty', at, 'the folder has no dump', {
    hint: 'name the folder with the dumps: files that end in .json, .yaml or .yml are read',
  });

export const unreadableDump = (at: Span, why: string): Diagnostic =>
  diagnostic('live/unreadable', at, `the dump cannot be read: ${why}`, { hint: DUMP_AGAIN });

/** A list of which the other pages are missing. */
export const onePage = (at: Span): Diagnostic => unreadableDump(at, 'it is one page of a longer list');

export const notAnObject = (at: Span, why: string): Diagnostic =>
  diagnostic('live/not-an-object', at, `this is not an object of Kubernetes: ${why}`, { hint: DUMP_AGAIN });

/** The API server's refusal in place of objects. */
export const refusedByServer = (at: Span, message: string): Diagnostic =>
  diagnostic('live/not-an-object', at, `the API server refused: ${shortened(message, 200)}`, { hint: DUMP_AGAIN });

export const anotherCluster = (at: Span, named: string, found: string): Diagnostic =>
  diagnostic('live/another-cluster', at, `the dump for "${named}" is of cluster "${shortened(found, LONGEST)}"`, {
    hint: `name the dump of "${named}", or write ${shortened(found, LONGEST)}=FILE`,
  });

/** One dump contains the IDs of two clusters, at these places. */
export const twoClusters = (first: { at: Span; id: string }, second: { at: Span; id: string }): Diagnostic =>
  diagnostic('live/another-cluster', second.at, `the dump is of two clusters, ${quotedIds(first.id, second.id)}`, {
    hint:
      first.at.source.path === second.at.source.path
        ? 'write the dump of each cluster into a file or folder of its own'
        : 'all files of a folder in a folder are one dump: if each is the dump of one cluster, name the folder that they are in',
  });

export const whoseDump = (at: Span, clusters: readonly string[]): Diagnostic =>
  diagnostic('live/whose-dump', at, 'nothing in the dump names its cluster', {
    hint:
      clusters.length === 0
        ? 'write CLUSTER=FILE, with the cluster ID of Liqo, or dump the ConfigMap "liqo-clusterid-configmap", too'
        : `write CLUSTER=FILE, with one of ${quotedNames(clusters.slice(0, 5))}`,
  });

/** Two dumps have the same cluster ID, but the object `what` shows that the clusters differ. */
export const oneIdTwice = (at: Span, cluster: string, what: string): Diagnostic =>
  diagnostic(
    'live/one-id-twice',
    at,
    `two clusters have the ID "${shortName(cluster)}": "${shortName(what)}" is not the same`,
    {
      hint: 'leave out the dump that is older, if it is one cluster that was installed again; otherwise install one of them with another ID',
    },
  );

/** Dumps with two cluster names have an object in common. */
export const oneClusterTwice = (at: Span, clusters: readonly [string, string], what: string): Diagnostic =>
  diagnostic('live/one-cluster-twice', at, `the dumps of ${quotedIds(...clusters)} are of one cluster`, {
    hint: `dump each of them with its own context: both have the same "${shortName(what)}"`,
  });

const shortName = (text: string): string => shortened(text, LONGEST);
const quotedIds = (first: string, second: string): string => `"${shortName(first)}" and "${shortName(second)}"`;

/** The number of characters on each side of a place that may be shown. */
const NEAR = 1000;

/**
 * A place in a dump that a message may show. In its line, each character of a value is an asterisk, because a dump may
 * contain Secrets. Lines before it are empty, so that a message does not keep a whole dump in memory.
 */
export function hiddenSpan({ path, text }: Source, start: number, end: number): Span {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const line = hiddenLine(text.slice(from, next === -1 ? text.length : next), start - from);
  const before = '\n'.repeat(linesBefore(text, from));
  const offset = before.length - from;
  return { source: { path, text: before + line }, start: start + offset, end: end + offset };
}

function linesBefore(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** Hides the values of a line. A line may have megabytes, so text far from the place is hidden without being parsed. */
function hiddenLine(line: string, at: number): string {
  const from = Math.max(0, at - NEAR);
  const to = Math.min(line.length, at + NEAR);
  if (from === 0 && to === line.length) return hiddenText(line);
  // The asterisk in front prevents that text cut from the middle matches as the start of a line.
  const near = hiddenText(`${from === 0 ? '' : '*'}${line.slice(from, to)}`).slice(from === 0 ? 0 : 1);
  return '*'.repeat(from) + near + '*'.repeat(line.length - to);
}

/** Replaces each character of a value with an asterisk. Keys, brackets and places stay. */
export const hiddenText = (text: string): string => text.replace(TOKEN, hidden);

/** A key of JSON or YAML with its dash and colon, or a part of a value. */
const TOKEN = /("[\w./-]{1,300}"(?=\s{0,20}:)|^[\s-]{0,200}[\w./-]{1,300}:(?=\s|$)|^---$|-(?= ))|[^\s{}[\],:]+/gm;

const hidden = (found: string, key: string | undefined): string => key ?? '*'.repeat(found.length);
