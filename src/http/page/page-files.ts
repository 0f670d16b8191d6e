import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Preloads } from './page-preloads.ts'

/** A file of the page, ready to be sent. */
export interface PageFile {
  readonly type: string
  /** Whether its name changes with its content, so that nobody has to ask for it twice. */
  readonly isImmutable: boolean
  readonly encoding: 'br' | 'gzip' | null
  readonly bytes: Buffer
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2'
}

/** Best first: what was compressed beside a file when the page was built. */
const COMPRESSED = [
  { encoding: 'br', ending: '.br', accepted: /\bbr\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/i },
  { encoding: 'gzip', ending: '.gz', accepted: /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/i }
] as const

const unzip = promisify(gunzip)

/**
 * The files of the built page. Only what was listed can be asked for: an address is looked up among the names and
 * never joined into a path, so no address leads out of the folder.
 *
 * By hand, where @fastify/static would do it: to load that takes 44 ms of every start, and of what it offers
 * (ranges, listings, redirects, conditions) the page needs nothing.
 */
export class PageFiles {
  readonly #folder: string
  #names: Promise<ReadonlySet<string>> | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The document; undefined where the page has not been built. */
  async document(): Promise<string | undefined> {
    // Whoever gets a new document asks for its files next.
    this.#names = undefined
    return readFile(join(this.#folder, 'index.html'), 'utf8').catch(whereMissing)
  }

  /** What the build wrote down beside the document; none of a page that was built by an older one. */
  async preloads(): Promise<Preloads> {
    const text = await readFile(join(this.#folder, '.vite/preloads.json'), 'utf8').catch(whereMissing)
    return text === undefined ? {} : (JSON.parse(text) as Preloads)
  }

  /** By its path from the folder, with slashes: `assets/index-1a2b3c.js`. */
  async find(name: string, acceptEncoding: string): Promise<PageFile | undefined> {
    this.#names ??= this.#list()
    const names = await this.#names
    if (COMPRESSED.some(({ ending }) => name.endsWith(ending))) return undefined
    const compressed = COMPRESSED.find(
      ({ ending, accepted }) => accepted.test(acceptEncoding) && names.has(name + ending)
    )
    const bytes = await this.#read(name, compressed?.ending ?? '', names)
    if (bytes === undefined) return undefined
    return {
      type: TYPES[extname(name)] ?? 'application/octet-stream',
      isImmutable: name.startsWith('assets/'),
      encoding: compressed?.encoding ?? null,
      bytes
    }
  }

  /** The package has only the compressed ones of most files: hardly anybody asks for others. */
  async #read(name: string, ending: string, names: ReadonlySet<string>): Promise<Buffer | undefined> {
    const path = join(this.#folder, name)
    if (names.has(name + ending)) return readFile(path + ending).catch(whereMissing)
    const zipped = names.has(`${name}.gz`) ? await readFile(`${path}.gz`).catch(whereMissing) : undefined
    return zipped && unzip(zipped)
  }

  /** Without the document itself, and without what begins with a dot: that is the build's own. */
  async #list(): Promise<ReadonlySet<string>> {
    const names = (await readdir(this.#folder, { recursive: true }).catch(whereMissing)) ?? []
    const slashed = names.map((name) => name.replaceAll(sep, '/'))
    return new Set(slashed.filter((name) => name !== 'index.html' && !/(?:^|\/)\./.test(name)))
  }
}

function whereMissing(error: NodeJS.ErrnoException): undefined {
  // A folder is on the list like a file.
  if (error.code === 'ENOENT' || error.code === 'EISDIR' || error.code === 'ENOTDIR') return undefined
  throw error
}
