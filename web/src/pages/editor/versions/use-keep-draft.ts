import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../api/api-context.ts'
import { type KeptDraft, keepDraft } from '../../../api/kept-drafts.ts'
import { notifyProblem, notifyRefusal } from '../../../design/notify.tsx'
import { useEditor } from '../editor-context.ts'
import { whenSaved } from '../save/when-saved.ts'
import { useSaving } from '../session/saving-context.ts'

/** Keeps the draft before something else takes its place. False where that failed: then nothing may take it. */
export function useKeepDraft() {
  const editor = useEditor()
  const saving = useSaving()
  const api = useApi()
  const queries = useQueryClient()
  return async (because: KeptDraft['because']): Promise<boolean> => {
    const status = await whenSaved(editor, saving)
    if (status !== undefined && status !== 'clean') {
      notifyRefusal('Your draft stays as it is', NOT_SAVED)
      return false
    }
    try {
      await keepDraft(api, editor.flowId, because)
      void queries.invalidateQueries({ queryKey: ['kept-drafts', editor.flowId] })
      return true
    } catch (error) {
      notifyProblem(error)
      return false
    }
  }
}

const NOT_SAVED =
  'Your last changes are not saved yet, and would be lost. Why they are not saved stands beside the name of the flow.'
