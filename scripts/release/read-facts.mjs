import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { askGit, git } from './git.mjs'
import { passedChecks } from './tested.mjs'

/** All that decides whether the folder may be published. */
export async function readFacts(root, { today, askPublished, askAudit }) {
  const read = (file) => readFileSync(join(root, file), 'utf8')
  const { name, version } = JSON.parse(read('package.json'))
  const tree = git(root, 'rev-parse', 'HEAD^{tree}')
  return {
    name,
    version,
    today,
    tree,
    lockedVersion: JSON.parse(read('package-lock.json')).version,
    changelog: read('CHANGELOG.md'),
    branch: askGit(root, 'symbolic-ref', '--short', 'HEAD'),
    changes: git(root, 'status', '--porcelain')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.slice(3)),
    head: git(root, 'rev-parse', 'HEAD'),
    tagged: askGit(root, 'rev-parse', '--verify', '--quiet', `refs/tags/v${version}^{commit}`),
    passed: passedChecks(root, tree),
    published: await askPublished(name, version),
    vulnerable: await askAudit(root)
  }
}
