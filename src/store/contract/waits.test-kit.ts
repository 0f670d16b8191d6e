import { callsAnewContract } from './calls-anew.test-kit.ts'
import type { OpenSubject } from './subject.test-kit.ts'
import { waitListContract } from './wait-lists.test-kit.ts'
import { wakingContract } from './wakes.test-kit.ts'

export function waitContract(open: OpenSubject): void {
  wakingContract(open)
  callsAnewContract(open)
  waitListContract(open)
}
