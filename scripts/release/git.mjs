import { execFileSync } from 'node:child_process'

/** What git prints in this folder, whatever repository a hook that we run in belongs to. */
export function git(root, ...args) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
  return execFileSync('git', args, {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe']
  }).trimEnd()
}

/** Undefined where git ends with a fault: no repository, no such name, no git at all. */
export function askGit(root, ...args) {
  try {
    return git(root, ...args)
  } catch {
    return undefined
  }
}
