import { describe, expect, it } from 'vitest';
import { parseTopology } from '../../../src/fleet/topology/parse-topology.ts';
import { checker, drawn, expectNoErrors } from '../../support/check-diagnostics.ts';

const diagnose = (source: Parameters<typeof parseTopology>[0]) => parseTopology(source, []).diagnostics;
const check = checker(diagnose);

/** A topology that is complete but for what the test adds. */
const whole = (rest: string): string => `version: 1\nname: europe\nclusters: {}\n${rest}`;
const cluster = (rest: string): string => `version: 1\nname: europe\nclusters:\n  rome: ${rest}\n`;

describe('what the schema accepts', () => {
  it('the shortest useful file', () => {
    expectNoErrors(
      diagnose,
      `
        # yaml-language-server: $schema=../schemas/topology.schema.json
        version: 1
        name: europe
        hub: europe
        defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
        clusters:
          europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
          rome:   { podCIDR: 10.202.0.0/16 }
          milan:  { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30 }
        shortcuts:
          - [rome, milan]
      `,
    );
  });

  it('every key, in its long form', () => {
    expectNoErrors(
      diagnose,
      `
        version: 1
        name: europe
        liqo:
          version: "1.2"
          namespace: liqo
          image: { registry: ghcr.io/liqotech, tag: v1.2.0 }
          shortcutOperator: false
          emitConnections: true
        ipam:
          allocator: best-fit
          pools: [10.0.0.0/8]
          carve: { from: 10.128.0.0/9, prefix: 20 }
        hub: [europe, america]
        peerings:
          - [europe, america]
          - between: [rome, europe]
            server: rome
            mtu: 1400
            nodePort: 30001
            address: rome.example.com
            port: 4500
            template: { server: ha, client: { name: small, namespace: network } }
          - { between: [a, b], template: ha }
        shortcuts: [[rome, milan]]
        order: [europe, rome]
        defaults:
          serviceCIDR: 10.96.0.0/12
          gateway: { mtu: 1400 }
        clusters:
          rome:
            podCIDR: [10.202.0.0/16, 10.203.0.0/16]
            serviceCIDR: 10.96.0.0/12
            externalCIDR: auto
            internalCIDR: 10.81.0.0/16
            reserved: [192.168.0.0/24]
            labels: { tier: leaf }
            retired: true
            hub: []
            gateway:
              addresses: [203.0.113.10]
              service: LoadBalancer
              ports: 51840-52839
              nodePorts: 30000
              loadBalancerIP: 203.0.113.10
              mtu: 1340
              replicas: 2
              nodeSelector: { a: "" }
              tolerations: [{ key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 5 }]
              serviceAnnotations: { a/b: c }
              dial: { address: 198.51.100.7, port: 51840 }
              server: prefer
              listenPort: 30000
              ping: { enabled: true, lossThreshold: 5, interval: 2s, updateStatusInterval: 10s }
            gitops: { name: rome, server: "https://x", kubeConfigSecret: s }
            liqo: { version: "1.1.2", namespace: liqo, image: { registry: r, tag: t } }
            ipam: { pools: [10.0.0.0/8] }
          milan: { gateway: { ping: false } }
          europe:
        gitops:
          repository: https://example.com/x.git
          revision: main
          path: out
          argo: { namespace: argocd, project: weft }
          flux: { namespace: flux-system, source: weft, dependsOn: [liqo] }
        keys: { secretName: gw-keys }
        assertions: []
      `,
    );
  });

  it('values that the rules check, since their messages are better', () => {
    expectNoErrors(
      diagnose,
      whole(
        'liqo: { version: "7" }\ndefaults: { podCIDR: "10.0.0.300/99", gateway: { mtu: 5, ports: x, dial: { port: 99999 } } }\n',
      ),
    );
    expectNoErrors(diagnose, 'version: 1\nname: Not A Name\nclusters: { Rome_1: {}, 042: {} }\n');
  });

  it('a cluster without a value is an empty map at its name', () => {
    const parsed = parseTopology(
      { path: 'topology.yaml', text: 'version: 1\nname: e\nclusters:\n  rome:\n  milan: ~\n' },
      [],
    );
    expect(parsed.ok).toBe(true);
    if (!parsed.ok) return;
    const clusters = parsed.value.reading.at('clusters');
    expect(clusters.plain()).toEqual({ rome: {}, milan: {} });
    expect(clusters.at('rome').span).toMatchObject({ start: 31, end: 35 });
  });
});

