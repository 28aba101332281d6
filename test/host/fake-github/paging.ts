import type { JsonObject } from './description.ts';
import type { Answer, Call } from './world.ts';

/** The default and the maximum of items per page. Source: GitHub's REST reference, "Using pagination". */
const USUAL = 30;
const MOST = 100;

/** One page of a list, and in `link` where the next and the last are. */
export function paged<T>(call: Call, items: readonly T[], print: (item: T) => JsonObject): Answer {
  const size = Math.min(Number(call.query['per_page'] ?? USUAL), MOST);
  const page = Math.max(Number(call.query['page'] ?? 1), 1);
  const last = Math.max(Math.ceil(items.length / size), 1);
  const to = (number: number, rel: string): string => {
    const query = new URLSearchParams({ ...call.query, page: String(number) });
    return `<https://api.github.com${call.rawPath}?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [to(page - 1, 'prev'), to(1, 'first')] : []),
    ...(page < last ? [to(page + 1, 'next'), to(last, 'last')] : []),
  ];
  return {
    status: 200,
    body: items.slice((page - 1) * size, page * size).map(print),
    headers: links.length === 0 ? {} : { link: links.join(', ') },
  };
}
