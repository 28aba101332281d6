import { sortedEntries, valueAt } from '../../../base/core/collections.ts';
import { canonicalQuantity, parseQuantity } from '../../../base/core/quantity.ts';
import { quoted, shortened } from '../../../base/core/words.ts';
import { DEFAULT_SLICE_CLASS } from '../../../base/releases/install-defaults.ts';
import { isReservedKey } from '../../../base/releases/labels.ts';
import type {
  CredentialsSpec,
  Resources,
  SharingEntry,
  SliceEntry,
  VirtualNodeSpec,
} from '../../../base/schema-types/topology.ts';
import { defaultSliceName, type Identity } from '../../../fleet/sharing/shared-model.ts';
import { isJsonMap, type Json, listAt, textAt } from '../../dumps/json.ts';
import type { ObservedSlice, ObservedVirtualNode } from '../../facts/slices.ts';
import { answerFaults, identityOf } from '../../identities/tenant-answer.ts';
import type { ImportFinding } from '../finding.ts';
import { authOf, type LiveLoan, slicesOf } from './live-loan.ts';
import { answerDiffers, answerLeftOut, loanLeftOut, sliceLeftOut } from './sharing-findings.ts';

interface ImportedLoan {
  /** `null` for a loan that a topology cannot express. */
  readonly entry: SharingEntry | null;
  /** The names of its slices. */
  readonly slices: ReadonlySet<string>;
  readonly findings: readonly ImportFinding[];
}

/** Converts a loan into an entry of `sharing`, without the slices of `refused`. */
export function loanEntry(loan: LiveLoan, refused: ReadonlySet<string>): ImportedLoan {
  const { consumer, provider, borrower } = loan;
  const cluster = borrower === null ? provider : consumer;
  const nodes = new Map((borrower?.virtualNodes ?? []).map((it) => [it.slice, it]));
  const findings: ImportFinding[] = [];
  const written = new Map<string, SliceEntry>();
  for (const slice of slicesOf(loan)) {
    const object = { kind: 'ResourceSlice', cluster, namespace: slice.namespace, name: slice.name };
    if (refused.has(slice.name)) {
      findings.push(sliceLeftOut(object, 'a slice of the other direction has this name, and Liqo copies neither'));
      continue;
    }
    const found = sliceEntry(slice, nodes.get(slice.name), provider);
    if (found.kind === 'left-out') findings.push(sliceLeftOut(object, `it is left out, because ${found.why}`));
    else written.set(found.name, found.entry);
  }
  if (written.size === 0) return { entry: null, slices: new Set(), findings: [...findings, ...loanIsLeftOut(loan)] };
  const [first = {}, ...more] = sortedEntries(written).map(([, it]) => it);
  const entry: SharingEntry = {
    consumer,
    provider,
    ...(more.length === 0 ? first : { slices: [first, ...more] }),
    ...conditionOf(loan),
    ...authentication(loan),
  };
  return { entry, slices: new Set(written.keys()), findings };
}

/** Reports nothing for the remains of a loan that has ended. */
function loanIsLeftOut({ consumer, provider, borrower, lender }: LiveLoan): readonly ImportFinding[] {
  const why =
    'there is no slice that can be written, and every loan of a topology has one, so the pair is left out of `sharing`';
  const [tenant, identity] = [lender?.tenants[0], borrower?.identities[0]];
  if (tenant !== undefined) return [loanLeftOut({ kind: 'Tenant', cluster: provider, ...tenant }, why)];
  return identity === undefined ? [] : [loanLeftOut({ kind: 'Identity', cluster: consumer, ...identity }, why)];
}

function conditionOf({ lender }: LiveLoan): Pick<SharingEntry, 'condition'> {
  const condition = lender?.tenants[0]?.condition;
  return condition === 'Cordoned' || condition === 'Drained' ? { condition } : {};
}

function authentication(loan: LiveLoan): Pick<SharingEntry, 'auth' | 'credentials'> {
  if (authOf(loan) === 'handshake') return {};
  const credentials = sourceOf(loan);
  return { auth: 'credentials', ...(credentials === undefined ? {} : { credentials }) };
}

/** Returns the ExternalSecret of the kubeconfig, if it has weft's form. */
function sourceOf({ provider, borrower }: LiveLoan): CredentialsSpec | undefined {
  const [kubeconfig] = borrower?.kubeconfigs ?? [];
  const name = `kubeconfig-controlplane-${provider}`;
  if (kubeconfig === undefined || kubeconfig.name !== name) return undefined;
  const spec = borrower?.externalSecrets.get(`${kubeconfig.namespace}/${name}`);
  const store = textAt(spec, 'secretStoreRef', 'name');
  const kind = textAt(spec, 'secretStoreRef', 'kind');
  const reference = listAt(spec, 'data').find((it) => textAt(it, 'secretKey') === 'kubeconfig');
  const [key, property] = ['key', 'property'].map((it) => textAt(reference, 'remoteRef', it));
  if (store === undefined || key === undefined) return undefined;
  return {
    store,
    ...(kind === 'SecretStore' ? { storeKind: kind } : {}),
    key,
    ...(property === undefined ? {} : { property }),
  };
}

interface ImportedAnswer {
  /** `null` when there is none, or none that can be recorded. */
  readonly identity: Identity | null;
  readonly findings: readonly ImportFinding[];
}

const NOTHING: ImportedAnswer = { identity: null, findings: [] };

