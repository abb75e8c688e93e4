// Bundle the viewer into one page, page.html.
// usage: node build.mjs [OUT]
import { writeFileSync } from 'node:fs';
import { pageOf, scriptOf } from './bundle.mjs';

writeFileSync(process.argv[2] ?? new URL('page.html', import.meta.url), await pageOf(await scriptOf('src/main.ts')));
