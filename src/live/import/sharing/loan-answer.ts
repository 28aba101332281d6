import type { Identity } from '../../../fleet/sharing/shared-model.ts';
import { answerFaults } from '../../identities/answer-faults.ts';
import { identityOf } from '../../identities/identity-of.ts';
import type { Finding } from '../finding.ts';
import { authOf, type LiveLoan } from './live-loan.ts';
import { answerDiffers, answerLeftOut } from './sharing-findings.ts';

interface ImportedAnswer {
  /** `null` where there is none, or none that can be recorded. */
  readonly identity: Identity | null;
  readonly findings: readonly Finding[];
}

const NOTHING: ImportedAnswer = { identity: null, findings: [] };

/** What the provider of a loan answered: as the consumer uses it, else as the provider keeps it. */
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
