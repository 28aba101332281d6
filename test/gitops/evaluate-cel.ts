/** The result of a CEL expression: a value, or an error, after which Flux evaluates it again later. */
export type Answer = boolean | 'error';

/**
 * Evaluates the few parts of CEL that our health checks use: `has(a.b)`, `.size()`, `.all(it, ...)`, `.exists(it, ...)`, `==`, `!=`, `>`,
 * `&&`, `||`, `!`, names, strings and whole numbers. Anything else throws, so that a new part is not misread. As in CEL
 * a missing field is an error, and an error on one side of `&&` or `||` is ignored when the other side decides.
 */
export function evaluateCel(expression: string, object: Readonly<Record<string, unknown>>): Answer {
  const tokens = expression.match(/'[^']*'|[A-Za-z_]\w*|\d+|==|!=|&&|\|\||[().,!]|\S/g) ?? [];
  let at = 0;
  const peek = () => tokens[at];
  const take = (wanted?: string): string => {
    const token = tokens[at++];
    if (token === undefined || (wanted !== undefined && token !== wanted))
      throw new Error(`no "${wanted}" at "${token}"`);
    return token;
  };

  const parseOr = (): Expression => fold('||', true, parseAnd);
  const parseAnd = (): Expression => fold('&&', false, parseComparison);
  const fold = (operator: string, deciding: boolean, next: () => Expression): Expression => {
    const sides = [next()];
    while (peek() === operator) {
      take();
      sides.push(next());
    }
    if (sides.length === 1) return sides[0] as Expression;
    return (scope) => {
      const values = sides.map((it) => it(scope));
      if (values.includes(deciding)) return deciding;
      return values.includes(ERROR) ? ERROR : !deciding;
    };
  };
  const parseComparison = (): Expression => {
    const left = parseUnary();
    const operator = peek();
    if (operator !== '==' && operator !== '!=' && operator !== '>') return left;
    take();
    const right = parseUnary();
    return (scope) => {
      const [a, b] = [left(scope), right(scope)];
      if (a === ERROR || b === ERROR) return ERROR;
      if (operator === '>') return typeof a === 'number' && typeof b === 'number' ? a > b : ERROR;
      return (a === b) === (operator === '==');
    };
  };
  const parseUnary = (): Expression => {
    if (peek() !== '!') return parsePath();
    take();
    const inner = parseUnary();
    return (scope) => {
      const value = inner(scope);
      return value === ERROR ? ERROR : !value;
    };
  };
  const parsePath = (): Expression => {
    const token = take();
    if (token === '(') {
      const inner = parseOr();
      take(')');
      return inner;
    }
    if (/^\d+$/.test(token)) return () => Number(token);
    if (token.startsWith("'")) return () => token.slice(1, -1);
    if (token === 'has') {
      take('(');
      const inner = parseSelections(take(), true);
      take(')');
      return inner;
    }
    if (!/^\w+$/.test(token)) throw new Error(`"${token}" is not a part of CEL that is known here`);
    return parseSelections(token, false);
  };
  const parseSelections = (name: string, testLast: boolean): Expression => {
    let value: Expression = (scope) => (Object.hasOwn(scope, name) ? scope[name] : ERROR);
    while (peek() === '.') {
      take();
      const field = take();
      const parent = value;
      if (peek() !== '(') {
        const last = testLast && peek() !== '.';
        value = (scope) => fieldOf(parent(scope), field, last);
      } else if (field === 'size') {
        take();
        take(')');
        value = (scope) => listOr(parent(scope), (list) => list.length);
      } else if (field === 'all' || field === 'exists') {
        const deciding = field === 'exists';
        take();
        const item = take();
        take(',');
        const test = parseOr();
        take(')');
        value = (scope) =>
          listOr(parent(scope), (list) => {
            const answers = list.map((it) => test({ ...scope, [item]: it }));
            if (answers.includes(deciding)) return deciding;
            return answers.includes(ERROR) ? ERROR : !deciding;
          });
      } else throw new Error(`"${field}()" is not a part of CEL that is known here`);
    }
    return value;
  };

  const parsed = parseOr();
  if (at !== tokens.length) throw new Error(`"${tokens[at]}" is left over`);
  const answer = parsed(object);
  return typeof answer === 'boolean' ? answer : 'error';
}

type Scope = Readonly<Record<string, unknown>>;
type Expression = (scope: Scope) => unknown;
const ERROR = Symbol('error');

function fieldOf(parent: unknown, field: string, test: boolean): unknown {
  if (typeof parent !== 'object' || parent === null) return ERROR;
  const there = Object.hasOwn(parent, field);
  if (test) return there;
  return there ? (parent as Scope)[field] : ERROR;
}

function listOr(value: unknown, use: (list: readonly unknown[]) => unknown): unknown {
  return Array.isArray(value) ? use(value) : ERROR;
}
