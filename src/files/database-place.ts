import { Readable } from 'node:stream'
import type { FileParts } from '../store/file-parts.ts'
import { BYTES_NAME, type ByteRange, FileMissing, type FilePlace, type WrittenName } from './file-place.ts'

/** All parts of a file but its last have this size. */
const PART_BYTES = 1_048_576
const PAGE = 1_000

/** Files in the database that the store is in: whoever backs it up has them too, and no process needs a disk. */
export function createDatabasePlace(parts: FileParts): FilePlace {
  return {
    write: async (name, bytes) => {
      let next = 0
      try {
        for await (const part of inParts(bytes)) {
          await parts.write(name, next, part)
          next += 1
        }
        // A file of no bytes has a part all the same, or it would be missing.
        if (next === 0) await parts.write(name, 0, new Uint8Array())
      } catch (error) {
        // What was not begun may be another's. The sweep finds what cannot be removed now.
        if (next > 0) await parts.remove([name]).catch(() => {})
        throw error
      }
    },
    read: async (name, range) => {
      const wanted = range ?? { first: 0, last: Number.MAX_SAFE_INTEGER }
      const reading = readParts(parts, name, wanted)
      // The first part tells whether there is anything, before the caller has promised it to anybody.
      const first = await reading.next()
      if (first.done === true) return Readable.from([])
      return Readable.from(startingWith(first.value, reading), { objectMode: false })
    },
    remove: (name) => parts.remove([name]),
    names: () => allNames(parts)
  }
}

/** Gathers what comes into parts, each in memory of its own. */
async function* inParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = []
  let size = 0
  for await (const given of bytes) {
    let rest = given
    while (size + rest.length >= PART_BYTES) {
      const fitting = rest.subarray(0, PART_BYTES - size)
      rest = rest.subarray(fitting.length)
      yield Buffer.concat([...gathered, fitting])
      gathered = []
      size = 0
    }
    if (rest.length === 0) continue
    gathered.push(rest)
    size += rest.length
  }
  if (size > 0) yield Buffer.concat(gathered)
}

async function* readParts(
  parts: FileParts,
  name: string,
  { first, last }: ByteRange
): AsyncGenerator<Uint8Array> {
  for (let at = first; at <= last; ) {
    const part = Math.floor(at / PART_BYTES)
    const from = at - part * PART_BYTES
    const most = Math.min(PART_BYTES - from, last - at + 1)
    const bytes = await parts.read(name, part, from, most)
    // A file that ends with a whole part ends where there is none.
    if (bytes === undefined && at === first) throw new FileMissing(name)
    if (bytes === undefined || bytes.length === 0) return
    yield bytes
    at += bytes.length
    if (bytes.length < most) return
  }
}

async function* startingWith(
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array>
): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}

async function* allNames(parts: FileParts): AsyncIterable<WrittenName> {
  for (let after = ''; ; ) {
    const page = await parts.namesAfter(after, PAGE)
    for (const found of page) if (BYTES_NAME.test(found.name)) yield found
    if (page.length < PAGE) return
    after = page.at(-1)!.name
  }
}
