import type { Identity, Share } from '../sharing/shared-model.ts';
import type { TenantAnswer } from './tenant-answer.ts';

/**
 * The only provider whose answers these can be, for a dump that does not name its cluster: by the API server that the topology
 * declares, else by an answer that is recorded, else because no other cluster lends to all of these consumers. `undefined`
 * where none or several can be.
 */
export function providerOf(answers: readonly TenantAnswer[], shares: readonly Share[]): string | undefined {
  const names = (some: readonly Share[]): readonly string[] => [...new Set(some.map((it) => it.provider.name))];
  const servers = new Set(answers.flatMap((it) => it.params?.apiServer ?? []));
  const declared = names(
    shares.filter((it) => it.provider.apiServer !== null && servers.has(it.provider.apiServer.url)),
  );
  if (declared.length > 0) return declared.length === 1 ? declared[0] : undefined;
  const recorded = names(shares.filter((it) => it.identity !== null && hasAnswered(answers, it, it.identity)));
  if (recorded.length > 0) return recorded.length === 1 ? recorded[0] : undefined;
  const consumers = [...new Set(answers.map((it) => it.consumer))];
  const lenders = names(shares).filter((provider) =>
    consumers.every((it) => shares.some((share) => share.provider.name === provider && share.consumer.name === it)),
  );
  return consumers.length > 0 && lenders.length === 1 ? lenders[0] : undefined;
}

const hasAnswered = (answers: readonly TenantAnswer[], { consumer }: Share, { apiServer, ca }: Identity): boolean =>
  answers.some(
    ({ consumer: it, params }) => it === consumer.name && params?.apiServer === apiServer && params.ca === ca,
  );
