import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { areOfOneLine } from '../../../base/releases/release.ts';
import type { ModelRule } from '../resolved-links.ts';

/** Both ends of a link run the same release line. */
export const peersRunOneRelease: ModelRule = function* ({ served }) {
  for (const { link, server, client } of served) {
    if (areOfOneLine(server.release, client.release)) continue;
    yield diagnostic(
      'topology/version-skew',
      link.at,
      `"${server.name}" runs Liqo ${server.release.version} and "${client.name}" ${client.release.version}`,
      {
        about: [[server.name, client.name]],
        hint: 'upgrade them together, since Liqo is tested with equal releases; each end gets the objects of its own',
      },
    );
  }
};
