// Our sources without their types, all in one file, beside the compile cache that holds what V8 has made of them.
import { openSync, readFileSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

/** The file begins with the length of its index, which tells for each source how it stood, where it is and how long. */
const HEAD = 4
/** A file that was changed just now may be changed again, and look the same. */
const SETTLED_MS = 2_000

/**
 * Left to itself, Node keeps of each source what is left of it without types, in 4 KB at least, for as long as the process
 * lives: 7 MB. And it reads two files for it instead of a part of one.
 */
export class StrippedSources {
  #base
  #file
  #index = {}
  #bytes = Buffer.alloc(64 * 1024)
  #begin = 0

  /** `base` is the address of the folder that all of them are below. */
  constructor(path, base) {
    this.#base = base
    try {
      this.#file = openSync(path, 'r')
      const length = this.#read(0, HEAD).readUInt32LE()
      this.#index = JSON.parse(this.#read(HEAD, length).toString())
      this.#begin = HEAD + length
    } catch {
      // Where nothing can be written there is none, and Node takes the types out itself.
    }
  }

  /** Undefined where it is not known, or has changed since. */
  of(address) {
    if (!address.startsWith(this.#base)) return undefined
    const known = this.#index[address.slice(this.#base.length)]
    if (known === undefined) return undefined
    const [standing, at, length] = known
    if (standingOf(statSync(fileURLToPath(address), { throwIfNoEntry: false })) !== standing) return undefined
    return this.#read(this.#begin + at, length).toString()
  }

  #read(at, length) {
    if (length > this.#bytes.length) this.#bytes = Buffer.alloc(length)
    const read = readSync(this.#file, this.#bytes, 0, length, at)
    return this.#bytes.subarray(0, read)
  }
}

/** Writes those at these paths below `base`; at once, since other processes may be reading. */
export function writeStripped(path, base, files) {
  const index = {}
  const texts = []
  let at = 0
  for (const file of files) {
    const url = new URL(file, base)
    const facts = statSync(url)
    if (Date.now() - facts.mtimeMs < SETTLED_MS) continue
    // To the letter what Node makes of it: what V8 has compiled is known by its text.
    const source = readFileSync(url, 'utf8')
    const text = Buffer.from(module.stripTypeScriptTypes(source, { sourceUrl: url.href }))
    index[file] = [standingOf(facts), at, text.length]
    texts.push(text)
    at += text.length
  }
  const head = Buffer.from(JSON.stringify(index))
  const length = Buffer.alloc(HEAD)
  length.writeUInt32LE(head.length)
  writeFileSync(`${path}-${process.pid}`, Buffer.concat([length, head, ...texts]))
  renameSync(`${path}-${process.pid}`, path)
}

function standingOf(facts) {
  return facts === undefined ? undefined : `${facts.mtimeMs} ${facts.size}`
}
