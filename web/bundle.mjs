// A page of one script and one style, with two marks, @TITLE@ and @DATA@. The same sources give the same bytes.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const read = (path) => readFileSync(join(here, path), 'utf8');

// minifying leaves the remarks in texts of shaders: they are taken out before, and with them what is said
// there to the makers of the library
const bareShaders = {
  name: 'bare-shaders',
  setup(b) {
    b.onLoad({ filter: /LineMaterial\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/(^|\s)\/\/.*$/gm, '$1'), loader: 'js',
    }));
  },
};

export async function scriptOf(entry, more = {}) {
  const result = await build({
  absWorkingDir: here,
  entryPoints: [entry],
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'ascii',
  legalComments: 'none',
  write: false,
  plugins: [bareShaders],
  define: { __VERSION__: 'true' },
  ...more,
  });
  return result.outputFiles[0].text.trimEnd();
}

// the fonts that formulas of mechanics use, in the page itself
const fonts = ['AMS-Regular', 'Main-Bold', 'Main-Italic', 'Main-Regular', 'Math-Italic', 'Size1-Regular',
  'Size2-Regular', 'Size3-Regular', 'Size4-Regular'];

export function formulaStyle() {
  return fontFaces(read('node_modules/katex/dist/katex.min.css'));
}

function fontFaces(css) {
  return css.replace(/@font-face\s*{[^}]*}/g, (face) => {
    const name = /fonts\/KaTeX_([\w-]+)\.woff2/.exec(face)?.[1];
    if (!fonts.includes(name)) return '';
    const data = readFileSync(join(here, `node_modules/katex/dist/fonts/KaTeX_${name}.woff2`)).toString('base64');
    return face.replace(/src:[^;}]*/, `src:url(data:font/woff2;base64,${data}) format("woff2")`);
  });
}

// `later`: a script behind all others, `inert`: scripts that are only read, each with an id and a type; `allowed`: what else
// scripts may do; `formulas`: whether the style of formulas is in the page
export async function pageOf(script, { later = '', inert = [], allowed = '', policies = [], more = [], formulas = true } = {}) {
  const styles = [read('src/style.css'), read('node_modules/uplot/dist/uPlot.min.css'), formulas ? formulaStyle() : ''].join('\n');
  const small = await build({
    stdin: { contents: styles, loader: 'css' }, minify: true, write: false, charset: 'ascii',
    loader: { '.woff2': 'dataurl' },
  });
  const style = small.outputFiles[0].text.trimEnd();

  const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  // nothing is loaded and nothing is sent; script and style are the two below and no others
  const policy = ["default-src 'none'", `script-src ${[script, ...(later ? [later] : [])].map(hash).join(' ')}${allowed}`, `style-src ${hash(style)}`, 'font-src data:',
    'img-src data: blob:', ...policies, "base-uri 'none'", "form-action 'none'"].join('; ');

  const notice = (name, path) => `${name}\n${read(path).trim()}`;
  const notices = [notice('three.js', 'node_modules/three/LICENSE'), notice('uPlot', 'node_modules/uplot/LICENSE'),
    notice('KaTeX and its fonts', 'node_modules/katex/LICENSE'), ...more].join('\n\n').replace(/--/g, '- -');

  for (const s of [script, later, ...inert.map((i) => i.text)]) if (/<\/script|<!--/i.test(s)) throw new Error('the script would end early');
  if (/<\/style/i.test(style)) throw new Error('the style would end early');

  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="zwang">
<link rel="icon" href="data:,">
<title>@TITLE@</title>
<!-- A page by zwang. It contains these works, with thanks:

${notices}
-->
<style>${style}</style>
</head>
<body>
<noscript>This page draws a motion; it needs JavaScript, all of which is in this file.</noscript>
<script type="application/json" id="data">@DATA@</script>
<script>${script}</script>
${inert.map((i) => `<script type="${i.type}" id="${i.id}"${i.size ? ` data-size="${i.size}"` : ''}>${i.text}</script>\n`).join('')}${later ? `<script>${later}</script>\n` : ''}</body>
</html>
`;
  for (const mark of ['@TITLE@', '@DATA@'])
    if (page.split(mark).length !== 2) throw new Error(`${mark} must stand once`);
  return page;
}
