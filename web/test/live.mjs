// zwang as WebAssembly beside the program, on models of the gallery, by their rows. Prints TAP.
// usage: node live.mjs ZWANG ROOT FOLDER [--all | name ...]     FOLDER holds zwang.js and zwang.wasm
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

const require = createRequire(import.meta.url);
const [zwang, root, folder, ...words] = process.argv.slice(2);
const all = words.includes('--all');
const few = ['pendulum', 'double_pendulum', 'skater_stages', 'rolling_disc', 'string_pendulum', 'bouncing_ball', 'heavy_top', 'snakeboard',
  'dry_friction', 'appell_hamel'];
const gallery = readdirSync(join(root, 'models')).filter((f) => f.endsWith('.zw')).map((f) => f.slice(0, -3));
const models = all ? gallery : words.length ? words : few;
const wanted = 1e-12;

const place = mkdtempSync(join(tmpdir(), 'zwang-live-'));
writeFileSync(join(place, 'engine.cjs'), buildSync({
  absWorkingDir: join(resolve(root), 'web'), entryPoints: ['live/engine.ts'], bundle: true, format: 'cjs', write: false,
}).outputFiles[0].text);
const { Engine } = require(join(place, 'engine.cjs'));
rmSync(place, { recursive: true });
const factory = require(resolve(folder, 'zwang.js'));
const bytes = () => new Uint8Array(readFileSync(join(folder, 'zwang.wasm')));
const binary = await Engine.compile(bytes());

// where the end is not known beforehand rows come by time
const spread = (name) => (['rope_taut', 'skater_programme', 'sliding_ladder'].includes(name) ? { every: 0.25 } : { points: 5 });

function ofProgram(name, ...options) {
  return rowsOfRun(name, {}, options);
}

// with the browser's sines and powers in place of this machine's, where `make live` could make them
// (a list in LD_PRELOAD ends at blanks: it is named from its folder)
const functions = './functions.so';
const ofProgramWithItsFunctions = (name) =>
  (existsSync(join(folder, functions)) ? rowsOfRun(name, { LD_PRELOAD: functions }, []) : null);

function rowsOfRun(name, more, options) {
  try {
    const rows = Object.entries(spread(name)).flatMap(([option, value]) => [`--${option}`, String(value)]);
    const text = execFileSync(resolve(zwang), ['run', resolve(root, 'models', `${name}.zw`), ...rows, '--out', '-', '--quiet', ...options],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28, cwd: folder, env: { ...process.env, ...more } });
    return rowsOf(text);
  } catch (e) {
    if (e.stdout?.includes('\n')) return rowsOf(e.stdout); // ended early, with what was computed
    throw e;
  }
}

function rowsOf(text) {
  const [head, ...lines] = text.trim().split('\n');
  // a name may be quoted
  const names = head.match(/("([^"]|"")*"|[^,]+)/g).map((n) => n.replace(/^"|"$/g, '').replace(/""/g, '"'));
  return { names, rows: lines.map((l) => l.split(',').map((x) => (x === '' ? NaN : Number(x)))) };
}

// The largest difference of a column beside its size: its largest value, or a tenth of that of its kin, the columns of one unit;
// what is zero but for roundings is then measured by what it is beside. A column that is 1e-10 of the largest number
// throughout, as velocities of what rests are, is zero in both.
function apart(program, table) {
  const n = table.names.length;
  // behind the numbers a file may name stages and events
  const extra = program.names.slice(n);
  if (table.names.join() !== program.names.slice(0, n).join() || extra.some((x) => x !== 'event' && x !== 'stage'))
    return { off: Infinity, what: `columns ${table.names.join()} in place of ${program.names.join()}` };
  if (table.rows !== program.rows.length) return { off: Infinity, what: `${table.rows} rows in place of ${program.rows.length}` };
  let worst = { off: 0, what: '' };
  const largest = table.names.map((_, k) => Math.max(...program.rows.map((r) => Math.abs(r[k])).filter(Number.isFinite), 0));
  for (let k = 0; k < n; k++) {
    const kin = Math.max(...largest.filter((_, j) => j > 0 && table.units[j] === table.units[k]));
    const size = Math.max(largest[k], 0.1 * kin) || 1;
    const none = 1e-10 * Math.max(...largest.slice(1));
    for (let i = 0; i < program.rows.length; i++) {
      const [a, b] = [program.rows[i][k], table.values[i * n + k]];
      const off = Object.is(a, b) || (largest[k] < none && Math.abs(b) < none) || (Number.isNaN(a) && Number.isNaN(b)) ? 0 : Math.abs(a - b) / size;
      if (!(off <= worst.off)) worst = { off, what: `${program.names[k]} at row ${i + 1}: ${b}, the program has ${a}` };
    }
  }
  return worst;
}

// Sines and arcs of two C libraries differ in the last bit, and some motions multiply that. With the library of the browser the
// program has to have its digits. Where that cannot be made, the program tells itself how much is multiplied: by the digits that it calls good, and by what becomes of its rows where one param is another in its last bit. A run of n
// steps rounds n times, whose sum is some sqrt(n) times as large as one of them.
function ownDoubt(name, program, table, params) {
  const { stderr: report } = spawnSync(zwang, ['run', join(root, 'models', `${name}.zw`), '--points', '2', '--estimate'], { encoding: 'utf8' });
  const digits = Number(/^ *digits +(\d+)/m.exec(report)?.[1] ?? 16);
  const steps = Number(/^ *steps +(\d+)/m.exec(report)?.[1] ?? 1);
  let one = 0;
  for (const p of params.filter((x) => x.value).slice(0, 4)) {
    const other = ofProgram(name, '--set', `${p.name}=${p.value * (1 + Number.EPSILON)}`);
    if (other.rows.length !== program.rows.length) continue;
    one = Math.max(one, apart(program, { ...table, values: other.rows.flatMap((r) => r.slice(0, table.names.length)) }).off);
  }
  return { digits, steps, one, allowed: Math.max(10 ** -digits, Math.sqrt(steps) * one) };
}

