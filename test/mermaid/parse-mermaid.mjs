// Reads a list of texts as JSON on stdin, and prints for each what the parser of Mermaid says against it: nothing, or its message.
// A program of its own, because Mermaid wants the globals of a browser.
import { JSDOM } from 'jsdom';

const { window } = new JSDOM('');
Object.assign(globalThis, { window, document: window.document });
const { default: mermaid } = await import('mermaid');

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const problems = [];
for (const text of JSON.parse(Buffer.concat(chunks).toString('utf8'))) {
  try {
    const { diagramType } = await mermaid.parse(text);
    problems.push(diagramType === 'flowchart-v2' ? '' : `not a flowchart: ${diagramType}`);
  } catch (error) {
    problems.push(String(error));
  }
}
console.log(JSON.stringify(problems));
