import { nameOf, type Repository } from '../forge/forge.ts';
import { askRest, type RestForge } from '../http/ask-rest.ts';
import { type AnswerFields, listOf } from '../http/read-answer.ts';
import type { RestConnection } from '../http/rest-client.ts';
import { explainFailure } from './explain-failure.ts';

export interface GiteaAccess extends Omit<RestConnection, 'forge' | 'headers'> {
  readonly product: GiteaProduct;
  readonly token: string;
  readonly repository: Repository;
}

/** Forgejo began as Gitea and kept its API. Messages use its own name. */
export type GiteaProduct = 'Gitea' | 'Forgejo';

/** How every part of the forge makes its requests. */
export interface Gitea extends RestForge {
  readonly product: GiteaProduct;
  readonly repository: Repository;
  /** `owner/name`, as messages show it. */
  readonly name: string;
  /** The path of the repository, for all that is in it. */
  readonly at: string;
  /** A list that comes in pages, in the order of the forge; at most `most` entries. */
  readonly list: (path: string, query?: Query, most?: number) => Promise<readonly AnswerFields[]>;
}

type Query = Readonly<Record<string, string | number>>;

/** A server may be set up for fewer (MAX_RESPONSE_ITEMS), so a short page is not the last one. Source: Gitea, modules/setting/api.go. */
export const PER_PAGE = 50;

export function askGitea({ product, token, repository, ...connection }: GiteaAccess): Gitea {
  const rest = askRest({ ...connection, forge: product, headers: { authorization: `token ${token}` } }, (it) =>
    explainFailure(product, it),
  );
  const { owner, name } = repository;
  return {
    ...rest,
    product,
    repository,
    name: nameOf(repository),
    at: `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`,
    list: async (path, query = {}, most = Number.POSITIVE_INFINITY) => {
      const all: AnswerFields[] = [];
      for (let page = 1; ; page++) {
        const { body, headers } = await rest.send({
          method: 'GET',
          path,
          query: page === 1 ? query : { ...query, page },
        });
        const found = listOf(body);
        all.push(...found);
        const isLast = found.length === 0 || !/rel="?next"?/.test(headers['link'] ?? '');
        if (isLast || all.length >= most) return all.slice(0, most);
      }
    },
  };
}
