import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ARGO_CLUSTER_NAME, DNS_LABEL, DNS_SUBDOMAIN } from '../../../src/fleet/topology/formats/dns-names.ts';
import { GO_DURATION } from '../../../src/fleet/topology/formats/durations.ts';
import {
  ANNOTATION_KEY,
  KUBELET_ARGUMENT,
  LABEL_KEY,
  LABEL_VALUE,
  RESOURCE_NAME,
} from '../../../src/fleet/topology/formats/labels-and-resources.ts';
import {
  FLUX_RELEASE,
  GIT_REVISION,
  IMAGE_REGISTRY,
  IMAGE_TAG,
  REPOSITORY_PATH,
  REPOSITORY_URL,
  SERVER_URL,
} from '../../../src/fleet/topology/formats/repositories-and-servers.ts';
import type { TextFormat } from '../../../src/fleet/topology/formats/text-format.ts';
import { INCLUDED_PATH } from '../../../src/fleet/topology/includes-of.ts';

interface Table {
  /** A key of this format in the schema of the topology, whose pattern editors check. Values of the chart have none. */
  readonly key?: string;
  readonly format: TextFormat;
  readonly accepts: readonly string[];
  /** A text, and a part of the hint that must come with it. */
  readonly refuses: readonly (readonly [text: string, hint: RegExp])[];
}

const long = (length: number): string => 'a'.repeat(length);

/** A variable of Flux, in two parts: the linter takes it for a forgotten template. */
const VARIABLE = ['$', '{x}'].join('');

/** Texts that YAML 1.1 or a careless reader takes for other types; as a text it is fine. */
const LOOKALIKES = ['true', 'on', 'no', 'null', '0x10', '1e3', '1.20', '123', '2024-01-01', '0o7'];

