import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap double from one full collection to the next, for a process that compiles again and again. With 1,000 links a rebuild
 * takes a sixth less CPU time than with `growHeapSlowly`, and 205 to 240 MB instead of 190 MB; as V8 does it by default, 330 MB.
 */
export const growHeapFaster = (): void => setFlagsFromString('--heap-growing-percent=100');
