import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { startOf } from '../../base/source/source.ts';
import type { Share } from '../../fleet/sharing/shared-model.ts';
import type { WantedKind } from '../../live/dumps/dump-value.ts';
import { groupOf, kindKey, type LiveObject } from '../../live/dumps/kubernetes-object.ts';
import { newestByKey } from '../../live/dumps/newest-by-key.ts';
import { ownerOf } from '../../live/dumps/whose-dump.ts';
import type { ProviderAnswers } from '../../live/identities/collect-pair.ts';
import { TENANT_KIND, tenantAnswers } from '../../live/identities/tenant-answer.ts';
import { providerFinder } from '../../live/identities/whose-answers.ts';
import { type DumpRequest, listDumps } from './list-dumps.ts';
import type { LivePorts } from './live-ports.ts';
import { OperationRefused } from './operation-refused.ts';
import { type ContextRequest, readContext } from './read-context.ts';
import { type DumpReader, readDumpFiles } from './read-dump-files.ts';

interface ProvidersRequest {
  readonly dumps: readonly DumpRequest[];
  readonly contexts: readonly ContextRequest[];
}

interface Fleet {
  readonly known: readonly string[];
  readonly shares: readonly Share[];
}

const TENANTS = { key: TENANT_KIND, resource: 'tenants.authentication.liqo.io' };

/** The Tenants that dumps and contexts show, by the provider that they are of. Of two states of a Tenant the newer one counts. */
export async function readProviders(
  ports: LivePorts & DumpReader,
  { dumps, contexts }: ProvidersRequest,
  { known, shares }: Fleet,
): Promise<Outcome<readonly ProviderAnswers[]>> {
  const isWanted: WantedKind = (apiVersion, kind) =>
    [TENANT_KIND, 'ConfigMap'].includes(kindKey(groupOf(apiVersion), kind));
  const listing = await listDumps(ports, dumps);
  const problems: Diagnostic[] = [...listing.problems];
  const found = new Map<string, { readonly at: ProviderAnswers['at']; readonly objects: readonly LiveObject[] }>();
  const names = new Set(known);
  const add = (provider: string, at: ProviderAnswers['at'], objects: readonly LiveObject[]): void => {
    if (!names.has(provider)) throw new OperationRefused({ kind: 'unknown-cluster', name: provider, known });
    const earlier = found.get(provider);
    found.set(provider, { at: earlier?.at ?? at, objects: [...(earlier?.objects ?? []), ...objects] });
  };
  const providerOf = providerFinder(shares);
  for (const files of listing.files) {
    const { dump, problems: unread } = await readDumpFiles(ports, files, isWanted);
    problems.push(...unread);
    const owner = ownerOf(dump, names);
    const isUnnamed = !owner.ok && owner.problem.code === 'live/whose-dump';
    const guess = isUnnamed ? providerOf(tenantAnswers(dump.objects)) : undefined;
    if (owner.ok) add(owner.cluster, dump.at, dump.objects);
    else if (guess !== undefined) add(guess, dump.at, dump.objects);
    else problems.push(owner.problem);
  }
  for (const request of problems.length > 0 ? [] : contexts) {
    const context = await readContext(ports, request, [TENANTS]);
    problems.push(...context.diagnostics);
    if (!context.ok) continue;
    if (context.value.forbidden.size > 0) throw new OperationRefused(forbidden(request));
    add(request.cluster, startOf({ path: `context ${request.context}`, text: '' }), context.value.objects);
  }
  return outcome(
    [...found].map(([provider, { at, objects }]) => ({ provider, at, answers: tenantAnswers(newest(objects)) })),
    problems,
  );
}

const forbidden = ({ cluster, context }: ContextRequest) => ({
  ...({ kind: 'cluster-not-read', cluster, context, resource: TENANTS.resource } as const),
  failure: { kind: 'forbidden', message: 'the user of that context may not list them' } as const,
});

const newest = (objects: readonly LiveObject[]): readonly LiveObject[] => [
  ...newestByKey(objects, (it) => it.object).values(),
];
