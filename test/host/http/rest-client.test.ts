import { describe, expect, it } from 'vitest';
import type { ForgeError } from '../../../src/host/forge/forge.ts';
import { explainBy } from '../../../src/host/http/ask-forge.ts';
import { askRest, fieldsOf, listOf, type RestForge } from '../../../src/host/http/rest-client.ts';
import { virtualClock } from '../fake-github/virtual-clock.ts';

type Step = Response | 'dropped' | 'cut' | 'late' | 'no proxy';

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

const page = (status: number, type: string): Response =>
  new Response('<p>Sign in</p>', { status, headers: { 'content-type': type } });

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
  readonly headers: Headers;
  readonly redirect: string;
}

/** A client whose connection gives these answers, one after the other. */
function scripted(...script: Step[]) {
  const sent: Sent[] = [];
  const notices: string[] = [];
  const clock = virtualClock();
  const answer = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', body, headers, redirect = 'follow' } = init;
    sent.push({
      method,
      url: String(url),
      body: typeof body === 'string' ? body : null,
      headers: new Headers(headers),
      redirect,
    });
    const step = script.shift();
    if (step === undefined) throw new Error('the script is over');
    if (step === 'dropped') throw new TypeError('fetch failed', { cause: new Error('socket hang up') });
    if (step === 'late') throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    if (step === 'no proxy') throw new TypeError('fetch failed', { cause: new Error('the proxy answered 407') });
    if (step !== 'cut') return step;
    const half = new ReadableStream({ pull: (it) => it.error(new Error('terminated')) });
    return new Response(half, { status: 200, headers: { 'content-type': 'application/json' } });
  };
  const forge = askRest(
    {
      forge: 'Forge',
      apiUrl: 'https://forge.example/api',
      headers: { authorization: 'token secret' },
      version: '9.9.9',
      clock,
      notify: (line) => void notices.push(line),
      fetch: answer as typeof fetch,
    },
    (it) =>
      explainBy(
        [
          { failure: 'limited', when: ({ limitedForSeconds }) => limitedForSeconds !== undefined, hint: 'wait' },
          { failure: 'unreachable', when: ({ status }) => status === 0 || status >= 500, hint: 'run it again' },
        ],
        it,
      ),
  );
  return { forge, sent, clock, notices, left: script };
}

const read = ({ ask, send }: RestForge): Promise<unknown> =>
  ask('read the thing', async () => (await send({ method: 'GET', path: '/thing' })).body);
const make = ({ ask, send }: RestForge): Promise<unknown> =>
  ask('make a thing', async () => (await send({ method: 'POST', path: '/things', body: { a: 1 } })).body);
const failureOf = (run: Promise<unknown>): Promise<ForgeError> =>
  run.then(
    (it) => {
      throw new Error(`it did not fail, but answered ${JSON.stringify(it)}`);
    },
    (error: ForgeError) => error,
  );

describe('a request', () => {
  it('carries the headers, the query and a body of JSON', async () => {
    const { forge, sent } = scripted(json(200, []), json(201, {}));
    await forge.send({ method: 'GET', path: '/things', query: { limit: 50, state: 'a&b' } });
    await make(forge);
    expect(sent.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', 'https://forge.example/api/things?limit=50&state=a%26b', null],
      ['POST', 'https://forge.example/api/things', '{"a":1}'],
    ]);
    expect(sent.map((it) => it.headers.get('authorization'))).toEqual(['token secret', 'token secret']);
    expect(sent[1]?.headers.get('user-agent')).toBe('weft/9.9.9');
  });

  it('is not sent to another place when it writes: a moved POST would become a GET', async () => {
    const { forge, sent } = scripted(new Response(null, { status: 301, headers: { location: '/elsewhere' } }));
    expect((await failureOf(make(forge))).status).toBe(301);
    expect(sent.map((it) => it.redirect)).toEqual(['manual']);
  });

  it('may be answered without a body', async () => {
    const { forge } = scripted(new Response(null, { status: 204 }));
    expect(await read(forge)).toBeNull();
  });
});

