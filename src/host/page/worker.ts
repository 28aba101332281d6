import { type Ask, openFleet, type Question } from './answers.ts';
import type { PageData } from './page-data.ts';

/** A message of the page: first the data, then questions. */
type ToWorker =
  | { readonly data: PageData }
  | { readonly id: number; readonly question: Question; readonly request: unknown };

/** An answer, or the reason why there is none, which is a bug of weft. */
export type FromWorker = { readonly id: number } & ({ readonly answer: unknown } | { readonly failure: string });

let data: PageData | undefined;
let ask: Ask | undefined;

addEventListener('message', async ({ data: message }: MessageEvent<ToWorker>) => {
  if ('data' in message) {
    data = message.data;
    return;
  }
  const { id, question, request } = message;
  try {
    // Compiled at the first question, whose answer is then the place for a failure.
    ask ??= data && openFleet(data, Math.floor(Date.now() / 1000));
    postMessage({ id, answer: await ask?.(question, request as never) });
  } catch (error) {
    postMessage({ id, failure: error instanceof Error ? error.message : String(error) });
  }
});
