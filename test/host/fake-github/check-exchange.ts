import { bodySchema, type OpenApiSchema, responseSchema, schemaNamed } from './description.ts';
import type { SeenRequest } from './seen-request.ts';
import { checkOf, parametersCheck } from './validators.ts';
import type { Answer } from './world.ts';

export interface RequestFaults {
  /** GitHub refuses it with 422. */
  readonly invalid: readonly string[];
  /** GitHub does what it understands, and a client should not have sent it all the same. */
  readonly improper: readonly string[];
}

/** The faults of a request according to GitHub's description, and to rules that it does not contain. */
export function checkRequest(seen: SeenRequest, token: string | null): RequestFaults {
  const { match, url, body, bodyText, query, headers } = seen;
  const improper: string[] = [];
  if (url.origin !== 'https://api.github.com') improper.push(`it goes to ${url.origin}`);
  if (token !== null && `${url.href}${bodyText}`.includes(token)) improper.push('the token stands outside its header');
  if (match === null) return { invalid: [], improper: [...improper, 'no such call among those that weft makes'] };
  const { route } = match;
  improper.push(...texts(parametersCheck(route.pathParameters)(match.path), 'path'));
  improper.push(...texts(parametersCheck(route.queryParameters)(query), 'query'), ...pagingFaults(query));
  // A tree may be named by a branch, too.
  for (const name of ['commit_sha', 'file_sha']) improper.push(...idFaults(name, match.path[name]));
  const schema = bodySchema(route.operation);
  if (schema === null) {
    return { invalid: [], improper: bodyText === '' ? improper : [...improper, 'it has a body, and needs none'] };
  }
  if (bodyText !== '' && !headers.get('content-type')?.startsWith('application/json'))
    improper.push('its body is not declared as JSON');
  if (bodyText === '' && route.operation.requestBody?.required !== true) return { invalid: [], improper };
  const faults = checkOf(schema, 'refused')(body ?? null);
  improper.push(...faults.filter((it) => it.kind === 'unknown-name').map((it) => `body: ${it.text}`));
  const invalid = faults.filter((it) => it.kind === 'invalid').map((it) => `body: ${it.text}`);
  return { invalid, improper: [...improper, ...bodyIdFaults(body)] };
}

const texts = (faults: readonly { readonly text: string }[], where: string): readonly string[] =>
  faults.map((it) => `${where}: ${it.text}`);

function pagingFaults({ per_page: size = '30', page = '1' }: Readonly<Record<string, string>>): readonly string[] {
  const isRight = Number(size) >= 1 && Number(size) <= 100 && Number(page) >= 1;
  return isRight ? [] : [`query: page ${page} of ${size}, but a page has 1 to 100 entries`];
}

const idFaults = (name: string, value: unknown): readonly string[] =>
  typeof value !== 'string' || /^[0-9a-f]{40}$/.test(value) ? [] : [`${name} "${value}" is no id of 40 hex digits`];

/** GitHub's description calls every id a string. */
function bodyIdFaults(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { sha, base_tree, tree, parents } = body as Readonly<Record<string, unknown>>;
  return [
    ...idFaults('sha', sha),
    ...idFaults('base_tree', base_tree),
    ...(Array.isArray(tree) ? tree.flatMap((it) => idFaults('tree.sha', it?.sha)) : idFaults('tree', tree)),
    ...(Array.isArray(parents) ? parents.flatMap((it) => idFaults('parents', it)) : []),
  ];
}

/** GitHub answers so to every call, whatever its description lists: hardly any of them names 403 or 429. */
const isAnywhere = (status: number): boolean => [401, 403, 404, 429].includes(status) || status >= 500;

/** The faults of an answer, which are always faults of the fake or of the test that injected it. */
export function checkAnswer({ match }: SeenRequest, { status, body }: Answer): readonly string[] {
  const documented = match === null ? undefined : responseSchema(match.route.operation, status);
  if (documented === undefined) {
    return isAnywhere(status) ? bodyFaults(schemaNamed('basic-error'), body) : [`answer: no status ${status} is known`];
  }
  if (documented !== null) return bodyFaults(documented, body);
  return status === 204 && body !== null ? ['answer: a body where none belongs'] : [];
}

const bodyFaults = (schema: OpenApiSchema, body: Answer['body']): readonly string[] =>
  texts(checkOf(schema, 'allowed')(body), 'answer');
