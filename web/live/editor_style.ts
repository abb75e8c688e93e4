// How the editor looks, in the colours of the page, which turn with light and dark.
import { EditorView } from '@codemirror/view';

const mono = 'ui-monospace, "SFMono-Regular", "DejaVu Sans Mono", monospace';

export const styles = EditorView.theme({
  '&': { fontSize: '0.84rem', color: 'var(--ink)', backgroundColor: 'var(--paper)', border: '1px solid var(--rule)', borderRadius: '7px', maxHeight: '70vh' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: mono, lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--faint)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent)' },
  '.cm-tooltip': { backgroundColor: 'var(--paper)', color: 'var(--ink)', border: '1px solid var(--rule)', borderRadius: '7px', maxWidth: 'min(34rem, 92vw)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--paper)' },
  '.cm-diagnostic': { whiteSpace: 'pre-wrap', fontSize: '0.85rem' },
  '.z-meaning': { padding: '0.4rem 0.6rem', fontSize: '0.85rem' },
  '.z-meaning pre': { margin: '0', fontFamily: mono, whiteSpace: 'pre-wrap' },
  '.z-meaning p': { margin: '0.35rem 0 0' },
  '.z-comment': { color: 'var(--faint)', fontStyle: 'italic' },
  '.z-string': { color: 'var(--code-text)' },
  '.z-statement': { color: 'var(--accent)', fontWeight: '600' },
  '.z-clause': { color: 'var(--accent)' },
  '.z-function': { color: 'var(--code-name)' },
  '.z-constant, .z-number': { color: 'var(--code-number)' },
  '.z-unit': { color: 'var(--code-unit)' },
});
