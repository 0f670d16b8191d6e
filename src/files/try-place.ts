import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FilePlace } from './file-place.ts'

/** Does once all that will be asked of it; rejects with what is wrong. */
export async function tryPlace(place: FilePlace): Promise<void> {
  const name = randomBytes(16).toString('hex')
  const bytes = Buffer.from(`Millrace tries whether files can be stored here: ${name}\n`)
  await place.write(name, one(bytes))
  try {
    const found = await buffer(await place.read(name))
    if (!found.equals(bytes)) throw new Error('What was written there does not read the same.')
    for await (const _ of place.names()) break
  } finally {
    await place.remove(name)
  }
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
