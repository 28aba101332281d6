import { bodySchema, DESCRIPTION, type Operation, type Parameter, parametersOf } from './description.ts';

export interface Route {
  readonly id: string;
  readonly method: string;
  readonly template: string;
  readonly operation: Operation;
  readonly pathParameters: readonly Parameter[];
  readonly queryParameters: readonly Parameter[];
  readonly hasBody: boolean;
}

interface CompiledRoute extends Route {
  readonly pattern: RegExp;
  readonly literalLength: number;
}

export interface Match {
  readonly route: Route;
  readonly path: Readonly<Record<string, string>>;
}

const ROUTES: readonly CompiledRoute[] = Object.entries(DESCRIPTION.paths)
  .flatMap(([template, item]) => Object.entries(item).map(([method, it]) => routeOf(template, method, it)))
  // The most literal template wins: `/issues/comments/{id}` before `/issues/{number}/comments`.
  .sort((a, b) => b.literalLength - a.literalLength);

export const ROUTE_IDS: readonly string[] = ROUTES.map((it) => it.id).sort();

function routeOf(template: string, method: string, operation: Operation): CompiledRoute {
  const parameters = parametersOf(operation);
  const isMultiple = (name: string): boolean => parameters.some((it) => it.name === name && it['x-multi-segment']);
  // Braces are the only characters of a template that a regular expression would read otherwise, but for dots.
  const pattern = template
    .replaceAll('.', '\\.')
    .replace(/\{([^}]+)\}/g, (_, name: string) => `(?<${name}>${isMultiple(name) ? '.+' : '[^/]+'})`);
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    template,
    operation,
    pathParameters: parameters.filter((it) => it.in === 'path'),
    queryParameters: parameters.filter((it) => it.in === 'query'),
    hasBody: bodySchema(operation) !== null,
    pattern: new RegExp(`^${pattern}$`),
    literalLength: template.replace(/\{[^}]+\}/g, '').length,
  };
}

/** The operation behind a raw path: octokit writes the slashes of a ref as %2F, so it is matched before it is decoded. */
export function findRoute(method: string, rawPath: string): Match | null {
  for (const route of ROUTES) {
    const found = route.method === method ? route.pattern.exec(rawPath) : null;
    if (found === null) continue;
    const path = Object.entries(found.groups ?? {}).map(([name, it]) => [name, decodeURIComponent(it)] as const);
    return { route, path: Object.fromEntries(path) };
  }
  return null;
}
