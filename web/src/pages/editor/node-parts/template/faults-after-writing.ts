import { completionStatus } from '@codemirror/autocomplete'
import { setDiagnostics } from '@codemirror/lint'
import type { Extension, Text } from '@codemirror/state'
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { isWriting, templateFaults } from '../../../../editor/template/template-faults.ts'
import type { TemplateScope } from './template-language.ts'

interface Reporting {
  readonly scope: () => TemplateScope
  readonly onWriting: (isWriting: boolean) => void
}

/** Longer than most think between two keys. */
const PAUSE_MS = 800

/**
 * Underlines the faults of a template while nobody is writing in it; earlier ones move along with their text. Make
 * it once for an editor: what another scope would replace had forgotten that somebody is amid a word.
 */
export function faultsAfterWriting(reporting: Reporting): Extension {
  return ViewPlugin.define((view) => new FaultReporter(view, reporting))
}

class FaultReporter {
  readonly #view: EditorView
  readonly #reporting: Reporting
  #pause: ReturnType<typeof setTimeout> | undefined
  #checkTimer: ReturnType<typeof setTimeout> | undefined
  #isWriting = false
  #reported: (TemplateScope & { readonly doc: Text }) | undefined

  constructor(view: EditorView, reporting: Reporting) {
    this.#view = view
    this.#reporting = reporting
    this.#checkSoon()
  }

  update({ docChanged, view }: ViewUpdate): void {
    if (docChanged) {
      this.#beginPause()
      // At once: who shows the text shows its faults as well.
      if (view.hasFocus) this.#setWriting(true)
    }
    this.#checkSoon()
  }

  destroy(): void {
    clearTimeout(this.#pause)
    clearTimeout(this.#checkTimer)
    this.#setWriting(false)
  }

  #beginPause(): void {
    clearTimeout(this.#pause)
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      this.#checkSoon()
    }, PAUSE_MS)
  }

  /** Within an update no other one may begin. */
  #checkSoon(): void {
    this.#checkTimer ??= setTimeout(() => {
      this.#checkTimer = undefined
      const { hasFocus, state } = this.#view
      const isCompleting = completionStatus(state) !== null
      this.#setWriting(isWriting({ hasFocus, isCompleting, isTyping: this.#pause !== undefined }))
      if (!this.#isWriting) this.#tell()
    })
  }

  #setWriting(next: boolean): void {
    if (next === this.#isWriting) return
    this.#isWriting = next
    this.#reporting.onWriting(next)
  }

  #tell(): void {
    const { data, variables } = this.#reporting.scope()
    const { state } = this.#view
    const reported = this.#reported
    if (reported?.doc === state.doc && reported.data === data && reported.variables === variables) return
    this.#reported = { doc: state.doc, data, variables }
    this.#view.dispatch(setDiagnostics(state, templateFaults(state.doc.toString(), data, variables)))
  }
}
