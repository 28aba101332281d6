import { nameOf, type Repository } from '../forge/forge.ts';
import { askRest, type RestForge } from '../http/ask-rest.ts';
import { type AnswerFields, listOf } from '../http/read-answer.ts';
import type { RestConnection } from '../http/rest-client.ts';
import { explainFailure } from './explain-failure.ts';

export interface GitLabAccess extends Omit<RestConnection, 'forge' | 'headers'> {
  readonly token: string;
  /** The owner is a group, with the groups that it is in: `acme/network`. */
  readonly repository: Repository;
}

/** How every part of the forge makes its requests. */
export interface GitLab extends RestForge {
  readonly repository: Repository;
  /** The path of the project, as messages show it. */
  readonly name: string;
  /** The path of the project, for all that is in it. */
  readonly at: string;
  /** A list that comes in pages, in the order of GitLab; at most `most` entries. */
  readonly list: (path: string, query?: Query, most?: number) => Promise<readonly AnswerFields[]>;
}

type Query = Readonly<Record<string, string | number>>;

/** Entries in one response: the maximum of GitLab. Source: docs.gitlab.com, REST API, "Pagination". */
export const PER_PAGE = 100;

/** Every kind of token is accepted as a bearer: personal, of a project, of a group, and of OAuth. Source: docs.gitlab.com, "REST API authentication". */
export function askGitLab({ token, repository, ...connection }: GitLabAccess): GitLab {
  const headers = { authorization: `Bearer ${token}` };
  const rest = askRest({ ...connection, forge: 'GitLab', headers }, explainFailure);
  return {
    ...rest,
    repository,
    name: nameOf(repository),
    at: `/projects/${encodeURIComponent(nameOf(repository))}`,
    list: async (path, query = {}, most = Number.POSITIVE_INFINITY) => {
      const all: AnswerFields[] = [];
      for (let page = 1; ; page++) {
        const paging = { per_page: PER_PAGE, page };
        const { body, headers: answered } = await rest.send({ method: 'GET', path, query: { ...query, ...paging } });
        all.push(...listOf(body));
        // It is empty on the last page.
        if (!answered['x-next-page'] || all.length >= most) return all.slice(0, most);
      }
    },
  };
}
