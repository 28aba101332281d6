import { groupBy } from '../../base/core/collections.ts';
import { NONCE_LABEL } from '../../base/releases/labels.ts';
import { render } from '../../base/text/render.ts';
import { KEY_SECRETS, PUBLIC_HALVES } from './public-halves.ts';
import { CLUSTER_ID_CONFIG_MAP } from './whose-dump.ts';

/** A cluster and its context in the user's kubeconfig. */
interface DumpedCluster {
  readonly cluster: string;
  readonly context: string;
}

/**
 * A bash script that dumps the given kinds with kubectl, which only lists. Without clusters, the script takes them as
 * arguments. Its comments contain the role that its users need.
 */
export const printDumpScript = (clusters: readonly DumpedCluster[], kinds: readonly ReadKind[]): string =>
  render('dumps/dump-script', {
    clusters: clusters.map(({ cluster, context }) => `${quotedForShell(cluster)} ${quotedForShell(context)}`),
    role: printReaderRole(kinds).trimEnd().split('\n'),
    publicHalves: PUBLIC_HALVES,
    lists: [
      `list configmaps --field-selector=metadata.name=${CLUSTER_ID_CONFIG_MAP} --output=json`,
      ...kinds.flatMap(listing),
      ...new Set(kinds.map((it) => `asked ${it.resource}`)),
    ],
  });

function listing({ resource, selector }: ReadKind): readonly string[] {
  const selected = selector === undefined ? '' : ` --selector=${quotedForShell(selector)}`;
  if (resource !== 'secrets') return [`list ${resource}${selected} --output=json`];
  // The public halves of key pairs and nonces come last, because the last of two states of an object counts.
  return [
    `list secrets${selected} --no-headers --show-labels | names`,
    `list secrets --selector=${KEY_SECRETS} --output=go-template="$public_halves"`,
    `list secrets --selector=${PUBLIC_SECRETS} --output=json`,
  ];
}

/** Quotes a text as one bash word. */
const quotedForShell = (text: string): string =>
  /^[\w.,:=@/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A kind of object to list, with its kubectl name: `configurations.networking.liqo.io`. */
interface ReadKind {
  readonly resource: string;
  /** Lists only objects with these labels. */
  readonly selector?: string | undefined;
}

/** A role that may read everything weft reads, with its binding to a group. */
export function printReaderRole(kinds: readonly ReadKind[]): string {
  const resources = [...new Set(kinds.map((it) => it.resource))];
  const byGroup = groupBy(
    resources.filter((it) => it !== SECRETS),
    (it) => [groupIn(it)],
  );
  return render('dumps/reader-role', {
    configMap: CLUSTER_ID_CONFIG_MAP,
    rules: [...byGroup].map(([group, some]) => ({ group, resources: some.map(pluralIn).join(', ') })),
    secrets: resources.includes(SECRETS),
  });
}

const SECRETS = 'secrets';

const pluralIn = (resource: string): string => resource.split('.')[0] ?? '';
const groupIn = (resource: string): string => resource.slice(pluralIn(resource).length + 1);

/** The label of Secrets with public values: nonces, which prove nothing without their signature. */
export const PUBLIC_SECRETS = `${NONCE_LABEL}=true`;
