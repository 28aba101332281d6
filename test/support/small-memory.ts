/**
 * A worker gives back what earlier files left, before each file: the start of another program copies the tables of all
 * memory that a process holds.
 */
if (process.memoryUsage.rss() > 350 * 2 ** 20) globalThis.gc?.();
