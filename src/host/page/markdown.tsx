import type { ComponentChild } from 'preact';

/** A page about a diagnostic: headings, paragraphs, lists and code, as these pages have them. */
export const Markdown = ({ text }: { readonly text: string }) => <div class="words">{blocksOf(text).map(Block)}</div>;

type Block =
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[]; readonly isOrdered: boolean }
  | { readonly kind: 'paragraph'; readonly text: string };

/** Blocks are separated by blank lines; code may contain some. */
function blocksOf(text: string): readonly Block[] {
  return text.split(/^(```[\s\S]*?^```$)/m).flatMap((part): readonly Block[] => {
    if (part.startsWith('```')) return [{ kind: 'code', text: part.replace(/^```.*\n/, '').replace(/```$/, '') }];
    return part
      .split(/\n\s*\n/)
      .map((it) => it.trim())
      .filter((it) => it !== '')
      .flatMap(proseBlocks);
  });
}

const ITEM = /^(?:[-*]|\d+\.) /;

function proseBlocks(text: string): readonly Block[] {
  const heading = /^#+ (.*)$/m.exec(text);
  if (heading !== null && text.startsWith('#')) {
    const rest = text.slice(heading[0].length).trim();
    return [{ kind: 'heading', text: heading[1] ?? '' }, ...(rest === '' ? [] : proseBlocks(rest))];
  }
  const start = text.search(/^(?:[-*]|\d+\.) /m);
  if (start === -1) return [{ kind: 'paragraph', text }];
  const items = text.slice(start).split(/\n(?=(?:[-*]|\d+\.) )/);
  const before = text.slice(0, start).trim();
  return [
    ...(before === '' ? [] : [{ kind: 'paragraph', text: before } as const]),
    { kind: 'list', isOrdered: /^\d/.test(items[0] ?? ''), items: items.map((it) => it.replace(ITEM, '')) },
  ];
}

function Block(it: Block, i: number): ComponentChild {
  switch (it.kind) {
    case 'code':
      return (
        <pre key={i}>
          <code>{it.text}</code>
        </pre>
      );
    case 'heading':
      return <h2 key={i}>{inline(it.text)}</h2>;
    case 'list': {
      const items = it.items.map((item) => <li key={item}>{inline(item)}</li>);
      return it.isOrdered ? <ol key={i}>{items}</ol> : <ul key={i}>{items}</ul>;
    }
    case 'paragraph':
      return <p key={i}>{inline(it.text)}</p>;
  }
}

/** Code, strong words, and the words of links, whose targets are files of the repository. */
const inline = (text: string): readonly ComponentChild[] =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/).map((part, i) => {
    if (part.startsWith('`')) return <code key={i}>{part.slice(1, -1)}</code>;
    if (part.startsWith('**')) return <strong key={i}>{part.slice(2, -2)}</strong>;
    return part.replace(/^\[([^\]]+)\]\([^)]+\)$/, '$1');
  });

/** A sentence of weft, in which code is between backticks. */
export const Coded = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/(`[^`]+`)/).map((part, i) => (part.startsWith('`') ? <code key={i}>{part.slice(1, -1)}</code> : part))}
  </>
);
