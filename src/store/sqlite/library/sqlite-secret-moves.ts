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
  const finish = db.prepare("UPDATE meta SET value = 1 WHERE name = 'secrets_moved'")
  return {
    // This process has the store to itself.
    mayMove: async () => true,
    async pending() {
      if ((isFinished.get() as { value: number }).value === 1) return []
      const rows = pending.all(SECRET_FIELD) as { flow_id: string; version: number; document: string }[]
      // What is written over is not to be found in the file any more.
      if (rows.length > 0) db.exec('PRAGMA secure_delete = ON')
      return rows.map(({ flow_id: flowId, version, document }) => ({ flowId, version, document }))
    },
    rewrite: (version, document) =>
      commit.write(
        () => rewrite.run(document, version.flowId, version.version, version.document).changes !== 0
      ),
    async finish() {
      if ((isFinished.get() as { value: number }).value === 1) return
      await commit.write(() => void finish.run())
      // The log holds what was there before.
      db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA secure_delete = OFF')
    }
  }
}
