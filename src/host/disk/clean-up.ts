const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What has to be undone when this process ends before it is done, the last first. */
const pending: (() => void)[] = [];

/**
 * Calls `undo` if the process ends before the returned function is called, whatever ends it, except SIGKILL. `undo` must be
 * synchronous.
 */
export function cleanUpUnlessDone(undo: () => void): () => void {
  if (pending.length === 0) {
    process.on('exit', undoAll);
    for (const signal of SIGNALS) process.on(signal, onSignal);
  }
  pending.push(undo);
  return () => {
    const at = pending.indexOf(undo);
    if (at !== -1) pending.splice(at, 1);
    if (pending.length > 0) return;
    process.removeListener('exit', undoAll);
    for (const signal of SIGNALS) process.removeListener(signal, onSignal);
  };
}

function undoAll(): void {
  for (const undo of pending.splice(0).reverse()) undo();
}

function onSignal(signal: NodeJS.Signals): void {
  // With another listener the process may continue; `exit` is emitted in any case.
  if (process.listenerCount(signal) > 1) return;
  undoAll();
  for (const it of SIGNALS) process.removeListener(it, onSignal);
  process.kill(process.pid, signal);
}
