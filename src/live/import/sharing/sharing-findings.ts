import { firstOf, quoted } from '../../../base/core/words.ts';
import type { Code } from '../../../base/diagnostics/codes.ts';
import type { Place } from '../../dumps/kubernetes-object.ts';
import type { ObservedSlice } from '../../facts/slices.ts';
import { IMPORT_AGAIN, type ImportFinding, objectText } from '../finding.ts';
import { authOf, type LiveLoan, slicesOf } from './live-loan.ts';

/** An object of a live cluster, for messages. */
interface Named extends Place {
  readonly kind: string;
  readonly cluster: string;
}

/** `Tenant liqo-tenant-rome/rome of "milan"` */
const liveObjectText = (it: Named): string => `${objectText(it.kind, it)} of ${quoted(it.cluster)}`;

const about =
  (code: Code, hint: string) =>
  (object: Named, why: string): ImportFinding => ({
    code,
    cluster: object.cluster,
    message: `${liveObjectText(object)}: ${why}`,
    hint,
  });

export const sliceLeftOut = about(
  'import/slice-left-out',
  'keep it outside of git, or make a slice as weft writes it beside it, and delete this one once no pod runs on its virtual node',
);

const sliceNotAccepted = about(
  'import/slice-not-accepted',
  'weft expects that Liqo accepts it: find out in the provider why it does not, or remove the slice from the topology',
);

const virtualNodeByHand = about(
  'import/virtual-node-by-hand',
  'keep it outside of git, or set the same below `virtualNode` of a slice',
);

export const offloadingLeftOut = about(
  'import/offloading-left-out',
  'it stays as it is, and weft does not know of it: do not offload the namespace by an entry before this is corrected',
);

export const selectorInOtherWords = about(
  'import/selector-by-name',
  'remove a provider from `to` if the namespace is not to be there; from the first apply on, git decides',
);

const otherName = about(
  'import/other-name',
  'leave the pair out of `sharing`; or end the loan, which ends its pods, and apply the bundle once the object is deleted',
);

const otherAccount = about(
  'import/other-account',
  'make a token of the ServiceAccount that weft writes, and change the kubeconfig before the bundle is applied',
);

const proxyLeftOut = about(
  'import/proxy-left-out',
  'make the API server reachable outside the tunnel, or keep this Tenant outside of git',
);

export const answerLeftOut = about(
  'import/answer-left-out',
  'correct it, and run "weft identities collect"; the live Identity stays until then',
);

export const answerDiffers = about(
  'import/answer-differs',
  'wait until both clusters have the same, or run "weft identities collect" to record the newer one',
);

export const authenticationLeftOut = about(
  'import/authentication-left-out',
  `do not run "weft keys generate" for this consumer, since another key ends the loan: correct the object, or dump it and the Secrets too, and ${IMPORT_AGAIN}`,
);

export const loanLeftOut = about(
  'import/loan-left-out',
  `keep the objects of the pair outside of git, or correct this and ${IMPORT_AGAIN}`,
);

/** The bundles complete a loan only as far as a dump shows its key and its answer. */
const loanIncomplete = (complete: string) =>
  about('import/loan-incomplete', `${complete}; if the loan has ended, remove its entry and delete the object`);

/** The most clusters that a message names. */
const SHOWN = 5;

/** Reports a loan of which only one end was dumped. */
export function halfKnown(known: string, missing: readonly string[], what: string): ImportFinding {
  const names = firstOf(missing.map(quoted), SHOWN);
  return {
    code: 'import/loan-half-known',
    cluster: known,
    message: `there is no dump of ${names}, and ${quoted(known)} ${what}`,
    hint: `dump the other clusters too, and ${IMPORT_AGAIN}`,
  };
}

/** One message for all clusters whose chart is unknown. */
export function chartUnknown(clusters: readonly string[]): readonly ImportFinding[] {
  const [first] = clusters;
  if (first === undefined) return [];
  return [
    {
      code: 'import/chart-unknown',
      cluster: first,
      message: `what the chart of Liqo was given for loans is not known of ${firstOf(clusters.map(quoted), SHOWN)}, so nothing is written of it`,
      hint: 'dump their Deployments and VkOptionsTemplates too, or compare `helmValues` with the values of the chart before you install it again',
    },
  ];
}

