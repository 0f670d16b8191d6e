// `npm run release` says whether this commit may be published, builds the package, and shows what would be published.
// `npm run release -- --publish` does it. Nothing is published that was not tested: see refusals.mjs.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../install.mjs'
import { run } from '../run-command.mjs'
import { askAudit } from './audit.mjs'
import { billOfMaterials } from './bill-of-materials.mjs'
import { git } from './git.mjs'
import { readFacts } from './read-facts.mjs'
import { refusalsOf } from './refusals.mjs'
import { askPublished } from './registry.mjs'

const { values } = parseArgs({ options: { publish: { type: 'boolean', default: false } } })
const facts = await readFacts(root, { today: new Date().toISOString().slice(0, 10), askPublished, askAudit })
refuse(refusalsOf(facts))
await command('npm', ['run', '--silent', 'package'])
// With its dot: npm would take out/… for a repository of somebody called "out".
const file = `./out/${facts.name}-${facts.version}.tgz`
refuse(differences(file))
const bill = file.replace(/tgz$/, 'cdx.json')
writeFileSync(join(root, bill), await billOfMaterials(root))
console.log(`Its bill of materials: ${bill}`)
await command('npm', ['publish', file, ...(values.publish ? [] : ['--dry-run'])])
if (values.publish) tag()
else console.log(`\nThat would be published. To do it: npm run release -- --publish`)

function refuse(reasons) {
  if (reasons.length === 0) return
  console.error(`${facts.name} ${facts.version} is not published:\n`)
  for (const reason of reasons) console.error(`- ${reason}`)
  process.exit(1)
}

/** The same files give the same package, to the last byte: one that differs was made of something else. */
function differences(built) {
  const { sha512 } = facts.passed['npm run check:container']
  const own = createHash('sha512')
    .update(readFileSync(join(root, built)))
    .digest('hex')
  if (own === sha512) return []
  return [`${built} is not the package that npm run check:container has tested. Run that again, then this.`]
}

function tag() {
  const name = `v${facts.version}`
  if (facts.tagged === undefined)
    git(root, 'tag', '--annotate', name, '--message', `Millrace ${facts.version}`)
  console.log(`\nPublished, and tagged as ${name}. To tell the others: git push origin main ${name}`)
  console.log(`Put ${bill} beside the notes of the release.`)
}

async function command(program, args) {
  const code = await run(program, args, { cwd: root })
  if (code !== 0) process.exit(code)
}
