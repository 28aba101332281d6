import type { AnswerTo, Ask, Question, RequestOf } from './answers.ts';
import type { PageData } from './page-data.ts';
import type { FromWorker } from './worker.ts';

/** Sends a message to a worker and waits for its answer. */
export type CallWorker = (message: object) => Promise<unknown>;

/** Starts the compiler that is in the page, in a worker, so that the page answers while it computes. */
export async function startCompiler(): Promise<Ask> {
  const data: PageData = JSON.parse(textOf('fleet'));
  return rememberAnswers(await startWorker({ data }));
}

/** @param first the message that the worker gets before any other */
export async function startWorker(first?: object): Promise<CallWorker> {
  const url = URL.createObjectURL(new Blob([await inflated(textOf('core'))], { type: 'text/javascript' }));
  const worker = new Worker(url);
  const waiting = new Map<number, { readonly done: (it: unknown) => void; readonly failed: (it: Error) => void }>();
  worker.addEventListener('message', ({ data: message }: MessageEvent<FromWorker>) => {
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if ('failure' in message) asked?.failed(new Error(message.failure));
    else asked?.done(message.answer);
  });
  if (first !== undefined) worker.postMessage(first);
  let last = 0;
  return (message) =>
    new Promise((done, failed) => {
      last += 1;
      waiting.set(last, { done, failed });
      worker.postMessage({ ...message, id: last });
    });
}

/** Asks the same question once. */
export function rememberAnswers(call: CallWorker): Ask {
  const known = new Map<string, Promise<unknown>>();
  return <Q extends Question>(question: Q, request: RequestOf<Q>): Promise<AnswerTo<Q>> => {
    const key = JSON.stringify([question, request]);
    const answer = known.get(key) ?? call({ question, request });
    known.set(key, answer);
    return answer as Promise<AnswerTo<Q>>;
  };
}

export const textOf = (id: string): string => document.getElementById(id)?.textContent ?? '';

/** The text in a compressed block of the page. */
async function inflated(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (it) => it.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
}
