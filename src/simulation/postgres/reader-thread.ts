import type { MessagePort } from 'node:worker_threads'
import { workerData } from 'node:worker_threads'
import { Client, types } from 'pg'

/** Answers one question after the other; whoever asked sleeps until `flag` says that the answer is there. */
const { url, flag, port } = workerData as { url: string; flag: Int32Array; port: MessagePort }

const BIGINT = 20
types.setTypeParser(BIGINT, Number)
const client = new Client({ connectionString: url, options: '-c jit=off' })
const connected = client.connect()

/** Each text is prepared once. */
const prepared = new Map<string, { readonly name: string; readonly text: string }>()

function preparedOf(text: string) {
  const known = prepared.get(text) ?? { name: String(prepared.size), text }
  prepared.set(text, known)
  return known
}

async function answer(texts: readonly string[]): Promise<unknown> {
  try {
    await connected
    const answers = []
    for (const text of texts) answers.push((await client.query(preparedOf(text))).rows)
    return { answers }
  } catch (error) {
    return { error: String(error) }
  }
}

port.on('message', async (texts: readonly string[] | null) => {
  if (texts === null) {
    await client.end()
    port.close()
    return
  }
  port.postMessage(await answer(texts))
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
})
