import { answerFaults, describedCall, requestFaults, type SentRequest } from './description.ts';

/** One line of what happened. */
export interface Exchange {
  /** By Gitea's name for it. */
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

export interface CheckedFetch {
  readonly fetch: typeof fetch;
  readonly log: readonly Exchange[];
  /** Violations of the description by both sides. */
  readonly violations: readonly string[];
}

/** Looks at every request and every answer, whether a fake answers or a real server. */
export function checkedFetch(apiUrl: string, send: typeof fetch, token: () => string): CheckedFetch {
  const log: Exchange[] = [];
  const violations: string[] = [];
  return {
    log,
    violations,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const text = await request.clone().text();
      const url = new URL(request.url);
      const sent: SentRequest = {
        method: request.method,
        path: url.pathname.slice(new URL(apiUrl).pathname.length),
        query: Object.fromEntries(url.searchParams),
        body: text === '' ? undefined : JSON.parse(text),
      };
      const complain = (all: readonly string[]): void => {
        for (const it of all) violations.push(`${sent.method} ${sent.path}: ${it}`);
      };
      complain(requestFaults(sent));
      if (!url.href.startsWith(apiUrl)) complain([`it goes to ${url.origin}`]);
      if (`${url.href}${text}`.includes(token())) complain(['the token is outside of its header']);
      const response = await send(input, init);
      const body = await response.clone().text();
      const operation = describedCall(sent.method, sent.path)?.operation ?? null;
      log.push({ operation, method: sent.method, path: sent.path, status: response.status });
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      complain(answerFaults(sent, response.status, isJson && body !== '' ? JSON.parse(body) : null));
      return response;
    },
  };
}
