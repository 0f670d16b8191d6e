import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The tokens of the design, in CodeMirror's words. They change with the theme by themselves. */
export function editorTheme(height: number): Extension {
  return EditorView.theme({
    '&': {
      fontSize: 'var(--text-sm)',
      color: 'var(--text)',
      backgroundColor: 'var(--surface)',
      borderRadius: 'var(--radius)'
    },
    // Not of all that has the theme: what holds the tooltips, at the end of the document, must take no room.
    '&.cm-editor': {
      minHeight: `${height}px`,
      // In a window that is not high, what stands below it must stay in sight.
      maxHeight: `max(${height}px, min(${height * 2}px, 48dvh))`,
      border: '1px solid var(--border-strong)'
    },
    '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '1px' },
    '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.55', overflow: 'auto' },
    '.cm-content': { padding: '8px 4px', caretColor: 'var(--text)', minHeight: `${height - 2}px` },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-content ::selection': {
      backgroundColor: 'var(--selection)'
    },
    '.cm-matchingBracket': { color: 'inherit' },
    // Where nobody types, there is no caret that they match at.
    '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--mark)' },
    '.cm-tooltip': {
      backgroundColor: 'var(--surface)',
      border: '1px solid var(--border)',
      borderRadius: 'var(--radius)',
      boxShadow: 'var(--shadow-floating)',
      color: 'var(--text)'
    },
    // Keys come from outside and can be of any length: one of them must not lay the list over the whole window.
    '.cm-tooltip.cm-tooltip-autocomplete > ul': { maxWidth: 'min(420px, 95vw)' },
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      backgroundColor: 'var(--accent-soft)',
      color: 'var(--text)'
    },
    '.cm-diagnostic': { fontFamily: 'var(--font)', borderLeftColor: 'var(--state-failed)' }
  })
}

export const highlighting: Extension = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.propertyName, color: 'var(--code-key)' },
    { tag: tags.string, color: 'var(--code-string)' },
    { tag: tags.number, color: 'var(--code-number)' },
    { tag: [tags.bool, tags.null, tags.keyword], color: 'var(--code-word)' },
    { tag: tags.variableName, color: 'var(--code-variable)' },
    { tag: tags.comment, color: 'var(--text-quiet)' },
    { tag: tags.typeName, color: 'var(--code-key)' },
    { tag: [tags.punctuation, tags.separator], color: 'var(--code-punctuation)' }
  ])
)
