import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
// A whole run takes 150 MB at most at a time.
const room = 1024 ** 3

/**
 * The variables that give tests their temporary folder: in memory where there is room, else the system's own. Each
 * service that a test starts commits a dozen times, and waits for the disk each time: thirty of them took 11 s instead
 * of 35 in memory, on a busy machine. It is removed when this process ends.
 */
export function testFolder() {
  if (!hasRoom()) return {}
  const folder = mkdtempSync(join(memory, 'millrace-tests-'))
  // For PostgreSQL, which runs as somebody else where the tests are run by root.
  chmodSync(folder, 0o755)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { TMPDIR: folder }
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, freemem()) > room
  } catch {
    return false
  }
}
