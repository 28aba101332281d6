import { mermaidLabel, mermaidText } from '../mermaid/print-mermaid.ts';
import { lanesOf, type WalkPicture, type WalkStop } from './walk-picture.ts';

/** Prints a flowchart from the sender down to the receiver, with a frame for each cluster; dotted lines lead back. */
export function printWalkMermaid(walk: WalkPicture): string {
  const { title, summary, stops, wires, lost } = walk;
  const node = (stop: WalkStop, i: number): string => `s${i + 1}[${mermaidLabel(stop.title, stopChanges(stop))}]`;
  const lines = [
    `accTitle: ${mermaidText(title)}`,
    `accDescr: ${mermaidText(summary)}`,
    ...lanesOf(walk).flatMap(({ cluster, first, stops: ofLane }, lane) => [
      `subgraph c${lane + 1}[${mermaidLabel(cluster, [])}]`,
      ...ofLane.map((it, i) => `  ${node(it, first + i)}`),
      'end',
    ]),
    ...wires.flatMap(({ by, there, back, isTunnel }, i) => {
      const carrier = by === null ? [] : [by];
      return [
        `s${i + 1} ${isTunnel ? '==>' : '-->'}|"${[...carrier, there].map(mermaidText).join('<br>')}"| s${i + 2}`,
        ...(back === null ? [] : [`s${i + 2} -.->|"${mermaidText(back)}"| s${i + 1}`]),
      ];
    }),
    ...(lost === null ? [] : [`lost[${mermaidLabel('lost', [lost])}]`, `s${stops.length} --x lost`]),
    ...(lost === null ? [] : ['classDef lost fill:#ffebe9,stroke:#cf222e,color:#1f2328', 'class lost lost']),
  ];
  return `${['flowchart TB', ...lines.map((it) => `  ${it}`)].join('\n')}\n`;
}

const stopChanges = ({ there, back }: WalkStop): readonly string[] => [...there, ...back.map((it) => `back: ${it}`)];
