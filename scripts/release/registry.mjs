import { execFile } from 'node:child_process'

/** Whether the registry has this version: `yes`, `no`, or `unknown` where it gave no answer. */
export function askPublished(name, version) {
  return new Promise((resolve) => {
    execFile('npm', ['view', `${name}@${version}`, 'version', '--json'], (error, stdout) => {
      if (error === null) resolve(stdout.trim() === '' ? 'no' : 'yes')
      else resolve(stdout.includes('"E404"') ? 'no' : 'unknown')
    })
  })
}
