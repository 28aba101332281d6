import fc from 'fast-check';
import { describe } from 'vitest';
import { anyText } from '../support/any-text.ts';
import { arbitraryFleet } from './arbitrary-topology.ts';
import { tryCompile } from './compile-spec.ts';
import { expectAnswer } from './expect-answer.ts';
import { law } from './law.ts';
import { slipped, slips, withOtherScalar } from './slips.ts';
import { topologySource } from './topology-spec.ts';

describe('compiling never throws and is quick', () => {
  law(
    'for random text',
    300,
    fc.property(anyText({ maxLength: 200 }), (topology) => expectAnswer({ topology })),
  );

  law(
    'for random bytes in all three files',
    100,
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const text = new TextDecoder().decode(bytes);
      expectAnswer({ topology: text, keys: text, lock: text });
    }),
  );

  law(
    'for a topology with slips of the hand',
    300,
    fc.property(arbitraryFleet({ maxClusters: 5 }), slips, ({ spec }, made) => {
      expectAnswer({ topology: slipped(topologySource(spec).text, made) });
    }),
  );

  law(
    'for a topology with other values in it',
    300,
    fc.property(arbitraryFleet({ maxClusters: 5 }), slips, ({ spec }, made) => {
      expectAnswer({ topology: made.reduce(withOtherScalar, topologySource(spec).text) });
    }),
  );

  law(
    'for a topology that ends too early',
    100,
    fc.property(arbitraryFleet({ maxClusters: 5 }), fc.nat(), ({ spec }, cut) => {
      const { text } = topologySource(spec);
      expectAnswer({ topology: text.slice(0, cut % text.length) });
    }),
  );

  law(
    'for a lock with slips of the hand, other values, or of another topology',
    300,
    fc.property(arbitraryFleet({ maxClusters: 5 }), arbitraryFleet({ maxClusters: 5 }), slips, (one, other, made) => {
      const topology = topologySource(one.spec).text;
      for (const { spec } of [one, other]) {
        const result = tryCompile(spec, undefined, { only: [] });
        if (!result.ok) continue;
        expectAnswer({ topology, lock: result.value.lock });
        expectAnswer({ topology, lock: slipped(result.value.lock, made) });
        expectAnswer({ topology, lock: made.reduce(withOtherScalar, result.value.lock) });
      }
    }),
  );
});
