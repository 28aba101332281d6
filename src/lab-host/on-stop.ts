/** What else asks a program to end than Ctrl-C: a supervisor, a terminal that closes. */
const SIGNALS = ['SIGTERM', 'SIGHUP'] as const;

/** How Ctrl-C is heard: takes a listener, gives what takes it off again. */
export type OnInterrupt = (listener: () => void) => () => void;

/** Calls back whenever somebody wants weft to stop, as often as they want it; gives what takes the listener off again. */
export function onStop(onInterrupt: OnInterrupt, listener: () => void): () => void {
  const forget = onInterrupt(listener);
  for (const it of SIGNALS) process.on(it, listener);
  return () => {
    forget();
    for (const it of SIGNALS) process.off(it, listener);
  };
}
