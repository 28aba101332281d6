import { EXPLAIN_PAGES } from '../../../base/generated/explain-pages.js';
import type { Ask, FleetSummary, Question } from '../answers.ts';
import type { FromWorker } from '../worker.ts';
import { type CompiledDrafts, type DraftsRequest, draftCompiler } from './compile-drafts.ts';

/** A message of the playground; questions are about the last fleet without errors. */
export type ToPlayWorker =
  | { readonly kind: 'compile'; readonly request: DraftsRequest }
  | { readonly kind: 'zip' }
  | { readonly kind: 'explain'; readonly code: string }
  | { readonly kind: 'ask'; readonly question: Question; readonly request: unknown };

export interface CompileAnswer extends Pick<CompiledDrafts, 'diagnostics' | 'lock' | 'isAnotherFleet'> {
  /** `null` with an error. */
  readonly fleet: FleetSummary | null;
  readonly milliseconds: number;
}

const compileDrafts = draftCompiler(() => Math.floor(Date.now() / 1000));
let last: { readonly ask: Ask; readonly zip: () => Uint8Array } | undefined;

async function answer(message: ToPlayWorker): Promise<unknown> {
  switch (message.kind) {
    case 'compile': {
      const start = performance.now();
      const { ask, zip, ...compiled } = compileDrafts(message.request);
      if (ask !== null && zip !== null) last = { ask, zip };
      const fleet = ask === null ? null : await ask('opened', undefined);
      return { ...compiled, fleet, milliseconds: performance.now() - start } satisfies CompileAnswer;
    }
    case 'zip':
      return last?.zip();
    case 'explain':
      return EXPLAIN_PAGES[message.code] ?? null;
    case 'ask':
      return last?.ask(message.question, message.request as never);
  }
}

addEventListener('message', async ({ data: message }: MessageEvent<ToPlayWorker & { readonly id: number }>) => {
  const { id } = message;
  try {
    postMessage({ id, answer: await answer(message) } satisfies FromWorker);
  } catch (error) {
    postMessage({ id, failure: error instanceof Error ? error.message : String(error) } satisfies FromWorker);
  }
});