/** Reports the parts of an imported loan that are broken, or that weft would write differently. */
export function* loanFindings(loan: LiveLoan, written: ReadonlySet<string>): Iterable<ImportFinding> {
  yield* missingLoanObjects(loan);
  yield* missingCopies(loan);
  yield* otherNames(loan);
  yield* inProvider(loan);
  for (const it of slicesOf(loan)) if (written.has(it.name)) yield* notAccepted(it, loan);
  yield* virtualNodes(loan, written);
}

/** Reports objects that are missing on one side, if both were dumped. */
function* missingLoanObjects(loan: LiveLoan): Iterable<ImportFinding> {
  const { consumer, provider, borrower, lender } = loan;
  if (borrower === null || lender === null) return;
  const [tenant, identity, kubeconfig] = [lender.tenants[0], borrower.identities[0], borrower.kubeconfigs[0]];
  const [slice] = borrower.slices;
  const inConsumer = { kind: 'ResourceSlice', cluster: consumer, namespace: '', name: '', ...(slice ?? {}) };
  if (tenant === undefined) {
    const object = identity === undefined ? inConsumer : { kind: 'Identity', cluster: consumer, ...identity };
    const complete = `apply the bundle of ${quoted(provider)} if it has one, otherwise make it with "liqoctl authenticate" and ${IMPORT_AGAIN}`;
    if (identity !== undefined || slice !== undefined)
      yield loanIncomplete(complete)(object, `no Tenant of ${quoted(consumer)} was found in ${quoted(provider)}`);
    return;
  }
  const object = { kind: 'Tenant', cluster: provider, ...tenant };
  if (authOf(loan) === 'credentials') {
    if (kubeconfig === undefined)
      yield loanIncomplete('bring it there with your secret manager')(
        object,
        `no Secret with a kubeconfig for ${quoted(provider)} was found in ${quoted(consumer)}`,
      );
  } else if (tenant.answer === null) {
    yield loanIncomplete(`wait and ${IMPORT_AGAIN}; if it stays, see the events of the Tenant`)(
      object,
      `${quoted(provider)} has not signed a certificate for ${quoted(consumer)}`,
    );
  } else if (identity === undefined) {
    yield loanIncomplete(`apply the bundle of ${quoted(consumer)}, which has it`)(
      object,
      `no Identity with the answer of ${quoted(provider)} was found in ${quoted(consumer)}`,
    );
  }
}

/** Reports slices that exist at one end only. */
function* missingCopies({ consumer, provider, borrower, lender }: LiveLoan): Iterable<ImportFinding> {
  if (borrower === null || lender === null) return;
  const [own, copies] = [borrower.slices, lender.copies].map((all) => new Set(all.map((it) => it.name)));
  const object = (cluster: string, it: ObservedSlice) => ({ kind: 'ResourceSlice', cluster, ...it });
  for (const it of borrower.slices)
    if (copies?.has(it.name) === false)
      yield loanIncomplete('rename it if the other direction has a slice of this name, otherwise read the log of Liqo')(
        object(consumer, it),
        `it was not copied to ${quoted(provider)}`,
      );
  for (const it of lender.copies)
    if (own?.has(it.name) === false)
      yield loanIncomplete(`if ${quoted(consumer)} has it, dump it and ${IMPORT_AGAIN}`)(
        object(provider, it),
        `${quoted(consumer)} has no slice that this is the copy of`,
      );
}

/** Reports objects for which weft has another name: it would add a second one where Liqo expects one. */
function* otherNames(loan: LiveLoan): Iterable<ImportFinding> {
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

/** The name of the binding is from liqotech/liqo@v1.2.0 docs/advanced/peering/peering-via-cr.md. */
function* inProvider(loan: LiveLoan): Iterable<ImportFinding> {
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

function* notAccepted(
  slice: ObservedSlice,
  { consumer, provider, borrower, lender }: LiveLoan,
): Iterable<ImportFinding> {
  const object = { kind: 'ResourceSlice', cluster: borrower === null ? provider : consumer, ...slice };
  const denied = [...slice.conditions].filter(([, status]) => status === 'Denied').map(([type]) => type);
  if (denied.length > 0) yield sliceNotAccepted(object, `${quoted(provider)} denied it (${denied.join(', ')})`);
  if (lender?.copies.some((it) => it.name === slice.name && it.isCordoned) === true)
    yield sliceNotAccepted(
      object,
      `an annotation of its copy in ${quoted(provider)} cordons it, which weft does not write`,
    );
}

function* virtualNodes({ consumer, borrower }: LiveLoan, written: ReadonlySet<string>): Iterable<ImportFinding> {
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
