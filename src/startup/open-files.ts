import { readFileSync } from 'node:fs'

/**
 * How many files and sockets this process may have open, as Linux tells it; no bound where it is not told. Node raises
 * its own to the hard limit at the start, so that is the one.
 */
export function openFilesLimit(read: () => string = () => readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    const [, hard] = /^Max open files\s+\S+\s+(\d+)/m.exec(read()) ?? []
    return hard === undefined ? Number.POSITIVE_INFINITY : Number(hard)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Each run that waits for others may hold a socket; the rest is for those who call us, and for files. */
const SHARE_OF_FILES = 3 / 4

export function mostInFlight(wanted: number, openFiles: number): number {
  return Math.max(1, Math.min(wanted, Math.floor(openFiles * SHARE_OF_FILES)))
}
