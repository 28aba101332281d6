import { visibleText } from '../../base/core/visible-text.ts';
import { type Diagnostic, isOpen } from '../../base/diagnostics/diagnostic.ts';
import { placeRow, printJson } from './diagnostics-document.ts';
import { fingerprinter } from './fingerprinter.ts';

/** GitLab knows info, minor, major, critical and blocker. */
const SEVERITIES = { error: 'critical', warning: 'minor', note: 'info' } as const;

/**
 * Diagnostics as GitLab shows them at their lines in a merge request; what is accepted is left out. `pathOf` gives a file's path
 * from the root of the checkout. Source: docs.gitlab.com, "Code Quality", "Code Quality report format".
 */
export function printCodeQuality(diagnostics: readonly Diagnostic[], pathOf: (path: string) => string): string {
  const fingerprints = fingerprinter(pathOf);
  return printJson(
    diagnostics.filter(isOpen).map((it) => {
      const { file, line } = placeRow(it.span);
      return {
        description: visibleText(it.hint === undefined ? it.message : `${it.message} (${it.hint})`),
        check_name: it.code,
        fingerprint: fingerprints(it),
        severity: SEVERITIES[it.severity],
        location: { path: visibleText(pathOf(file)), lines: { begin: line } },
      };
    }),
  );
}
