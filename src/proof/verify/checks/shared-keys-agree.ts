import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { DocumentPath } from '../../../base/source/document-node.ts';
import type { ExpectedShare, RecordedKey } from '../expected/expect-shares.ts';
import { type FoundText, type KubeObject, textAt } from '../kube-object.ts';
import type { ReadBundle } from '../read-bundle.ts';
import {
  certificateProblem,
  consumerSubject,
  isSignatureOf,
  type ProvenKey,
  publicKeyOf,
  requestProblem,
  sliceSubject,
  textOfBase64,
} from '../sharing/prove-key.ts';
import type { FleetCheck } from './bundle-check.ts';

/**
 * The data that a consumer and a provider have about each other equals the keys file and the identities file, and the
 * provider accepts it: the nonce is signed by the key, every request has the required subject and this key, and every
 * certificate has the consumer as its subject. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/csr.go, tenant-controller/tenant_controller.go.
 */
export const sharedKeysAgree: FleetCheck = function* ({ expected, bundle }) {
  for (const share of expected.shares) {
    if (share.key === null) continue;
    const key = publicKeyOf(share.key.publicKey);
    if (share.auth === 'handshake') {
      yield* inProvider(bundle, share, share.key, key);
      yield* certificate(bundle, share);
    }
    yield* requestsOfSlices(bundle, share, key);
  }
};

type Key = ProvenKey | undefined;

/** Checks the nonce with its signature, the key and the request in the provider. */
function* inProvider(
  bundle: ReadBundle,
  { consumer, provider }: ExpectedShare,
  recorded: RecordedKey,
  key: Key,
): Iterable<Diagnostic> {
  const objects = bundle.objects.get(`${provider}/sharing/${consumer}.yaml`) ?? [];
  const [nonce] = objects.filter((it) => it.kind === 'Secret');
  const [tenant] = objects.filter((it) => it.kind === 'Tenant');
  const whose = `that "${provider}" has of "${consumer}"`;
  if (nonce) {
    const found = textAt(nonce.node, ['data', 'nonce']);
    const text = { ...found, text: found.text === undefined ? undefined : (textOfBase64(found.text) ?? found.text) };
    yield* agrees(text, `the nonce ${whose}`, { wanted: recorded.nonce, file: 'keys' });
  }
  if (!tenant) return;
  const isSigned = key !== undefined && isSignatureOf(recorded, key);
  const of = (field: string, what: string, wanted: string, problem?: string): Iterable<Diagnostic> =>
    agrees(textAt(tenant.node, ['spec', field]), `the ${what} ${whose}`, { wanted, file: 'keys', problem });
  yield* of('publicKey', 'public key', recorded.publicKey, key ? undefined : 'is no public key');
  yield* of('signature', 'signature', recorded.signature, isSigned ? undefined : 'is not the one of its nonce');
  const problem = key && requestProblem(recorded.request, key, consumerSubject(consumer));
  yield* of('csr', 'certificate request', recorded.request, problem);
}

/** Checks the provider's answer in the consumer. */
function* certificate(bundle: ReadBundle, share: ExpectedShare): Iterable<Diagnostic> {
  const { consumer, provider, answer } = share;
  for (const { node } of inConsumer(bundle, share).filter((it) => it.kind === 'Identity')) {
    if (answer === null) continue;
    yield* agrees(textAt(node, SIGNED), `the certificate that "${consumer}" has of "${provider}"`, {
      wanted: answer.certificate,
      file: 'identities',
      problem: certificateProblem(answer.certificate, consumerSubject(consumer)),
    });
  }
}

const SIGNED: DocumentPath = ['spec', 'authParams', 'signedCRT'];

function* requestsOfSlices(bundle: ReadBundle, share: ExpectedShare, key: Key): Iterable<Diagnostic> {
  const found = new Map(inConsumer(bundle, share).map((it) => [`${it.kind} ${it.name}`, it]));
  for (const { name, request } of share.slices) {
    const object = found.get(`ResourceSlice ${name}`);
    if (!object || request === null) continue;
    yield* agrees(textAt(object.node, ['spec', 'csr']), `the certificate request of slice "${name}"`, {
      wanted: request,
      file: 'keys',
      problem: key && requestProblem(request, key, sliceSubject(share.consumer, name)),
    });
  }
}

const inConsumer = ({ objects }: ReadBundle, { consumer, provider }: ExpectedShare): readonly KubeObject[] =>
  objects.get(`${consumer}/sharing/${provider}.yaml`) ?? [];

interface KeyInGit {
  readonly wanted: string;
  readonly file: 'keys' | 'identities';
  /** The defect of the recorded text. */
  readonly problem?: string | undefined;
}

/** Compares two texts. They are long, so the message does not contain them. */
function* agrees(found: FoundText, what: string, { wanted, file, problem }: KeyInGit): Iterable<Diagnostic> {
  const hint = `restore the ${file} file from git, or run "weft compile" if it is right`;
  if (found.text === undefined) yield diagnostic('verify/key', found.at, `${what} is missing`, { hint });
  else if (found.text !== wanted) {
    yield diagnostic('verify/key', found.at, `${what} is not the one in the ${file} file`, { hint });
  } else if (problem) yield diagnostic('verify/key', found.at, `${what} ${problem}`, { hint });
}
