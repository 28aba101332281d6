/** The values of a gateway with which Liqo renders a template. */
export interface TemplateData {
  readonly Name: string;
  readonly Namespace: string;
  readonly ClusterID: string;
  readonly GatewayUID: string;
  readonly SecretName: string;
  readonly Spec: {
    readonly MTU: number;
    readonly SecretRef: { readonly Name: string };
    readonly Endpoint: Readonly<Record<string, string | number | undefined | readonly string[]>>;
  };
}

/**
 * Renders a gateway template as Liqo does: the subset of Go's text/template that our templates use, and Liqo's own
 * rules for the rendered object (liqo.md 3.1): integers, `labels` and `annotations`, `?keys`, no null.
 */
export function renderGatewayTemplate(template: unknown, data: TemplateData, forceString = false): unknown {
  if (typeof template === 'string') return renderString(template, data, forceString);
  if (Array.isArray(template)) return template.map((it) => renderGatewayTemplate(it, data, forceString));
  if (template === null || template === undefined) throw new Error('the operator panics on null');
  if (typeof template !== 'object') return forceString ? String(template) : template;
  const force = forceString || 'labels' in template || 'annotations' in template;
  const members = Object.entries(template).flatMap(([key, value]): [string, unknown][] => {
    const variable = /\{\{\s*(.\S+)\s*\}\}/.exec(String(value))?.[1];
    if (!key.startsWith('?') || variable === undefined) return [[key, renderGatewayTemplate(value, data, force)]];
    const known = lookUp(variable, data);
    if (known === undefined || known === '' || known === 0) return [];
    const rendered = renderGatewayTemplate(value, data, force);
    return rendered === '' || rendered === 0 ? [] : [[key.slice(1), rendered]];
  });
  return Object.fromEntries(members);
}

function renderString(text: string, data: TemplateData, forceString: boolean): string | number {
  const rendered = text.replace(/\{\{\s*(.*?)\s*\}\}/g, (_, action: string) => evaluate(action, data));
  return !forceString && /^[+-]?\d+$/.test(rendered) ? Number(rendered) : rendered;
}

function evaluate(action: string, data: TemplateData): string {
  const literal = /^"([^"\\]*)"$/.exec(action)?.[1];
  if (literal !== undefined) return literal;
  const indexed = /^index (\.\S+) (\d+)$/.exec(action);
  if (indexed !== null) {
    const list = lookUp(indexed[1] ?? '', data);
    const item = Array.isArray(list) ? list[Number(indexed[2])] : undefined;
    if (item === undefined) throw new Error(`"${action}" is out of range`);
    return String(item);
  }
  if (!action.startsWith('.')) throw new Error(`Go would not parse "${action}"`);
  return String(lookUp(action, data) ?? '<nil>');
}

function lookUp(path: string, data: TemplateData): unknown {
  return path
    .split('.')
    .slice(1)
    .reduce<unknown>((at, name) => {
      if (typeof at !== 'object' || at === null || !(name in at)) throw new Error(`there is no ${path}`);
      return (at as Record<string, unknown>)[name];
    }, data);
}
