import { randomBytes as draw } from 'node:crypto';

/** From the random number generator for keys. */
export const randomBytes = (count: number): readonly number[] => [...draw(count)];
