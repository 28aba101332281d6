import { GATEWAY_RESOURCE_LABEL } from '../../base/releases/labels.ts';

/** The label of Secrets with the key pairs of gateways. */
export const KEY_SECRETS = `${GATEWAY_RESOURCE_LABEL}=true`;

/** The field of such a Secret that is public. Source: liqotech/liqo@v1.2.0 pkg/consts/externalnetwork.go (PublicKeyField). */
export const PUBLIC_FIELD = 'publicKey';

const METADATA = ['namespace', 'name', 'uid', 'resourceVersion', 'creationTimestamp'];

/**
 * The Go template with which kubectl prints Secrets as a list of objects that say what was read of them: everything that
 * identifies them, and the public halves of key pairs. A private half does not leave kubectl. It is one line, as arguments are.
 */
export const PUBLIC_HALVES = [
  '{',
  '    "apiVersion": "v1",',
  '    "items": [{{range $index, $it := .items}}{{if $index}},{{end}}',
  '        {',
  '            "apiVersion": "v1",',
  '            "kind": "Secret",',
  '            "metadata": {',
  ...METADATA.map((it) => `                {{with .metadata.${it}}}"${it}": {{printf "%q" .}},{{end}}`),
  '                "labels": { {{$comma := ""}}{{range $key, $value := .metadata.labels}}{{$comma}}{{printf "%q: %q" $key $value}}{{$comma = ", "}}{{end}} }',
  '            },',
  `            "data": { {{with .data}}{{with .${PUBLIC_FIELD}}}"${PUBLIC_FIELD}": {{printf "%q" .}}{{end}}{{end}} },`,
  `            "partsRead": ["metadata.labels", "data.${PUBLIC_FIELD}"]`,
  '        }{{end}}',
  '    ],',
  '    "kind": "List"',
  '}',
  '',
]
  // A brace before an action would be a part of it.
  .map((line) => line.replace(/\{$/, '{{"{"}}'))
  .join('{{"\\n"}}');
