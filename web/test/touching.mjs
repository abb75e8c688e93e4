// Ground, contact and body touch within a pixel at ten instants, on all models of the gallery that have such, and on some more.
// What the page draws is made here of its own sources, from the data of the page. Prints TAP.
// usage: node touching.mjs ZWANG ROOT [part of a name]
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';

const [zwang, root, wanted = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'zwang-touching-'));
const bundle = buildSync({ absWorkingDir: join(root, 'web'), entryPoints: ['test/touch.ts'], bundle: true, format: 'cjs', platform: 'node', write: false });
writeFileSync(join(folder, 'touch.cjs'), bundle.outputFiles[0].text);
const { touching } = createRequire(import.meta.url)(join(folder, 'touch.cjs'));

// what the gallery has not: a valley, a hill, a wire, round obstacles and tubes from both sides
const plane = (words, starts) => `coord x, y\nparticle P mass 1 = (x, y, 0) in world\ngravity (0, -9.81, 0)\n${words}\n${starts}\nrun 0 .. 1\n`;
const space = (words, starts) => `coord x, y, z\nparticle P mass 1 = (x, y, z) in world\ngravity (0, 0, -9.81)\n${words}\n${starts}\nrun 0 .. 1\n`;
const own = {
  valley: plane('constraint hill: y >= x^2/2', 'initial x = 0.5\ninitial y = 0.125'),
  hill_with_ball: plane('constraint hill: y >= 0.6*cos(2*x) + 0.1\nshow ball radius 0.08 at P', "initial x = 0.1\ninitial y = 0.7 + 0.6*(cos(0.2) - 1)\ninitial x' = 0.5\ninitial y' = -0.6*sin(0.2)"),
  falls_on_hill: plane('constraint hill: y >= sin(x) with restitution 0.5', 'initial x = 0.5\ninitial y = 1.2'),
  bead_on_wire: plane('constraint wire: y = 0.3*sin(3*x)', "initial x = 0.2\ninitial y ~ 0.1\ninitial x' = 1"),
  over_a_round_stone: plane('constraint stone: x^2 + y^2 >= 1', "initial x = 0.1\ninitial y = sqrt(1 - 0.01)"),
  over_a_round_stone_in_space: space('constraint stone: x^2 + y^2 + z^2 >= 1', "initial x = 0.1\ninitial y = 0.1\ninitial z = sqrt(1 - 0.02)"),
  in_a_tube: space('constraint tube: 0.25 - x^2 - y^2 >= 0', "initial x = 0.5\ninitial y' = 2"),
  outside_of_a_tube: space('constraint tube: x^2 + y^2 >= 0.25\nforce x = -9*x\nforce y = -9*y', "initial x = 0.5\ninitial y' = 0.5"),
  on_a_tube: space('constraint tube: x^2 + y^2 = 0.25*(1 + t)^2', "initial x = 0.5\ninitial x' ~ 0.5\ninitial y' = 1"),
  egg_in_a_bowl: `surface egg(u, v) = (0.3*cos(v)*cos(u), 0.3*cos(v)*sin(u), 0.4*sin(v)*(1 + 0.1*sin(v)))\nsurface bowl(u, v) = (u, v, (u^2 + v^2)/4)\n` +
    `body B mass 1 inertia (0.05, 0.05, 0.04)\ngravity (0, 0, -9.81)\nroll B as egg on world as bowl at c\ninitial rotation(B) = y(1.7)\n` +
    `initial c.u ~ 0\ninitial c.v ~ 0.2\ninitial omega(B) = (1, 2, 0.5)\nrun 0 .. 1\n`,
};
const sources = readdirSync(join(root, 'models')).filter((f) => f.endsWith('.zw')).map((f) => ({ name: f.slice(0, -3), path: join(root, 'models', f) }));
for (const [name, text] of Object.entries(own)) {
  const path = join(folder, `${name}.zw`);
  writeFileSync(path, text);
  sources.push({ name, path, must: true });
}

async function dataOf({ name, path }) {
  const page = join(folder, `${name}.html`);
  // a motion that ends before its time has a page, too
  const fault = await promisify(execFile)(zwang, ['view', path, '--out', page, '--quiet']).then(() => null, (e) => e);
  try {
    const text = readFileSync(page, 'utf8');
    const from = text.indexOf('id="data">') + 10;
    return JSON.parse(text.slice(from, text.indexOf('</script>', from)));
  } catch (other) {
    throw fault ?? other;
  } finally {
    rmSync(page, { force: true });
  }
}

let [worst, instants, models] = [0, 0, 0];
const told = [];
async function look(source) {
  const found = touching(await dataOf(source), 640, 480, 10);
  const off = found.filter((x) => !(Math.abs(x.pixels) < 1));
  if (source.must && found.length < 10) throw new Error(`only ${found.length} touches are seen`);
  if (off.length) throw new Error(off.slice(0, 4).map((x) => `at ${x.t} s ${x.body} is ${x.pixels.toFixed(2)} pixels off ${x.ground}`).join('\n'));
  models += found.length > 0;
  instants += found.length;
  for (const x of found) worst = Math.max(worst, Math.abs(x.pixels));
  if (found.length) told.push({ name: source.name, fault: '' });
}
const waiting = sources.filter((s) => s.name.includes(wanted));
await Promise.all(Array.from({ length: cpus().length }, async () => {
  for (let s = waiting.shift(); s; s = waiting.shift()) await look(s).catch((e) => told.push({ name: s.name, fault: String(e.stack ?? e) }));
}));
const few = `only ${models} models tell of touching`;
told.push({ name: 'enough_models_tell_of_touching', fault: models >= 65 || wanted ? '' : few });
console.log(`1..${told.length}\n#   ${models} models, ${instants} times, at most ${worst.toFixed(2)} pixels off`);
told.sort((a, b) => (a.name < b.name ? -1 : 1)).forEach(({ name, fault }, i) => {
  if (fault) console.log(`#   ${fault.replaceAll('\n', '\n#   ')}`);
  console.log(`${fault ? 'not ok' : 'ok'} ${i + 1} - ${name}`);
});
rmSync(folder, { recursive: true });
process.exit(told.some((t) => t.fault) ? 1 : 0);
