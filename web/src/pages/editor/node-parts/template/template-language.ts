import { autocompletion, type Completion, type CompletionSource } from '@codemirror/autocomplete'
import type { Extension, Range } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  dropCursor,
  EditorView,
  tooltips,
  ViewPlugin,
  type ViewUpdate
} from '@codemirror/view'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { completeTemplate, type Declared } from '../../../../editor/template/complete-template.ts'
import { templateTokens } from '../../../../editor/template/template-tokens.ts'
import { tokenClass } from './token-class.ts'

/** What a template is completed from and checked against. */
export interface TemplateScope {
  readonly data: JsonValue | undefined
  readonly variables: Readonly<Record<string, JsonValue>>
  /** What the flow says that there will be. Asked for when somebody writes a placeholder. */
  readonly declared?: () => Declared
}

/**
 * Templates, in CodeMirror's words: colours and completion. Make it once for an editor: what another scope would replace
 * had closed what is being chosen from, with every run that comes meanwhile.
 */
export function templateLanguage(scope: () => TemplateScope): Extension {
  return [
    tokenColours,
    // Without the pause in which Enter would still begin a new line: within a placeholder nobody wants one.
    autocompletion({
      override: [completionSource(scope)],
      icons: false,
      activateOnTypingDelay: 0,
      interactionDelay: 0
    }),
    dropCursor(),
    // A node on the canvas is moved and scaled, and what is fixed inside of it is not fixed to the window.
    tooltips({ parent: document.body, position: 'fixed' }),
    templateTheme
  ]
}

const tokenColours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = decorate(view.state.doc.toString())
    }

    update(update: ViewUpdate) {
      if (update.docChanged) this.decorations = decorate(update.state.doc.toString())
    }
  },
  { decorations: (plugin) => plugin.decorations }
)

function decorate(source: string): DecorationSet {
  const ranges = templateTokens(source).flatMap(({ kind, from, to }): Range<Decoration>[] => {
    return kind === 'text' ? [] : [Decoration.mark({ class: tokenClass(kind) }).range(from, to)]
  })
  return Decoration.set(ranges)
}

/** Asked again at every key stroke: what follows a dot is another list of keys. */
function completionSource(scope: () => TemplateScope): CompletionSource {
  return ({ state, pos }) => {
    const { data, variables, declared } = scope()
    const found = completeTemplate(state.doc.toString(), pos, data, variables, declared?.())
    if (found === undefined || found.options.length === 0) return null
    const options = found.options.map(({ label, insert, from, to, detail, sample }, index): Completion => {
      return {
        label,
        // As they are told: of those that fit equally well, the editor would put what begins with $ first.
        sortText: String(index).padStart(4, '0'),
        detail: sample === '' ? detail : sample,
        apply: (view) => {
          view.dispatch({
            changes: { from, to, insert },
            selection: { anchor: from + insert.length },
            userEvent: 'input.complete'
          })
        }
      }
    })
    return { from: found.from, options }
  }
}

function underlined(colour: string) {
  return {
    backgroundImage: 'none',
    textDecoration: `underline wavy ${colour}`,
    textUnderlineOffset: '3px',
    textDecorationSkipInk: 'none'
  }
}

const templateTheme = EditorView.theme({
  '.token-brace, .token-variable, .token-context-variable': { color: 'var(--code-variable)' },
  '.token-variable, .token-context-variable': { fontWeight: '600' },
  '.token-context-variable': { color: 'var(--code-word)' },
  '.token-format, .token-fallback': { color: 'var(--code-number)' },
  '.token-escaped-brace': { color: 'var(--code-punctuation)' },
  // Coloured when it is told, and not by its token: half a placeholder is not a fault while it is being written.
  '.cm-lintRange-error, .cm-lintRange-error *': { color: 'var(--state-failed)' },
  '.cm-lintRange-error': underlined('var(--state-failed)'),
  '.cm-lintRange-warning': underlined('var(--state-cancelled)'),
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent' },
  '.cm-diagnostic.cm-diagnostic-warning': { borderLeftColor: 'var(--state-cancelled)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '14em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': { color: 'var(--text-quiet)', fontStyle: 'normal' },
  '.cm-tooltip-lint': { maxWidth: '360px' },
  '.cm-dropCursor': { borderLeft: '2px solid var(--accent)' }
})
