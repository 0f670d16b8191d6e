import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import packageJson from '../package.json' with { type: 'json' }
import { readAudit } from '../scripts/release/audit.mjs'
import { billOfMaterials } from '../scripts/release/bill-of-materials.mjs'
import { dateOf, hasUnreleased, releaseChangelog } from '../scripts/release/changelog.mjs'
import { git } from '../scripts/release/git.mjs'
import { readFacts } from '../scripts/release/read-facts.mjs'
import { refusalsOf } from '../scripts/release/refusals.mjs'
import { beginCheck, requiredChecks } from '../scripts/release/tested.mjs'
import { ROOT, temporaryFolder } from './support/stage.ts'

const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-17\n\n### Added\n\n- All of it.\n'

describe('a release', () => {
  it('is refused until exactly these files have passed every check', async (t) => {
    const { root, refusals, write } = await repository(t)
    for (const check of requiredChecks) {
      assert.ok((await refusals()).some((line) => line.startsWith(`${check} has not passed`)))
      beginCheck(root, check)()
    }
    assert.deepEqual(await refusals(), [])

    await write('index.js', 'changed')
    const [notCommitted] = await refusals()
    assert.match(notCommitted!, /^Not all is committed: index\.js\. /)
    beginCheck(root, requiredChecks[0]!)()
    commit(root)
    assert.equal((await refusals()).length, requiredChecks.length, 'what passed was not what is committed')

    git(root, ...AUTHOR, 'revert', '--no-edit', 'HEAD')
    assert.deepEqual(await refusals(), [], 'the files are again those that passed')
  })

  it('does not count a check during which a file changed', async (t) => {
    const { root, refusals, write } = await repository(t)
    const passed = requiredChecks.map((check) => beginCheck(root, check))
    await write('index.js', 'changed')
    commit(root)
    for (const pass of passed) pass()
    assert.equal((await refusals()).length, requiredChecks.length)
  })

  it('is refused for files that nobody has committed', async (t) => {
    const { root, refusals, write } = await tested(t)
    await write('left-over.txt', '')
    assert.deepEqual(await refusals(), ['Not all is committed: left-over.txt. Commit it, or take it away.'])
    await rm(join(root, 'left-over.txt'))
    assert.deepEqual(await refusals(), [])
  })

  it('is refused on another branch than main, and on none', async (t) => {
    const { root, refusals } = await tested(t)
    git(root, 'switch', '--quiet', '--create', 'topic')
    assert.deepEqual(await refusals(), ['This is the branch topic. Releases are made of main.'])
    git(root, 'switch', '--quiet', '--detach')
    assert.deepEqual(await refusals(), ['This is no branch. Releases are made of main.'])
  })

  it('is refused for a version that was published or tagged, or where nobody knows', async (t) => {
    const { root, refusals } = await tested(t)
    assert.match((await refusals('yes')).join(), /^1\.2\.3 is published already\./)
    assert.match((await refusals('unknown')).join(), /^Nobody can tell whether 1\.2\.3/)
    git(root, 'tag', 'v1.2.3')
    assert.deepEqual(await refusals(), [], 'a tag of this very commit')
    git(root, ...AUTHOR, 'commit', '--quiet', '--allow-empty', '--message', 'Later')
    assert.match((await refusals()).join(), /^The tag v1\.2\.3 stands at another commit\./)
  })

  const changelogs: [what: string, text: string, says: RegExp][] = [
    ['no section', CHANGELOG.replace('1.2.3', '1.2.2'), /^CHANGELOG\.md has no section 1\.2\.3\./],
    ['no date', CHANGELOG.replace(' - 2026-11-17', ''), /^CHANGELOG\.md has no date for 1\.2\.3\./],
    ['a date that is none', CHANGELOG.replace('11-17', '13-40'), /^CHANGELOG\.md has no date for 1\.2\.3\./],
    ['a date to come', CHANGELOG.replace('11-17', '11-18'), /is of 2026-11-18, and today is 2026-11-17/],
    ['more than is released', CHANGELOG.replace('d]\n', 'd]\n\n- More.\n'), /has changes under Unreleased/]
  ]
  for (const [what, text, says] of changelogs) {
    it(`is refused for a changelog with ${what}`, async () => {
      const [refusal, ...more] = refusalsOf({ ...SOUND, changelog: text })
      assert.match(refusal!, says)
      assert.deepEqual(more, [])
    })
  }

  it('is refused for packages with known faults, and where nobody can tell', () => {
    const audit = (...vulnerable: string[]) => refusalsOf({ ...SOUND, vulnerable })
    assert.match(
      audit('fastify (high)', 'pg (critical)').join(),
      /^npm audit .*fastify \(high\), pg \(critical\)\..*npm audit/
    )
    assert.match(refusalsOf({ ...SOUND, vulnerable: 'unknown' }).join(), /^Nobody can tell .*npm audit/)
  })

  it('reads what npm audit says: what is high or critical, by name', () => {
    const report = {
      vulnerabilities: {
        fastify: { severity: 'high' },
        ms: { severity: 'low' },
        pg: { severity: 'critical' }
      }
    }
    assert.deepEqual(readAudit(JSON.stringify(report)), ['fastify (high)', 'pg (critical)'])
    assert.deepEqual(readAudit(JSON.stringify({ vulnerabilities: {} })), [])
    for (const text of ['', '{"message":"405 Method Not Allowed"}', 'not json'])
      assert.equal(readAudit(text), 'unknown')
  })

  it('has a bill of materials: what the package is made of, and none of the tools', {
    timeout: 60_000
  }, async () => {
    const bill = JSON.parse(await billOfMaterials(ROOT)) as Bill
    assert.deepEqual([bill.bomFormat, bill.metadata.component.name], ['CycloneDX', 'millrace'])
    const names = new Set(bill.components.map(({ name }) => name))
    for (const name of Object.keys(packageJson.dependencies)) assert.ok(names.has(name), name)
    for (const name of ['@biomejs/biome', 'typescript']) assert.ok(!names.has(name), name)
    for (const { name, hashes = [], purl } of bill.components)
      assert.ok(hashes.length > 0 && purl.startsWith('pkg:npm/'), name)
  })

  it('is refused for versions that differ, and for none', () => {
    assert.deepEqual(refusalsOf(SOUND), [])
    assert.match(refusalsOf({ ...SOUND, lockedVersion: '1.2.2' }).join(), /^package-lock\.json says 1\.2\.2/)
    const unfit = { ...SOUND, version: 'next', lockedVersion: 'next' }
    assert.match(refusalsOf(unfit).join(), /^"next" is not a version\./)
  })
})

