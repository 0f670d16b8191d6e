import { execFile } from 'node:child_process'

const GRAVE = ['high', 'critical']

/** Which packages have known faults that are grave, of those that users install; `unknown` where nobody told. */
export function askAudit(root) {
  return new Promise((resolve) => {
    // It ends with 1 where there is something, so the end says nothing.
    execFile('npm', ['audit', '--omit=dev', '--json'], { cwd: root, maxBuffer: 2 ** 26 }, (_, stdout) =>
      resolve(readAudit(stdout))
    )
  })
}

export function readAudit(text) {
  try {
    const { vulnerabilities } = JSON.parse(text)
    return Object.entries(vulnerabilities)
      .filter(([, { severity }]) => GRAVE.includes(severity))
      .map(([name, { severity }]) => `${name} (${severity})`)
  } catch {
    return 'unknown'
  }
}
