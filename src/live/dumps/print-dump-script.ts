import { render } from '../../base/text/render.ts';
import { CLUSTER_ID_CONFIG_MAP } from './cluster-id.ts';
import { printReaderRole, type ReadKind } from './print-reader-role.ts';
import { PUBLIC_SECRETS } from './public-secrets.ts';

/** A cluster, and the context of the user's kubeconfig that leads to it. */
interface DumpedCluster {
  readonly cluster: string;
  readonly context: string;
}

/**
 * A script for bash that dumps some kinds of objects of some clusters with kubectl, which only lists; without clusters it
 * takes them as arguments. The role that its users need is in its comments.
 */
export const printDumpScript = (clusters: readonly DumpedCluster[], kinds: readonly ReadKind[]): string =>
  render('dumps/dump-script', {
    clusters: clusters.map(({ cluster, context }) => `${quotedForShell(cluster)} ${quotedForShell(context)}`),
    role: printReaderRole(kinds).trimEnd().split('\n'),
    lists: [
      `list configmaps --field-selector=metadata.name=${CLUSTER_ID_CONFIG_MAP} --output=json`,
      ...kinds.flatMap(listing),
    ],
  });

function listing({ resource, selector }: ReadKind): readonly string[] {
  const selected = selector === undefined ? '' : ` --selector=${quotedForShell(selector)}`;
  if (resource !== 'secrets') return [`list ${resource}${selected} --output=json`];
  // A nonce is public, and compared; it comes last, since of two states of an object the last one counts.
  return [
    `list secrets${selected} --no-headers --show-labels | names`,
    `list secrets --selector=${PUBLIC_SECRETS} --output=json`,
  ];
}

/** One word for bash, whatever is in it. */
const quotedForShell = (text: string): string =>
  /^[\w.,:=@/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
