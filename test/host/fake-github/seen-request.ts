import { findRoute, type Match } from './routes.ts';

/** A request as it came in, before anybody judged it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  /** GitHub's name of the call, as `git/create-ref`; `null` when there is none. */
  readonly operation: string | null;
  readonly match: Match | null;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Headers;
  readonly bodyText: string;
  /** `undefined` without one, and when it is not JSON. */
  readonly body: unknown;
}

export async function seeRequest(request: Request): Promise<SeenRequest> {
  const url = new URL(request.url);
  const bodyText = await request.text();
  const match = findRoute(request.method, url.pathname);
  return {
    method: request.method,
    url,
    operation: match?.route.id ?? null,
    match,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    bodyText,
    body: parsed(bodyText),
  };
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
