import { render } from 'preact';
import { App } from './app.tsx';
import { startCompiler } from './client.ts';
import { Failure } from './parts.tsx';

const root = document.getElementById('page');
if (root !== null) {
  root.replaceChildren();
  startCompiler()
    .then(async (ask) => {
      const fleet = await ask('opened', undefined);
      document.title = `${fleet.name} · weft report`;
      render(<App ask={ask} fleet={fleet} />, root);
    })
    .catch((error: unknown) => render(<Failure error={error} />, root));
}
