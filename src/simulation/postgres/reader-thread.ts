import type { MessagePort } from 'node:worker_threads'
import { workerData } from 'node:worker_threads'
import { Client, types } from 'pg'

/** Answers one question after the other; whoever asked sleeps until `flag` says that the answer is there. */
const { url, flag, port } = workerData as { url: string; flag: Int32Array; port: MessagePort }

const BIGINT = 20
types.setTypeParser(BIGINT, Number)
const client = new Client({ connectionString: url, options: '-c jit=off' })
const connected = client.connect()

async function answer(texts: readonly string[]): Promise<unknown> {
  try {
    await connected
    const answers = []
    for (const [at, text] of texts.entries()) answers.push((await client.query({ name: `${at}`, text })).rows)
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
