import { LIST_NAME } from '../../../base/core/bundle-path.ts';
import { quoted } from '../../../base/core/words.ts';
import { type Acceptance, type Diagnostic, diagnostic, placeKey } from '../../../base/diagnostics/diagnostic.ts';
import { TENANT_NAMESPACE_PREFIX } from '../../../base/releases/labels.ts';
import type { Located, Span } from '../../../base/source/source.ts';
import { labelHint, secretNameFor } from '../formats/dns-names.ts';
import type { TopologyRule } from './topology-rule.ts';

const LONGEST_FLEET_NAME = 40;

/** The fleet's name becomes part of the names of Argo CD and Flux objects. */
export const fleetNameIsADnsLabel: TopologyRule = function* ({ name }) {
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name.value)) {
    yield diagnostic('topology/bad-name', name.at, `"${name.value}" is not a valid name of a fleet`, {
      hint: labelHint(name.value),
    });
  } else if (name.value.length > LONGEST_FLEET_NAME) {
    yield diagnostic('topology/name-too-long', name.at, `the fleet's name has ${name.value.length} characters`, {
      hint: `use at most ${LONGEST_FLEET_NAME} characters`,
    });
  }
};

/** Source: liqotech/liqo@v1.2.0 apis/core/v1beta1/foreigncluster_types.go. */
const CLUSTER_ID = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** The prefix and the name together are the name of a namespace, of at most 63 characters. */
const LONGEST_CLUSTER_NAME = 63 - TENANT_NAMESPACE_PREFIX.length;

/** Cluster names are Liqo cluster IDs: DNS labels that leave room for `liqo-tenant-` and do not look like integers. */
export const clusterNamesAreDnsLabels: TopologyRule = function* (topology) {
  for (const { value, at } of topology.names) {
    if (!CLUSTER_ID.test(value)) {
      yield diagnostic('topology/bad-name', at, `"${value}" is not a valid Liqo cluster ID`, {
        hint: labelHint(value),
      });
    } else if (value.length > LONGEST_CLUSTER_NAME) {
      yield diagnostic(
        'topology/name-too-long',
        at,
        `"${value}" has ${value.length} characters; its tenant namespace would be too long`,
        {
          hint: `use at most ${LONGEST_CLUSTER_NAME} characters: "${TENANT_NAMESPACE_PREFIX}" and the name together have at most 63`,
        },
      );
    } else if (/^\d+$/.test(value)) {
      yield diagnostic(
        'topology/name-like-integer',
        at,
        `"${value}" looks like an integer, and Liqo renders it as one`,
        {
          hint: `add a letter, like "c${value}"`,
        },
      );
    }
  }
};

/** The objects for a peer are in a file named after it, next to the list for kustomize: the two names must differ. */
export const clusterNamesLeaveFileNamesFree: TopologyRule = function* (topology) {
  for (const { value, at } of topology.names) {
    if (value !== LIST_NAME) continue;
    const message = `a cluster must not be called "${value}": the folder of every peer would have two files of that name`;
    yield diagnostic('topology/bad-name', at, message, {
      hint: `choose another cluster ID: every folder of a bundle already contains a ${value}.yaml`,
    });
  }
};

/** The objects of an offloaded or limited namespace are in a file named after it, next to the list for kustomize. */
export const namespaceNamesLeaveFileNamesFree: TopologyRule = function* ({ offloading, boundaries }) {
  for (const it of boundaries.flatMap(({ fromNamespace, toNamespace }) =>
    [fromNamespace ?? [], toNamespace ?? []].flat(),
  )) {
    if (it.value !== LIST_NAME) continue;
    const message = `a namespace called "${LIST_NAME}" cannot be limited: its file would have the name of the list for kustomize`;
    yield diagnostic('topology/bad-name', it.at, message, { hint: 'choose another name for the namespace' });
  }
  for (const { namespace } of offloading) {
    if (namespace.value !== LIST_NAME) continue;
    const message = `a namespace called "${LIST_NAME}" cannot be offloaded: its file would have the name of the list for kustomize`;
    yield diagnostic('topology/bad-name', namespace.at, message, { hint: 'choose another name for the namespace' });
  }
};

