import type { CommentStore, StoredComment } from '../comments.ts'
import { addBesideFlow, removeBesideFlow } from './beside-flow.ts'
import { type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

const COLUMNS = 'flow_id, id, node, text, author, created_at, done_at, done_by'

const addText = `INSERT INTO flow_comments (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

const markText = `UPDATE flow_comments SET done_at = ?, done_by = ? WHERE flow_id = ? AND id = ? RETURNING ${COLUMNS}`

/** No process holds them in memory, so nobody else has to bring them in. */
export function createCommentStore(db: LibraryDatabase): CommentStore {
  return {
    ofFlow: (flowId) => db.read(() => ofFlow(flowId)),
    add: (comment, most) => {
      const { flowId, text } = comment
      const insert = () => rows(addText, ...valuesOf(comment))
      const add = () => addBesideFlow(db, { table: 'flow_comments', flowId, most }, insert)
      return db.writeUnheld(add, text.length)
    },
    mark: async (flowId, id, { doneAt, doneBy }) => {
      const [row] = await db.writeUnheld(() => rows<CommentRow>(markText, doneAt, doneBy, flowId, id))
      return row && storedComment(row)
    },
    remove: (flowId, id) => db.writeUnheld(() => removeBesideFlow('flow_comments', flowId, id))
  }
}

function* ofFlow(flowId: string): LibrarySteps<StoredComment[]> {
  const text = `SELECT ${COLUMNS} FROM flow_comments WHERE flow_id = ? ORDER BY created_at, id`
  return (yield* rows<CommentRow>(text, flowId)).map(storedComment)
}

/** A row of flow_comments, in either database. */
interface CommentRow {
  readonly flow_id: string
  readonly id: string
  readonly node: string | null
  readonly text: string
  readonly author: string | null
  readonly created_at: number
  readonly done_at: number | null
  readonly done_by: string | null
}

function storedComment(row: CommentRow): StoredComment {
  const { id, node, text, author } = row
  const [createdAt, doneAt, doneBy] = [row.created_at, row.done_at, row.done_by]
  return { flowId: row.flow_id, id, node, text, author, createdAt, doneAt, doneBy }
}

/** In the order of the columns. */
function valuesOf(comment: StoredComment): (string | number | null)[] {
  const { flowId, id, node, text, author, createdAt, doneAt, doneBy } = comment
  return [flowId, id, node, text, author, createdAt, doneAt, doneBy]
}
