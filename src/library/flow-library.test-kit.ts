import assert from 'node:assert/strict'
import { manualClock } from '../clock.test-kit.ts'
import { builtInTree } from '../contexts/catalogue.test-kit.ts'
import { componentCatalogue } from '../contexts/component-catalogue.ts'
import { MillraceError, type ProblemCode } from '../errors.ts'
import { NO_DEFAULTS } from './entry-defaults.test-kit.ts'
import { FlowLibrary } from './flow-library.ts'
import { MemoryFlowStore } from './flow-store.test-kit.ts'

export const clock = manualClock()

export function libraryOn(store: MemoryFlowStore, tree = builtInTree()): FlowLibrary {
  const { newId, now } = clock
  const catalogue = componentCatalogue(tree)
  return new FlowLibrary({ store, catalogue, defaults: NO_DEFAULTS, isMade: () => false, newId, now })
}

export function library(): FlowLibrary {
  return libraryOn(new MemoryFlowStore())
}

export function refusal(code: ProblemCode, message = /./): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof MillraceError, String(error))
    assert.equal(error.code, code)
    assert.match(error.message, message)
    return true
  }
}
