import type { DumpRequest, LiveRequest } from '../app/list-dumps.ts';
import type { ContextRequest } from '../app/read-context.ts';

/** `rome=dump.json`: the name of a cluster in front, which a path with an equals sign in a folder does not have. */
const NAMED = /^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)=(.+)$/s;

/** Whether an argument can be nothing but a dump. */
export const isNamedDump = (argument: string): boolean => argument === '-' || NAMED.test(argument);

/** `rome=dump.json`, or a path alone. */
export const dumpRequests = (given: readonly string[]): readonly DumpRequest[] =>
  given.map((it) => {
    const [, cluster, path] = NAMED.exec(it) ?? [];
    return cluster === undefined || path === undefined ? { cluster: null, path: it } : { cluster, path };
  });

/** `rome=admin@rome`, or a context that is named like its cluster. */
export const contextRequests = (given: readonly string[]): readonly ContextRequest[] =>
  given.map((it) => {
    const [, cluster, context] = NAMED.exec(it) ?? [];
    return cluster === undefined || context === undefined ? { cluster: it, context: it } : { cluster, context };
  });

/** The sources of `--live` and `--context`; `undefined` without either, when git is asked. */
export const liveRequest = ({
  live,
  context,
}: {
  readonly live: readonly string[];
  readonly context: readonly string[];
}): LiveRequest | undefined =>
  live.length + context.length === 0 ? undefined : { dumps: dumpRequests(live), contexts: contextRequests(context) };
