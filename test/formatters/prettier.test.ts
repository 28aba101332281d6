import fc from 'fast-check';
import { format } from 'prettier';
import { describe, expect, it } from 'vitest';
import { printYaml, type YamlValue } from '../../src/bundle/emit/print-yaml.ts';
import { yamlScalar } from '../../src/bundle/liqo/gateway-settings.ts';
import { workspace } from '../host/cli/memory-host.ts';
import { law } from '../laws/law.ts';
import { compileGolden, goldenFiles } from '../support/golden.ts';

const formatted = (text: string): Promise<string> => format(text, { parser: 'yaml' });

/** Parts of real fleets: shortcuts, templates, alerts, sharing, entry points of both tools. */
const GOLDENS = [
  'a-fleet-made-by-hand-keeps-its-names',
  'alerts-on-every-tunnel',
  'gitops-with-argo-and-flux',
  'sharing-with-argo-and-flux',
];

describe('Prettier with its defaults', () => {
  it.each(GOLDENS)('leaves all YAML of %s as weft writes it', async (name) => {
    const files = [...goldenFiles(compileGolden(name))].filter(([path]) => path.endsWith('.yaml'));
    expect(files.length).toBeGreaterThan(10);
    for (const [path, text] of files) expect([path, await formatted(text)]).toEqual([path, text]);
  });

  it('leaves what "weft init" writes', async () => {
    const it = workspace();
    await it.weft('init');
    for (const path of ['topologies/topology.yaml', '.github/workflows/weft.yml', '.yamllint'])
      expect([path, await formatted(it.read(path))]).toEqual([path, it.read(path)]);
  });

  it('leaves the jobs for GitLab that it writes', async () => {
    const it = workspace();
    await it.weft('init', '--forge', 'gitlab');
    expect(await formatted(it.read('.gitlab-ci.yml'))).toBe(it.read('.gitlab-ci.yml'));
  });

  const text = fc.string({ unit: fc.constantFrom('a', 'B', '7', ' ', '"', "'", '\\', ':', '#', '-', '{', '}', '.') });
  const { value } = fc.letrec<{ value: YamlValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(text, tie('value'), { maxKeys: 3 }),
    ),
  }));

  law(
    'leaves any object as it is printed',
    300,
    fc.asyncProperty(fc.dictionary(text, value, { minKeys: 1, maxKeys: 4 }), async (object) => {
      const printed = printYaml(object);
      expect(await formatted(printed)).toBe(printed);
    }),
  );

  law(
    'leaves any scalar of a gateway template',
    300,
    fc.asyncProperty(text, async (it) => {
      const line = `a: ${yamlScalar(it)}\n`;
      expect(await formatted(line)).toBe(line);
    }),
  );
});
