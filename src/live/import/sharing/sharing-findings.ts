import { firstOf, quoted, shortened } from '../../../base/core/words.ts';
import type { Code } from '../../../base/diagnostics/codes.ts';
import type { Place } from '../../observed/place.ts';
import type { Finding } from '../finding.ts';

/** An object of a live cluster, for messages. */
interface Named extends Place {
  readonly kind: string;
  readonly cluster: string;
}

/** A name from a dump can be long. */
const LONGEST = 80;

const shown = (text: string): string => shortened(text, LONGEST);

/** `Tenant liqo-tenant-rome/rome of "milan"` */
const named = ({ kind, cluster, namespace, name }: Named): string =>
  `${kind} ${shown(namespace)}/${shown(name)} of ${quoted(cluster)}`;

const about =
  (code: Code, hint: string) =>
  (object: Named, why: string): Finding => ({
    code,
    cluster: object.cluster,
    message: `${named(object)}: ${why}`,
    hint,
  });

export const sliceLeftOut = about(
  'import/slice-left-out',
  'keep it outside of git, or make a slice as weft writes it beside it, and delete this one once no pod runs on its virtual node',
);

export const sliceNotAccepted = about(
  'import/slice-not-accepted',
  'weft expects that Liqo accepts it: find out in the provider why it does not, or remove the slice from the topology',
);

export const virtualNodeByHand = about(
  'import/virtual-node-by-hand',
  'keep it outside of git, or set the same below `virtualNode` of a slice',
);

export const offloadingLeftOut = about(
  'import/offloading-left-out',
  'it stays as it is, and weft does not know of it: do not offload the namespace by an entry before this is corrected',
);

export const selectorInOtherWords = about(
  'import/selector-by-name',
  'compare the providers in `to`; from the first apply on, git decides which they are',
);

export const otherName = about(
  'import/other-name',
  'leave the pair out of `sharing`; or end the loan, which ends its pods, and apply the bundle once the object is deleted',
);

export const otherAccount = about(
  'import/other-account',
  'make a token of the ServiceAccount that weft writes, and change the kubeconfig before the bundle is applied',
);

export const proxyLeftOut = about(
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
  'do not run "weft keys generate" for this consumer, since another key ends the loan: correct the object, or dump it and the Secrets too, and import again',
);

export const loanLeftOut = about(
  'import/loan-left-out',
  'keep the objects of the pair outside of git, or correct this and import again',
);

export const loanIncomplete = about(
  'import/loan-incomplete',
  'applying the bundles makes what is missing; if the loan has ended, remove its entry and delete the object',
);

/** Clusters that a message names. */
const SHOWN = 5;

/** What is known of one end of a loan only. */
export function halfKnown(known: string, missing: readonly string[], what: string): Finding {
  const names = firstOf(missing.map(quoted), SHOWN);
  return {
    code: 'import/loan-half-known',
    cluster: known,
    message: `there is no dump of ${names}, and ${quoted(known)} ${what}`,
    hint: 'dump the other clusters too, and import again',
  };
}

/** One message for all clusters whose chart is not known. */
export function chartUnknown(clusters: readonly string[]): readonly Finding[] {
  const [first] = clusters;
  if (first === undefined) return [];
  return [
    {
      code: 'import/chart-unknown',
      cluster: first,
      message: `what the chart of Liqo was given for lending and reflection is not known of ${firstOf(clusters.map(quoted), SHOWN)}, so nothing is written of it`,
      hint: 'dump their Deployments and VkOptionsTemplates too, or compare `lending`, `reflection` and `virtualKubelet` with the values of the chart before you install it again',
    },
  ];
}
