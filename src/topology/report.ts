import type { Diagnostic } from '../diagnostics/diagnostic.ts';

/** Where diagnostics go while texts are read: reading goes on, so that one run reports them all. */
export type Report = (found: Diagnostic) => void;