describe('unknown keys', () => {
  const code = 'topology/unknown-key';
  check('a typo in a cluster', cluster('{ «podCidrs»: 10.0.0.0/16 }'), {
    code,
    message: 'unknown key "podCidrs" in cluster "rome"',
    hint: 'did you mean "podCIDR"?',
  });
  check('other letters', cluster('{ «podcidr»: 10.0.0.0/16 }'), { code, hint: 'did you mean "podCIDR"?' });
  check('nothing near', cluster('{ «color»: red }'), {
    code,
    hint: /^use one of the known keys: podCIDR, serviceCIDR, /,
  });
  check('a word of another tool', cluster('{ «clusterCIDR»: 10.0.0.0/16 }'), { code, hint: 'did you mean "podCIDR"?' });
  check('an object of Kubernetes, which is one mistake', '«apiVersion»: v1\nkind: ConfigMap\nmetadata: { name: a }\n', {
    code,
    message: 'this is an object of Kubernetes, of kind "ConfigMap", and not the topology',
  });
  check('at the top, without a second report that the right key is missing', 'version: 1\nname: e\n«cluster»: {}\n', {
    code,
    message: 'unknown key "cluster" in the topology',
    hint: 'did you mean "clusters"?',
  });
  check('in a gateway', cluster('{ gateway: { «adresses»: [a] } }'), {
    code,
    message: 'unknown key "adresses" in "gateway" of cluster "rome"',
    hint: 'did you mean "addresses"?',
  });
  check('deep in a gateway', cluster('{ gateway: { ping: { «intervall»: 2s } } }'), {
    code,
    message: 'unknown key "intervall" in "gateway.ping" of cluster "rome"',
  });
  check('in the defaults, one level too high', whole('defaults: { «mtu»: 1400 }\n'), {
    code,
    message: 'unknown key "mtu" in "defaults"',
    hint: 'write it below `gateway`: `gateway: { mtu: 1400 }`',
  });
  check('a key of clusters at the top', whole('«podCIDR»: 10.0.0.0/16\n'), {
    code,
    hint: 'move `podCIDR: 10.0.0.0/16` below the name of its cluster, or below `defaults`',
  });
  check('a key of the fleet one level too high', whole('«repository»: https://example.com/a.git\n'), {
    code,
    hint: 'write it below `gitops`: `gitops: { repository: https://example.com/a.git }`',
  });
  check('a key of the whole topology in a cluster', cluster('{ «shortcuts»: [] }'), {
    code,
    hint: 'start `shortcuts` in column 1: it is a key of the whole topology',
  });
  check('a key of a cluster in its gateway', cluster('{ gateway: { «labels»: { a: b } } }'), {
    code,
    hint: 'move `labels` to the level of `gateway`',
  });
  check('a key with several places', whole('«nodePort»: 30000\n'), { code, hint: /^use one of the known keys: / });
  check('in a link', whole('peerings: [{ between: [a, b], «sever»: a }]\n'), {
    code,
    message: 'unknown key "sever" in an entry of "peerings"',
    hint: 'did you mean "server"?',
  });
  check('in the template of a link', whole('peerings: [{ between: [a, b], template: { «x»: a } }]\n'), {
    code,
    message: 'unknown key "x" in "template" of an entry of "peerings"',
  });
  check('a key that there was once', whole('keys: { «mode»: reference }\n'), {
    code,
    message: 'unknown key "mode" in "keys"',
    hint: 'use `secrets`, which says who makes the Secrets',
  });
  check('__proto__', whole('«__proto__»: { a: b }\n'), { code, message: 'unknown key "__proto__" in the topology' });
  check('a number', whole('«5»: b\n'), { code, message: 'unknown key "5" in the topology' });
  check('a very long one', whole(`«${'x'.repeat(500)}»: b\n`), {
    code,
    message: `unknown key "${'x'.repeat(60)}…" in the topology`,
  });

  it('reports each of several, in source order, with other mistakes between them', () => {
    const text = 'version: 1\nb: 1\nname: 5\na: 2\nclusters: { rome: { x: 1, podCIDR: {} } }\n';
    expect(diagnose({ path: 'topology.yaml', text }).map((one) => one.message)).toEqual([
      'unknown key "b" in the topology',
      '"name" must be a string, not a number',
      'unknown key "a" in the topology',
      'unknown key "x" in cluster "rome"',
      '"podCIDR" must be a string or a list, not a map',
    ]);
  });
});

