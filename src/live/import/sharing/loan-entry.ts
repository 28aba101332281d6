import { by } from '../../../base/core/order.ts';
import type { CredentialsSpec, SharingEntry, SliceEntry } from '../../../base/schema-types/topology.ts';
import { isJsonMap, type Json, jsonAt, textAt } from '../../dumps/json.ts';
import type { Finding } from '../finding.ts';
import { authOf, type LiveLoan, slicesOf } from './live-loan.ts';
import { loanLeftOut, sliceLeftOut } from './sharing-findings.ts';
import { sliceEntry } from './slice-entry.ts';

interface ImportedLoan {
  /** `null` for a loan that a topology cannot say. */
  readonly entry: SharingEntry | null;
  /** Names of the slices that are in it. */
  readonly slices: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/** A loan as an entry of `sharing`, without slices of these names. */
export function loanEntry(loan: LiveLoan, refused: ReadonlySet<string>): ImportedLoan {
  const { consumer, provider, borrower } = loan;
  const cluster = borrower === null ? provider : consumer;
  const nodes = new Map((borrower?.virtualNodes ?? []).map((it) => [it.slice, it]));
  const findings: Finding[] = [];
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
  if (written.size === 0) return { entry: null, slices: new Set(), findings: [...findings, ...leftOut(loan)] };
  const [first = {}, ...more] = [...written].sort(by(([name]) => name)).map(([, it]) => it);
  const entry: SharingEntry = {
    consumer,
    provider,
    ...(more.length === 0 ? first : { slices: [first, ...more] }),
    ...conditionOf(loan),
    ...authentication(loan),
  };
  return { entry, slices: new Set(written.keys()), findings };
}

/** Nothing for what is left of a loan that has ended. */
function leftOut({ consumer, provider, borrower, lender }: LiveLoan): readonly Finding[] {
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

/** The ExternalSecret that makes the kubeconfig, if it is as weft writes one. */
function sourceOf({ provider, borrower }: LiveLoan): CredentialsSpec | undefined {
  const [kubeconfig] = borrower?.kubeconfigs ?? [];
  const name = `kubeconfig-controlplane-${provider}`;
  if (kubeconfig === undefined || kubeconfig.name !== name) return undefined;
  const spec = borrower?.externalSecrets.get(`${kubeconfig.namespace}/${name}`);
  const store = textAt(spec, 'secretStoreRef', 'name');
  const kind = textAt(spec, 'secretStoreRef', 'kind');
  const data = jsonAt(spec, 'data');
  const reference = (Array.isArray(data) ? (data as readonly Json[]) : []).find(
    (it) => isJsonMap(it) && it['secretKey'] === 'kubeconfig',
  );
  const [key, property] = ['key', 'property'].map((it) => textAt(reference, 'remoteRef', it));
  if (store === undefined || key === undefined) return undefined;
  return {
    store,
    ...(kind === 'SecretStore' ? { storeKind: kind } : {}),
    key,
    ...(property === undefined ? {} : { property }),
  };
}
