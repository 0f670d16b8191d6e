import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../api/api-context.ts'
import { keptDraftQuery } from '../../../api/kept-drafts.ts'
import { versionQuery } from '../../../api/versions.ts'
import { notifyDone, notifyProblem } from '../../../design/notify.tsx'
import { useEditor } from '../editor-context.ts'
import { useKeepDraft } from './use-keep-draft.ts'
import { type Earlier, earlierInWords } from './version-words.ts'

/**
 * What can be done with a version, or with a draft that was kept. To restore one is an edit of the draft like any other:
 * nothing is live, it can be undone, and what it takes the place of is kept first.
 */
export function useVersionActions(earlier: Earlier) {
  const editor = useEditor()
  const api = useApi()
  const queries = useQueryClient()
  const keep = useKeepDraft()
  const read = () => readEarlier(earlier)
  async function readEarlier({ version, keptDraft }: Earlier) {
    if (keptDraft === undefined) return queries.fetchQuery(versionQuery(api, editor.flowId, version))
    const kept = await queries.fetchQuery(keptDraftQuery(api, editor.flowId, keptDraft))
    return { document: kept.document, created_at: kept.updated_at, name: null }
  }
  return {
    view: async (isCompared: boolean) => {
      try {
        const { document, created_at, name } = await read()
        editor.viewVersion({ ...earlier, name, createdAt: created_at, document, isCompared })
      } catch (error) {
        notifyProblem(error)
      }
    },
    restore: async () => {
      try {
        const { document: earlierOne } = await read()
        if (!(await keep('restored'))) return
        editor.viewVersion(undefined)
        // The address that callers use stays as it is now.
        const document = { ...earlierOne, slug: editor.state().flow.slug }
        const title = earlierInWords(earlier)
        editor.execute({ kind: 'replace', document, label: `Restore ${title}` })
        notifyDone(`${capital(title)} is the draft now. What was there is kept in Versions.`, () =>
          editor.undo()
        )
      } catch (error) {
        notifyProblem(error)
      }
    }
  }
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
