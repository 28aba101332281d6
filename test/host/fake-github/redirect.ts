import type { Exchange } from './answer-request.ts';
import type { World } from './world.ts';

/** The redirect of a request that names a repository by a former name; `null` for any other request. */
export function redirectOf({ repositories, settings }: World, { method, url }: Request): Redirect | null {
  const { pathname, search } = new URL(url);
  const [, name = '', rest = ''] = /^\/repos\/([^/]+\/[^/]+)(.*)$/.exec(pathname) ?? [];
  const found = repositories.find(({ formerNames }) =>
    formerNames.some((it) => it.toLowerCase() === name.toLowerCase()),
  );
  if (found === undefined) return null;
  const status = method === 'GET' ? 301 : settings.redirectOfWrites;
  return { status, location: `https://api.github.com/repositories/${found.id}${rest}${search}` };
}

export interface Redirect {
  readonly status: 301 | 307;
  readonly location: string;
}

/**
 * The next request of `fetch`. Source: fetch.spec.whatwg.org, "HTTP-redirect fetch": a POST that meets 301 becomes a
 * GET.
 */
export async function followed(request: Request, { status, location }: Redirect): Promise<Request> {
  const { headers, method } = request;
  if (method === 'GET') return new Request(location, { headers });
  if (status === 301 && method === 'POST') return new Request(location, { headers: without(headers, 'content-type') });
  return new Request(location, { headers, method, body: await request.text() });
}

function without(headers: Headers, name: string): Headers {
  const rest = new Headers(headers);
  rest.delete(name);
  return rest;
}

/** `/repositories/ID/...` names the same as `/repos/OWNER/NAME/...`, which the description of the calls knows. */
export function byName({ repositories }: World, request: Request): Request {
  const [, id, rest = ''] = /^https:\/\/api\.github\.com\/repositories\/(\d+)(.*)$/.exec(request.url) ?? [];
  const found = repositories.find((it) => String(it.id) === id);
  return found === undefined
    ? request
    : new Request(`https://api.github.com/repos/${found.owner}/${found.name}${rest}`, request);
}

/** The line of the log. */
export const redirected = ({ method, url }: Request, { status }: Redirect, at: number): Exchange => ({
  ...{ method, path: decodeURIComponent(new URL(url).pathname), operation: null, status, done: null, at, login: '' },
});
