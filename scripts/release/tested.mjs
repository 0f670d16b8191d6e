// Which trees passed which checks. It is kept in the folder of git, by the hash of the tree: what was tested is what the
// files say, in whichever commit, branch or work tree they say it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { askGit } from './git.mjs'

/** What a release must have passed. */
export const requiredChecks = ['npm test', 'npm run check:package', 'npm run check:container']

/**
 * Begins a check. Whoever has passed it calls what this returns: it notes that, with further facts, where all files are
 * committed and have stayed so.
 */
export function beginCheck(root, name) {
  const tree = committedTree(root)
  return (facts = {}) => {
    if (tree !== undefined && committedTree(root) === tree) note(root, tree, name, facts)
  }
}

/** The tree of HEAD, if no file differs from it, and the repository is that of this folder. */
export function committedTree(root) {
  if (askGit(root, 'rev-parse', '--show-prefix') !== '') return undefined
  return askGit(root, 'status', '--porcelain') === '' ? askGit(root, 'rev-parse', 'HEAD^{tree}') : undefined
}

/** The checks that a tree has passed, by name. */
export function passedChecks(root, tree) {
  try {
    return JSON.parse(readFileSync(fileOf(root, tree), 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}

function note(root, tree, name, facts) {
  const passed = { ...passedChecks(root, tree), [name]: { at: new Date().toISOString(), ...facts } }
  try {
    mkdirSync(folderOf(root), { recursive: true })
    writeFileSync(fileOf(root, tree), `${JSON.stringify(passed, null, 2)}\n`)
  } catch (error) {
    // Passed is passed. Whoever releases is told.
    console.error(`It is not noted that ${name} has passed: ${error.message}`)
  }
}

function fileOf(root, tree) {
  return join(folderOf(root), `${tree}.json`)
}

function folderOf(root) {
  return resolve(root, askGit(root, 'rev-parse', '--git-common-dir'), 'millrace-tested')
}