describe('missing keys', () => {
  const code = 'topology/missing-key';
  check('the version', '«»name: e\nclusters: {}\n', {
    code,
    message: '"version" is missing in the topology',
    hint: 'add `version: 1`',
  });
  check('the clusters', '«»version: 1\nname: e\n', {
    code,
    message: '"clusters" is missing in the topology',
    hint: 'add it, like `clusters: { rome: { podCIDR: 10.202.0.0/16, serviceCIDR: 10.96.0.0/12 } }`',
  });
  check('the two of a link', whole('peerings:\n  - «server: a»\n'), {
    code,
    message: '"between" is missing in an entry of "peerings"',
  });
  check('a part of carve', whole('ipam:\n  «carve»: { from: 10.0.0.0/8 }\n'), {
    code,
    message: '"prefix" is missing in "ipam.carve"',
  });
});

describe('wrong types', () => {
  const code = 'topology/wrong-type';
  check('a release that YAML reads as a number', whole('liqo: { version: «1.10» }\n'), {
    code,
    message: '"version" must be a string, not a number',
    hint: 'quote it: "1.10"',
  });
  check('an MTU in quotes', cluster('{ gateway: { mtu: «"1400"» } }'), {
    code,
    message: '"mtu" must be an integer, not a string',
    hint: 'write it without quotes: 1400',
  });
  check('an MTU with a fraction', cluster('{ gateway: { mtu: «1400.5» } }'), {
    code,
    message: '"mtu" must be an integer, not 1400.5',
  });
  check('an MTU without end', cluster('{ gateway: { mtu: «.inf» } }'), {
    code,
    message: '"mtu" must be an integer, not .inf',
  });
  check('yes for true', cluster('{ retired: «yes» }'), {
    code,
    message: '"retired" must be true or false, not a string',
    hint: 'write true',
  });
  check('one text for a list', cluster('{ reserved: «10.0.0.0/8» }'), {
    code,
    message: '"reserved" must be a list, not a string',
    hint: 'write it as a list: [10.0.0.0/8]',
  });
  check('a number for a label', cluster('{ labels: { tier: «1» } }'), {
    code,
    message: '"tier" must be a string, not a number',
    hint: 'quote it: "1"',
  });
  check('a number in a list', whole('order: [a, «5»]\n'), {
    code,
    message: 'an entry of "order" must be a string, not a number',
  });
  check('a number in a link', whole('shortcuts: [[rome, «042»]]\n'), {
    code,
    message: 'a part of an entry of "shortcuts" must be a string, not a number',
  });
  check('a list with nothing in it', whole('«shortcuts»:\n'), {
    code,
    message: '"shortcuts" is empty, but must be a list',
    hint: 'remove it, or set a value, like `shortcuts: [[rome, milan]]`',
  });
  check('a gateway with nothing in it', cluster('{ «gateway»: }'), {
    code,
    message: '"gateway" is empty, but must be a string or a map',
    hint: 'remove it, or set a value, like `gateway: 203.0.113.10`',
  });
  check('null', cluster('{ podCIDR: «null» }'), {
    code,
    message: '"podCIDR" is empty, but must be a string or a list',
  });
  check('a text for a cluster', cluster('«10.0.0.0/16»'), {
    code,
    message: 'cluster "rome" must be a map, not a string',
    hint: 'write a map: `rome: { podCIDR: 10.0.0.0/16 }`',
  });
  check('a list for the clusters', 'version: 1\nname: e\nclusters:\n  «- rome»\n  - milan\n', {
    code,
    message: '"clusters" must be a map, not a list',
  });
  check('a text for a link', whole('shortcuts: [«rome»]\n'), {
    code,
    message: 'an entry of "shortcuts" must be a list or a map, not a string',
  });
  check('a dash without a space', whole('shortcuts:\n  «-[rome, milan]»\n'), {
    code,
    hint: 'put a space after the "-"',
  });
  check('an MTU with its unit', cluster('{ gateway: { mtu: «1400 bytes» } }'), {
    code,
    hint: 'write it as a number: 1400',
  });
  check('a map for links', whole('shortcuts: «{ rome: milan }»\n'), {
    code,
    hint: 'write a list, like `shortcuts: [[rome, milan]]`',
  });
  check('a flat list for links', whole('shortcuts: [«rome», milan]\n'.replace(', milan', ', [a, b]')), { code });
});

