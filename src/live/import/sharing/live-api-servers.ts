import type { ClusterSpec } from '../../../base/schema-types/topology.ts';
import type { ObservedAnswer } from '../../observed/observed-sharing.ts';
import type { LiveLoan } from './live-loan.ts';
import { mostCommonBy } from './most-common-by.ts';

type ApiServerSpec = NonNullable<ClusterSpec['apiServer']>;

const ADDRESS = /^https:\/\/([A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(\/[^\s?#]*)?$/;

/**
 * Where consumers reach the API servers of providers, as most answers say. Without an authority in them the system's are
 * trusted; one that is in them is Liqo's own, or one that its chart was given, which the answers do not show.
 */
export function liveApiServers(loans: readonly LiveLoan[]): ReadonlyMap<string, ApiServerSpec> {
  const answers = new Map<string, ObservedAnswer[]>();
  for (const { provider, borrower, lender } of loans) {
    const answer = lender?.tenants[0]?.answer ?? borrower?.identities[0]?.answer ?? null;
    if (answer === null || answer.certificate === '' || !ADDRESS.test(answer.apiServer)) continue;
    const known = answers.get(provider);
    if (known === undefined) answers.set(provider, [answer]);
    else known.push(answer);
  }
  return new Map(
    [...answers].flatMap(([provider, all]) => {
      const usual = mostCommonBy(all, (it) => `${it.apiServer} ${it.ca === ''}`);
      return usual === undefined ? [] : [[provider, specOf(usual)] as const];
    }),
  );
}

const specOf = ({ apiServer, ca }: ObservedAnswer): ApiServerSpec =>
  ca === '' ? { address: apiServer, trustedCA: true } : apiServer;
