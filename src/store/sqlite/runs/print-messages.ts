import type { DatabaseSync } from 'node:sqlite'
import type { NewMessage } from '../../message-store.ts'
import type { RunRef } from '../../store.ts'
import type { InternedNames } from '../file/interned-names.ts'
import type { RunRowBuffers } from './run-row-buffers.ts'

interface PrintParts {
  readonly names: InternedNames
  readonly rows: Pick<RunRowBuffers, 'messages'>
}

/** All to be called inside a batch. */
export function preparePrint(db: DatabaseSync, { names, rows }: PrintParts) {
  const ids = db.prepare('SELECT id FROM messages WHERE run_seq = ?')

  function add({ seq, flowId }: RunRef, messages: readonly NewMessage[]): void {
    const flow = names.numberOf(flowId)
    for (const { session, createdAt, id, sender, text, long = null } of messages)
      rows.messages.add([seq, flow, session, createdAt, id, sender, text, long])
  }

  return {
    add,

    /** A run says again what its earlier steps have said; what is there already is left out. */
    addUnknown(run: RunRef, messages: readonly NewMessage[]): void {
      if (messages.length === 0) return
      // What another write of this batch has brought is in no table yet.
      rows.messages.flush()
      const known = new Set(ids.all(run.seq).map((row) => row.id))
      add(
        run,
        messages.filter(({ id }) => !known.has(id))
      )
    }
  }
}

export type Print = ReturnType<typeof preparePrint>
