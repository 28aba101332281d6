import { setFlagsFromString } from 'node:v8';

/**
 * The flags of most commands. V8 accepts code that it compiled earlier only with the flags of then, so those are set first, and again before
 * that code is kept.
 */
export function useFirstFlags(): void {
  optimiseLater();
  growHeapBy(40);
  setFlagsFromString('--allocation-site-pretenuring');
}

/**
 * Lets the V8 of Node 20 wait until code has run for twice as long before it compiles it again for speed. A command ends so soon that
 * much of that work is not paid back: with 1,000 links compile takes a fifth less time, validate a quarter, verify a ninth, and all
 * of them a quarter less CPU time; with 10,000 links, up to a tenth and a fifth. Later releases have a cheaper compiler in
 * between, gain nothing, and print an error about this flag.
 */
function optimiseLater(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=300000');
}

/**
 * Lets the heap grow by some percent from one full collection to the next. By default V8 lets it grow up to fourfold while memory is
 * free: 10,000 links took 590 MB instead of 380 MB to compile, and 870 MB instead of 490 MB to plan, for a tenth less time.
 */
const growHeapBy = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`);

/**
 * Lets the heap double, for a process that compiles repeatedly. With 1,000 links a rebuild takes a sixth less CPU time,
 * and 205 to 240 MB instead of 190 MB; with V8's default, 330 MB.
 */
export const growHeapFaster = (): void => growHeapBy(100);

/**
 * Lets the heap grow by a quarter, for a proof of all bundles, which keeps the model and the views of neighbours in
 * memory at once: 10,000 links take 40 MB less to verify than with two fifths, and 15 percent more CPU time.
 */
export const growHeapLeast = (): void => growHeapBy(25);

/**
 * Keeps V8 from allocating directly among the objects that live long. It does that at places in the code whose objects have lived
 * long before: those of a large folder do. The objects of the many small folders after it then stay until a full collection, with
 * everything that they refer to. Without it, 10,000 links take a quarter less CPU time to verify.
 */
export const allocateYoung = (): void => setFlagsFromString('--no-allocation-site-pretenuring');
