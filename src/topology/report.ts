import type { Diagnostic } from '../diagnostics/diagnostic.ts';

/** Collects a diagnostic while texts are read. Reading continues, so that one run reports all of them. */
export type Report = (found: Diagnostic) => void;
