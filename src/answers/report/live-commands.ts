import { shellWord } from '../../base/core/words.ts';
import { GATEWAY_RESOURCE_LABEL } from '../../base/releases/labels.ts';
import { isInCluster, type StepCommand } from '../../plan/step-command.ts';

/** The names of the topology and of live clusters in a call, so that commands in its answer can be pasted. */
export interface LiveNames {
  /** `null` for the default. */
  readonly topology: string | null;
  /** The contexts of clusters, by cluster. */
  readonly contexts: ReadonlyMap<string, string>;
  /** The dumps of the call: a user with dumps may reach no cluster. */
  readonly dumps: readonly string[];
}

export const USUAL_NAMES: LiveNames = { topology: null, contexts: new Map(), dumps: [] };

/** The time after which a rollout needs a closer look. */
const PATIENCE = '10m';

/** The number of clusters in one command that a person pastes, and of commands below one step. */
const MOST = { clusters: 6, commands: 4 } as const;

/**
 * Prints the commands of a step, one on each line. A list that is too long for a person ends in a comment.
 *
 * @param isWhole true to print all commands, with all clusters
 */
export function commandLines(commands: readonly StepCommand[], names: LiveNames, isWhole: boolean): readonly string[] {
  if (isWhole) return commands.map((it) => commandText(it, names));
  const lines = commands.slice(0, MOST.commands).flatMap((it) => {
    if (isInCluster(it)) return [commandText(it, names)];
    const left = it.clusters.length - MOST.clusters;
    if (left <= 1) return [commandText(it, names)];
    const first = { ...it, clusters: it.clusters.slice(0, MOST.clusters) };
    return [commandText(first, names), `# then the other ${left} clusters in the same way`];
  });
  const left = commands.length - MOST.commands;
  return left > 0 ? [...lines, `# and ${left} more like ${left === 1 ? 'this' : 'these'}`] : lines;
}

const LINK_KINDS = ['gatewayservers', 'gatewayclients', 'publickeies', 'configurations']
  .map((it) => `${it}.networking.liqo.io`)
  .join();

/** Until then Liqo refuses to be uninstalled. */
const UNLINKED = "foreignclusters.core.liqo.io --all --for=jsonpath='{.status.modules.networking.enabled}'=false";

/** The command that compares clusters with what is compiled, until they agree. */
export const proofCommand = (clusters: readonly string[], names: LiveNames): string =>
  commandText({ run: 'drift', clusters }, names);

function commandText(it: StepCommand, names: LiveNames): string {
  if (isInCluster(it)) {
    const kubectl = `kubectl --context ${shellWord(names.contexts.get(it.cluster) ?? it.cluster)}`;
    const namespace = shellWord(it.namespace ?? '');
    const inNamespace = it.namespace === null ? kubectl : `${kubectl} -n ${namespace}`;
    const wait = (objects: readonly string[]): string =>
      `${inNamespace} wait --for=delete ${objects.map(shellWord).join(' ')} --timeout=${PATIENCE}`;
    switch (it.run) {
      case 'wait-for-deletion':
        return wait(it.objects);
      case 'delete-links':
        return it.namespace === null
          ? `${kubectl} delete ${LINK_KINDS} --all --all-namespaces && ${kubectl} wait ${UNLINKED} --timeout=${PATIENCE}`
          : `${inNamespace} delete ${LINK_KINDS} --all`;
      case 'delete-namespace':
        return `${wait(it.after)} && ${kubectl} delete namespace ${namespace}`;
      case 'delete-policies':
        return `${inNamespace} delete networkpolicy --selector app.kubernetes.io/part-of=weft`;
      case 'unlabel-secret':
        return `${inNamespace} label secret ${shellWord(it.secret)} ${GATEWAY_RESOURCE_LABEL}-`;
      case 'delete-secret':
        return `${inNamespace} delete secret ${shellWord(it.secret)}`;
      case 'wait-for-value':
        return `${inNamespace} wait ${shellWord(it.object)} --for=jsonpath=${shellWord(`{${it.field}}=${it.value}`)} --timeout=${PATIENCE}`;
      case 'touch':
        return `${inNamespace} annotate ${shellWord(it.object)} liqo-weft/touched="$(date +%s)" --overwrite`;
      case 'unmark-namespace':
        return `${kubectl} annotate namespace ${namespace} argocd.argoproj.io/tracking-id-`;
    }
  }
  const sources = sourcesOf(it.clusters, names);
  const topology = names.topology === null ? '' : ` ${shellWord(names.topology)}`;
  switch (it.run) {
    case 'drift':
      return sources.areDumps
        ? `weft drift${topology}${sources.text} # with new dumps`
        : `weft drift${topology} --wait ${PATIENCE}${sources.text}`;
    case 'plan':
      return `weft plan${topology}${sources.text}`;
    case 'collect':
      return `weft identities collect${topology}${sources.text}`;
    case 'check-answers':
      return `weft identities collect${topology} --check${sources.text}`;
  }
}

/** Clusters are read as the call reads them; those that it does not read have contexts of their names. */
export function sourcesOf(
  clusters: readonly string[],
  { contexts, dumps }: LiveNames,
): { readonly text: string; readonly areDumps: boolean } {
  const options = (name: string, values: readonly string[]): string =>
    values.map((it) => ` --${name} ${shellWord(it)}`).join('');
  if (dumps.length > 0 && clusters.every((it) => !contexts.has(it)))
    return { text: options('live', dumps), areDumps: true };
  const named = clusters.map((it) => {
    const context = contexts.get(it) ?? it;
    return context === it ? it : `${it}=${context}`;
  });
  return { text: options('context', named), areDumps: false };
}
