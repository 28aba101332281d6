import { ForgeError } from '../forge/forge-error.ts';
import { type AskForge, askForge } from './ask-forge.ts';
import type { Waiting } from './clock.ts';
import { type RefusedRequest, refusedRequest } from './explain-by.ts';
import { UnexpectedAnswer } from './read-answer.ts';
import { type FailedRequest, withRetries } from './retries.ts';

export interface RestConnection extends Waiting {
  /** As messages name it. */
  readonly forge: string;
  /** Without a slash at the end. */
  readonly apiUrl: string;
  /** With the token. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of weft. */
  readonly version: string;
  readonly fetch: typeof fetch;
}

interface RestRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the address of the API, with encoded names. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** Of a POST: it may be sent again when nobody knows whether it succeeded. */
  readonly mayRepeat?: boolean;
}

interface RestAnswer {
  readonly body: unknown;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends requests to an API that speaks JSON. A response that is no success is thrown as `RequestFailure`. */
type RestClient = (request: RestRequest) => Promise<RestAnswer>;

/** What came instead of a successful response. */
class RequestFailure extends Error implements FailedRequest {
  override readonly name = 'RequestFailure';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly isWrite: boolean;

  constructor(message: string, failed: Omit<FailedRequest, 'message'> & Pick<RestAnswer, 'headers'>) {
    super(message);
    this.status = failed.status;
    this.headers = failed.headers;
    this.isWrite = failed.isWrite;
  }
}

/** Waits and repeats where that is safe. A request that may have created something is not repeated. */
function restClient(connection: RestConnection): RestClient {
  const { clock, notify, forge } = connection;
  return (request) =>
    withRetries(() => sendOnce(connection, request), {
      clock,
      notify,
      forge,
      readFailure: (error) => (error instanceof RequestFailure ? error : undefined),
      mayRepeat: request.method !== 'POST' || request.mayRepeat === true,
    });
}

async function sendOnce(
  { apiUrl, headers, version, fetch }: RestConnection,
  request: RestRequest,
): Promise<RestAnswer> {
  const { method, path, query = {}, body } = request;
  const url = new URL(`${apiUrl}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const isWrite = method !== 'GET';
  const failed = (message: string, status: number, answered: RestAnswer['headers'] = {}): RequestFailure =>
    new RequestFailure(message, { status, headers: answered, isWrite });
  const lost = (error: unknown): RequestFailure => failed(wordsOf(error), 0);
  const response = await fetch(url.href, {
    method,
    headers: {
      accept: 'application/json',
      'user-agent': `weft/${version}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // `fetch` follows a moved POST with a GET, which creates nothing and succeeds.
    redirect: isWrite ? 'manual' : 'follow',
  }).catch((error: unknown) => Promise.reject(lost(error)));
  const text = await response.text().catch((error: unknown) => Promise.reject(lost(error)));
  const answered = Object.fromEntries(response.headers);
  const json = parsed(text);
  if (!response.ok) throw failed(reasonOf(json) ?? response.statusText, response.status, answered);
  if (json === undefined && text !== '') {
    const type = response.headers.get('content-type') ?? 'nothing';
    if (!type.includes('json')) throw new UnexpectedAnswer(`the answer is ${type} instead of JSON`);
    throw failed('the connection broke in the middle of the answer', 0, answered);
  }
  return { body: json ?? null, headers: answered };
}

/** `undefined` if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Forges word a refusal as `message`, `error` or `error_description`; some as lists, or lists by the name of a field. */
function reasonOf(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { message, error, error_description: description } = json as Readonly<Record<string, unknown>>;
  return [message, description, error].map(flat).find((it) => it !== '');
}

function flat(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(flat).filter(Boolean).join(', ');
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, it]) => `${name} ${flat(it)}`)
    .join(', ');
}

/** The cause says more than "fetch failed". */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  if (error.name === 'TimeoutError') return 'no answer in time';
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

/** A forge that is reached over an API that speaks JSON. */
export interface RestForge extends AskForge {
  readonly send: RestClient;
}

/** `explain` turns a response of the forge into an error that says what to do. */
export function askRest(connection: RestConnection, explain: (it: RefusedRequest) => ForgeError): RestForge {
  const { clock, notify, forge, apiUrl } = connection;
  const forgeErrorOf = (error: unknown, operation: string): ForgeError => {
    if (error instanceof ForgeError) return error;
    if (error instanceof UnexpectedAnswer) return notThatForge(error, operation);
    if (!(error instanceof RequestFailure)) throw error;
    return explain(refusedRequest(error, operation, clock));
  };
  const notThatForge = ({ message: reason }: UnexpectedAnswer, operation: string): ForgeError =>
    new ForgeError('refused', {
      operation,
      reason,
      status: 0,
      hint: `check that ${apiUrl} is the address of the API of ${forge}, and that no proxy answers in its place`,
    });
  return { send: restClient(connection), ...askForge({ forge, clock, notify, forgeErrorOf }) };
}
