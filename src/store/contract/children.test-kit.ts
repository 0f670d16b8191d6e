import { childFamilyContract } from './child-families.test-kit.ts'
import { childReadContract } from './child-reads.test-kit.ts'
import { childTurnContract } from './child-turns.test-kit.ts'
import type { OpenSubject } from './subject.test-kit.ts'

export function childContract(open: OpenSubject): void {
  childTurnContract(open)
  childFamilyContract(open)
  childReadContract(open)
}
