import { existsSync, readFileSync } from 'node:fs';
import type { Kube } from './kube.ts';

/** A request that an API server carried out, from its audit log. */
export interface Write {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The program, as it calls itself: `kustomize-controller`. */
  readonly agent: string;
  readonly verb: 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';
  /** `configurations` */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty for requests that name no object. */
  readonly name: string;
}

interface AuditEvent {
  readonly verb: Write['verb'];
  readonly userAgent?: string;
  readonly requestURI: string;
  readonly requestReceivedTimestamp: string;
  readonly responseStatus?: { readonly code: number };
  readonly objectRef?: Partial<Pick<Write, 'resource' | 'subresource' | 'namespace' | 'name'>>;
}

/**
 * The requests to write that an API server accepted, in order. A dry run writes nothing; server-side diffs and Flux's
 * comparisons are dry runs.
 */
export function writesIn(auditLog: string, { since = 0 }: { readonly since?: number } = {}): readonly Write[] {
  return eventsIn(auditLog)
    .filter((it) => !it.requestURI.includes('dryRun=') && (it.responseStatus?.code ?? 0) < 300)
    .map(writeOf)
    .filter((it) => it.at >= since)
    .sort((a, b) => a.at - b.at);
}

/** The writes of an engine in some clusters. */
export interface EngineWrites {
  /** Everything but Events. */
  readonly objects: readonly ClusterWrite[];
  readonly events: readonly ClusterWrite[];
}

export interface ClusterWrite extends Write {
  readonly cluster: string;
}

/**
 * The writes of programs with such names. Events are apart: they describe for people what was done, are about objects of the
 * engine, and expire after an hour. Flux writes one whenever it looks at git and finds nothing new, each minute: created for the first
 * look at a commit, and a patch that counts it from then on. Source: fluxcd/source-controller v1.9.1
 * internal/controller/gitrepository_controller.go:596 ("no changes since last reconciliation"), and
 * internal/reconcile/summarize/processor.go:94, which sends it to Kubernetes alone.
 */
export function writesOf(
  agents: RegExp,
  clusters: readonly { readonly name: string; readonly auditLog: string }[],
  since: number,
): EngineWrites {
  const all = clusters.flatMap(({ name, auditLog }) =>
    writesIn(auditLog, { since })
      .filter((it) => agents.test(it.agent))
      .map((it) => ({ ...it, cluster: name })),
  );
  const isEvent = (it: Write): boolean => it.resource === 'events';
  return { objects: all.filter((it) => !isEvent(it)), events: all.filter(isEvent) };
}

/** Answers after which a controller looks again: the object is gone, or has changed. */
const EXPECTED = new Set([404, 409]);

/** The requests to write that an API server refused. */
export function refusedIn(auditLog: string): readonly Write[] {
  return eventsIn(auditLog)
    .filter((it) => (it.responseStatus?.code ?? 0) >= 400 && !EXPECTED.has(it.responseStatus?.code ?? 0))
    .map(writeOf);
}

function eventsIn(auditLog: string): readonly AuditEvent[] {
  if (!existsSync(auditLog)) return [];
  return readFileSync(auditLog, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((it) => JSON.parse(it) as AuditEvent);
}

function writeOf({ verb, userAgent = '', requestReceivedTimestamp, objectRef = {} }: AuditEvent): Write {
  const { resource = '', subresource = '', namespace = '', name = '' } = objectRef;
  const at = Date.parse(requestReceivedTimestamp);
  return { at, agent: userAgent.split('/')[0] ?? '', verb, resource, subresource, namespace, name };
}

/** Counts by a text of each, most first: `{ 'patch configurations': 12 }`. */
export function counted<T>(all: readonly T[], keyOf: (one: T) => string): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const it of all) counts.set(keyOf(it), (counts.get(keyOf(it)) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

/** The kinds of a bundle that this harness applies; Secrets with keys are applied by hand. */
const BUNDLE_KINDS = [
  ['v1', 'Namespace'],
  ['networking.liqo.io/v1beta1', 'Configuration'],
  ['networking.liqo.io/v1beta1', 'PublicKey'],
  ['networking.liqo.io/v1beta1', 'GatewayServer'],
  ['networking.liqo.io/v1beta1', 'GatewayClient'],
] as const;

/** An object at a moment. */
export interface Version {
  readonly uid: string | undefined;
  /** All of it but who owns which field, and its version. */
  readonly content: string;
  /** Changes with every write that changes anything. */
  readonly resourceVersion: string | undefined;
}

export type Versions = Readonly<Record<string, Version>>;

/** The objects of a bundle in a cluster by `Configuration liqo-tenant-rome/rome`. */
export async function bundleVersions(kube: Kube): Promise<Versions> {
  const lists = await Promise.all(BUNDLE_KINDS.map(([apiVersion, kind]) => kube.list(apiVersion, kind)));
  const objects = lists.flat().filter((it) => /^liqo-tenant-/.test(it.metadata.namespace ?? it.metadata.name));
  return Object.fromEntries(
    objects
      .map(({ metadata, ...rest }) => {
        const { uid, resourceVersion, managedFields: _, ...names } = metadata;
        const content = JSON.stringify({ ...rest, names });
        return [
          `${rest.kind} ${metadata.namespace ?? ''}/${metadata.name}`,
          { uid, content, resourceVersion },
        ] as const;
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The differences between the objects of two moments. */
export interface Changes {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  /** Made again: another object with the same name. */
  readonly replaced: readonly string[];
  readonly deleted: readonly string[];
}

export const NO_CHANGES: Changes = { created: [], changed: [], replaced: [], deleted: [] };

/** @param by the part of an object that shows whether it has changed */
export function changesBetween(before: Versions, after: Versions, by: keyof Version = 'resourceVersion'): Changes {
  const both = Object.keys(after).filter((it) => it in before && before[it]?.[by] !== after[it]?.[by]);
  const isReplaced = (it: string): boolean => before[it]?.uid !== after[it]?.uid;
  return {
    created: Object.keys(after).filter((it) => !(it in before)),
    changed: both.filter((it) => !isReplaced(it)),
    replaced: Object.keys(after).filter((it) => it in before && isReplaced(it)),
    deleted: Object.keys(before).filter((it) => !(it in after)),
  };
}