describe('waiting', () => {
  it.each([
    ['a retry-after', (): Step => json(403, { message: 'slow' }, { 'retry-after': '17' }), [17_000]],
    ['429', (): Step => json(429, {}, { 'retry-after': '3' }), [3000]],
    [
      'a reset time, as GitLab writes it',
      (): Step => json(429, {}, { 'ratelimit-remaining': '0', 'ratelimit-reset': '1767225642' }),
      [43_000],
    ],
    ['no word at all', (): Step => json(429, {}), [60_000]],
    ['a server in trouble', (): Step => json(502, {}), [1000]],
    ['a page of a server in trouble', (): Step => page(503, 'text/html'), [1000]],
    ['a dropped connection', (): Step => 'dropped', [1000]],
    ['half an answer', (): Step => 'cut', [1000]],
    [
      'half of its JSON',
      (): Step => new Response('{"a":', { headers: { 'content-type': 'application/json' } }),
      [1000],
    ],
    ['silence', (): Step => 'late', [1000]],
  ] as const)('goes on after %s', async (_, step, slept) => {
    const it = scripted(step(), json(200, { ok: true }));
    expect(await read(it.forge)).toEqual({ ok: true });
    expect(it.clock.slept).toEqual(slept);
  });

  it('does not begin where a proxy refuses the request', async () => {
    const it = scripted('no proxy');
    expect((await failureOf(read(it.forge))).message).toContain('the proxy answered 407');
    expect(it.clock.slept).toEqual([]);
  });

  it('sends nothing again that may have been made', async () => {
    const it = scripted('dropped', json(201, {}));
    expect((await failureOf(make(it.forge))).failure).toBe('unreachable');
    expect(it.left).toHaveLength(1);
  });

  it('looks for what may have been made, and makes it if it is not there', async () => {
    const it = scripted('dropped', json(200, []), 'dropped', json(200, [{ a: 1 }]));
    const made = await it.forge.makeOnce(
      () => make(it.forge),
      async () => listOf(await read(it.forge)).map((found) => found.number('a'))[0],
    );
    expect(made).toBe(1);
    expect(it.sent.map((one) => one.method)).toEqual(['POST', 'GET', 'POST', 'GET']);
  });

  it('gives up, and says for how long a limit lasts', async () => {
    const it = scripted(json(429, { message: 'slow' }, { 'retry-after': '7200' }));
    const failure = await failureOf(read(it.forge));
    expect([failure.failure, failure.hint]).toEqual(['limited', 'wait, in 7200 seconds']);
  });

  it('reports a long wait', async () => {
    const it = scripted(json(429, {}, { 'retry-after': '30' }), json(200, {}));
    await read(it.forge);
    expect(it.notices[0]).toBe('Forge limits the requests of this token; the next attempt is in 30 seconds');
  });
});

describe('the words of a refusal', () => {
  it.each([
    ['a message', { message: 'no' }, 'no'],
    ['a list', { message: ['no', 'never'] }, 'no, never'],
    ['lists by field', { message: { base: ['is taken'], title: ['is too long'] } }, 'base is taken, title is too long'],
    ['an error with a description', { error: 'insufficient_scope', error_description: 'needs api' }, 'needs api'],
    ['an error', { error: '404 Not Found' }, '404 Not Found'],
  ])('are found in %s', async (_, body, reason) => {
    const { forge } = scripted(json(422, body));
    expect((await failureOf(read(forge))).message).toBe(`cannot read the thing: ${reason} (422)`);
  });
});

describe('a server that is not the forge', () => {
  it('is reported with its address', async () => {
    const failure = await failureOf(read(scripted(page(200, 'text/html')).forge));
    expect(failure.message).toBe('cannot read the thing: the answer is text/html instead of JSON');
    expect(failure.hint).toContain('https://forge.example/api is the address of the API of Forge');
  });

  it.each([
    ['a missing number', { id: 'x' }, 'a string instead of a number "id"'],
    ['a list', [], 'a list instead of an object'],
    ['null', null, 'null instead of an object'],
  ])('is reported for %s', async (_, body, words) => {
    const { forge } = scripted(json(200, body));
    const failure = await failureOf(
      forge.ask('read it', async () => fieldsOf((await forge.send({ method: 'GET', path: '/' })).body).number('id')),
    );
    expect(failure.message).toBe(`cannot read it: the answer has ${words}`);
  });

  it('leaves out what may be left out, and nothing else', () => {
    const it = fieldsOf({ a: null, list: [{ n: 1 }], yes: true });
    expect([it.textOrNone('a'), it.textOrNone('b'), it.fieldsOrNull('a'), it.list('c')]).toEqual(['', '', null, []]);
    expect([it.list('list')[0]?.number('n'), it.flag('yes')]).toEqual([1, true]);
    expect(() => it.text('a')).toThrow('null instead of a text "a"');
    expect(() => it.fields('b')).toThrow('nothing instead of an object');
    // Inherited properties are not fields.
    expect(() => it.text('constructor')).toThrow('nothing instead of a text');
  });
});
