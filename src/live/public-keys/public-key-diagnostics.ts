import { firstOf, quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { REMOTE_CLUSTER_LABEL } from '../../base/releases/labels.ts';
import type { Span } from '../../base/source/source.ts';
import type { GatewayName } from '../../fleet/keys/missing-keys.ts';

/** A Secret, as messages name it. */
interface NamedSecret {
  readonly name: string;
  readonly remote: string | null;
}

const gatewayText = ({ cluster, peer }: GatewayName): string => `the gateway of "${cluster}" towards "${peer}"`;

/** @param secret the Secret that is there without a public half, if there is one */
export const notMade = (at: Span, { cluster, peer }: GatewayName, secret?: string): Diagnostic =>
  diagnostic(
    'public-keys/not-made',
    at,
    secret === undefined
      ? `"${cluster}" has no Secret with a key pair for "${peer}" yet`
      : `the Secret "${secret}" of "${cluster}" for "${peer}" has no publicKey in what was read`,
    {
      hint:
        secret === undefined
          ? `apply the bundle of "${cluster}", wait until the gateway has its Secret, and collect again`
          : `read "${cluster}" with --context, or with a new dump: "weft import --print-commands" prints how to make it`,
    },
  );

export const severalSecrets = (at: Span, { cluster, peer }: GatewayName, secrets: readonly NamedSecret[]): Diagnostic =>
  diagnostic(
    'public-keys/wrong-secret',
    at,
    `"${cluster}" has ${secrets.length} Secrets with the labels of a key pair for "${peer}": ${firstOf(
      secrets.map((it) => quoted(it.name)),
      3,
    )}`,
    {
      hint: 'remove the labels from all but the one that the gateway uses: with several, Liqo does not change the gateway',
    },
  );

export const otherLabel = (at: Span, { cluster, peer }: GatewayName, { name, remote }: NamedSecret): Diagnostic =>
  diagnostic(
    'public-keys/wrong-secret',
    at,
    `the Secret "${name}" of "${cluster}" for "${peer}" has the label of a remote cluster "${remote ?? ''}"`,
    { hint: `set its label ${REMOTE_CLUSTER_LABEL} to "${peer}", or remove the Secret` },
  );

/** The error about a text that is no key, with a hint for a Secret. */
export const correctSecret = (fault: Diagnostic, { cluster }: GatewayName, { name }: NamedSecret): Diagnostic => ({
  ...fault,
  hint: `correct the Secret "${name}" in "${cluster}", or delete it and the gateway pod, so that Liqo makes another pair`,
});

export const keyOfAnother = (at: Span, gateway: GatewayName, other: GatewayName): Diagnostic =>
  diagnostic(
    gateway.cluster === other.peer && gateway.peer === other.cluster ? 'keys/same-at-both-ends' : 'keys/used-twice',
    at,
    `${gatewayText(gateway)} has the key of ${gatewayText(other)}`,
    {
      hint: `check that what was read is of "${gateway.cluster}"; if it is, delete one of the two Secrets: each gateway needs a pair of its own`,
    },
  );

export const keyDiffers = (at: Span, gateway: GatewayName): Diagnostic =>
  diagnostic('public-keys/differs', at, `${gatewayText(gateway)} has another key than the recorded one, which stays`, {
    hint: `if its cluster has made another pair, pass --replace: the tunnel is down until "${gateway.peer}" has the new key`,
  });

export const noGateway = (at: Span, cluster: string, remotes: readonly string[]): Diagnostic =>
  diagnostic(
    'public-keys/no-gateway',
    at,
    `"${cluster}" has key pairs for gateways that the topology does not have: ${firstOf(remotes.map(quoted), 5)}`,
    { hint: 'ignore them, or remove what is left of a former peering' },
  );
