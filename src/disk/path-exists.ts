import { existsSync } from 'node:fs';

/** Whether there is anything at a path. */
export const pathExists = (path: string): boolean => existsSync(path);
