import { watchedItems } from '../../src/components/http/watched-items.ts'
import type { Pacer } from '../../src/flows/in-turns.ts'
import type { IncomingAnswer } from '../../src/plugin-api.ts'

/** Looks at a list whose answer this is. */
export function watched(key: string, body: string): (pacer: Pacer) => Promise<unknown> {
  const bytes = Buffer.from(body)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
  }
  const fields = { url: 'https://a.b/', key }
  return (pacer) =>
    watchedItems({
      fields,
      variables: {},
      send: async (): Promise<IncomingAnswer> => ({
        status: 200,
        headers: {},
        url: 'https://a.b/',
        body: pieces(),
        readEvery() {},
        discard: async () => {}
      }),
      connection: () => {
        throw new Error('it uses no connection')
      },
      readDocuments: async () => [],
      pacer
    })
}
