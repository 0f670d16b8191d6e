import { EditorView } from '@codemirror/view'

/**
 * Text that is typed over a selection. Left to itself, the browser puts it in the place of what was coloured and tries to
 * keep the colour with a style attribute, which the policy of the page refuses.
 */
export const typeOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { state } = view
    const { data: text } = event
    const { from, to, empty } = state.selection.main
    // What is being composed is the browser's until it is done: it cannot be taken over.
    if (event.inputType !== 'insertText' || text === null || event.isComposing) return false
    if (empty || state.readOnly) return false
    const insert = () =>
      state.update(state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
    // Brackets that close themselves, for one, are put around what is selected.
    const isHandled = state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, from, to, text, insert))
    if (!isHandled) view.dispatch(insert())
    return true
  }
})