describe('wrong values', () => {
  const code = 'topology/wrong-value';
  check('another version', 'version: «2»\nname: e\nclusters: {}\n', {
    code,
    message: '"version" must be 1, not 2',
    hint: /^use the version of weft that reads this version/,
  });
  check('a service type in small letters', cluster('{ gateway: { service: «nodeport» } }'), {
    code,
    message: '"service" must be NodePort, LoadBalancer or ClusterIP, not "nodeport"',
    hint: 'did you mean "NodePort"?',
  });
  check('an unknown allocator', whole('ipam: { allocator: «first» }\n'), { code, hint: 'write liqo or best-fit' });
  check('no replica', cluster('{ gateway: { replicas: «0» } }'), {
    code,
    message: '"replicas" must be at least 1, not 0',
  });
  check('three ends', whole('shortcuts: [«[a, b, c]»]\n'), {
    code,
    message: 'an entry of "shortcuts" must have 2 entries, not 3',
    hint: 'write an entry for each pair to link: [a, b], [a, c] or [b, c]',
  });
  check('two ends without a comma', whole('shortcuts: [«[a b]»]\n'), {
    code,
    hint: 'put a comma between the two: [a, b]',
  });
  check('one end', whole('peerings: [{ between: «[a]» }]\n'), {
    code,
    message: '"between" must have 2 entries, not 1',
  });
});

describe('assertions', () => {
  check('without an end', whole('assertions: [«{ from: rome, expect: reachable }»]\n'), {
    code: 'topology/missing-key',
  });
  check(
    'with an end that is no name and no labels',
    whole('assertions: [{ from: «5», to: rome, expect: reachable }]\n'),
    {
      code: 'topology/wrong-type',
    },
  );
  check('with an unknown expectation', whole('assertions: [{ from: a, to: b, expect: «maybe» }]\n'), {
    code: 'topology/wrong-value',
  });
});

describe('lines that are shown in another way than they are read', () => {
  const code = 'source/hidden-text';
  check('with a comment in another order', whole('hub: a # «\u202e» a hub\n'), {
    code,
    message: /the hidden character U\+202E/,
  });
  check('with a second line that is none', whole('# nothing«\r»assertions: []\n'), { code, message: /U\+000D/ });
  check('with an end out of sight', cluster(`{ podCIDR: 10.1.0.0/16,${' '.repeat(4000)}«g»ateway: 10.0.0.1 }`), {
    code,
    message: '4000 blanks move the rest of this line out of sight',
  });
  check('with blanks before a comment', cluster(`{}${' '.repeat(300)}«#» gateway`), { code });
});

describe('control characters', () => {
  const code = 'topology/control-character';
  check('in a name', 'version: 1\nname: «"a\\nb"»\nclusters: {}\n', {
    code,
    message: 'this text contains the control character U+000A',
  });
  check('a line break of YAML 1.1', cluster('{ labels: { a: «"x\\u0085y"» } }'), { code, message: /U\+0085/ });
  check('a line separator, written out', cluster('{ labels: { a: «x\u2028y» } }'), { code, message: /U\+2028/ });
  check('in a key', cluster('{ labels: { «"a\\u2029"»: b } }'), { code, message: /U\+2029/ });
  check('in a key that would be known without it', cluster('{ «la\u200bbels»: { a: b } }'), {
    code,
    message: /U\+200B/,
  });
  check('half of a character', cluster('{ labels: { a: «"\\ud800"» } }'), { code, message: /U\+D800/ });
  check('in a block of lines', cluster('\n    labels:\n      a: «|\n        two\n        lines\n»'), { code });

  it('are none in other languages and in emoji', () => {
    expectNoErrors(diagnose, cluster('{ labels: { a: "größe 日本 😀" } }'));
  });
});

describe('broken YAML', () => {
  check('stops before the check against the schema', 'name: «[»\n', { code: 'source/yaml-syntax' });

  it('is drawn as it is', () => {
    expect(drawn('\n    a:\n      «b»\n  ')).toEqual({ text: 'a:\n  b\n', place: [5, 6], otherPlace: undefined });
  });
});
