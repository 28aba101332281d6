import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap grow by two fifths from one full collection to the next. By default V8 lets it grow up to fourfold while memory is
 * free: 10,000 links took 590 MB instead of 380 MB to compile, and 870 MB instead of 490 MB to plan, for a tenth less time.
 */
export const growHeapSlowly = (): void => setFlagsFromString('--heap-growing-percent=40');