describe('the changelog', () => {
  it('gives a version what was not released, and begins anew', () => {
    const before = CHANGELOG.replace('d]\n', 'd]\n\n- More.\n')
    assert.equal(hasUnreleased(before), true)
    const after = releaseChangelog(before, '1.3.0', '2026-12-01')
    assert.equal(hasUnreleased(after), false)
    assert.match(after, /## \[Unreleased\]\n\n## \[1\.3\.0\] - 2026-12-01\n\n- More\.\n\n## \[1\.2\.3\]/)
    assert.deepEqual([dateOf(after, '1.3.0'), dateOf(after, '1.3')], ['2026-12-01', undefined])
  })
})

const SOUND = {
  name: 'millrace',
  version: '1.2.3',
  lockedVersion: '1.2.3',
  today: '2026-11-17',
  changelog: CHANGELOG,
  branch: 'main',
  changes: [],
  tree: 'abc',
  head: 'def',
  tagged: undefined,
  passed: Object.fromEntries(requiredChecks.map((check) => [check, { at: '2026-11-17T12:00:00.000Z' }])),
  published: 'no' as const,
  vulnerable: []
}

interface Bill {
  readonly bomFormat: string
  readonly metadata: { readonly component: { readonly name: string } }
  readonly components: readonly {
    readonly name: string
    readonly purl: string
    readonly hashes?: readonly object[]
  }[]
}

const AUTHOR = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'commit.gpgsign=false']

/** A repository with a version that only lacks its tests. */
async function repository(t: TestContext) {
  const root = await temporaryFolder(t)
  const write = (file: string, text: string) => writeFile(join(root, file), text)
  const versions = JSON.stringify({ name: 'millrace', version: '1.2.3' })
  await Promise.all([
    write('package.json', versions),
    write('package-lock.json', versions),
    write('CHANGELOG.md', CHANGELOG),
    write('index.js', '')
  ])
  git(root, 'init', '--quiet', '--initial-branch=main')
  commit(root)
  const refusals = async (published: 'yes' | 'no' | 'unknown' = 'no') =>
    refusalsOf(
      await readFacts(root, {
        today: '2026-11-17',
        askPublished: async () => published,
        askAudit: async () => []
      })
    )
  return { root, write, refusals }
}

async function tested(t: TestContext) {
  const made = await repository(t)
  for (const check of requiredChecks) beginCheck(made.root, check)()
  return made
}

function commit(root: string): void {
  git(root, 'add', '--all')
  git(root, ...AUTHOR, 'commit', '--quiet', '--message', 'Change something')
}
