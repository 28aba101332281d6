import { quoted } from '../../../base/core/words.ts';
import type { ObservedSlice } from '../../observed/observed-sharing.ts';
import type { Finding } from '../finding.ts';
import { authOf, type LiveLoan, slicesOf } from './live-loan.ts';
import {
  loanIncomplete,
  otherAccount,
  otherName,
  proxyLeftOut,
  sliceNotAccepted,
  virtualNodeByHand,
} from './sharing-findings.ts';

/** What weft would write in another way than it is, or what is broken, of a loan that is written. */
export function* loanFindings(loan: LiveLoan, written: ReadonlySet<string>): Iterable<Finding> {
  yield* missingObjects(loan);
  yield* missingCopies(loan);
  yield* otherNames(loan);
  yield* inProvider(loan);
  for (const it of slicesOf(loan)) if (written.has(it.name)) yield* notAccepted(it, loan);
  yield* virtualNodes(loan, written);
}

/** One side is missing: only where both are known. */
function* missingObjects(loan: LiveLoan): Iterable<Finding> {
  const { consumer, provider, borrower, lender } = loan;
  if (borrower === null || lender === null) return;
  const [tenant, identity, kubeconfig] = [lender.tenants[0], borrower.identities[0], borrower.kubeconfigs[0]];
  const [slice] = borrower.slices;
  const inConsumer = { kind: 'ResourceSlice', cluster: consumer, namespace: '', name: '', ...(slice ?? {}) };
  if (tenant === undefined) {
    const object = identity === undefined ? inConsumer : { kind: 'Identity', cluster: consumer, ...identity };
    if (identity !== undefined || slice !== undefined)
      yield loanIncomplete(object, `${quoted(provider)} has no Tenant of ${quoted(consumer)}`);
    return;
  }
  const object = { kind: 'Tenant', cluster: provider, ...tenant };
  if (authOf(loan) === 'credentials') {
    if (kubeconfig === undefined)
      yield loanIncomplete(object, `${quoted(consumer)} has no Secret with a kubeconfig for ${quoted(provider)}`);
  } else if (tenant.answer === null) {
    yield loanIncomplete(object, `${quoted(provider)} has not signed a certificate for ${quoted(consumer)}`);
  } else if (identity === undefined) {
    yield loanIncomplete(object, `${quoted(consumer)} has no Identity with the answer of ${quoted(provider)}`);
  }
}

/** Slices at one end alone. */
function* missingCopies({ consumer, provider, borrower, lender }: LiveLoan): Iterable<Finding> {
  if (borrower === null || lender === null) return;
  const [own, copies] = [borrower.slices, lender.copies].map((all) => new Set(all.map((it) => it.name)));
  const object = (cluster: string, it: ObservedSlice) => ({ kind: 'ResourceSlice', cluster, ...it });
  for (const it of borrower.slices)
    if (copies?.has(it.name) === false)
      yield loanIncomplete(object(consumer, it), `it was not copied to ${quoted(provider)}`);
  for (const it of lender.copies)
    if (own?.has(it.name) === false)
      yield loanIncomplete(object(provider, it), `${quoted(consumer)} has no slice that this is the copy of`);
}

/** Objects that weft calls otherwise: it would add a second one, where Liqo wants one. */
function* otherNames(loan: LiveLoan): Iterable<Finding> {
  const { consumer, provider, borrower, lender } = loan;
  const [tenant, ...tenants] = lender?.tenants ?? [];
  const [identity, ...identities] = borrower?.identities ?? [];
  const [nonce] = lender?.nonces ?? [];
  const [kubeconfig] = borrower?.kubeconfigs ?? [];
  const isHandshake = authOf(loan) === 'handshake';
  const say = (name: string): string => `weft calls it ${quoted(name)}`;
  if (tenant !== undefined && tenant.name !== consumer)
    yield otherName(
      { kind: 'Tenant', cluster: provider, ...tenant },
      `${say(consumer)}, and Liqo refuses a second one`,
    );
  if (isHandshake && nonce !== undefined && nonce.name !== 'liqo-nonce')
    yield otherName(
      { kind: 'Secret', cluster: provider, ...nonce },
      `${say('liqo-nonce')}, and Liqo refuses two nonces`,
    );
  if (identity !== undefined && identity.name !== `controlplane-${provider}`)
    yield otherName({ kind: 'Identity', cluster: consumer, ...identity }, say(`controlplane-${provider}`));
  if (!isHandshake && kubeconfig !== undefined && kubeconfig.name !== `kubeconfig-controlplane-${provider}`)
    yield otherName({ kind: 'Secret', cluster: consumer, ...kubeconfig }, say(`kubeconfig-controlplane-${provider}`));
  for (const it of tenants) yield otherName({ kind: 'Tenant', cluster: provider, ...it }, 'it is a second one');
  for (const it of identities) yield otherName({ kind: 'Identity', cluster: consumer, ...it }, 'it is a second one');
}

/** Source of the binding: liqotech/liqo@v1.2.0 docs/advanced/peering/peering-via-cr.md. */
function* inProvider(loan: LiveLoan): Iterable<Finding> {
  const { consumer, provider, lender } = loan;
  const [tenant] = lender?.tenants ?? [];
  if (tenant === undefined || lender === null) return;
  if (tenant.proxyURL !== null) {
    const why = 'its proxyURL leads through the tunnel, and the Tenant of weft has none';
    yield proxyLeftOut({ kind: 'Tenant', cluster: provider, ...tenant }, why);
  }
  if (authOf(loan) === 'handshake') return;
  const ours = `ServiceAccount ${tenant.namespace}/consumer-${consumer}`;
  const binding = lender.accounts.get(`${tenant.namespace}/liqo-binding-liqo-remote-controlplane`);
  const others = (binding?.subjects ?? []).filter((it) => it !== ours);
  if (binding === undefined || others.length === 0) return;
  const why = `it lets in ${quoted(others.join(', '))}, and that of weft only ${quoted(ours)}`;
  yield otherAccount({ kind: 'RoleBinding', cluster: provider, ...binding }, why);
}

function* notAccepted(slice: ObservedSlice, { consumer, provider, borrower, lender }: LiveLoan): Iterable<Finding> {
  const object = { kind: 'ResourceSlice', cluster: borrower === null ? provider : consumer, ...slice };
  const denied = [...slice.conditions].filter(([, status]) => status === 'Denied').map(([type]) => type);
  if (denied.length > 0) yield sliceNotAccepted(object, `${quoted(provider)} denied it (${denied.join(', ')})`);
  if (lender?.copies.some((it) => it.name === slice.name && it.isCordoned) === true)
    yield sliceNotAccepted(
      object,
      `an annotation of its copy in ${quoted(provider)} cordons it, which weft does not write`,
    );
}

function* virtualNodes({ consumer, borrower }: LiveLoan, written: ReadonlySet<string>): Iterable<Finding> {
  for (const it of borrower?.virtualNodes ?? []) {
    const object = { kind: 'VirtualNode', cluster: consumer, ...it };
    if (it.slice === null || !written.has(it.slice))
      yield virtualNodeByHand(object, 'Liqo has not made it of a slice that weft writes');
    else if (it.patched.length > 0)
      yield virtualNodeByHand(
        object,
        `weft does not write ${it.patched.join(', ')} of its offloadingPatch, and leaves it`,
      );
  }
}
