import { type Flow, type Note, notesOf } from '../../../editor/graph/flow.ts'
import { type OutlineNode, outlineOf } from '../../../editor/outline.ts'
import type { PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'

export type OutlineRow =
  | { readonly kind: 'node'; readonly id: string; readonly title: string; readonly node: OutlineNode }
  | { readonly kind: 'note'; readonly id: string; readonly title: string; readonly note: Note }

/** The parts of a flow in the order in which a run comes to them, notes at the end. */
export function outlineRows(flow: Flow, catalogue: PageCatalogue): OutlineRow[] {
  return [
    ...outlineOf(flow, catalogue).map(
      (node): OutlineRow => ({ kind: 'node', id: node.id, title: node.title, node })
    ),
    ...notesOf(flow).map(
      (note): OutlineRow => ({ kind: 'note', id: note.id, title: noteTitle(note.text), note })
    )
  ]
}

/** The rows that a search means: by title, component and id, or by the text of a note. */
export function findRows(rows: readonly OutlineRow[], search: string): readonly OutlineRow[] {
  const wanted = search.trim().toLowerCase()
  if (wanted === '') return rows
  return rows.filter((row) => {
    const more = row.kind === 'node' ? row.node.component : `note ${row.note.text}`
    return `${row.title} ${row.id} ${more}`.toLowerCase().includes(wanted)
  })
}

/** The first line of a note, without the signs of Markdown. */
function noteTitle(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return line.replace(/^[#>*\-\s]+/, '') || 'Empty note'
}