const TABLES: Readonly<Record<string, Table>> = {
  'a release of Flux': {
    key: 'properties/gitops/properties/flux/properties/version',
    format: FLUX_RELEASE,
    accepts: ['2.7', '2.5', '2.10'],
    refuses: [
      ['2.4', /run Flux 2\.5/],
      ['2.0', /run Flux 2\.5/],
      ['2', /like "2\.7"$/],
      ['2.7.1', /like "2\.7"$/],
      ['v2.7', /like "2\.7"$/],
      ['9.9', /like "2\.7"$/],
    ],
  },
  'a DNS label': {
    key: 'properties/liqo/properties/namespace',
    format: DNS_LABEL,
    accepts: ['liqo', 'a', '0', 'a--b', long(63), '123', '1e3'],
    refuses: [
      ['A B', /like "a-b"$/],
      ['', /lower-case letters/],
      ['-a', /like "a"$/],
      ['a-', /both ends/],
      ['a.b', /like "a-b"$/],
      ['ä', /lower-case/],
      [long(64), /at most 63/],
    ],
  },
  'a DNS subdomain': {
    key: 'properties/gitops/properties/argo/properties/project',
    format: DNS_SUBDOMAIN,
    accepts: ['gw-keys', 'a.b', ...LOOKALIKES, long(253)],
    refuses: [
      ['a..b', /each part/],
      ['a.-b', /each part/],
      ['.a', /each part/],
      ['A', /lower-case/],
      ['', /lower-case/],
      ['a_b', /lower-case/],
      [long(254), /at most 253/],
    ],
  },
  'the key of a label': {
    key: '$defs/gateway/properties/nodeSelector/propertyNames',
    format: LABEL_KEY,
    accepts: ['gateway', 'node-role.kubernetes.io/gateway', 'A_b.c', `${long(253)}/${long(63)}`, ...LOOKALIKES],
    refuses: [
      ['', /letters, digits/],
      ['a b', /letters, digits/],
      ['a/b/c', /letters, digits/],
      ['/a', /before the slash/],
      ['Example.com/a', /before the slash/],
      ['a/', /letters, digits/],
      ['_a', /both ends/],
      [long(64), /at most 63 characters$/],
      [`a/${long(64)}`, /at most 63 characters after the slash$/],
    ],
  },
  'the name of a resource': {
    key: '$defs/resources/propertyNames',
    format: RESOURCE_NAME,
    accepts: ['cpu', 'memory', 'pods', 'ephemeral-storage', 'hugepages-2Mi', 'nvidia.com/gpu', 'example.com/1.20'],
    refuses: [
      ['', /letters, digits/],
      ['cpus', /^did you mean "cpu"\?$/],
      ['Memory', /^did you mean "memory"\?$/],
      ['gpu', /nvidia\.com\/gpu$/],
      ['Nvidia.com/gpu', /before the slash/],
      ['nvidia.com/', /letters, digits/],
    ],
  },
  'the key of an annotation': {
    key: '$defs/gateway/properties/serviceAnnotations/propertyNames',
    format: ANNOTATION_KEY,
    accepts: ['Example.com/Class', 'service.beta.kubernetes.io/aws-load-balancer-type'],
    refuses: [
      ['a b', /letters/],
      ['exa mple/a', /before the slash/],
    ],
  },
  'the value of a label': {
    key: '$defs/gateway/properties/nodeSelector/additionalProperties',
    format: LABEL_VALUE,
    accepts: ['', 'gateway', 'A_b.c-1', long(63), ...LOOKALIKES],
    refuses: [
      ['a b', /letters, digits/],
      ['-a', /both ends/],
      ['a/b', /letters, digits/],
      ['~', /letters, digits/],
      [long(64), /at most 63/],
    ],
  },
  'a duration': {
    key: '$defs/gateway/properties/ping/properties/interval',
    format: GO_DURATION,
    accepts: ['2s', '500ms', '1h30m', '0.5s', '1.25h', '2540400h'],
    refuses: [
      ['abc', /with its unit/],
      ['2', /with its unit/],
      ['2 s', /with its unit/],
      ['-2s', /with its unit/],
      ['2d', /with its unit/],
      ['', /with its unit/],
      ['0s', /above zero/],
      ['0.0000001ms', /above zero/],
      ['9999999999h', /shorter/],
    ],
  },
  'a registry': {
    key: 'properties/liqo/properties/image/properties/registry',
    format: IMAGE_REGISTRY,
    accepts: [
      'ghcr.io/liqotech',
      'registry.example.com:5000/a/b__c',
      'localhost:5000',
      'localhost/a',
      'liqotech',
      'Registry.example.com/a',
      '10.0.0.1:5000/x',
    ],
    refuses: [
      ['https://ghcr.io/liqotech', /scheme/],
      ['ghcr.io/liqotech/', /slash at the end/],
      ['ghcr.io/Liqotech', /lower-case/],
      ['ghcr.io//a', /host and folders/],
      ['a b', /host and folders/],
      ['', /host and folders/],
      ['ghcr.io/a:v1', /host and folders/],
      ['--x', /host and folders/],
      [long(238), /at most 237/],
    ],
  },
  'a tag': {
    key: 'properties/liqo/properties/image/properties/tag',
    format: IMAGE_TAG,
    accepts: ['v1.2.0', '_x', long(128), ...LOOKALIKES],
    refuses: [
      ['', /128/],
      ['.a', /128/],
      ['-a', /128/],
      ['v1 2', /128/],
      ['v1@sha256:00', /128/],
      [long(129), /128/],
    ],
  },
  'a revision': {
    key: 'properties/gitops/properties/revision',
    format: GIT_REVISION,
    accepts: [
      'main',
      'release/1.2',
      'v1.4.0',
      'refs/heads/main',
      'HEAD',
      'a@b',
      'a{b}',
      'über',
      '0123456789012345678901234567890123456789',
      ...LOOKALIKES,
    ],
    refuses: [
      ['--upload-pack=touch x', /option/],
      ['-x', /option/],
      ['', /one name/],
      ['a b', /one name/],
      ['main..dev', /one name/],
      ['main~1', /one name/],
      ['main^', /one name/],
      ['a:b', /one name/],
      ['v1.*', /one name/],
      ['a[b]', /one name/],
      ['a\\b', /one name/],
      ['@', /one name/],
      ['@{upstream}', /one name/],
      ['/a', /one name/],
      ['a/', /one name/],
      ['a//b', /one name/],
      ['a/.b', /one name/],
      ['.a', /one name/],
      ['a.lock', /one name/],
      ['a.lock/b', /one name/],
      ['a.', /one name/],
      ['{{.path.basename}}', /the value itself/],
      [VARIABLE, /the value itself/],
    ],
  },
  'a repository': {
    key: 'properties/gitops/properties/repository',
    format: REPOSITORY_URL,
    accepts: [
      'https://github.com/example/network.git',
      'http://git.example.com:8080/a/b',
      'ssh://git@git.example.com:2222/a.git',
      'ssh://git@git.example.com/~user/a.git',
      'git@github.com:example/network.git',
      'git://git.example.com/a',
      'https://[2001:db8::1]/a.git',
      'https://user@dev.example.com/a/_git/b',
      'https://git.example.com/a%20b',
      'https://gitlab.example.com/group/tree/network.git',
      'https://git.example.com',
    ],
    refuses: [
      ['', /write it like/],
      ['--upload-pack=x', /write it like/],
      ['ext::sh -c x', /write it like/],
      ['file:///srv/a', /write it like/],
      ['/srv/a', /write it like/],
      ['../a', /write it like/],
      ['github.com/example/network', /write it like/],
      ['https://github.com/example', /write it like/],
      ['https://github.com/example/network/tree/main/out', /write https:\/\/github.com\/example\/network, and/],
      ['https://gitlab.com/a/b/c/-/tree/main', /write https:\/\/gitlab.com\/a\/b\/c, and/],
      ['https://github.com/example/network#readme', /write https:\/\/github.com\/example\/network, and/],
      ['ssh://-oProxyCommand=x/a', /write it like/],
      ['git@-oProxyCommand=x:a', /write it like/],
      ['-x@host:a', /write it like/],
      ['git@host:-x', /write it like/],
      ['https://github.com/*', /write it like/],
      ['https://github.com/a?b', /write it like/],
      ['https://github.com/{a,b}', /write it like/],
      ['git@host:[ab]', /write it like/],
      ['https://github.com/a b', /write it like/],
      ['https://{{.x}}/a', /the value itself/],
      [`https://${VARIABLE}/a`, /the value itself/],
    ],
  },
  'a path of included files': {
    key: 'properties/include/items',
    format: INCLUDED_PATH,
    accepts: ['regions/', 'regions/eu.yaml', 'regions/eu.yml', 'a/b/c/', 'a.b/_c-1.yaml', 'x.yaml/'],
    refuses: [
      ['eu.yaml', /like regions\/eu\.yaml: a file beside a topology is another topology$/],
      ['regions', /write regions\/ for a folder/],
      ['regions/eu', /write regions\/eu\/ for a folder, or add \.yaml/],
      ['regions/eu.json', /for a folder/],
      ['/etc/', /from the folder of the topology/],
      ['../eu.yaml', /below that of the topology/],
      ['regions/../../eu.yaml', /below that of the topology/],
      ['./regions/', /leave out/],
      ['regions\\eu.yaml', /between folders/],
      ['.git/', /begins with a dot/],
      ['regions/.hidden/', /begins with a dot/],
      ['regions//eu.yaml', /use letters/],
      ['-x/', /or a dash/],
      ['', /use letters/],
      ['a b/', /use letters/],
    ],
  },
  'a folder': {
    key: 'properties/gitops/properties/path',
    format: REPOSITORY_PATH,
    accepts: ['out', '.', './out', 'out/', 'fleets/europe/out', '', 'ü/b c', 'a*b', ...LOOKALIKES],
    refuses: [
      ['/out', /like out$/],
      ['/', /like out$/],
      ['../a', /like a$/],
      ['a/../../b', /like a\/b$/],
      ['..', /like out$/],
      ['-x', /\.\/ in front/],
      ['a\\b', /between folders/],
      ['.git', /\.git/],
      ['a/.git/b', /\.git/],
      [' a', /space/],
      ['a /b', /space/],
      ['{{.path.path}}', /the value itself/],
      [VARIABLE, /the value itself/],
    ],
  },
  'a server': {
    key: '$defs/cluster/properties/gitops/properties/server',
    format: SERVER_URL,
    accepts: [
      'https://rome.example.com:6443',
      'https://10.0.0.1',
      'http://rome.example.com:8080',
      'https://x/k8s/clusters/c-1',
    ],
    refuses: [
      ['', /write it like/],
      ['rome.example.com:6443', /write it like/],
      ['https://*', /write it like/],
      ['https://[2001:db8::1]:6443', /write it like/],
      ['https://', /write it like/],
      ['https://a b', /write it like/],
      ['https://localhost:6443', /Argo CD reaches it/],
      ['https://127.0.0.1:6443', /Argo CD reaches it/],
      ['{{server}}', /the value itself/],
    ],
  },
  'an argument of virtual kubelets': {
    format: KUBELET_ARGUMENT,
    accepts: ['--node-extra-labels=team=a', '--nodename-template', '--full-resync-period', '5m'],
    refuses: [
      ['--nodename=x', /Liqo sets it/],
      ['--foreign-cluster-id', /Liqo sets it/],
      ['--remote-real-storage-class-name=fast', /Liqo sets it/],
      ['--pod-reflection-workers=0', /use `offloading.reflection`/],
      ['--disable-ip-reflection', /use `offloading.reflection`/],
    ],
  },
  'a cluster of Argo CD': {
    key: '$defs/cluster/properties/gitops/properties/name',
    format: ARGO_CLUSTER_NAME,
    accepts: ['rome', 'in-cluster', 'arn:aws:eks:eu-west-1:1:cluster/rome', 'Prod Rome', ...LOOKALIKES],
    refuses: [
      ['', /argocd cluster list/],
      [' rome', /argocd cluster list/],
      ['*', /pattern/],
      ['prod-?', /pattern/],
      ['!rome', /pattern/],
      ['[a]', /pattern/],
      ['{{name}}', /the value itself/],
      [VARIABLE, /the value itself/],
    ],
  },
};

