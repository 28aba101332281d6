import { existsSync } from 'node:fs';

/** Whether a file or a folder exists at a path. */
export const pathExists = (path: string): boolean => existsSync(path);
