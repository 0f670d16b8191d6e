import { type Flow, type Note, notesOf } from '../../../editor/graph/flow.ts'
import { groupsIn } from '../../../editor/groups/groups.ts'
import { type OutlineNode, outlineOf } from '../../../editor/outline.ts'
import type { PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'

export type OutlineRow =
  | { readonly kind: 'node'; readonly id: string; readonly title: string; readonly node: OutlineNode }
  | { readonly kind: 'group'; readonly id: string; readonly title: string; readonly note: Note }
  | { readonly kind: 'note'; readonly id: string; readonly title: string; readonly note: Note }

/** The parts of a flow in the order in which a run comes to them, groups and notes at the end. */
export function outlineRows(flow: Flow, catalogue: PageCatalogue): OutlineRow[] {
  const groups = groupsIn(flow)
  const notes = notesOf(flow).filter((note) => !groups.some(({ id }) => id === note.id))
  return [
    ...outlineOf(flow, catalogue).map(
      (node): OutlineRow => ({ kind: 'node', id: node.id, title: node.title, node })
    ),
    ...groups.map(
      (note): OutlineRow => ({ kind: 'group', id: note.id, title: note.text.trim() || 'Group', note })
    ),
    ...notes.map((note): OutlineRow => ({ kind: 'note', id: note.id, title: noteTitle(note.text), note }))
  ]
}

/** The rows that a search means: by title, component and id, or by the text of a note. */
export function findRows(rows: readonly OutlineRow[], search: string): readonly OutlineRow[] {
  const wanted = search.trim().toLowerCase()
  if (wanted === '') return rows
  return rows.filter((row) => {
    const more = row.kind === 'node' ? row.node.component : `${row.kind} ${row.note.text}`
    return `${row.title} ${row.id} ${more}`.toLowerCase().includes(wanted)
  })
}

/** The first line of a note, without the signs of Markdown. */
function noteTitle(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return line.replace(/^[#>*\-\s]+/, '') || 'Empty note'
}
