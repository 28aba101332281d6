import { someOf } from '../../../base/core/words.ts';
import { textAt } from '../../dumps/json.ts';
import type { ClusterCase } from '../cluster-case.ts';
import { byObject } from '../finding-pool.ts';
import { named, valueIn } from '../object-words.ts';
import { type Problem, problem } from '../problem.ts';

/** Peers that a sentence names. */
const NAMED = 6;

/** Gateway templates of weft that were edited, with the gateways that are made of them. */
export function* templates({ cluster, pool, at, peers }: ClusterCase): Iterable<Problem> {
  const found = pool.take(
    (one) => one.kind === 'different' && /^WgGateway(Server|Client)Template$/.test(one.object.kind),
  );
  for (const fields of byObject(found)) {
    const [first] = fields;
    if (first?.kind !== 'different') continue;
    const users = [...peers.values()].filter(({ live }) =>
      live.some(
        ({ spec = {} }) =>
          textAt(spec, 'serverTemplateRef', 'name') === first.object.name ||
          textAt(spec, 'clientTemplateRef', 'name') === first.object.name,
      ),
    );
    yield problem('drift/template', {
      peer: null,
      at,
      message: `${named(first.object)} of "${cluster.name}" was edited: ${first.path.slice(-3).join('.')} is ${valueIn(first.live)}, and git has ${valueIn(first.promised)}`,
      hint: 'apply the bundle again, or change the gateway in the topology; gateways follow when Liqo looks at them the next time',
      details: [
        ...fields
          .slice(1)
          .flatMap((one) => (one.kind === 'different' ? [`${one.path.slice(-3).join('.')} as well`] : [])),
        users.length === 0
          ? 'no gateway uses it'
          : `the gateways for ${someOf(
              users.map((it) => it.peer),
              NAMED,
            )} are made of it`,
      ],
      findings: fields,
    });
  }
}
