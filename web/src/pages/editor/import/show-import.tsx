import { lazy, Suspense } from 'react'
import { LoadingState } from '../../../design/loading-state.tsx'
import type { Editor } from '../editor-context.ts'

const ImportPanel = lazy(async () => ({
  default: (await import('../../../import-report/import-dialog.tsx')).ImportPanel
}))

const IMPORT = 'import'

/** What becomes of flows of another tool, beside the canvas that they were pasted on: each is a flow of its own. */
export function showImport(editor: Pick<Editor, 'showPanel' | 'closePanel'>, file: File): void {
  editor.showPanel({
    id: `${IMPORT}-${file.lastModified}`,
    title: 'Import',
    width: 520,
    content: (
      <Suspense fallback={<LoadingState rows={4} />}>
        <ImportPanel file={file} onClose={() => editor.closePanel()} />
      </Suspense>
    )
  })
}
