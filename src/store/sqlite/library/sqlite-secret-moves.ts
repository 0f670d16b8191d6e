import type { DatabaseSync } from 'node:sqlite'
import { SECRET_FIELD, type SecretMoves } from '../../secret-moves.ts'
import type { GroupCommit } from '../file/group-commit.ts'

export function createSecretMoves(db: DatabaseSync, commit: GroupCommit): SecretMoves {
  const isFinished = db.prepare("SELECT value FROM meta WHERE name = 'secrets_moved'")
  const pending = db.prepare(
    'SELECT flow_id, version, document FROM flow_versions WHERE instr(document, ?) > 0 ORDER BY flow_id, version DESC'
  )
  const rewrite = db.prepare(
    'UPDATE flow_versions SET document = ? WHERE flow_id = ? AND version = ? AND document = ?'
  )
  const pendingDrafts = db.prepare(
    'SELECT flow_id, document FROM flow_drafts WHERE instr(document, ?) > 0 ORDER BY flow_id'
  )
  const rewriteDraft = db.prepare('UPDATE flow_drafts SET document = ? WHERE flow_id = ? AND document = ?')
  const finish = db.prepare("UPDATE meta SET value = 1 WHERE name = 'secrets_moved'")
  let isRewritten = false
  return {
    // This process has the store to itself.
    mayMove: async () => true,
    async pending() {
      const isOver = (isFinished.get() as { value: number }).value === 1
      const rows = [...(isOver ? [] : pending.all(SECRET_FIELD)), ...pendingDrafts.all(SECRET_FIELD)] as {
        flow_id: string
        version?: number
        document: string
      }[]
      // What is written over is not to be found in the file any more.
      if (rows.length > 0) db.exec('PRAGMA secure_delete = ON')
      return rows.map(({ flow_id: flowId, version = null, document }) => ({ flowId, version, document }))
    },
    rewrite: ({ flowId, version, document: before }, document) =>
      commit.write(() => {
        isRewritten = true
        const { changes } =
          version === null
            ? rewriteDraft.run(document, flowId, before)
            : rewrite.run(document, flowId, version, before)
        return changes !== 0
      }),
    async finish() {
      const isOver = (isFinished.get() as { value: number }).value === 1
      if (!isOver) await commit.write(() => void finish.run())
      else if (!isRewritten) return
      // The log holds what was there before.
      db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA secure_delete = OFF')
    }
  }
}
