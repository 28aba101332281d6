import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';

/** Collects a diagnostic while texts are read. Reading continues, so that one run reports all of them. */
export type Report = (found: Diagnostic) => void;

/** Returns a `Report` that adds the cluster to each diagnostic. */
export const reportAbout =
  (cluster: string, report: Report): Report =>
  (it) =>
    report({ ...it, about: [[cluster]] });
