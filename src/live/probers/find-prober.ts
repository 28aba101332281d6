import { listOf, quoted } from '../../base/core/words.ts';
import type { Code } from '../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { containsAddress } from '../../base/net/prefix.ts';
import { printAddress, printPrefix } from '../../base/net/text.ts';
import { type Span, startOf } from '../../base/source/source.ts';
import { PROBER_NAME, PROBER_NAMESPACE } from '../../bundle/conformance/prober-names.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { ObservedPod, ObservedProber } from '../facts/probers.ts';

/** The prober of a cluster, to and from which packets are sent. */
interface FoundProber {
  readonly cluster: string;
  readonly pod: string;
  readonly address: number;
}

/** The cluster of a prober, and the context that leads to it, for commands. */
interface LookedAt {
  readonly cluster: AddressedCluster;
  readonly context: string;
}

/** Finds the one pod of a prober that can send and answer, or says why there is none. */
export function findProber(at: LookedAt, { hasDeployment, pods }: ObservedProber): Outcome<FoundProber> {
  const { cluster } = at;
  const running = pods.filter((it) => !it.isBeingDeleted);
  const [pod, ...others] = running;
  const name = quoted(cluster.name);
  if (pod === undefined)
    return hasDeployment
      ? proberFault(at, 'conformance/prober-not-ready', `the prober of ${name} has no pod`, describe(at))
      : proberFault(at, 'conformance/no-prober', `${name} has no prober: there is no Deployment ${PLACE}`, APPLY);
  if (others.length > 0)
    return proberFault(
      at,
      'conformance/several-probers',
      `${name} has ${running.length} pods of the prober, and one is dialled: ${listOf(running.map((it) => it.name))}`,
      'wait until the rollout of the prober is over, and set its replicas to 1 if it was scaled',
    );
  if (!pod.isReady || pod.address === null)
    return proberFault(at, 'conformance/prober-not-ready', notReady(name, pod), describe(at));
  const { address } = pod;
  if (!cluster.podCIDRs.some((it) => containsAddress(it.value, address)))
    return proberFault(
      at,
      'conformance/prober-elsewhere',
      `the prober of ${name} has the address ${printAddress(address)}, which is in no pod CIDR of ${name} (${listOf(cluster.podCIDRs.map((it) => printPrefix(it.value)))})`,
      `correct \`podCIDR\` of ${name}, or move the pod to a node of the cluster itself: it is on ${pod.node === null ? 'an unknown node' : quoted(pod.node)}`,
    );
  return outcome({ cluster: cluster.name, pod: pod.name, address });
}

const PLACE = `${PROBER_NAMESPACE}/${PROBER_NAME}`;

const APPLY = 'apply the bundle of this cluster: with `conformance: true` in the topology, it contains the prober';

const describe = ({ context }: LookedAt): string =>
  `run "kubectl --context ${context} -n ${PROBER_NAMESPACE} describe pods"`;

const notReady = (name: string, { name: pod, waitsFor }: ObservedPod): string =>
  `the prober of ${name} is not ready: pod ${pod}${waitsFor === null ? '' : ` waits, ${waitsFor}`}`;

/** Without the key of the topology, no bundle has a prober. */
export const proberOff = (fleet: Span): Diagnostic =>
  diagnostic('conformance/off', fleet, 'the topology has no `conformance: true`, so its bundles have no prober', {
    hint: 'add `conformance: true`, run "weft compile", and apply the bundles',
  });

/** The prober is there, and kubectl could not send from it. */
export const notDialled = (at: LookedAt, why: string): Diagnostic =>
  prober(at, 'conformance/not-dialled', `nothing was sent from the prober of ${quoted(at.cluster.name)}: ${why}`, {
    hint: `run "kubectl --context ${at.context} -n ${PROBER_NAMESPACE} exec deploy/${PROBER_NAME} -- true": it needs the right to create pods/exec there`,
  });

const proberFault = (at: LookedAt, code: Code, message: string, hint: string): Outcome<never> =>
  failure([prober(at, code, message, { hint })]);

const prober = ({ context }: LookedAt, code: Code, message: string, more: { readonly hint: string }): Diagnostic =>
  diagnostic(code, startOf({ path: `context ${context}`, text: '' }), message, more);
