// Bundle the live viewer, live.html: the viewer, zwang as WebAssembly, and the worker that runs it.
// usage: node live.mjs FOLDER     FOLDER holds zwang.js and zwang.wasm
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formulaStyle, pageOf, scriptOf } from './bundle.mjs';

const folder = resolve(process.argv[2]);
const here = dirname(fileURLToPath(import.meta.url));
const worker = await scriptOf('live/worker.ts', {
  alias: { 'zwang.js': join(folder, 'zwang.js') }, external: ['fs', 'path', 'crypto', 'ws', 'child_process', 'url'], charset: 'utf8', plugins: [],
});
// as live/lzma.ts unpacks it
const pack = `import lzma, sys
way = [{"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME}]
sys.stdout.buffer.write(lzma.compress(open(sys.argv[1], "rb").read(), format=lzma.FORMAT_ALONE, filters=way))`;
const wasm = execFileSync('python3', ['-c', pack, join(folder, 'zwang.wasm')], { maxBuffer: 1 << 28 });
const { size } = statSync(join(folder, 'zwang.wasm'));
const licences = ['GMP (mini-gmp): GNU LGPL 3 or GNU GPL 2', 'jansson: MIT', 'utf8proc: MIT', 'AMD of SuiteSparse: BSD', 'SUNDIALS: BSD',
  'emscripten and musl: MIT'].join('\n');
const editor = `CodeMirror\n${readFileSync(new URL('node_modules/@codemirror/view/LICENSE', import.meta.url), 'utf8').trim()}`;
const inert = [{ id: 'worker', type: 'text/plain', text: worker.replace(/<!--/g, '<\\!--') }, { id: 'engine', type: 'text/plain', size, text: wasm.toString('base64') }];
const common = { inert, policies: ['worker-src blob:'], more: [editor, licences] };
// what begins later is read by the browser, but not looked into before it is called
const later = async (more) => `window.zwangLater=()=>{${await scriptOf('live/main.ts', more)}};`;
writeFileSync(join(folder, 'live.html'), await pageOf(await scriptOf('live/first.ts'), { ...common, later: await later(), allowed: " 'wasm-unsafe-eval'" }));

// The same for the site, which loads in parts: what draws formulas is a file beside it. Some browsers have no 'self' on disk.
mkdirSync(join(folder, 'parts'), { recursive: true });
const inParts = { alias: { katex: join(here, 'live/formulas_later.ts') } };
writeFileSync(join(folder, 'parts/live.html'), await pageOf(await scriptOf('live/first.ts', inParts), { ...common, later: await later(inParts), allowed: " 'self' file: 'wasm-unsafe-eval'", formulas: false }));
writeFileSync(join(folder, 'parts/formulas.js'), await scriptOf('live/formulas.ts', { define: { __FORMULA_STYLE__: JSON.stringify(formulaStyle()), __VERSION__: 'true' } }));
console.log(`live: live.html, ${(statSync(join(folder, 'live.html')).size / 1e6).toFixed(2)} MB`);
