import { dateOf, hasUnreleased } from './changelog.mjs'
import { requiredChecks } from './tested.mjs'

const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/

/** Why this must not be published: what is wrong and what to do, one line each. None if all is well. */
export function refusalsOf(facts) {
  return [...ofRepository(facts), ...ofVersion(facts), ...ofPackages(facts), ...ofTests(facts)]
}

function* ofRepository({ branch, changes, head, tagged, version }) {
  if (changes.length > 0) yield `Not all is committed: ${changes.join(', ')}. Commit it, or take it away.`
  if (branch !== 'main')
    yield `This is ${branch ? `the branch ${branch}` : 'no branch'}. Releases are made of main.`
  if (tagged !== undefined && tagged !== head)
    yield `The tag v${version} stands at another commit. Choose a new version: npm run release:prepare -- patch`
}

function* ofVersion({ version, lockedVersion, changelog, today, published }) {
  if (!VERSION.test(version)) yield `"${version}" is not a version. Write one as 1.2.3 into package.json.`
  if (lockedVersion !== version)
    yield `package-lock.json says ${lockedVersion}, package.json ${version}. Run npm install.`
  yield* ofChangelog({ version, changelog, today })
  if (published === 'yes')
    yield `${version} is published already. Choose a new version: npm run release:prepare -- patch`
  if (published === 'unknown')
    yield `Nobody can tell whether ${version} is published: the registry gave no answer. Try again.`
}

function* ofChangelog({ version, changelog, today }) {
  const date = dateOf(changelog, version)
  if (date === undefined)
    yield `CHANGELOG.md has no section ${version}. Run npm run release:prepare -- ${version}`
  else if (!isDate(date)) yield `CHANGELOG.md has no date for ${version}. Write ## [${version}] - ${today}`
  else if (date > today) yield `CHANGELOG.md says that ${version} is of ${date}, and today is ${today}.`
  if (hasUnreleased(changelog))
    yield `CHANGELOG.md has changes under Unreleased. They would be published: put them under a version.`
}

function* ofPackages({ vulnerable }) {
  if (vulnerable === 'unknown')
    yield 'Nobody can tell whether the packages are sound: npm audit gave no answer. Try again, where the registry answers it.'
  else if (vulnerable.length > 0)
    yield `npm audit --omit=dev knows of faults in ${vulnerable.join(', ')}. Update them; npm audit tells to which version.`
}

function* ofTests({ tree, passed }) {
  for (const check of requiredChecks) {
    if (passed[check] === undefined)
      yield `${check} has not passed with exactly these files (tree ${tree.slice(0, 12)}). Run it, with all committed.`
  }
}

function isDate(text) {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}
