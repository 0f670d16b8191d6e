import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { rolldown } from 'rolldown'
import { systemClock } from '../../src/clock.ts'
import { createRuntime } from '../../src/runtime.ts'
import { readConfig } from '../../src/startup/config.ts'
import type { ComponentFacts } from '../src/api/components.ts'
import type { ApiDescription } from '../src/help/reference/openapi-document.ts'
import { type Site, sitePages } from './site-pages.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const KEY = 'the-key-of-a-service-that-only-describes-itself'

/** `npm run docs`: the documents and references as a site of files, into out/docs or another folder. */
export async function main(): Promise<void> {
  const folder = process.argv[2] ?? join(ROOT, 'out', 'docs')
  const pages = await writeDocs(folder)
  process.stdout.write(`${pages} pages: ${join(folder, 'index.html')}\n`)
}

/** How many pages it has. */
export async function writeDocs(folder: string): Promise<number> {
  const names = globSync('*.md', { cwd: join(ROOT, 'docs') }).sort()
  const docs = new Map(
    names.map((name) => [basename(name, '.md'), readFileSync(join(ROOT, 'docs', name), 'utf8')])
  )
  const site = sitePages({ docs, ...(await describedService()) })
  writeSite(folder, site)
  await writeScript(folder)
  return site.pages.length
}

/** What a new service, without plugins, tells of its components and its API. */
async function describedService(): Promise<{ components: ComponentFacts[]; api: ApiDescription }> {
  const home = mkdtempSync(join(tmpdir(), 'millrace-docs-'))
  const config = readConfig({ PORT: '0', MILLRACE_HOME: home, MILLRACE_API_KEY: KEY }, () => '')
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const log = pino({ level: 'silent' })
  const runtime = await createRuntime({ config, log, version, folder: home, clock: systemClock() })
  const { address } = await runtime.start()
  const ask = async (path: string) => (await fetch(address + path, { headers: { 'x-api-key': KEY } })).json()
  try {
    const { components } = (await ask('/api/v1/components')) as { components: ComponentFacts[] }
    return { components, api: (await ask('/api/v1/openapi.json')) as ApiDescription }
  } finally {
    await runtime.stop()
    rmSync(home, { recursive: true })
  }
}

function writeSite(folder: string, { pages, sections, pictures }: Site): void {
  rmSync(folder, { recursive: true, force: true })
  for (const { place, text } of pages) write(folder, `${place}.html`, text)
  for (const picture of pictures) {
    mkdirSync(dirname(join(folder, picture)), { recursive: true })
    cpSync(join(ROOT, 'docs', picture), join(folder, picture))
  }
  const styles = ['web/src/design/tokens.css', 'web/src/pages/help/article.css', 'web/site/site.css']
  write(folder, 'site.css', styles.map(read).join('\n'))
  write(folder, 'theme.js', read('web/public/choose-theme.js'))
  write(folder, 'sections.js', `globalThis.SECTIONS = ${JSON.stringify(sections)}\n`)
}

/** A plain script: pages that are opened from a folder may load neither modules nor data. */
async function writeScript(folder: string): Promise<void> {
  const bundle = await rolldown({ input: join(ROOT, 'web/site/site-page.js') })
  await bundle.write({ file: join(folder, 'site.js'), format: 'iife' })
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
