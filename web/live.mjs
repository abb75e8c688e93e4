// Bundle the live viewer, live.html: the viewer, zwang as WebAssembly, and the worker that runs it.
// usage: node live.mjs FOLDER     FOLDER holds zwang.js and zwang.wasm
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pageOf, scriptOf } from './bundle.mjs';

const folder = resolve(process.argv[2]);
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
const page = await pageOf(await scriptOf('live/main.ts'), {
  inert: [{ id: 'worker', type: 'text/plain', text: worker.replace(/<!--/g, '<\\!--') }, { id: 'engine', type: 'text/plain', size, text: wasm.toString('base64') }],
  allowed: " 'wasm-unsafe-eval'", policies: ['worker-src blob:'], more: [editor, licences],
});
writeFileSync(join(folder, 'live.html'), page);
console.log(`live: live.html, ${(statSync(join(folder, 'live.html')).size / 1e6).toFixed(2)} MB`);
