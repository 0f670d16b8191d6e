import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../api/api-context.ts'
import { versionQuery } from '../../../api/versions.ts'
import { notifyDone, notifyProblem } from '../../../design/notify.tsx'
import { useEditor } from '../editor-context.ts'

/** What can be done with a version. To restore one is an edit of the draft like any other: nothing is live, and it can be undone. */
export function useVersionActions(version: number) {
  const editor = useEditor()
  const api = useApi()
  const queries = useQueryClient()
  const read = () => queries.fetchQuery(versionQuery(api, editor.flowId, version))
  return {
    view: async (isCompared: boolean) => {
      try {
        const { document, created_at, name } = await read()
        editor.viewVersion({ version, name, createdAt: created_at, document, isCompared })
      } catch (error) {
        notifyProblem(error)
      }
    },
    restore: async () => {
      try {
        const { document: earlier } = await read()
        editor.viewVersion(undefined)
        // The address that callers use stays as it is now.
        const document = { ...earlier, slug: editor.state().flow.slug }
        editor.execute({ kind: 'replace', document, label: `Restore version ${version}` })
        notifyDone(`Version ${version} is the draft now.`, () => editor.undo())
      } catch (error) {
        notifyProblem(error)
      }
    }
  }
}