console.log(`1..${models.length + 3}`);
let failed = 0;
let number = 0;
const tell = (name, fault) => {
  failed += Boolean(fault);
  if (fault) console.log(fault.split('\n').map((l) => `#   ${l}`).join('\n'));
  console.log(`${fault ? 'not ok' : 'ok'} ${++number} - ${name}`);
};

// as a page has them
function paramsOf(name) {
  engine.open(`${name}.zw`, readFileSync(join(root, 'models', `${name}.zw`), 'utf8'));
  engine.run({ ...spread(name), scene: true });
  return JSON.parse(engine.scene(true)).runs[0].params.filter((p) => Number.isFinite(p.value));
}

let engine = await Engine.start(factory, binary);
let equal = 0;
let bits = 0;
let explained = 0;
for (const name of models) {
  let fault = '';
  try {
    const program = ofProgram(name);
    const began = performance.now();
    const read = engine.open(`${name}.zw`, readFileSync(join(root, 'models', `${name}.zw`), 'utf8'));
    const status = read ? engine.run(spread(name)) : -2;
    const took = performance.now() - began;
    if (!read || status === -2) fault = engine.notes().map((n) => n.text).join('\n');
    else {
      const table = engine.table();
      const { off, what } = apart(program, table);
      equal += off <= wanted;
      bits += off === 0;
      let why = '';
      const alike = off <= wanted ? null : ofProgramWithItsFunctions(name);
      if (alike) {
        const own = apart(alike, table);
        why = `; ${own.off === 0 ? 'the same bits' : `off by ${own.off.toExponential(1)}`} with the same sines and powers`;
        explained += own.off <= wanted;
        if (!(own.off <= wanted)) fault = `off by ${own.off.toExponential(2)} with the same sines and powers: ${own.what}`;
      } else if (!(off <= wanted)) {
        const doubt = ownDoubt(name, program, table, paramsOf(name));
        why = `; the program calls ${doubt.digits} digits good, one bit of a param makes ${doubt.one.toExponential(1)}, in ${doubt.steps} steps`;
        if (!(off <= doubt.allowed)) fault = `off by ${off.toExponential(2)}: ${what}${why}`;
      }
      if (all || words.length || why) console.log(`# ${name}: ${off === 0 ? 'the same bits' : `off by ${off.toExponential(1)}`}, ${took.toFixed(0)} ms${why}`);
    }
  } catch (e) {
    fault = String(e.stack ?? e);
    engine = await Engine.start(factory, binary);
  }
  tell(name, fault);
}

function errors_have_their_place() {
  const text = 'coord x [m]\nparticle p mass 1 [kg] = (x, 0, 0)\nforce x = -k*x\n';
  if (engine.open('broken.zw', text)) return 'a model with an unknown name was taken';
  const note = engine.notes().find((n) => n.level === 'error');
  if (note?.line !== 3 || note.column !== 12) return JSON.stringify(note);
  return note.text.startsWith('broken.zw:3:12: error') ? '' : note.text;
}

function params_are_overridden_and_equations_printed() {
  const text = readFileSync(join(root, 'models/pendulum.zw'), 'utf8');
  const end = (sets) => (engine.open('pendulum.zw', text, sets), engine.run({ points: 2 }), [...engine.table().values].at(-5));
  const param = /param\s+(\w+)\s*=/.exec(text)[1];
  if (end({}) === end({ [param]: '7' })) return `${param} = 7 changes nothing`;
  const tex = engine.equations('lagrange', 'latex');
  const kept = execFileSync(zwang, ['derive', join(root, 'models/pendulum.zw'), '--set', `${param}=7`, '--form', 'lagrange', '--format', 'latex', '--quiet'], { encoding: 'utf8' });
  return tex?.trim() === kept.trim() ? '' : `equations differ:\n${tex}\n${kept}`;
}

// what stands in for the instruction where a browser lacks it, in a program that is the same otherwise
async function sums_by_hand_have_the_bits_of_the_instruction() {
  const rows = async (program) => {
    const own = await Engine.start(factory, program);
    own.open('double_pendulum.zw', readFileSync(join(root, 'models/double_pendulum.zw'), 'utf8'));
    own.run({ points: 5 });
    return [...own.table().values];
  };
  const [instruction, byHand] = [await rows(binary), await rows(await Engine.compile(bytes(), false))];
  const places = WebAssembly.Module.customSections(binary, 'fused')[0]?.byteLength ?? 0;
  if (places < 50) return `only ${places} bytes tell where the instruction is`;
  return instruction.every((x, i) => Object.is(x, byHand[i])) ? '' : `${instruction}\n${byHand}`;
}

tell('sums_by_hand_have_the_bits_of_the_instruction', await sums_by_hand_have_the_bits_of_the_instruction());
tell('errors_have_their_place', errors_have_their_place());
tell('params_are_overridden_and_equations_printed', params_are_overridden_and_equations_printed());
console.log(`# ${equal} of ${models.length} models to ${wanted}, ${bits} of them to the last bit; ${explained} more with the same sines and powers`);
console.log(`# ${number - failed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