/** Longest name of a Secret in characters, with room for the number of a generation: `-9999`. */
const LONGEST_SECRET_NAME = 253 - 5;

/** The name of the Secret of a gateway is not too long, whichever cluster is at the other end. */
export const secretNamesHaveRoomForPeers: TopologyRule = function* ({ keySecretName, names }) {
  const pattern = keySecretName.value;
  const [longest = ''] = names.map((it) => it.value).sort((a, b) => b.length - a.length);
  const { length } = secretNameFor(pattern, longest);
  if (length <= LONGEST_SECRET_NAME || pattern.length > LONGEST_SECRET_NAME) return;
  const message = `\`keys.secretName\` has ${length} characters for the peer "${longest}", more than ${LONGEST_SECRET_NAME}: a Secret has at most 253, and later key pairs add a number`;
  yield diagnostic('topology/name-too-long', keySecretName.at, message, {
    hint: 'write a shorter one, like gw-{peer}',
  });
};

/** A cluster is renamed from one that is no longer in the topology, and no two clusters are renamed from the same one. */
export const renamesNameFormerClusters: TopologyRule = function* ({ clusters, names }) {
  const declared = new Map(names.map((it) => [it.value, it.at]));
  const taken = new Map<string, { readonly name: string; readonly at: Span }>();
  for (const { name, renamedFrom } of clusters) {
    if (renamedFrom === null) continue;
    const { value: from, at } = renamedFrom;
    const [still, other] = [declared.get(from), taken.get(from)];
    if (from === name) yield badRename(at, `${quoted(name)} is renamed from itself`, 'remove `renamedFrom`');
    else if (still) {
      yield badRename(
        at,
        `${quoted(name)} is renamed from ${quoted(from)}, which is still a cluster of this topology`,
        `remove \`renamedFrom\`, or the cluster ${quoted(from)}; clusters that swap names need another name in between`,
        { message: `${quoted(from)} is declared here`, span: still },
      );
    } else if (other) {
      yield badRename(
        at,
        `${quoted(other.name)} and ${quoted(name)} are both renamed from ${quoted(from)}`,
        'keep `renamedFrom` at the cluster that was called so',
        { message: 'the other one', span: other.at },
      );
    }
    if (!other) taken.set(from, { name, at });
  }
};

const badRename = (
  at: Span,
  message: string,
  hint: string,
  related?: NonNullable<Diagnostic['related']>[number],
): Diagnostic => diagnostic('topology/bad-rename', at, message, { hint, related: related && [related] });

/** A cluster appears once in `hub` and once in `order`. */
export const namesAppearOnceInLists: TopologyRule = function* (topology) {
  for (const list of [topology.hubs, topology.order, ...topology.clusters.map((it) => it.hubs ?? [])]) {
    const first = new Map<string, Located<string>>();
    for (const name of list) {
      const earlier = first.get(name.value);
      if (!earlier) first.set(name.value, name);
      else {
        yield diagnostic('topology/wrong-value', name.at, `"${name.value}" is listed twice`, {
          hint: 'remove one of the two entries',
          related: [{ message: 'the first entry', span: earlier.at }],
        });
      }
    }
  }
};

/** A code is accepted once at a place, and a link has two ends. */
export const acceptancesDiffer: TopologyRule = function* ({ acceptances }) {
  const first = new Map<string, Acceptance>();
  for (const it of acceptances) {
    const { code, where } = it;
    if (where.kind === 'link' && where.between[0].value === where.between[1].value) {
      const [a, b] = where.between;
      yield diagnostic('topology/self-link', b.at, `"${a.value}" is at both ends of this link`, {
        hint: 'name two different clusters, or write `cluster`',
        related: [{ message: 'the same cluster is named here', span: a.at }],
      });
    }
    const key = `${code.value} ${placeKey(where)}`;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, it);
    else {
      yield diagnostic('topology/wrong-value', code.at, `"${code.value}" is accepted twice at one place`, {
        hint: 'remove one of the two entries',
        related: [{ message: 'the first entry', span: earlier.code.at }],
      });
    }
  }
};
