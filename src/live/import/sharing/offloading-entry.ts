import { quoted, quotedNames, shortened } from '../../../base/core/words.ts';
import { REMOTE_CLUSTER_LABEL, TENANT_NAMESPACE_PREFIX } from '../../../base/releases/labels.ts';
import type { OffloadingEntry } from '../../../base/schema-types/topology.ts';
import { isJsonMap, type Json, jsonAt, listAt } from '../../dumps/json.ts';
import type { ObservedCluster } from '../../facts/cluster.ts';
import type { ObservedOffloading } from '../../facts/sharing.ts';
import type { ImportFinding } from '../finding.ts';
import { offloadingLeftOut, selectorInOtherWords } from './sharing-findings.ts';

interface ImportedOffloading {
  /** `null` for one that a topology cannot express. */
  readonly entry: OffloadingEntry | null;
  readonly findings: readonly ImportFinding[];
}

interface Lenders {
  /** The providers whose loans are in the topology. */
  readonly written: ReadonlySet<string>;
  /** The providers of the live cluster. */
  readonly live: ReadonlySet<string>;
  /** `provider/namespace` of every existing remote namespace. */
  readonly taken: Set<string>;
}

/** Converts an offloaded namespace into an entry of `offloading`. */
export function offloadingEntry(
  { cluster, liqoNamespace, sharing }: ObservedCluster,
  offloading: ObservedOffloading,
  { written, live, taken }: Lenders,
): ImportedOffloading {
  const { namespace } = offloading;
  const object = { kind: 'NamespaceOffloading', cluster, ...offloading };
  const leftOut = (why: string): ImportedOffloading => ({
    entry: null,
    findings: [offloadingLeftOut(object, `it is left out, because ${why}`)],
  });
  if (isOfSystem(namespace, liqoNamespace)) return leftOut('its namespace is one of Kubernetes or Liqo');
  const remote = remoteNameOf(offloading, cluster);
  if (!remote.ok) return leftOut(remote.why);
  const selected = selectedBy(offloading, live);
  if (selected === undefined)
    return leftOut('its selector says something else than clusters, and no status shows which');
  const unknown = selected.providers.filter((it) => !written.has(it));
  if (unknown.length > 0)
    return leftOut(`it is offloaded to ${quotedNames(unknown.slice(0, 3))}, of which no loan is in the topology`);
  const [first, ...more] = selected.providers;
  if (first === undefined) return leftOut('it selects no provider, and an entry selects at least one');
  const ids = selected.providers.map((it) => `${it}/${remote.name}`);
  if (ids.some((it) => taken.has(it))) return leftOut(`another one is called ${quoted(remote.name)} there already`);
  for (const it of ids) taken.add(it);
  const entry: OffloadingEntry = {
    cluster,
    namespace,
    ...(selected.isEvery ? {} : { to: [first, ...more] }),
    ...(offloading.pods === 'Local' || offloading.pods === 'Remote' ? { pods: offloading.pods } : {}),
    ...(remote.chosen === undefined ? {} : { remoteName: remote.chosen }),
    ...(isOfGit(sharing.namespaces.get(namespace)) ? {} : { createNamespace: false }),
  };
  const names = quotedNames(selected.providers.slice(0, 3));
  const why = `its selector is not the one that weft writes: now it selects ${names}, then by name`;
  return { entry, findings: selected.isOurs ? [] : [selectorInOtherWords(object, why)] };
}

/** The rule `sharing/system-namespace` uses the same namespaces. */
const isOfSystem = (namespace: string, liqo: string | null): boolean =>
  namespace.startsWith('kube-') || namespace === (liqo ?? 'liqo') || namespace.startsWith(TENANT_NAMESPACE_PREFIX);

/** Source: kubernetes/kubernetes@v1.32.0 pkg/controlplane/controller/systemnamespaces/system_namespaces_controller.go. */
const EVERYWHERE: ReadonlySet<string> = new Set(['default', 'liqo']);
const LONGEST_NAMESPACE = 63;

type RemoteName =
  | { readonly ok: true; readonly name: string; readonly chosen: string | undefined }
  | { readonly ok: false; readonly why: string };

function remoteNameOf({ namespace, mapping, remoteName }: ObservedOffloading, cluster: string): RemoteName {
  const chosen = mapping === 'DefaultName' ? undefined : mapping === 'SelectedName' ? remoteName : namespace;
  if (chosen === null) return { ok: false, why: 'it has no remoteNamespaceName' };
  // The strategy is immutable, and for this name weft writes the other one.
  if (mapping === 'SelectedName' && chosen === namespace)
    return { ok: false, why: 'it selects the name that the namespace has, for which weft writes EnforceSameName' };
  const name = chosen ?? `${namespace}-${cluster}`;
  if (name.length > LONGEST_NAMESPACE) return { ok: false, why: `${quoted(shortened(name, 70))} is too long` };
  if (EVERYWHERE.has(name) || isOfSystem(name, null))
    return { ok: false, why: `providers have a namespace ${quoted(name)} of their own` };
  return { ok: true, name, chosen };
}

interface Selected {
  readonly providers: readonly string[];
  /** True when all providers of the cluster are selected, now and later. */
  readonly isEvery: boolean;
  /** True when weft writes the same selector. */
  readonly isOurs: boolean;
}

/** `undefined` for a selector that cannot be expressed. */
function selectedBy({ terms, selected }: ObservedOffloading, live: ReadonlySet<string>): Selected | undefined {
  if (terms === null || terms.length === 0) return { providers: [...live].sort(), isEvery: true, isOurs: false };
  const named = terms.map(idsInTerm);
  const ids = named.flatMap((it) => it ?? []);
  if (named.every((it) => it !== undefined)) {
    const providers = [...new Set(ids)].sort();
    return { providers, isEvery: false, isOurs: terms.length === 1 && providers.join() === ids.join() };
  }
  if (selected.size === 0) return undefined;
  const providers = [...selected].flatMap(([provider, isSelected]) => (isSelected ? [provider] : []));
  return { providers: providers.sort(), isEvery: false, isOurs: false };
}

/** Returns the IDs of a term that selects clusters by ID only. */
function idsInTerm(term: Json): readonly string[] | undefined {
  const [only, ...more] = listAt(term, 'matchExpressions');
  if (!isJsonMap(only) || more.length > 0 || jsonAt(term, 'matchFields') !== undefined) return undefined;
  const { key, operator, values } = only;
  if (key !== REMOTE_CLUSTER_LABEL || operator !== 'In' || !Array.isArray(values)) return undefined;
  return (values as readonly Json[]).filter((it) => typeof it === 'string');
}

/** True when a bundle of weft created the namespace, with annotations against pruning. */
const isOfGit = (annotations: Readonly<Record<string, string>> | undefined): boolean =>
  annotations?.['kustomize.toolkit.fluxcd.io/prune'] === 'disabled' &&
  annotations['argocd.argoproj.io/sync-options']?.includes('Prune=false') === true;
