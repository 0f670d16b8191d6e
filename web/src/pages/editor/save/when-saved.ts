import { type SaveStatus, statusOf } from '../../../editor/save/save-state.ts'
import type { Editor } from '../editor-context.ts'
import type { Saving } from '../session/saving-context.ts'

/**
 * Saves what is drawn, and tells how that went: what is tested or published is what the service has. Undefined where
 * there is nothing to save to.
 */
export function whenSaved(editor: Editor, saving: Pick<Saving, 'flush'>): Promise<SaveStatus | undefined> {
  saving.flush()
  return new Promise((resolve) => {
    const hasSettled = () => {
      const { save } = editor.state()
      const status = save === undefined ? undefined : statusOf(save)
      if (status === 'dirty' || status === 'saving') return false
      resolve(status)
      return true
    }
    if (hasSettled()) return
    const unwatch = editor.watch(() => hasSettled() && unwatch())
  })
}
