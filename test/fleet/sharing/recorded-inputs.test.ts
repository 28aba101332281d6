import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type RecordedObject, type SharingRecording, sharingRecordings } from './recordings.ts';

/** Objects that a secret manager makes in the clusters; weft writes no secret. */
const SECRETS = new Set(['authentication-keys', 'kubeconfig-controlplane-milan']);

const keyOf = ({ kind, metadata: { name, namespace = '' } }: RecordedObject): string => `${kind} ${namespace}/${name}`;

/** Without what only GitOps tools read. */
function plain(object: RecordedObject): RecordedObject {
  const { annotations = {}, ...metadata } = object.metadata;
  const kept = Object.entries(annotations).filter(([key]) => !/(argoproj|fluxcd)\.io\//.test(key));
  const own = kept.length === 0 ? {} : { annotations: Object.fromEntries(kept) };
  return { ...object, metadata: { ...metadata, ...own } };
}

function emitted({ compiled }: SharingRecording, cluster: string): ReadonlyMap<string, RecordedObject> {
  const texts = [...compiled.bundle]
    .filter(([path]) => path.startsWith(`${cluster}/sharing/`) || path.startsWith(`${cluster}/offloading/`))
    .filter(([path]) => !path.endsWith('/kustomization.yaml'));
  const objects = texts.flatMap(([, text]) => parseAllDocuments(text).map((it) => it.toJS() as RecordedObject));
  return new Map(objects.map((it) => [keyOf(it), plain(it)]));
}

describe('what real reconcilers accepted is what weft writes', () => {
  describe.each(sharingRecordings())('$name', (recording) => {
    it.each([...recording.input.keys()])('%s', (cluster) => {
      const given = (recording.input.get(cluster) ?? []).filter((it) => !SECRETS.has(it.metadata.name));
      expect(emitted(recording, cluster)).toEqual(new Map(given.map((it) => [keyOf(it), it])));
    });
  });
});
