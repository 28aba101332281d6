import { diagnostic } from '../../base/diagnostics/diagnostic.ts';
import {
  DEFAULT_RELEASE,
  isCandidate,
  isNewerThanChecked,
  NEWEST_PATCH,
  type Release,
  releaseOf,
  translatesSourcesWrongly,
} from '../../base/releases/release.ts';
import type { Located } from '../../base/source/source.ts';
import type { Report } from './report.ts';

/** A release from its text, or the default where there is none; `undefined` after reporting an unsupported one. */
export function readRelease(text: Located<string> | undefined, report: Report): Release | undefined {
  if (!text) return DEFAULT_RELEASE;
  const release = releaseOf(text.value);
  if (!release) {
    report(
      diagnostic('topology/unknown-release', text.at, `unsupported Liqo version "${text.value}"`, {
        hint: releaseOf(text.value.replace(/^v/, ''))
          ? `write it without the "v": "${text.value.slice(1)}"`
          : `use ${Object.entries(NEWEST_PATCH)
              .map(([line, newest]) => `"${line}" (newest ${newest})`)
              .join(' or ')}`,
      }),
    );
    return undefined;
  }
  if (isCandidate(release)) {
    report(
      diagnostic(
        'topology/release-candidate',
        text.at,
        `Liqo ${release.version} refuses the Configurations that weft writes: it takes one CIDR in place of a list`,
        {
          hint: `read the addresses and rules, which are those of ${release.version}; to apply the bundle, upgrade to ${NEWEST_PATCH['1.0']} and write "1.0"`,
        },
      ),
    );
  } else if (translatesSourcesWrongly(release)) {
    report(
      diagnostic(
        'topology/release-1.0.0',
        text.at,
        'Liqo 1.0.0 translates the sources of packets with a wrong rule, fixed in 1.0.1',
        {
          hint: `upgrade to ${NEWEST_PATCH['1.0']}, and write "1.0"; until then a pod gets no answer from a cluster that remaps it, unless both use one network`,
        },
      ),
    );
  }
  const newest = NEWEST_PATCH[release.line];
  if (isNewerThanChecked(release)) {
    report(
      diagnostic(
        'topology/unknown-patch',
        text.at,
        `Liqo ${release.version} is newer than ${newest}, the newest patch that weft was checked against`,
        {
          hint: `read Liqo's release notes for changes of addresses or objects; weft compiles as for ${newest}`,
        },
      ),
    );
  }
  return release;
}
