import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { blocksOf } from './support/guide.ts'
import { ROOT, startService, temporaryFolder } from './support/service.ts'

/** Those whose first document of a flow is one that is to be saved before, under its slug, are in SAVED. */
const GUIDES = ['README.md', 'tutorial', 'build-flows', 'webhooks', 'runs', 'keys', 'connections'].map(
  (name) => (name.endsWith('.md') ? name : `docs/${name}.md`)
)
const SAVED = ['docs/tutorial.md']
const SHOWN = 'http://127.0.0.1:7860'

describe('commands of guides, typed as they are printed on a new service', () => {
  for (const guide of GUIDES) {
    it(`work: ${guide}`, async (t) => {
      const service = await startService(t)
      const folder = await temporaryFolder(t)
      const blocks = blocksOf(readFileSync(join(ROOT, guide), 'utf8'))
      const flow = blocks.find(
        ({ language, lines }) => language === 'json' && lines.join('').includes('"nodes"')
      )
      writeFileSync(join(folder, 'parcels.json'), flow?.lines.join('\n') ?? '')
      if (SAVED.includes(guide)) await service.createFlow(JSON.parse(flow!.lines.join('\n')))
      const typed = blocks.filter(
        ({ language, lines }) => language === 'sh' && /^curl /m.test(lines.join('\n'))
      )
      assert.ok(typed.length > 0)
      for (const { lines, line } of typed) {
        const command = lines.join('\n').replaceAll(SHOWN, service.address)
        const { error, output } = await shell(command.replaceAll(/^curl /gm, 'curl -sS --fail-with-body '), {
          cwd: folder,
          KEY: service.key
        })
        assert.equal(error, null, `line ${line}: ${command}\n${output}`)
      }
    })
  }
})

describe('guides', () => {
  it('are all found from the README', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    const guides = globSync('*.md', { cwd: join(ROOT, 'docs') })
    assert.ok(guides.length > 30)
    assert.deepEqual(
      guides.filter((guide) => !readme.includes(`(docs/${guide})`)),
      []
    )
  })
})

describe('nodes that guides show', () => {
  it('can be saved as they are', async (t) => {
    const service = await startService(t)
    let saved = 0
    for (const guide of globSync('docs/*.md', { cwd: ROOT })) {
      for (const { language, lines, line } of blocksOf(readFileSync(join(ROOT, guide), 'utf8'))) {
        if (language !== 'json') continue
        const shown = JSON.parse(lines.join('\n')) as { type?: string; nodes?: object[]; edges?: object[] }
        // What is not a node, and one that stands for any.
        if (shown.nodes === undefined && (shown.type ?? '…') === '…') continue
        const { nodes = [{ id: 'node-1', ...shown }], edges = [] } = shown
        const answer = await service.post('/api/v1/flows', { name: `${guide} ${line}`, nodes, edges })
        assert.equal(answer.status, 201, `${guide}, line ${line}: ${answer.text}`)
        saved++
      }
    }
    assert.ok(saved > 20)
  })
})

function shell(command: string, { cwd, KEY }: { cwd: string; KEY: string }) {
  return new Promise<{ error: Error | null; output: string }>((resolve) => {
    execFile('sh', ['-ec', command], { cwd, env: { PATH: process.env.PATH, KEY } }, (error, stdout, stderr) =>
      resolve({ error, output: stdout + stderr })
    )
  })
}
