import type { Editor } from '../editor-context.ts'
import { Versions } from './versions.tsx'

export const VERSIONS = 'versions'

export function showVersions(editor: Editor): void {
  editor.showPanel({ id: VERSIONS, title: 'Versions', content: <Versions />, width: 400, isSheet: true })
}
