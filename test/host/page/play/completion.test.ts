import { describe, expect, it } from 'vitest';
import { describedAt, offersAt } from '../../../../src/host/page/play/topology-offers.ts';
import { yamlPosition } from '../../../../src/host/page/play/yaml-position.ts';

/** The place of `¦` in a topology, as `KIND PATH`, and the word before it. */
function placeIn(text: string): string {
  const offset = text.indexOf('¦');
  const whole = text.replace('¦', '');
  const found = yamlPosition(whole, offset);
  if (found === null) return 'nowhere';
  return `${found.kind} ${found.path.join('.')} «${whole.slice(found.from, offset)}»`;
}

describe('the place in a topology that is being written', () => {
  it.each([
    ['an empty file', '¦', 'key  «»'],
    ['a key at the top', 'version: 1\nna¦', 'key  «na»'],
    ['a key before others', 'na¦\nversion: 1', 'key  «na»'],
    ['a value', 'version: ¦', 'value version «»'],
    ['a value that has begun', 'hub: ro¦\n', 'value hub «ro»'],
    ['a key without its space', 'version:¦', 'nowhere'],
    ['a key of a cluster', 'clusters:\n  rome:\n    pod¦', 'key clusters.rome «pod»'],
    ['an empty line in a cluster', 'clusters:\n  rome:\n    podCIDR: 10.1.0.0/16\n    ¦', 'key clusters.rome «»'],
    ['an empty line less deep', 'clusters:\n  rome:\n    podCIDR: 10.1.0.0/16\n  ¦', 'key clusters «»'],
    ['an empty line at the top', 'clusters:\n  rome: {}\n¦', 'key  «»'],
    ['a map in braces', 'clusters:\n  rome: { pod¦', 'key clusters.rome «pod»'],
    ['a map in braces that goes on', 'clusters:\n  rome: { ga¦, podCIDR: 10.1.0.0/16 }', 'key clusters.rome «ga»'],
    ['a value in braces', 'clusters:\n  rome: { podCIDR: 10¦ }', 'value clusters.rome.podCIDR «10»'],
    [
      'braces in braces',
      'clusters:\n  rome: { gateway: { addresses: [1¦] } }',
      'value clusters.rome.gateway.addresses.[] «1»',
    ],
    ['braces over lines', 'clusters:\n  rome: {\n    podCIDR: 10.1.0.0/16,\n    ga¦\n', 'key clusters.rome «ga»'],
    ['behind braces', 'clusters:\n  rome: { podCIDR: 10.1.0.0/16 }\n  milan: { ¦ }', 'key clusters.milan «»'],
    ['an entry in brackets', 'hub: [rome, mi¦]', 'value hub.[] «mi»'],
    ['an entry of a list', 'shortcuts:\n  - [rome, mi¦]', 'value shortcuts.[].[] «mi»'],
    ['a key in an entry', 'sharing:\n  - consumer: rome\n    pro¦', 'key sharing.[] «pro»'],
    ['a second entry in the column of its key', 'order:\n- rome\n- mi¦', 'key order.[] «mi»'],
    ['a key behind such a list', 'order:\n- rome\nhu¦', 'key  «hu»'],
    ['a comment', '# versi¦', 'nowhere'],
    ['a comment behind a value', 'version: 1 # ne¦', 'nowhere'],
    ['a text in quotes', "clusters:\n  rome: { podCIDR: '10¦' }", 'nowhere'],
    ['a quoted key', 'clusters:\n  "rome":\n    pod¦', 'key clusters.rome «pod»'],
    ['a text of several lines', 'keys: |\n  some: te¦\n', 'nowhere'],
    ['braces in a comment', '# {\nversion: 1\nna¦', 'key  «na»'],
  ])('%s', (_, text, expected) => {
    expect(placeIn(text)).toBe(expected);
  });
});

const namesOf = (text: string, clusters: readonly string[] = []): readonly string[] => {
  const found = yamlPosition(text, text.length);
  return found === null ? [] : offersAt(found, clusters).map((it) => it.text);
};

describe('completion', () => {
  it('offers the keys of the schema', () => {
    expect(namesOf('na')).toEqual(expect.arrayContaining(['version', 'name', 'clusters', 'hub', 'sharing']));
    expect(namesOf('clusters: { rome: { ')).toEqual(expect.arrayContaining(['podCIDR', 'gateway', 'labels']));
    expect(namesOf('clusters:\n  rome:\n    gateway:\n      ')).toEqual(expect.arrayContaining(['addresses', 'dial']));
  });

  it('offers values: those of a closed set, and names of clusters', () => {
    expect(namesOf('version: ')).toEqual(['1']);
    expect(namesOf('clusters: { rome: { gateway: { server: ', ['rome'])).toEqual(
      expect.arrayContaining(['never', 'prefer']),
    );
    expect(namesOf('hub: ', ['milan', 'rome'])).toEqual(['milan', 'rome']);
    expect(namesOf('shortcuts:\n  - [rome, ', ['milan', 'rome'])).toEqual(['milan', 'rome']);
    expect(namesOf('sharing:\n  - consumer: ', ['milan', 'rome'])).toEqual(['milan', 'rome']);
    expect(namesOf('offloading:\n  - to: ', ['milan', 'rome'])).toEqual(['milan', 'rome']);
    expect(namesOf('peerings:\n  - server: ', ['milan', 'rome'])).toEqual(['milan', 'rome']);
    expect(namesOf('assertions:\n  - without: ', ['milan', 'rome'])).toEqual(['any-link', 'milan', 'rome']);
    expect(namesOf('clusters: { rome: { platform: ', ['milan', 'rome'])).not.toContain('milan');
  });

  it('describes keys at any depth', () => {
    expect(describedAt(['clusters', 'rome', 'podCIDR'])?.description).toMatch(/pod/i);
    expect(describedAt(['hub'])?.description).toContain('hub');
    expect(describedAt(['hubb'])).toBeNull();
    expect(describedAt(['constructor'])).toBeNull();
  });
});
