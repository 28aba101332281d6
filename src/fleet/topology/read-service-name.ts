/** `demo/web` as a namespace and a Service; `undefined` for a text of another form. */
export function readServiceName(text: string): { readonly namespace: string; readonly service: string } | undefined {
  const [, namespace, service] =
    /^([a-z0-9](?:[-a-z0-9]*[a-z0-9])?)\/([a-z0-9](?:[-a-z0-9]*[a-z0-9])?)$/.exec(text) ?? [];
  if (namespace === undefined || service === undefined) return undefined;
  return namespace.length > 63 || service.length > 63 ? undefined : { namespace, service };
}
