import { MillraceError } from '../errors.ts'
import { type Finding, fault } from './finding.ts'

// A store that another version of Millrace has written: refused by whoever opens it, and found by doctor.

const BEFORE = 'was written by a Millrace from before 0.1.0, which this one cannot read'
const NEWER = 'Start the newer Millrace that wrote it, or restore a backup that is older.'

/** `where`: "in a folder", "at an address". `instead`: what to do to begin anew. */
export function storeTooOld(where: string, instead: string): MillraceError {
  return new MillraceError(
    'store_too_old',
    `The store ${where} ${BEFORE}. ${instead} to begin anew, or start the Millrace that wrote it.`
  )
}

export function storeTooNew(where: string, version: number, known: number): MillraceError {
  return new MillraceError(
    'store_too_new',
    `The store ${where} has schema version ${version}, this Millrace knows versions up to ${known}. ${NEWER}`
  )
}

export function tooOld(check: string): Finding {
  return fault(
    check,
    `the store ${BEFORE}`,
    'Move it away to begin anew, or start the Millrace that wrote it.'
  )
}

export function tooNew(check: string, version: number, known: number): Finding {
  return fault(check, `version ${version}, and this Millrace knows versions up to ${known}`, NEWER)
}
