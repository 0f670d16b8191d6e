import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { before, describe, it } from 'node:test'
import { writeDocs } from '../web/site/write-site.ts'
import { lifetimeOfFile } from './support/clean-up.ts'
import { ROOT, temporaryFolder } from './support/service.ts'

const LINK = /<(?:a|link|script|img)\b[^>]*?\s(?:href|src)="([^"]*)"/g

const file = lifetimeOfFile()
let site: Site

/** The files of a written site, by their paths with slashes, and the anchors of its pages. */
class Site {
  readonly texts = new Map<string, string>()
  readonly #anchors = new Map<string, ReadonlySet<string>>()

  constructor(folder: string) {
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const isPage = path.endsWith('.html')
      const text = isPage ? readFileSync(join(folder, path), 'utf8') : ''
      const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!)
      const name = path.replaceAll(sep, '/')
      this.#anchors.set(name, new Set(ids))
      if (isPage) this.texts.set(name, text)
    }
  }

  /** Whether an address leads somewhere, from a page. */
  leads(from: string, target: string): boolean {
    const [place, anchor] = target.split('#') as [string, string?]
    const to = place === '' ? from : normalize(join(dirname(from), place)).replaceAll(sep, '/')
    const anchors = this.#anchors.get(to)
    return anchors !== undefined && (anchor === undefined || anchors.has(decodeURIComponent(anchor)))
  }
}

before(async () => {
  const folder = join(await temporaryFolder(file), 'site')
  await writeDocs(folder)
  site = new Site(folder)
})

describe('npm run docs', () => {
  it('writes a site whose every link and anchor leads somewhere, and that needs nobody else', () => {
    const links = [...site.texts].flatMap(([path, text]) =>
      [...text.matchAll(LINK)].map(([tag, target]) => ({ path, tag, target: target! }))
    )
    const isOutside = ({ target }: { target: string }) => /^https?:/.test(target)
    assert.deepEqual(
      links.filter((link) => !isOutside(link) && !site.leads(link.path, link.target)),
      []
    )
    assert.deepEqual(
      links.filter((link) => isOutside(link) && !link.tag.startsWith('<a')),
      []
    )
    assert.ok(links.length > 5000, `${links.length} links`)
  })

  it('has every place that empty places of the page lead to', () => {
    const targets = globSync('web/src/**/*.tsx', { cwd: ROOT }).flatMap((path) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(/\bhelp="([\w-]+(?:#[\w-]+)?)"/g)].map(
        ([, to]) => to!
      )
    )
    const missing = targets.filter((to) => {
      const [page, anchor] = to.split('#')
      return !site.leads('index.html', `${page}.html${anchor === undefined ? '' : `#${anchor}`}`)
    })
    assert.deepEqual(missing, [])
    assert.ok(targets.length > 10)
  })
})
