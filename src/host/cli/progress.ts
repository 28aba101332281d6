import { visibleText } from '../../base/core/visible-text.ts';
import type { ProgressStep } from '../app/ports.ts';
import type { Host } from '../front/host.ts';
import type { GlobalOptions } from './options-of.ts';

/** Shows the current step of a command that takes longer than a moment. */
interface Progress {
  readonly step: (label: string) => void;
  readonly end: () => Promise<void>;
}

const MOMENT_MILLISECONDS = 500;
/** Moves to the start of the line and clears it. Source: ECMA-48, CR and EL. */
const CLEAR_LINE = '\r\u001b[K';

/** One line on stderr that is cleared at the end; nothing in pipes, in CI and with --quiet. */
export function startProgress(host: Host, options: Pick<GlobalOptions, 'quiet'>): Progress {
  const wanted = host.stderr.isTTY && !options.quiet && (host.env['CI'] ?? '') === '';
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let shown = false;
  const show = (label: string) => {
    shown = true;
    void host.stderr.write(`${CLEAR_LINE}${visibleText(label)} ...`);
  };
  return {
    step: (label) => {
      if (!wanted) return;
      clearTimeout(timer);
      const left = MOMENT_MILLISECONDS - (performance.now() - began);
      if (left <= 0) show(label);
      else timer = setTimeout(() => show(label), left).unref();
    },
    end: async () => {
      clearTimeout(timer);
      if (shown) await host.stderr.write(CLEAR_LINE);
    },
  };
}

/** The current step of a use case in words. */
export function describeStep(step: ProgressStep): string {
  switch (step.kind) {
    case 'compiling':
      return 'compiling';
    case 'comparing':
      return `comparing ${step.out}/`;
    case 'writing':
      return `writing ${step.out}/`;
  }
}