/** Returns the provider's answer: the one that the consumer uses, else the one in the provider. */
export function loanAnswer(loan: LiveLoan): ImportedAnswer {
  if (authOf(loan) === 'credentials') return NOTHING;
  const { consumer, provider } = loan;
  const [identity, tenant] = [loan.borrower?.identities[0], loan.lender?.tenants[0]];
  const [used, kept] = [identity?.answer ?? null, tenant?.answer ?? null];
  const answer = used ?? kept;
  if (answer === null) return NOTHING;
  const object =
    used === null || identity === undefined
      ? { kind: 'Tenant', cluster: provider, namespace: tenant?.namespace ?? '', name: tenant?.name ?? '' }
      : { kind: 'Identity', cluster: consumer, namespace: identity.namespace, name: identity.name };
  if (answer.hasAccess)
    return { identity: null, findings: [answerLeftOut(object, 'access to AWS is in it, which is secret')] };
  const [fault] = answerFaults(answer, consumer);
  if (fault !== undefined) return { identity: null, findings: [answerLeftOut(object, fault)] };
  const differs =
    used !== null &&
    kept !== null &&
    (used.certificate !== kept.certificate || used.apiServer !== kept.apiServer || used.proxyURL !== kept.proxyURL);
  const why = `it has another answer than the Tenant in "${provider}" shows; the one that is in use is recorded`;
  return { identity: identityOf(answer), findings: differs ? [answerDiffers(object, why)] : [] };
}

/** A live slice as an entry of the topology, or the reason why it is left out. */
type WrittenSlice =
  | { readonly kind: 'entry'; readonly name: string; readonly entry: SliceEntry }
  | { readonly kind: 'left-out'; readonly why: string };

/** Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go. */
const LONGEST_NAME = 50;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Source: kubernetes/kubernetes@v1.35.0 pkg/apis/core/v1/helper (IsExtendedResourceName), staging/src/k8s.io/api/core/v1/types.go (ResourceName). */
const RESOURCE =
  /^(cpu|memory|pods|(ephemeral-)?storage|(hugepages|attachable-volumes)-[-A-Za-z0-9_.]*[A-Za-z0-9]|[a-z0-9.-]+\/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)$/;

/** Quantities that are written as plain numbers, because YAML reads them back unchanged. */
const PLAIN_NUMBER = /^(0|[1-9]\d{0,8})$/;

function sliceEntry(slice: ObservedSlice, node: ObservedVirtualNode | undefined, provider: string): WrittenSlice {
  const { name } = slice;
  if (!LABEL.test(name) || name.length > LONGEST_NAME)
    return sliceIsLeftOut(`a slice of a topology has a DNS label of at most ${LONGEST_NAME} characters as its name`);
  if (!slice.makesNode)
    return sliceIsLeftOut('Liqo makes no virtual node of it, and of the slices of a topology it does');
  if (slice.class !== '' && !LABEL.test(slice.class))
    return sliceIsLeftOut(`its class ${quoted(shortened(slice.class, 40))} is no DNS label`);
  const wrong = Object.entries(slice.resources).find(
    ([key, it]) => !RESOURCE.test(key) || it.startsWith('-') || parseQuantity(it) === undefined,
  );
  if (wrong !== undefined)
    return sliceIsLeftOut(`${quoted(shortened(wrong.join(': '), 60))} is no resource with a quantity`);
  const none = ['cpu', 'memory'].find((it) => {
    const found = valueAt(slice.resources, it);
    return found !== undefined && canonicalQuantity(found) === '0';
  });
  if (none !== undefined) return sliceIsLeftOut(`it asks for no ${none}, so that no pod can run on its virtual node`);
  const settings = node === undefined ? undefined : nodeSettings(node, slice);
  return {
    kind: 'entry',
    name,
    entry: {
      ...(name === defaultSliceName(provider) ? {} : { name }),
      ...(slice.class === '' || slice.class === DEFAULT_SLICE_CLASS ? {} : { class: slice.class }),
      ...(Object.keys(slice.resources).length === 0 ? {} : { resources: resourcesOf(slice.resources) }),
      ...(settings === undefined ? {} : { virtualNode: settings }),
    },
  };
}

const sliceIsLeftOut = (why: string): WrittenSlice => ({ kind: 'left-out', why });

const ORDER = ['cpu', 'memory', 'pods'];

/** Sorts the most common resources first. */
function resourcesOf(resources: Readonly<Record<string, string>>): Resources {
  const rank = (name: string): string => `${ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length} ${name}`;
  const names = Object.keys(resources).sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return Object.fromEntries(
    names.map((it) => {
      const text = canonicalQuantity(valueAt(resources, it) ?? '');
      return [it, PLAIN_NUMBER.test(text) ? Number(text) : text];
    }),
  );
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** Returns the settings that users added to the virtual node; `undefined` for none. */
function nodeSettings(node: ObservedVirtualNode, { nodeLabels }: ObservedSlice): VirtualNodeSpec | undefined {
  const labels = Object.entries(node.labels).filter(
    ([key, value]) => !isReservedKey(key) && valueAt(nodeLabels, key) !== value,
  );
  const annotations = Object.entries(node.annotations).filter(([key]) => !isReservedKey(key));
  const taints = node.taints.flatMap(taintOf);
  const settings: VirtualNodeSpec = {
    ...(labels.length === 0 ? {} : { labels: Object.fromEntries(labels) }),
    ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
    ...(taints.length === 0 ? {} : { taints }),
    ...(node.createNode === false ? { createNode: false } : {}),
    ...(node.disableNetworkCheck === true ? { networkCheck: false } : {}),
    ...(node.runtimeClass === null ? {} : { runtimeClass: node.runtimeClass }),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

function taintOf(taint: Json): NonNullable<VirtualNodeSpec['taints']> {
  const [key, value] = [textAt(taint, 'key'), textAt(taint, 'value')];
  const effect = EFFECTS.find((it) => isJsonMap(taint) && taint['effect'] === it);
  if (key === undefined || effect === undefined) return [];
  return [{ key, ...(value === undefined || value === '' ? {} : { value }), effect }];
}
