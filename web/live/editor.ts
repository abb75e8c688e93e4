// The text of a model as it is written: coloured, faults underlined while one types, words offered, what a word means under the
// pointer. Faults, words and meanings are those of the language server, which a second worker answers: a run that takes long in
// the first one does not keep the writer waiting.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers, type Tooltip } from '@codemirror/view';
import { el } from '../src/dom';
import { colours, language } from './highlight';
import { styles } from './editor_style';

type Ask = (message: unknown) => Promise<unknown[]>;
interface Place {
  line: number;
  character: number;
}
interface Message {
  id?: number;
  method?: string;
  params?: { diagnostics?: { range: { start: Place; end: Place }; severity: number; message: string }[] };
  result?: unknown;
}

const uri = 'file:///model.zw';
// as the protocol numbers them
const sorts: Record<number, string> = { 3: 'function', 5: 'property', 6: 'variable', 7: 'class', 14: 'keyword', 21: 'constant', 23: 'interface' };
const severities: Record<number, Diagnostic['severity']> = { 1: 'error', 2: 'warning', 3: 'info' };

function offset(doc: Text, p: Place): number {
  if (p.line >= doc.lines) return doc.length;
  const line = doc.line(p.line + 1);
  return Math.min(line.from + p.character, line.to);
}

function placeOf(doc: Text, at: number): Place {
  const line = doc.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
}

// what the server says of a word, in the little Markdown it uses: a block of code, words with `names`
function meaning(markdown: string): HTMLElement {
  const box = el('div', { class: 'z-meaning' });
  markdown.split(/```(?:zwang)?\n([\s\S]*?)\n```/).forEach((text, i) => {
    if (i % 2) box.append(el('pre', {}, text));
    else for (const line of text.split(/\n\n/)) if (line.trim()) box.append(el('p', {}, line.trim().replaceAll('`', '')));
  });
  return box;
}

export class Editor {
  readonly element = el('div', { class: 'editor' });
  private view: EditorView;
  private number = 0;
  private asked = false; // faults are being looked for
  private again = false; // and the text has changed since
  private server: Promise<Ask> | null = null;
  told = 0; // how often
  faultsTook = 0; // ms, from the last change to its faults underlined
  private changedAt = 0;

  // `start` gives the server, the first time it is asked for; `changed` is called at every change by the writer
  constructor(text: string, private start: () => Promise<Ask>, changed: () => void) {
    const root = this.element.attachShadow({ mode: 'open' });
    const state = EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(),
        language, syntaxHighlighting(colours),
        autocompletion({ override: [(c) => this.words(c)], icons: false }),
        hoverTooltip((_, at) => this.hover(at), { hoverTime: 250 }),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ 'aria-label': 'Text of the model; Escape, then Tab leaves it', spellcheck: 'false', autocapitalize: 'off' }),
        EditorView.updateListener.of((u) => {
          if (!u.docChanged) return;
          this.changedAt = performance.now();
          void this.look();
          if (!u.transactions.some((t) => t.isUserEvent('load'))) changed();
        }),
        EditorState.tabSize.of(2), styles,
      ],
    });
    this.view = new EditorView({ state, parent: root, root });
  }

  get value(): string {
    return this.view.state.doc.toString();
  }

  set value(text: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, userEvent: 'load' });
  }

  // as if the writer had done so
  rewrite(text: string): void {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, userEvent: 'input' });
  }

  go(line: number, column: number): void {
    const at = offset(this.view.state.doc, { line: line - 1, character: column - 1 });
    this.view.focus();
    this.view.dispatch({ selection: { anchor: at, head: Math.min(at + 1, this.view.state.doc.length) }, scrollIntoView: true });
  }

  // faults of the text as it stands; called once when the page is ready, then with every change
  async look(): Promise<void> {
    if (this.asked) {
      this.again = true;
      return;
    }
    this.asked = true;
    do {
      this.again = false;
      await this.tell();
    } while (this.again);
    this.asked = false;
  }

  private ask(): Promise<Ask> {
    this.server ??= this.start().then(async (ask) => {
      await ask({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} });
      await ask({ jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument: { uri, version: 0, text: '' } } });
      return ask;
    });
    return this.server;
  }

  private async tell(): Promise<void> {
    const ask = await this.ask();
    const doc = this.view.state.doc;
    const since = this.changedAt;
    const params = { textDocument: { uri, version: ++this.number }, contentChanges: [{ text: doc.toString() }] };
    const messages = (await ask({ jsonrpc: '2.0', method: 'textDocument/didChange', params })) as Message[];
    const told = messages.find((m) => m.method === 'textDocument/publishDiagnostics');
    if (!told || this.view.state.doc !== doc) return; // the text has gone on: its own faults come
    const faults = (told.params?.diagnostics ?? []).map((d): Diagnostic => {
      const from = offset(doc, d.range.start);
      return { from, to: Math.max(offset(doc, d.range.end), Math.min(from + 1, doc.length)), severity: severities[d.severity] ?? 'info', message: d.message };
    });
    this.view.dispatch(setDiagnostics(this.view.state, faults));
    this.faultsTook = performance.now() - since;
    this.told++;
  }

  private async of(what: string, at: number): Promise<unknown> {
    const ask = await this.ask();
    const doc = this.view.state.doc;
    // the server has to know the text that the place is in
    const params = { textDocument: { uri, version: ++this.number }, contentChanges: [{ text: doc.toString() }] };
    if (this.asked) await ask({ jsonrpc: '2.0', method: 'textDocument/didChange', params });
    const id = ++this.number;
    const messages = (await ask({ jsonrpc: '2.0', id, method: `textDocument/${what}`, params: { textDocument: { uri }, position: placeOf(doc, at) } })) as Message[];
    return messages.find((m) => m.id === id)?.result ?? null;
  }

  private async words(c: CompletionContext): Promise<CompletionResult | null> {
    const word = c.matchBefore(/[\p{L}_][\p{L}\p{N}_']*/u);
    if (!word && !c.explicit) return null;
    const offers = (await this.of('completion', c.pos)) as { label: string; kind: number; detail: string }[] | null;
    if (!offers?.length) return null;
    const options = offers.map((o): Completion => ({ label: o.label, type: sorts[o.kind] ?? 'text', info: o.detail }));
    return { from: word?.from ?? c.pos, options, validFor: /^[\p{L}\p{N}_']*$/u };
  }

  private async hover(at: number): Promise<Tooltip | null> {
    const doc = this.view.state.doc;
    const found = (await this.of('hover', at)) as { contents: { value: string }; range: { start: Place; end: Place } } | null;
    if (!found || this.view.state.doc !== doc) return null;
    return { pos: offset(doc, found.range.start), end: offset(doc, found.range.end), above: true, create: () => ({ dom: meaning(found.contents.value) }) };
  }
}
