import { quotedNames, shortened } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';

const DUMP_AGAIN = 'write the dump again, with -o json: "weft import --print-commands" prints the commands';

/** As it is shown, a kind or a name from a dump can be long. */
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

export const notAnObject = (at: Span, why: string): Diagnostic =>
  diagnostic('live/not-an-object', at, `this is not an object of Kubernetes: ${why}`, { hint: DUMP_AGAIN });

/** The answer of an API server that refused. */
export const refusedByServer = (at: Span, message: string): Diagnostic =>
  diagnostic('live/not-an-object', at, `the API server refused: ${shortened(message, 200)}`, { hint: DUMP_AGAIN });

export const anotherCluster = (at: Span, named: string, found: string): Diagnostic =>
  diagnostic('live/another-cluster', at, `the dump for "${named}" is of cluster "${shortened(found, LONGEST)}"`, {
    hint: `name the dump of "${named}", or write ${shortened(found, LONGEST)}=FILE`,
  });

/** One dump with the IDs of two clusters. */
export const twoClusters = (at: Span, first: string, second: string): Diagnostic =>
  diagnostic('live/another-cluster', at, `the dump is of two clusters, ${idsOf(first, second)}`, {
    hint: 'write the dump of each cluster into a file or folder of its own',
  });

export const whoseDump = (at: Span, clusters: readonly string[]): Diagnostic =>
  diagnostic('live/whose-dump', at, 'nothing in the dump names its cluster', {
    hint:
      clusters.length === 0
        ? 'write CLUSTER=FILE, with the cluster ID of Liqo, or dump the ConfigMap "liqo-clusterid-configmap", too'
        : `write CLUSTER=FILE, with one of ${quotedNames(clusters.slice(0, 5))}`,
  });

/** Two dumps with one cluster ID, of which `what` shows that their clusters are not the same. */
export const oneIdTwice = (at: Span, cluster: string, what: string): Diagnostic =>
  diagnostic(
    'live/one-id-twice',
    at,
    `two clusters have the ID "${shown(cluster)}": "${shown(what)}" is not the same`,
    {
      hint: 'leave out the dump that is older, if it is one cluster that was installed again; otherwise install one of them with another ID',
    },
  );

/** Dumps of two names that have an object in common. */
export const oneClusterTwice = (at: Span, clusters: readonly [string, string], what: string): Diagnostic =>
  diagnostic('live/one-cluster-twice', at, `the dumps of ${idsOf(...clusters)} are of one cluster`, {
    hint: `dump each of them with its own context: both have the same "${shown(what)}"`,
  });

const shown = (text: string): string => shortened(text, LONGEST);
const idsOf = (first: string, second: string): string => `"${shown(first)}" and "${shown(second)}"`;
