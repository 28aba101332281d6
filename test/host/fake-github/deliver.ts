import type { Fault } from './injections.ts';
import type { SeenRequest } from './seen-request.ts';
import type { Answer } from './world.ts';

/** The result of a client's `fetch`: a response, or the error that Node's own gives when a connection breaks. */
export function deliver({ url }: SeenRequest, outcome: Fault, headers: Readonly<Record<string, string>>): Response {
  if (outcome === 'dropped') throw broken('ECONNRESET', 'socket hang up');
  if (outcome === 'silence') throw broken('UND_ERR_HEADERS_TIMEOUT', 'Headers Timeout Error');
  if (outcome === 'half')
    return at(url, new Response(halfBody(), { status: 200, headers: { ...headers, ...JSON_TYPE } }));
  return at(url, complete(outcome, headers));
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

function complete({ status, body, headers: own = {} }: Answer, headers: Readonly<Record<string, string>>): Response {
  const all = { ...headers, ...own };
  return body === null
    ? new Response(null, { status, headers: all })
    : new Response(JSON.stringify(body), { status, headers: { ...JSON_TYPE, ...all } });
}

/** Octokit turns pages by the address of the answer, which a constructed response does not have. */
function at(url: URL, response: Response): Response {
  Object.defineProperty(response, 'url', { value: url.href });
  return response;
}

const broken = (code: string, message: string): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });

/** An answer that breaks off in the middle. */
function halfBody(): ReadableStream<Uint8Array> {
  const pieces = [new TextEncoder().encode('{"sha":"')];
  return new ReadableStream({
    pull: (controller) => {
      const piece = pieces.shift();
      if (piece === undefined)
        controller.error(new TypeError('terminated', { cause: broken('UND_ERR_SOCKET', 'closed') }));
      else controller.enqueue(piece);
    },
  });
}
