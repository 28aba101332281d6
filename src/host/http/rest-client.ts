import { addAll, byCodeUnit } from '../../base/core/collections.ts';
import { ForgeError } from '../forge/forge.ts';
import { type AskForge, askForge, type RefusedRequest, refusedRequest } from './ask-forge.ts';
import { type FailedRequest, type Waiting, withRetries } from './retries.ts';

export interface RestConnection extends Waiting {
  /** The name of the forge in messages. */
  readonly forge: string;
  /** The URL of the API, without a slash at the end. */
  readonly apiUrl: string;
  /** The request headers, including the token. */
  readonly headers: Readonly<Record<string, string>>;
  /** The version of weft. */
  readonly version: string;
  readonly fetch: typeof fetch;
}

interface RestRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the URL of the API, with encoded names. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** True for a POST that may be sent again when it is unknown whether it succeeded. */
  readonly mayRepeat?: boolean;
}

interface RestAnswer {
  readonly body: unknown;
  /** The response headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends requests to a JSON API. A response without success is thrown as `RequestFailure`. */
type RestClient = (request: RestRequest) => Promise<RestAnswer>;

/** A response without success, or a missing response. */
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

/** A client that waits and repeats requests where that is safe: not after a request that may have created something. */
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
  const lost = (error: unknown): RequestFailure => failed(causeText(error), 0);
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
  const json = jsonIn(text);
  if (!response.ok) throw failed(refusalReason(json) ?? response.statusText, response.status, answered);
  if (json === undefined && text !== '') {
    const type = response.headers.get('content-type') ?? 'nothing';
    if (!type.includes('json')) throw new UnexpectedAnswer(`the answer is ${type} instead of JSON`);
    throw failed('the connection broke in the middle of the answer', 0, answered);
  }
  return { body: json ?? null, headers: answered };
}

/** Parses JSON; `undefined` for any other text. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The reason in a refusal: `message`, `error` or `error_description`, sometimes lists, or lists by field name. */
function refusalReason(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { message, error, error_description: description } = json as Readonly<Record<string, unknown>>;
  return [message, description, error].map(flatText).find((it) => it !== '');
}

function flatText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(flatText).filter(Boolean).join(', ');
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, it]) => `${name} ${flatText(it)}`)
    .join(', ');
}

/** The message of the cause, which explains more than "fetch failed". */
function causeText(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  if (error.name === 'TimeoutError') return 'no answer in time';
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

/** A forge that is reached over a JSON API. */
export interface RestForge extends AskForge {
  readonly send: RestClient;
}

/** Reads a list page by page, in the order of the forge; at most `most` entries. */
export type ReadList = (
  path: string,
  query?: Readonly<Record<string, string | number>>,
  most?: number,
) => Promise<readonly AnswerFields[]>;

interface Paging {
  /** The parameters that ask for a page, from 1. */
  readonly queryOf: (page: number) => Readonly<Record<string, number>>;
  /** True for the headers of the last page, with the number of its entries. */
  readonly isLast: (headers: Readonly<Record<string, string>>, entries: number) => boolean;
}

export const readPages =
  (send: RestClient, { queryOf, isLast }: Paging): ReadList =>
  async (path, query = {}, most = Number.POSITIVE_INFINITY) => {
    const all: AnswerFields[] = [];
    for (let page = 1; ; page++) {
      const { body, headers } = await send({ method: 'GET', path, query: { ...query, ...queryOf(page) } });
      const found = listOf(body);
      addAll(all, found);
      if (isLast(headers, found.length) || all.length >= most) return all.slice(0, most);
    }
  };

/** @param explain converts a refused request into an error with a remedy. */
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

/** Typed access to the JSON of a forge, which may be a different server than configured. */
export interface AnswerFields {
  readonly text: (name: string) => string;
  /** The empty string when the field is missing or `null`. */
  readonly textOrNone: (name: string) => string;
  readonly number: (name: string) => number;
  readonly numberOrNull: (name: string) => number | null;
  readonly flag: (name: string) => boolean;
  /** `false` when the field is missing or `null`. */
  readonly flagOrFalse: (name: string) => boolean;
  readonly fields: (name: string) => AnswerFields;
  /** `null` when the field is missing or `null`. */
  readonly fieldsOrNull: (name: string) => AnswerFields | null;
  /** An empty list when the field is missing or `null`. */
  readonly list: (name: string) => readonly AnswerFields[];
}

/** Thrown when a response lacks a required field. */
class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
}

export function fieldsOf(value: unknown): AnswerFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unexpected('an object', value);
  const at = (name: string): unknown => (Object.hasOwn(value, name) ? (value as Json)[name] : undefined);
  const field = <T>(name: string, kind: string, is: (it: unknown) => it is T): T => {
    const it = at(name);
    if (is(it)) return it;
    throw unexpected(`${kind} "${name}"`, it);
  };
  const isNone = (name: string): boolean => at(name) === undefined || at(name) === null;
  return {
    text: (name) => field(name, 'a text', (it): it is string => typeof it === 'string'),
    textOrNone: (name) => (isNone(name) ? '' : field(name, 'a text', (it): it is string => typeof it === 'string')),
    number: (name) => field(name, 'a number', (it): it is number => Number.isSafeInteger(it)),
    numberOrNull: (name) =>
      isNone(name) ? null : field(name, 'a number', (it): it is number => Number.isSafeInteger(it)),
    flag: (name) => field(name, 'true or false', (it): it is boolean => typeof it === 'boolean'),
    flagOrFalse: (name) =>
      !isNone(name) && field(name, 'true or false', (it): it is boolean => typeof it === 'boolean'),
    fields: (name) => fieldsOf(at(name)),
    fieldsOrNull: (name) => (isNone(name) ? null : fieldsOf(at(name))),
    list: (name) => (isNone(name) ? [] : listOf(at(name))),
  };
}

export function listOf(value: unknown): readonly AnswerFields[] {
  if (!Array.isArray(value)) throw unexpected('a list', value);
  return value.map(fieldsOf);
}

type Json = Readonly<Record<string, unknown>>;

const unexpected = (wanted: string, found: unknown): UnexpectedAnswer =>
  new UnexpectedAnswer(`the answer has ${jsonKind(found)} instead of ${wanted}`);

function jsonKind(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** Returns a function that masks the secrets in a text. */
export function redactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  // The longest secret is replaced first, because one may be a part of another. Texts of up to three characters are
  // skipped: they are not secrets, and they occur in words.
  const known = secrets
    .filter((it): it is string => it !== undefined && it.length > 3)
    .sort((a, b) => b.length - a.length || byCodeUnit(a, b));
  return (text) => known.reduce((it, secret) => it.replaceAll(secret, '***'), text);
}

/** The owner of the token, by the field with the name; `null` without the scope that reads users. */
export async function ownerOfToken(
  { ask, send }: Pick<RestForge, 'ask' | 'send'>,
  field: 'login' | 'username',
): Promise<string | null> {
  try {
    return await ask('read the owner of the token', async () =>
      fieldsOf((await send({ method: 'GET', path: '/user' })).body).text(field),
    );
  } catch (error) {
    if (error instanceof ForgeError && error.status === 403) return null;
    throw error;
  }
}
