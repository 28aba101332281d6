/** Signals that end a program besides Ctrl-C: from a supervisor, or a closed terminal. */
const SIGNALS = ['SIGTERM', 'SIGHUP'] as const;

/** Adds a listener for Ctrl-C; the result removes it. */
export type OnInterrupt = (listener: () => void) => () => void;

/** Calls the listener for every request to stop weft; the result removes the listener. */
export function onStop(onInterrupt: OnInterrupt, listener: () => void): () => void {
  const forget = onInterrupt(listener);
  for (const it of SIGNALS) process.on(it, listener);
  return () => {
    forget();
    for (const it of SIGNALS) process.off(it, listener);
  };
}
