// `npm run release:prepare -- minor`: sets the version, and gives it what is under Unreleased in CHANGELOG.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../install.mjs'
import { run } from '../run-command.mjs'
import { dateOf, hasUnreleased, releaseChangelog } from './changelog.mjs'

const [version] = process.argv.slice(2)
const file = join(root, 'CHANGELOG.md')
const changelog = readFileSync(file, 'utf8')

if (version === undefined)
  fail('Say which version: npm run release:prepare -- patch (or minor, major, 1.2.3)')
if (!hasUnreleased(changelog))
  fail('CHANGELOG.md has nothing under Unreleased, so there is nothing to release.')

// It checks what was typed, and knows package.json and the lockfile.
const flags = ['--no-git-tag-version', '--allow-same-version', '--ignore-scripts', '--silent']
const code = await run('npm', ['version', version, ...flags], { cwd: root })
if (code !== 0) fail(`npm does not take "${version}". Say patch, minor, major, or a version such as 1.2.3.`)
const { version: set } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
if (dateOf(changelog, set) !== undefined)
  fail(`CHANGELOG.md has a section ${set} already. Choose a later version.`)
writeFileSync(file, releaseChangelog(changelog, set, new Date().toISOString().slice(0, 10)))
console.log(`
package.json, package-lock.json and CHANGELOG.md say ${set} now. Read them, then:

  git commit --all --message "Release ${set}"
  npm test
  npm run check:package
  npm run check:container
  npm run release`)

function fail(text) {
  console.error(text)
  process.exit(1)
}