const SCHEMA: unknown = JSON.parse(
  readFileSync(new URL('../../../schemas/topology.schema.json', import.meta.url), 'utf8'),
);

/** The schema of a key, as editors read it. */
function schemaAt(key: string): {
  readonly pattern: RegExp;
  readonly longest: number;
  /** The message of editors for a text that does not match the pattern. */
  readonly advice: string;
} {
  const found = key.split('/').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], SCHEMA);
  const { pattern, maxLength, patternErrorMessage } = found as {
    pattern: string;
    maxLength?: number;
    patternErrorMessage: string;
  };
  return {
    pattern: new RegExp(pattern, 'u'),
    longest: maxLength ?? Number.POSITIVE_INFINITY,
    advice: patternErrorMessage,
  };
}

for (const [name, { key, format, accepts, refuses }] of Object.entries(TABLES)) {
  describe(name, () => {
    it.each(accepts)('is %j, for editors as well', (text) => {
      expect(format.hintFor(text)).toBeUndefined();
      if (key === undefined) return;
      expect(text).toMatch(schemaAt(key).pattern);
      expect(text.length).toBeLessThanOrEqual(schemaAt(key).longest);
    });
    // Editors have no pattern for a format that only values of the chart have.
    if (key !== undefined) {
      it('has the same advice in editors as in a hint', () => {
        const hints = refuses.map(([text]) => format.hintFor(text) ?? '');
        expect(hints.filter((it) => it.startsWith(schemaAt(key).advice))).not.toEqual([]);
      });
    }
    it.each(refuses)('is not %j', (text, hint) => {
      expect(format.hintFor(text)).toMatch(hint);
    });
  });
}
