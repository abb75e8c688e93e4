// Colours of the language, by the grammar that editors get (tools/grammar.py makes it from the words of the program).
import { HighlightStyle, StreamLanguage, type StringStream } from '@codemirror/language';
import { tags } from '@lezer/highlight';
import grammar from '../../share/editors/vscode/zwang.tmLanguage.json';

// how its scopes are called here
const sorts: Record<string, string> = {
  'comment.line': 'comment', 'string.quoted': 'string', 'keyword.control': 'statement', 'support.function': 'function', 'constant.numeric': 'number',
  'constant.language': 'constant', 'keyword.other': 'clause', 'storage.type': 'unit',
};

interface Rule {
  name?: string;
  match: string;
  captures?: Record<string, { name: string }>;
}

const rules = (grammar.patterns as Rule[]).map((r) => {
  const scope = (r.name ?? r.captures?.['1']?.name ?? '').split('.').slice(0, 2).join('.');
  return { sort: sorts[scope] ?? null, match: new RegExp(r.match, 'y') };
});
const word = /[\p{L}_][\p{L}\p{N}_]*/uy;

// what stands at this place of the line, by the first rule that fits; a word or a sign that none knows is passed
function token(s: StringStream): string | null {
  for (const r of rules) {
    r.match.lastIndex = s.pos;
    const found = r.match.exec(s.string);
    if (!found?.[0].length) continue;
    s.pos += found[0].length;
    return r.sort;
  }
  word.lastIndex = s.pos;
  s.pos += word.exec(s.string)?.[0].length ?? 1;
  return null;
}

export const language = StreamLanguage.define({
  name: 'zwang', token,
  tokenTable: {
    statement: tags.keyword, clause: tags.modifier, function: tags.function(tags.variableName), constant: tags.constant(tags.variableName), unit: tags.unit,
  },
  languageData: { commentTokens: { line: '#' }, closeBrackets: { brackets: ['(', '[', '{', '"'] } },
});

// by classes, which the style of the page colours in light and dark
export const colours = HighlightStyle.define([
  { tag: tags.comment, class: 'z-comment' },
  { tag: tags.string, class: 'z-string' },
  { tag: tags.keyword, class: 'z-statement' },
  { tag: tags.modifier, class: 'z-clause' },
  { tag: tags.function(tags.variableName), class: 'z-function' },
  { tag: tags.constant(tags.variableName), class: 'z-constant' },
  { tag: tags.number, class: 'z-number' },
  { tag: tags.unit, class: 'z-unit' },
]);
