// `cdk8s.mjs FILE FOLDER`: the same objects through cdk8s, one chart for each cluster, written as one file each.
import { mkdirSync, readFileSync } from 'node:fs';
import { ApiObject, App, Chart } from 'cdk8s';

const [file, outdir] = process.argv.slice(2);
mkdirSync(outdir, { recursive: true });
const app = new App({ outdir });
for (const [cluster, objects] of Object.entries(JSON.parse(readFileSync(file, 'utf8')))) {
  const chart = new Chart(app, cluster, { disableResourceNameHashes: true });
  objects.forEach((it, i) => {
    new ApiObject(chart, `object-${i}`, it);
  });
}
app.synth();
