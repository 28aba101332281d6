import type { Host } from '../host.ts';

/** What else asks a program to end than Ctrl-C: a supervisor, a terminal that closes. */
const SIGNALS = ['SIGTERM', 'SIGHUP'] as const;

/** Calls back whenever somebody wants weft to stop, as often as they want it; gives what takes the listener off again. */
export function onStop(host: Host, listener: () => void): () => void {
  const forget = host.onInterrupt(listener);
  for (const it of SIGNALS) process.on(it, listener);
  return () => {
    forget();
    for (const it of SIGNALS) process.off(it, listener);
  };
}
