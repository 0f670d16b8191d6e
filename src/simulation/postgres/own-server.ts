import { describeContent } from '../../../test/support/empty-database.ts'
import { startPostgresServer } from '../../../test/support/postgres-server.ts'
import type { Ground } from '../template-store.ts'
import { preparePostgresGround } from './postgres-ground.ts'

/** Nothing has to survive, and nothing is to be done that no scenario asks for. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'autovacuum=off']

/** A server for this simulation alone, which goes with it. */
export async function prepareOwnServer(): Promise<Ground> {
  const server = await startPostgresServer({ settings: SETTINGS })
  const ground = await preparePostgresGround({ url: server.url('postgres'), describeContent })
  return {
    ...ground,
    end: async () => {
      await ground.end()
      await server.stop()
    }
  }
}
