import { describe, expect, it } from 'vitest';
import { schemaText } from '../../src/host/app/editor-schema-text.ts';
import { RUNS_ALL } from '../support/drawn.ts';
import { atCursor, editorForTests, INCLUDED_MODELINE, MODELINE } from './editor.ts';
import { languageServerMissing } from './language-server.ts';

const HEAD = `${MODELINE}version: 1\nname: europe\n`;
/** The time of the language server grows with their number: on a push more than an editor shows. */
const MANY = Array.from({ length: RUNS_ALL ? 1000 : 100 }, (_, index) => `edge-${String(index).padStart(4, '0')}`);
const NAMES = ['bergen', 'oslo', ...MANY];

/** Places where a cluster is named. */
const PLACES: readonly string[] = [
  'hub: ‸',
  'hub: ber‸',
  'hub:\n  - ‸',
  'order:\n  - ‸',
  'clusters:\n  rome:\n    hub: ‸',
  'shortcuts:\n  - [oslo, b‸]',
  'shortcuts:\n  -\n    - oslo\n    - ‸',
  'peerings:\n  - between:\n      - ‸',
  'peerings:\n  - between: [oslo, bergen]\n    server: ‸',
  'sharing:\n  - consumer: ‸',
  'sharing:\n  - { consumer: oslo, provider: b‸ }',
  'offloading:\n  - cluster: ‸',
  'offloading:\n  - to: ‸',
  'offloading:\n  - to:\n      - ‸',
  'assertions:\n  - from: ‸',
  'assertions:\n  - from: oslo\n    to: ‸',
  'assertions:\n  - from: oslo\n    without: ‸',
  'accept:\n  - code: ipam/block-tight\n    cluster: ‸',
  'accept:\n  - code: ipam/block-tight\n    link:\n      - ‸',
];

describe.skipIf(languageServerMissing)(
  'names of clusters in editors (skipped without test/editor/node_modules)',
  () => {
    const editor = editorForTests(schemaText(NAMES));
    const labelsAt = async (marked: string): Promise<readonly string[]> => {
      const { text, position } = atCursor(marked);
      return (await editor().complete(text, position)).map((it) => it.label);
    };

    it.each(PLACES)('are completed, and only those of the fleet: %j', async (place) => {
      const labels = await labelsAt(HEAD + place);
      expect(labels).toContain('bergen');
      expect(labels.filter((it) => ['rome', 'milan', 'europe', 'america'].includes(it))).toEqual([]);
    });

    it('are completed in an included file, all of them', async () => {
      const labels = await labelsAt(`${INCLUDED_MODELINE}version: 1\nclusters:\n  turin:\n    hub: ‸`);
      expect(labels).toEqual(expect.arrayContaining(NAMES));
    });

    it('are not checked by the editor: weft reports a name that no cluster has', async () => {
      const topology = `${HEAD}hub: [bergen, atlantis]\nclusters:\n  bergen: { podCIDR: 10.1.0.0/16 }\nshortcuts:\n  - [oslo, atlantis]\nsharing:\n  - { consumer: { region: eu }, provider: atlantis }\n`;
      expect((await editor().mistakesIn(topology)).map((it) => it.message)).toEqual([]);
    });

    it('are not listed when the mouse is on one of them', async () => {
      const { text, position } = atCursor(`${HEAD}hub: ber‸gen\n`);
      expect(await editor().hover(text, position)).not.toContain('edge-0001');
    });
  },
);
